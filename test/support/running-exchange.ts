// An exchange in a process of its own, so that a test can kill it: prints its trunk URI and then what it is asked for.
// Arguments: the journal's path, the port. On each line of standard input, a number: prints the phone of it as JSON.
import { createInterface } from 'node:readline';
import { openExchange } from '../../src/line/exchange/exchange.ts';
import { systemChance, systemClock } from '../../src/platform/clock.ts';
import { createLogger } from '../../src/platform/log.ts';

const [journal = '', port = '0'] = process.argv.slice(2);
const exchange = await openExchange({
  host: '127.0.0.1',
  port: Number(port),
  journal,
  clock: systemClock,
  chance: systemChance,
  log: createLogger('warn'),
});
process.stdout.write(`${exchange.trunkUri}\n`);
for await (const number of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(exchange.phone(number))}\n`);
}
await exchange[Symbol.asyncDispose]();
