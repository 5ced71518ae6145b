// The person at a text phone, under a clock that the test moves.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { MovedClock } from '../../../test/support/moved-clock.ts';
import { readProgram } from './program.ts';
import { TextPhone } from './text-phone.ts';

/** A phone and everything it did, in order. */
function phoneWith(input: object): { phone: TextPhone; done: string[]; wait: (ms: number) => Promise<void> } {
  const read = readProgram(input);
  assert.ok('program' in read);
  const clock = new MovedClock();
  const done: string[] = [];
  const phone = new TextPhone(
    read.program,
    {
      say: async (line) => void done.push(`says ${line}`),
      press: async (keys) => void done.push(`presses ${keys}`),
      hangUp: () => void done.push('hangs up'),
      heard: (turn) => void done.push(`heard ${turn}`),
    },
    clock,
  );
  const wait = async (ms: number): Promise<void> => {
    clock.move(ms);
    await setImmediate(); // what the phone does next it does in its own time
  };
  return { phone, done, wait };
}

const REPLIES = [
  { hears: 'first', says: 'One.', once: true },
  { hears: 'FIRST', says: 'Two.' },
  { hears: '^press$', says: '', keys: '42#' },
  { hears: 'bye$', says: 'Bye.', hang_up: true },
];

test('A line end ends a turn, and the first reply that fits is used, once if it says so', async () => {
  const { phone, done, wait } = phoneWith({ greeting: 'Hello.', replies: REPLIES });
  phone.begin();
  for (const line of ['the First\u2028', 'first again\r\n', 'press\u2028', 'what?\n', 'good bye\u2028']) {
    phone.hear(line);
    await wait(150);
  }
  await wait(350);
  assert.deepEqual(done, [
    'says Hello.',
    'heard the First',
    'says One.',
    'heard first again',
    'says Two.',
    'heard press',
    'presses 42#',
    'heard what?',
    'says Sorry, could you say that again?',
    'heard good bye',
    'says Bye.',
    'hangs up',
  ]);
});

test('Without a line end a short pause ends the turn, and typing goes on until then', async () => {
  const { phone, done, wait } = phoneWith({ otherwise: 'Hm.' });
  phone.hear('Are you ');
  await wait(790);
  phone.hear('open');
  await wait(790);
  assert.deepEqual(done, []);
  await wait(10);
  assert.deepEqual(done, ['heard Are you open', 'says Hm.']);
});

test('Lines in quick succession are one turn, blank ones are none, and a backspace takes back', async () => {
  const { phone, done, wait } = phoneWith({ otherwise: '' });
  phone.hear('One.\u2028');
  await wait(100);
  phone.hear('Twi\bo😀\b.\u2028');
  await wait(150);
  phone.hear(' \r\n\u2028');
  await wait(5_000);
  assert.deepEqual(done, ['heard One. Two.']);
});

test('It says one thing at a time, in the order in which it was asked', async () => {
  const read = readProgram({ replies: [{ hears: '(.*)', says: 'answer' }], greeting: 'Hello.' });
  assert.ok('program' in read);
  const clock = new MovedClock();
  const open: (() => void)[] = [];
  let saying = 0;
  const phone = new TextPhone(
    read.program,
    {
      say: async () => {
        assert.equal(++saying, 1);
        await new Promise<void>((resolve) => open.push(resolve));
        saying -= 1;
      },
      press: async () => undefined,
      hangUp: () => undefined,
      heard: () => undefined,
    },
    clock,
  );
  phone.begin();
  for (let turn = 0; turn < 30; turn += 1) {
    phone.hear(`turn ${turn}\u2028`);
    clock.move(150);
  }
  let said = 0;
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    next();
    said += 1;
    await setImmediate();
  }
  assert.equal(said, 1 + 16, 'the greeting and as many answers as may wait');
});

test('A silent phone hears and says nothing', async () => {
  const { phone, done, wait } = phoneWith({ behaviour: 'silent', greeting: 'Hello.' });
  phone.begin();
  phone.hear('Anybody there?\u2028');
  await wait(1_000);
  assert.deepEqual(done, ['heard Anybody there?']);
});

test('What was begun when the call ends is noted, and nothing is said any more', async () => {
  const { phone, done, wait } = phoneWith({ otherwise: 'Hm.' });
  phone.hear('I was just about to');
  phone.end();
  phone.hear('late');
  await wait(1_000);
  assert.deepEqual(done, ['heard I was just about to']);
});

test('A turn without end is cut at its bound', async () => {
  const { phone, done } = phoneWith({ otherwise: '' });
  phone.hear('x'.repeat(9_000));
  assert.deepEqual(
    done.map((each) => each.length - 'heard '.length),
    [4_000, 4_000],
  );
});
