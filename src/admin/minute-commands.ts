// Operators' commands on minutes and plans. Every change leaves a ledger entry with its note.
import { CREDIT_LIMIT_MINUTES, changePlan, creditMinutes } from '../ledger/credit.ts';
import { auditLedger, lockBalance } from '../ledger/store.ts';
import { PLAN_NAMES, found } from './account-commands.ts';
import { CommandFailure, UsageError } from './command.ts';
import type { Command } from './command.ts';
import { choiceOf, textOf, uuidOf, wholeOf } from './values.ts';

export const MINUTE_COMMANDS: readonly Command[] = [
  {
    name: 'credit add',
    means: 'Adds prepaid minutes; a negative figure (--minutes=-5) takes back.',
    operands: ['WORKSPACE'],
    options: {
      minutes: { means: 'whole minutes', value: 'N', isRequired: true },
      note: { means: 'why, for the ledger', value: 'TEXT', isRequired: true },
    },
    async run({ database, clock }, words) {
      const id = uuidOf('WORKSPACE', words.operands[0]);
      const minutes = wholeOf('--minutes', words.option('minutes'), -CREDIT_LIMIT_MINUTES, CREDIT_LIMIT_MINUTES);
      if (minutes === 0) throw new UsageError('--minutes must not be 0');
      const note = textOf('--note', words.option('note'), 500);
      const balance = await database
        .transaction((tx) => creditMinutes(tx, id, minutes, note, clock.now()))
        .catch(asFailure);
      found(balance !== null, 'workspace', id);
      return { ...balance };
    },
  },
  {
    name: 'credit show',
    means: 'Shows plan, included, prepaid and held minutes.',
    operands: ['WORKSPACE'],
    options: {},
    async run({ database, clock }, words) {
      const id = uuidOf('WORKSPACE', words.operands[0]);
      const balance = await database.transaction((tx) => lockBalance(tx, id, clock.now()));
      found(balance !== null, 'workspace', id);
      return { ...balance };
    },
  },
  {
    name: 'credit audit',
    means: 'Sums all postings and compares balances and holds with them; every figure is 0 while the books are right.',
    operands: [],
    options: {},
    run: async ({ database }) => ({ ...(await auditLedger(database)) }),
  },
  {
    name: 'plan set',
    means: `Moves a workspace to a plan (${PLAN_NAMES.join(', ')}); what is left of the old plan's allowance expires.`,
    operands: ['WORKSPACE', 'PLAN'],
    options: {},
    async run({ database, clock }, words) {
      const id = uuidOf('WORKSPACE', words.operands[0]);
      const plan = choiceOf('PLAN', words.operands[1], PLAN_NAMES);
      const balance = await database.transaction((tx) => changePlan(tx, id, plan, clock.now()));
      found(balance !== null, 'workspace', id);
      return { ...balance };
    },
  },
];

function asFailure(error: unknown): never {
  if (error instanceof RangeError) throw new CommandFailure(error.message);
  throw error;
}
