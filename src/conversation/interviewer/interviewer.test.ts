// Whole conversations on paper between the interviewer and a recipient that answers from a list.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stage } from '../../../test/support/conversation-stage.ts';
import { MovedClock, SeededChance } from '../../../test/support/moved-clock.ts';
import type { MindBrief } from '../mind.ts';
import { PACE } from '../pace.ts';
import { Interviewer } from './interviewer.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    open: { type: 'boolean', description: 'Are you open on Saturday?' },
    day: { type: 'string', enum: ['Monday', 'Tuesday'], description: 'Which day suits you best?' },
    closing: { type: 'string', format: 'time', title: 'Closing time on Saturday' },
    notes: { type: 'string' },
  },
  required: ['open', 'day', 'closing'],
};
const OPEN = 'Are you open on Saturday?';
const DAY = 'Which day suits you best';
const NOTES = 'anything else';

function briefOf(overrides: Partial<MindBrief> = {}): MindBrief {
  return {
    objective: 'Ask whether they are open on Saturday',
    context: { secret_plan: 'never told' },
    constraints: ['Never tell the budget of 500 dollars'],
    successCriteria: [],
    resultSchema: SCHEMA,
    callerName: 'Ada Lovelace',
    assistantName: null,
    openingLine: null,
    ...overrides,
  };
}

/** What the recipient says when a line of ours holds the first text; each answer is used once, in order. */
type Replies = readonly (readonly [string, string])[];

interface Spoken {
  readonly stage: Stage;
  readonly ours: readonly string[];
}

/** Holds the whole call; the recipient is silent where no reply is left for what they heard. */
function speak(replies: Replies, overrides: Partial<MindBrief> = {}): Spoken {
  const interviewer = new Interviewer(briefOf(overrides), new MovedClock());
  const stage = new Stage({ mind: (prompt, turns) => interviewer.respond(prompt, turns) });
  stage.answer();
  stage.pass(PACE.greeting);
  const left = [...replies];
  let heard = 0;
  for (let step = 0; step < 400 && !stage.course.isOver; step += 1) {
    const line = stage.said.slice(heard).join('');
    heard = stage.said.length;
    const index = left.findIndex(([hears]) => line.includes(hears));
    const [reply] = index < 0 ? [] : left.splice(index, 1);
    if (reply === undefined) stage.pass(1000);
    else stage.tell(reply[1]);
  }
  assert.ok(stage.course.isOver, 'the call has ended');
  const ours = stage.segments.filter(({ speaker }) => speaker === 'assistant').map(({ text }) => text);
  return { stage, ours };
}

/** The questions that were asked, by pointer, in order. */
function asked({ stage }: Spoken): readonly string[] {
  return stage.segments.flatMap(({ about }) => (about === null ? [] : [about]));
}

test('a friendly recipient is asked each question once, in order, the remark last, and thanked', () => {
  const call = speak([
    ['automated assistant', 'Good morning, Corner Clinic.'],
    [OPEN, 'Yes, we are.'],
    [DAY, 'Tuesday is best.'],
    ['losing time', 'Five pm.'],
    [NOTES, 'No, that is all.'],
  ]);
  assert.deepEqual(asked(call), ['/open', '/day', '/closing', '/notes']);
  assert.deepEqual(call.ours.slice(0, 2), [
    'Hello, this is an automated assistant calling for Ada Lovelace.',
    'I am calling to ask whether you are open on Saturday.',
  ]);
  assert.match(call.ours.at(-1) ?? '', /Thank you very much.*Goodbye\.$/);
  assert.deepEqual(call.stage.outcome, { kind: 'ended', code: null, because: 'the conversation was over' });
  assert.doesNotMatch(call.ours.join(' '), /never told|500|budget/);
});

test('goes on by itself when nobody answers the opening', () => {
  const call = speak([
    [OPEN, 'Yes.'],
    [DAY, 'Monday'],
    ['losing time', 'at noon'],
    [NOTES, 'no'],
  ]);
  assert.deepEqual(asked(call), ['/open', '/day', '/closing', '/notes']);
});

