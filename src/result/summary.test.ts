// The summary claims what the call's record and the verified answers hold, and no more.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { leavesOf } from '../answers/leaves.ts';
import { EXECUTION_ERROR_CODES } from '../contract/call.ts';
import type { Claim, Verified } from './evidence.ts';
import { outcomeOf } from './outcome.ts';
import type { EndedCall } from './outcome.ts';
import { plainSummary, verifiedSummary } from './summary.ts';
import type { TranscriptTurn } from './transcript.ts';

const LEAVES = leavesOf({
  type: 'object',
  required: ['open', 'days', 'price'],
  properties: {
    open: { type: 'boolean', title: 'open on Saturday' },
    days: { type: 'array', items: { enum: ['mon', 'tue'] } },
    price: { type: 'number' },
  },
});
const TURNS: readonly TranscriptTurn[] = [
  { sequence: 1, speaker: 'assistant', text: 'Are you open? You gave us a refund.', about: '/open' },
  { sequence: 2, speaker: 'recipient', text: 'Yes, we are.', about: null },
];
const answered: EndedCall = { state: 'completed', errorCode: null, isStarted: true, isAnswered: true };
const claim = (path: string, value: Claim['value'], quote: string): Claim => ({ path, value, sequence: 2, quote });
const verified = (...claims: Claim[]): Verified => ({ claims, evidence: [], dropped: [], issues: [] });

describe('The outcome', () => {
  const unanswered = { state: 'failed', isStarted: true, isAnswered: false } as const;
  for (const code of Object.keys(EXECUTION_ERROR_CODES)) {
    it(`of a failed call with ${code} says that it was not answered, placed or connected, and claims nothing`, () => {
      const outcome = outcomeOf({ ...unanswered, errorCode: code }, []);
      assert.match(outcome, /not answered|not placed|could not be connected|not known/);
      assert.doesNotMatch(outcome, /success/i);
    });
  }
  const rows: readonly (readonly [EndedCall, readonly TranscriptTurn[], RegExp])[] = [
    [answered, TURNS, /^The call was answered\.$/],
    [answered, [], /No words of the recipient/],
    [{ ...answered, errorCode: 'duration_limit_reached' }, TURNS, /duration limit/],
    [
      { ...answered, errorCode: 'call_interrupted' },
      TURNS,
      /answered\. It was cut short on our side or by the network/,
    ],
    [
      { ...answered, errorCode: 'call_interrupted' },
      [{ sequence: 1, speaker: 'system', text: 'Answered, but the line carries no text.', about: null }],
      /^Answered, but the line carries no text\.$/,
    ],
    [{ ...answered, state: 'cancelled' }, TURNS, /answered\. It was cancelled while/],
    [{ ...answered, state: 'cancelled', isAnswered: false }, [], /cancelled before anybody answered/],
    [{ ...answered, state: 'cancelled', isAnswered: false, isStarted: false }, [], /cancelled before it was placed/],
    [
      answered,
      [{ sequence: 1, speaker: 'recipient', text: 'Please leave a message after the tone', about: null }],
      /voicemail or an automatic system/,
    ],
  ];
  for (const [call, turns, expected] of rows) {
    it(`of ${call.state}${call.errorCode === null ? '' : ` (${call.errorCode})`} is told: ${expected.source}`, () => {
      assert.match(outcomeOf(call, turns), expected);
    });
  }
});

describe('The plain summary', () => {
  it('has every verified answer with its words, and what is missing', () => {
    const summary = plainSummary(
      answered,
      TURNS,
      LEAVES,
      verified(claim('/open', true, 'Yes, we are.'), claim('/days', ['mon'], 'Monday')),
    );
    assert.equal(
      summary,
      'The call was answered. Open on Saturday: yes ("Yes, we are."). Days: Monday ("Monday"). Not answered: price.',
    );
  });

  it('says when nothing was answered', () => {
    assert.equal(
      plainSummary(answered, TURNS, LEAVES, verified()),
      'The call was answered. Nothing that was asked for was answered.',
    );
  });

  it('of a call that nobody answered is the outcome alone', () => {
    const call: EndedCall = { state: 'failed', errorCode: 'destination_busy', isStarted: true, isAnswered: false };
    assert.equal(plainSummary(call, [], LEAVES, verified()), 'The call was not answered: the line was busy.');
  });

  it('shortens long quotes, and stays within its bound', () => {
    const long = `${'word '.repeat(300)}end`;
    const claims = Array.from({ length: 60 }, (_, index) => claim(`/p${index}`, long, long));
    const summary = plainSummary(answered, TURNS, LEAVES, verified(...claims));
    assert.ok(summary.length <= 4000);
    assert.match(summary, /…"\)\.$/);
  });
});

describe('A proposed summary', () => {
  const propose = (...sentences: (readonly [string, number, string])[]): string | null =>
    verifiedSummary(
      answered,
      TURNS,
      LEAVES,
      verified(claim('/open', true, 'Yes')),
      sentences.map(([sentence, sequence, quote]) => ({ sentence, sequence, quote })),
    );

  it('keeps the sentences that the recipient’s words bear out, after the outcome', () => {
    assert.equal(
      propose(
        ['They are open.', 2, 'yes, we ARE'],
        ['They are open on Saturday.', 2, 'Yes, we are.'],
        ['They gave a refund.', 1, 'You gave us a refund.'],
        ['It is free', 2, 'free'],
      ),
      'The call was answered. They are open ("Yes, we are"). Not answered: days; price.',
      'nobody spoke of Saturday',
    );
  });

  it('is none when nothing bears it out', () => {
    assert.equal(
      propose(['They gave a refund.', 1, 'You gave us a refund.'], ['', 2, 'Yes'], ['Fine', 9, 'Yes']),
      null,
    );
  });

  it('is bounded in sentences and length', () => {
    const many = Array.from({ length: 50 }, (): readonly [string, number, string] => ['They are open', 2, 'Yes']);
    assert.equal((propose(...many) ?? '').split('They are open').length - 1, 12);
    assert.equal(propose(['x'.repeat(500), 2, 'Yes']), null);
  });
});
