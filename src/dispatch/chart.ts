// The chart of a call: for every stage and every event, the one rule that applies. Data, so that it can be read, printed and
// tested cell by cell. Pure; whether an event may be believed at all is decided before it, in advance.ts.
import { STAGES } from '../contract/call.ts';
import type { Stage } from '../contract/call.ts';
import type { CallEvent } from './call-event.ts';
import type { CallRow } from './call-row.ts';
import { RULES } from './rules.ts';
import type { Moment, Next, RuleName } from './rules.ts';

export const EVENT_KINDS = [
  'dispatched',
  'withdrawn',
  'queue_expired',
  'acknowledged',
  'ringing',
  'answered',
  'refused',
  'ended',
  'unacknowledged',
  'leg_changed',
  'cancel_requested',
  'hang_up_confirmed',
  'hang_up_unconfirmed',
  'lease_expired',
  'looked_up',
  'operator_resolved',
] as const satisfies readonly CallEvent['kind'][];
export type EventKind = CallEvent['kind'];

type Row = Readonly<Record<EventKind, RuleName>>;

const every = (rule: RuleName): Row =>
  // Every event kind is a key by construction.
  Object.fromEntries(EVENT_KINDS.map((kind) => [kind, rule])) as Record<EventKind, RuleName>;

const dispatchedBefore = {
  dispatched: 'dispatched_before',
  withdrawn: 'dispatched_before',
  queue_expired: 'dispatched_before',
} as const;

/** What a worker that holds the call may tell of it, cancelled or not. */
const fromTheLine = { refused: 'fail', ended: 'complete', leg_changed: 'keep_leg' } as const;

export const CHART: Readonly<Record<Stage, Row>> = {
  queued: {
    ...every('not_dialed_yet'),
    dispatched: 'dispatch',
    withdrawn: 'withdraw',
    queue_expired: 'expire',
    cancel_requested: 'cancel_at_once',
  },
  submitting: {
    ...dispatchedBefore,
    ...fromTheLine,
    acknowledged: 'move_forward',
    ringing: 'move_forward',
    answered: 'move_forward',
    unacknowledged: 'start_recovery',
    cancel_requested: 'ask_for_hang_up',
    hang_up_confirmed: 'hung_up',
    hang_up_unconfirmed: 'start_recovery',
    lease_expired: 'release_to_recovery',
    looked_up: 'held_by_worker',
    operator_resolved: 'not_under_review',
  },
  running: {
    ...dispatchedBefore,
    ...fromTheLine,
    acknowledged: 'move_forward',
    ringing: 'move_forward',
    answered: 'move_forward',
    unacknowledged: 'start_recovery',
    cancel_requested: 'ask_for_hang_up',
    hang_up_confirmed: 'hung_up',
    hang_up_unconfirmed: 'start_recovery',
    lease_expired: 'release_to_recovery',
    looked_up: 'held_by_worker',
    operator_resolved: 'not_under_review',
  },
  reconciling: {
    ...dispatchedBefore,
    ...fromTheLine,
    acknowledged: 'move_forward',
    ringing: 'move_forward',
    answered: 'move_forward',
    unacknowledged: 'in_recovery',
    cancel_requested: 'ask_for_hang_up',
    hang_up_confirmed: 'hung_up',
    hang_up_unconfirmed: 'in_recovery',
    lease_expired: 'release_claim',
    looked_up: 'count_look_up',
    operator_resolved: 'resolve',
  },
  cancel_requested: {
    ...dispatchedBefore,
    ...fromTheLine,
    acknowledged: 'note_state',
    ringing: 'note_state',
    answered: 'note_state',
    unacknowledged: 'doubt_hang_up',
    cancel_requested: 'asked_before',
    hang_up_confirmed: 'hung_up',
    hang_up_unconfirmed: 'doubt_hang_up',
    lease_expired: 'release_and_doubt',
    looked_up: 'count_look_up',
    operator_resolved: 'resolve',
  },
  cancelled: every('over'),
  failed: every('over'),
  completed: every('over'),
};

/**
 * Decides what an event does to a call.
 * @param event believed: a worker's claim was checked, an expiry has come
 * @returns the changes and what they owe, or why nothing changes; never throws, every cell is covered
 */
export function next(row: CallRow, event: CallEvent, moment: Moment): Next {
  return RULES[CHART[row.stage][event.kind]].decide(row, event, moment);
}

/** The chart as a page of Markdown: one line an event, one column a stage, then what each rule means. */
export function printChart(): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const used = Object.entries(RULES);
  return [
    '# The chart of a call',
    '',
    'Written by `npm run chart` from `src/dispatch/chart.ts`; a test holds it fresh.',
    '',
    'Every event goes through one function, `advance`, which locks the call, believes news of a worker only with the number of',
    'its current claim and an expiry only if its time has come, and then applies the rule of this table in one transaction.',
    '',
    line(['event', ...STAGES]),
    line(['event', ...STAGES].map(() => '---')),
    ...EVENT_KINDS.map((kind) => line([`\`${kind}\``, ...STAGES.map((stage) => CHART[stage][kind])])),
    '',
    '## Rules',
    '',
    line(['rule', 'what happens']),
    line(['---', '---']),
    ...used.map(([name, rule]) => line([name, rule.means])),
    '',
  ].join('\n');
}