test('the opening asks for no answer of the schema', () => {
  const { stage } = speak([]);
  assert.deepEqual(
    stage.segments.slice(0, 2).map(({ about }) => about),
    [null, null],
  );
});

const SINGLE: readonly {
  readonly name: string;
  readonly replies: Replies;
  readonly asked: readonly string[];
  readonly says?: RegExp;
}[] = [
  {
    name: 'an answer that is not understood is asked for once more, in other words',
    replies: [
      [OPEN, 'The weather is lovely today.'],
      ['did not quite get', 'Yes.'],
    ],
    asked: ['/open', '/open'],
    says: /did not quite get/,
  },
  {
    name: 'an answer that is never understood is given up after the second time',
    replies: [
      [OPEN, 'Lovely weather.'],
      ['did not quite get', 'Lovely weather.'],
    ],
    asked: ['/open', '/open'],
  },
  {
    name: '"I don\'t know" is taken for what it is',
    replies: [[OPEN, "I don't know."]],
    asked: ['/open'],
    says: /Thank you very much/,
  },
  {
    name: 'a question is repeated when that is asked for',
    replies: [
      [OPEN, 'Sorry, could you say that again?'],
      [`Of course. ${OPEN}`, 'Yes.'],
    ],
    asked: ['/open', '/open'],
    says: /Of course\. Are you open/,
  },
  {
    name: 'a recipient that never stops asking for a repeat is not asked for ever',
    replies: Array.from({ length: 20 }, () => ['', 'Sorry, could you say that again?'] as const),
    asked: ['/open', '/open', '/open'],
  },
  {
    name: 'a moment is granted without a word',
    replies: [
      [OPEN, 'One moment, please.'],
      ['Are you still there?', 'Yes, we are open.'],
    ],
    asked: ['/open', '/open'],
    says: /Are you still there/,
  },
  {
    name: 'a refusal to talk ends the call with thanks',
    replies: [[OPEN, 'Stop calling me!']],
    asked: ['/open'],
    says: /sorry to have troubled you/,
  },
  {
    name: 'a wrong number ends the call with thanks',
    replies: [['automated', 'You have the wrong number.']],
    asked: [],
    says: /sorry to have troubled you/,
  },
  {
    name: 'an answer that may not be given is left alone',
    replies: [[OPEN, "I'm not allowed to tell you that."]],
    asked: ['/open'],
    says: /Thank you very much/,
  },
  {
    name: 'who is calling is answered honestly, and the question asked again',
    replies: [
      [OPEN, 'Who is this?'],
      ['calling for Ada Lovelace. Are you open', 'Yes.'],
    ],
    asked: ['/open', '/open'],
    says: /I am an automated assistant calling for Ada Lovelace\. Are you open/,
  },
  {
    name: 'it says that it is a machine when it is asked',
    replies: [
      [OPEN, 'Are you a robot?'],
      ['not a person', 'Yes.'],
    ],
    asked: ['/open', '/open'],
    says: /Yes, I am an automated assistant, not a person/,
  },
  {
    name: 'where the number comes from is answered honestly',
    replies: [
      [OPEN, 'How did you get this number?'],
      ['gave me this number', 'Yes.'],
    ],
    asked: ['/open', '/open'],
    says: /Ada Lovelace gave me this number/,
  },
  {
    name: 'what it does not know it does not make up',
    replies: [
      [OPEN, 'What is the weather like where you are?'],
      ['do not know that', 'Yes.'],
    ],
    asked: ['/open', '/open'],
    says: /I am sorry, I do not know that/,
  },
  {
    name: 'silence is asked into twice and then ended',
    replies: [['automated', 'Hello.']],
    asked: ['/open', '/open', '/open'],
    says: /cannot hear/,
  },
];

for (const row of SINGLE) {
  test(row.name, () => {
    const resultSchema = { type: 'object', properties: { open: SCHEMA.properties.open } };
    const call = speak(row.replies, { resultSchema });
    assert.deepEqual(asked(call), row.asked);
    if (row.says !== undefined) assert.match(call.ours.join(' | '), row.says);
  });
}

