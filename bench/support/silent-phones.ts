// An exchange with many silent phones, in a process of its own. silent-phones.ts FOLDER COUNT; prints its port; ends with stdin.
import path from 'node:path';
import { openExchange } from '../../src/line/exchange/exchange.ts';
import { systemChance, systemClock } from '../../src/platform/clock.ts';
import { createLogger } from '../../src/platform/log.ts';

const [, , folder = '', count = '0'] = process.argv;
const exchange = await openExchange({
  host: '127.0.0.1',
  port: 0,
  journal: path.join(folder, 'phones.jsonl'),
  clock: systemClock,
  chance: systemChance,
  log: createLogger('warn'),
});
for (let at = 0; at < Number(count); at++)
  exchange.program(`+1555400${String(at).padStart(4, '0')}`, { behaviour: 'silent', ring_ms: 50 });
process.stdout.write(`${exchange.trunkUri.split(':').at(-1)}\n`);
process.stdin.resume();
process.stdin.once('end', () => void exchange[Symbol.asyncDispose]().then(() => process.exit(0)));
