// Programs of phones: what is taken, and which field is named when one is not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileHears, readProgram } from './program.ts';
import { READY_MADE } from './ready-made.ts';

test('An empty program is a person who types and has nothing to say', () => {
  assert.deepEqual(readProgram({}), {
    program: {
      behaviour: 'person',
      medium: 'text',
      ring_ms: 200,
      greeting: null,
      replies: [],
      otherwise: 'Sorry, could you say that again?',
      hang_up_after_ms: null,
    },
  });
});

test('A whole program is taken as it is', () => {
  const program = {
    behaviour: 'silent',
    medium: 'text',
    ring_ms: 0,
    greeting: 'Hello?',
    replies: [{ hears: '(?:open|hours)', says: 'Yes.', keys: '12#', hang_up: true, once: true }],
    otherwise: '',
    hang_up_after_ms: 1_000,
  };
  assert.deepEqual(readProgram(program), { program });
});

const REFUSED: readonly [input: unknown, pointer: string, says: RegExp][] = [
  [null, '', /object/],
  [[], '', /object/],
  ['person', '', /object/],
  [{ behavior: 'busy' }, '/behavior', /not a field/],
  [
    { behaviour: 'voicemail' },
    '/behaviour',
    /not available yet.*person, silent, busy, no_answer, reject, unreachable, mute_network/,
  ],
  [{ behaviour: 'menu' }, '/behaviour', /not available yet/],
  [{ behaviour: 'robot' }, '/behaviour', /one of person/],
  [{ medium: 'speech' }, '/medium', /not available yet; available is text/],
  [{ medium: 'morse' }, '/medium', /text/],
  [{ ring_ms: -1 }, '/ring_ms', /0/],
  [{ ring_ms: 1.5 }, '/ring_ms', /integer/],
  [{ ring_ms: '5' }, '/ring_ms', /integer/],
  [{ hang_up_after_ms: 1e12 }, '/hang_up_after_ms', /./],
  [{ greeting: 5 }, '/greeting', /./],
  [{ otherwise: null }, '/otherwise', /string/],
  [{ greeting: 'x'.repeat(4_001) }, '/greeting', /./],
  [{ replies: {} }, '/replies', /array/],
  [{ replies: [{ says: 'x' }] }, '/replies/0/hears', /missing/],
  [{ replies: [{ hears: 'x' }] }, '/replies/0/says', /missing/],
  [{ replies: [{ hears: '', says: 'x' }] }, '/replies/0/hears', /./],
  [
    {
      replies: [
        { hears: 'ok', says: 'x' },
        { hears: '(', says: 'x' },
      ],
    },
    '/replies/1/hears',
    /RE2 syntax/,
  ],
  [{ replies: [{ hears: '(a)\\1', says: 'x' }] }, '/replies/0/hears', /RE2 syntax/],
  [{ replies: [{ hears: '(a{1000}){1000}', says: 'x' }] }, '/replies/0/hears', /RE2 syntax/],
  [{ replies: [{ hears: 'x', says: 'x', keys: '12a' }] }, '/replies/0/keys', /./],
  [{ replies: [{ hears: 'x', says: 'x', say: 'y' }] }, '/replies/0/say', /not a field/],
  [{ replies: Array.from({ length: 101 }, () => ({ hears: 'x', says: 'x' })) }, '/replies', /./],
];

for (const [input, pointer, says] of REFUSED) {
  test(`Refused at ${pointer === '' ? 'the body' : pointer}: ${JSON.stringify(input).slice(0, 60)}`, () => {
    const read = readProgram(input);
    assert.ok('fault' in read);
    assert.equal(read.fault.pointer, pointer);
    assert.match(read.fault.because, says);
  });
}

test('A pattern that makes other engines hang takes a moment', () => {
  const startedAt = performance.now();
  assert.equal(compileHears('(x+x+)+y').matcher('x'.repeat(4_000)).find(), false);
  assert.ok(performance.now() - startedAt < 2_000);
});

/** What the front desk is asked, and what its answer must hold. */
const ASKED: readonly [question: string, answer: RegExp][] = [
  [
    'Hello, this is an automated assistant calling for Ada Lovelace. I am calling to ask about your hours.',
    /go ahead/i,
  ],
  ['Hello, this is an automated assistant. Are you open on Saturday?', /yes.*saturday/i],
  ['Are you open on Sunday?', /^no/i],
  ['What time do you close on Saturday?', /noon/],
  ['When do you open on Saturday?', /9 am/],
  ['What are your opening hours?', /8 am to 5 pm/],
  ['When do you close?', /5 pm/],
  ['Sorry, I did not quite get that. Do you take new patients? Please say yes or no.', /^yes/i],
  ['Is dental insurance accepted, accepted in part, or not accepted?', /accept/],
  ['What is the earliest appointment on Thursday?', /half past nine/],
  ['How much does a check-up cost?', /60 dollars/],
  ['May I have your name, please?', /Maria/],
  ['What is the address?', /12 Harbour Street/],
  ['Is there anything else the patient should bring or know?', /photo ID/],
  ['Is there anything else I should pass on?', /that is all/],
  ['Can I come by bus?', /^yes/i],
  ['Thank you very much for your help. Goodbye.', /goodbye/i],
  ['Thank you. What is the address?', /12 Harbour Street/],
  ['Which colour has the door?', /do not know/],
];

for (const [question, answer] of ASKED) {
  test(`The front desk is asked: ${question}`, () => {
    const desk = READY_MADE.get('+15550100101');
    const reply = desk?.replies.find(({ hears }) => compileHears(hears).matcher(question).find());
    assert.match(reply?.says ?? desk?.otherwise ?? '', answer);
  });
}