test('a correction of an earlier answer is noted, and the question that stands is asked again', () => {
  const call = speak([
    ['automated', 'Hello.'],
    [OPEN, 'Yes.'],
    [DAY, 'Monday.'],
    ['losing time', 'No wait, sorry, I meant Tuesday.'],
    ['noted the correction', 'Five pm.'],
    [NOTES, 'No.'],
  ]);
  assert.deepEqual(asked(call), ['/open', '/day', '/closing', '/closing', '/notes']);
  assert.equal(call.stage.outcome?.kind, 'ended');
});

test('an answer with a correction behind it is not asked for again', () => {
  const call = speak([
    ['automated', 'Hello.'],
    [OPEN, 'Yes.'],
    [DAY, 'Monday. Sorry, I was wrong about Saturday, we are not open on Saturday.'],
    ['noted the correction', 'Five pm.'],
    [NOTES, 'No.'],
  ]);
  assert.deepEqual(asked(call), ['/open', '/day', '/closing', '/notes']);
});

test('a correction that could be of two answers is asked into', () => {
  const time = (description: string) => ({ type: 'string', format: 'time', description });
  const properties = {
    opens: time('When do you open?'),
    closes: time('When do you close?'),
    parking: { type: 'boolean', description: 'Do you have parking?' },
  };
  const call = speak(
    [
      ['automated', 'Hello.'],
      ['When do you open', 'At 8 am.'],
      ['When do you close', 'At 5 pm.'],
      ['parking', 'Sorry, I meant 6 pm.'],
      ['ask that again. When do you close', 'At 6 pm.'],
      ['parking', 'Yes.'],
    ],
    { resultSchema: { type: 'object', properties } },
  );
  assert.deepEqual(asked(call), ['/opens', '/closes', '/parking', '/closes', '/parking']);
});

test('an answer that is taken back is asked for again', () => {
  const call = speak([
    ['automated', 'Hello.'],
    [OPEN, 'Yes.'],
    [DAY, 'Monday.'],
    ['losing time', 'Forget what I said about Monday.'],
    ['ask that again', 'I do not know.'],
    ['losing time', 'Five pm.'],
    [NOTES, 'No.'],
  ]);
  assert.deepEqual(asked(call), ['/open', '/day', '/closing', '/day', '/closing', '/notes']);
});

test('a correction after the goodbye is still heard', () => {
  const call = speak([
    ['automated', 'Hello.'],
    [OPEN, 'Yes.'],
    [DAY, 'Monday.'],
    ['losing time', 'Five pm.'],
    [NOTES, 'No.'],
    ['Goodbye', 'Wait, sorry, I meant Tuesday.'],
  ]);
  assert.deepEqual(asked(call), ['/open', '/day', '/closing', '/notes']);
  assert.equal(call.ours.at(-1), 'Thank you, I have noted the correction. Goodbye.');
});

test('a schema that asks for nothing states the purpose, listens and says thank you', () => {
  const call = speak([['automated', 'All right, I will tell them.']], { resultSchema: { type: 'object' } });
  assert.deepEqual(asked(call), []);
  assert.match(call.ours.at(-1) ?? '', /Thank you/);
});

test('sixty questions and a recipient that understands none come to an end', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 80 }, (_, index) => [
      `item_${index}`,
      { type: 'boolean', description: `Is item ${index} in stock?` },
    ]),
  );
  const replies: Replies = Array.from({ length: 300 }, () => ['', 'Purple monkey dishwasher.'] as const);
  const call = speak(replies, { resultSchema: { type: 'object', properties } });
  for (const pointer of new Set(asked(call))) {
    assert.ok(asked(call).filter((each) => each === pointer).length <= 2, pointer);
  }
});

test('an answer that crossed a question is no answer to it: the question is asked again', () => {
  const interviewer = new Interviewer(briefOf(), new MovedClock());
  const turns = [
    { speaker: 'assistant', text: OPEN, about: '/open' },
    { speaker: 'recipient', text: 'Yes, we are.', about: null },
    { speaker: 'recipient', text: 'Until five.', about: null },
    { speaker: 'assistant', text: `Thank you. ${DAY}?`, about: '/day' },
  ] as const;
  const acts = interviewer.respond({ kind: 'heard', text: 'Until five.' }, turns);
  assert.equal(acts.length, 1);
  const [act] = acts;
  assert.ok(act?.kind === 'say' && act.about === '/day' && act.text.startsWith('Let me ask again.'));
});

