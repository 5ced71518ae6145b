// Operators' commands on calls whose outcome is not settled. None of them dials.
import { found } from './account-commands.ts';
import { CommandFailure } from './command.ts';
import type { Command } from './command.ts';
import { choiceOf, textOf, uuidOf } from './values.ts';
import { listEvents, listUnderReview } from './store.ts';

const REVIEW_LIMIT = 1_000;

export const CALL_COMMANDS: readonly Command[] = [
  {
    name: 'calls review',
    means: 'Lists calls whose outcome is not known; those that wait for a decision say reconciliation_required.',
    operands: [],
    options: {},
    run: ({ database }) => listUnderReview(database, REVIEW_LIMIT),
  },
  {
    name: 'calls events',
    means: 'Shows everything that happened to a call, in order.',
    operands: ['CALL'],
    options: {},
    async run({ database }, words) {
      const callId = uuidOf('CALL', words.operands[0]);
      const events = await listEvents(database, callId);
      found(events.length > 0, 'call', callId);
      return events;
    },
  },
  {
    name: 'calls resolve',
    means:
      'Decides the outcome of a call that waits with reconciliation_required. Nothing is dialled; its hold is released.',
    operands: ['CALL'],
    options: {
      outcome: { means: 'completed or failed', value: 'OUTCOME', isRequired: true },
      reason: { means: 'why, for the record', value: 'TEXT', isRequired: true },
    },
    async run({ database, dispatch }, words) {
      const callId = uuidOf('CALL', words.operands[0]);
      const outcome = choiceOf('--outcome', words.option('outcome'), ['completed', 'failed']);
      const because = textOf('--reason', words.option('reason'), 500);
      found((await listEvents(database, callId)).length > 0, 'call', callId);
      const advance = await dispatch.advance(callId, { kind: 'operator_resolved', outcome, because });
      if (!advance.isApplied)
        throw new CommandFailure(`call ${callId} does not wait for a decision: ${advance.ignoredBecause}`);
      return { call_id: callId, outcome, reason: because };
    },
  },
];