test('a greeting leaves the goodbye to a schema that asks for nothing', () => {
  const interviewer = new Interviewer(briefOf({ resultSchema: { type: 'object' } }), new MovedClock());
  const greeting = { speaker: 'recipient', text: 'Corner Clinic, hello?', about: null } as const;
  interviewer.respond({ kind: 'opening', heard: greeting.text }, [greeting]);
  const acts = interviewer.respond({ kind: 'heard', text: 'I see.' }, [
    greeting,
    { speaker: 'assistant', text: 'I am calling to ask whether you are open on Saturday.', about: null },
    { speaker: 'recipient', text: 'I see.', about: null },
  ]);
  assert.match(acts[0]?.kind === 'say' ? acts[0].text : '', /Thank you.*Goodbye\.$/);
});

test('one answer that the schema says nothing about is asked for with the purpose', () => {
  const call = speak([['whether you are open on Saturday', 'Yes, we are.']], { resultSchema: { type: 'boolean' } });
  assert.deepEqual(asked(call), ['']);
  assert.match(call.ours[1] ?? '', /whether you are open on Saturday\. .*yes or no\?$/);
});

test('a first moment is short enough that a person who forgot us is asked soon', () => {
  const resultSchema = { type: 'object', properties: { open: SCHEMA.properties.open } };
  const replies: Replies = [
    ['automated', 'Hello.'],
    [OPEN, 'Let me check, one moment please.'],
    ['Are you still there?', 'Yes, we are open.'],
  ];
  assert.ok(speak(replies, { resultSchema }).stage.nowMs < 20_000);
});

test('what is asked after the goodbye is answered once, and only where the answer is known', () => {
  const resultSchema = { type: 'object', properties: { open: SCHEMA.properties.open } };
  const known = speak([[OPEN, 'Yes.'], ...Array.from({ length: 5 }, () => ['Goodbye', 'Who is this?'] as const)], {
    resultSchema,
  });
  assert.equal(known.ours.filter((line) => line.endsWith('Goodbye.')).length, 2);
  const unknown = speak(
    [
      [OPEN, 'Yes.'],
      ['Goodbye', 'OK?'],
    ],
    { resultSchema },
  );
  assert.equal(unknown.ours.filter((line) => line.endsWith('Goodbye.')).length, 1);
});

const PHRASES = [
  'Yes.',
  'No.',
  'Tuesday.',
  'Five pm.',
  'I do not know.',
  'One moment, please.',
  'Sorry?',
  'Could you say that again?',
  'Who is this?',
  'Are you a robot?',
  'No wait, I meant Monday.',
  'Forget what I said.',
  'Purple monkey dishwasher.',
  '[keypad] 1',
  '\ufffd\ufffd',
  'I cannot tell you that.',
  '',
];

test('300 recipients who say anything at all: each call ends, and no question is asked for ever', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const chance = new SeededChance(seed);
    const replies: Replies = Array.from(
      { length: 60 },
      () => ['', PHRASES[chance.integer(PHRASES.length)] ?? ''] as const,
    );
    const call = speak(replies);
    for (const pointer of ['/open', '/day', '/closing', '/notes']) {
      const times = asked(call).filter((each) => each === pointer).length;
      assert.ok(times <= 4, `seed ${seed}: ${pointer} was asked ${times} times`);
    }
    assert.match(call.ours.at(-1) ?? '', /Goodbye\.$/, `seed ${seed}`);
  }
});

test('what it says depends on nothing but what was said: two of them never differ', () => {
  const replies: Replies = [
    ['automated', 'Hello.'],
    [OPEN, 'Hm, what?'],
    [OPEN, 'Yes.'],
    [DAY, 'Who are you?'],
  ];
  assert.deepEqual(speak(replies).ours, speak(replies).ours);
});
