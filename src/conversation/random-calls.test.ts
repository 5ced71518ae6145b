// Long random calls, each from a seed that a failure names: whatever comes in whatever order, a call ends, once, within its
// limits, and keeps every character that the recipient wrote and did not take back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stage } from '../../test/support/conversation-stage.ts';
import type { StageMind } from '../../test/support/conversation-stage.ts';
import { SeededChance } from '../../test/support/moved-clock.ts';
import type { Chance } from '../platform/clock.ts';
import type { Act } from './mind.ts';
import { HANG_UP_LIMIT_MS } from './course.ts';
import { LAST_TURNS_LIMIT, RECIPIENT_TURN_LIMIT } from './pace.ts';

const CALLS = 400;
const EVENTS = 400;
const MAX_SECONDS = 600;

function randomActs(chance: Chance): Act[] {
  const acts: Act[] = [];
  for (let count = chance.integer(4); count > 0; count -= 1) {
    switch (chance.integer(12)) {
      case 0:
        acts.push({ kind: 'wait', seconds: chance.integer(200) });
        break;
      case 1:
        acts.push({ kind: 'press', digits: '1' });
        break;
      case 2:
        acts.push({ kind: 'hang_up' });
        break;
      default:
        acts.push({ kind: 'say', text: `Sentence ${chance.integer(1000)}.`, about: '/x' });
    }
  }
  return acts;
}

function randomMind(chance: Chance): StageMind {
  return () => {
    const choice = chance.integer(40);
    if (choice === 0) return 'fails';
    return choice < 12 ? 'later' : randomActs(chance);
  };
}

/** One random event. @returns the characters that must be found in the transcript */
function happenAnything(stage: Stage, chance: Chance, speaksAtOnce: boolean): string {
  switch (chance.integer(speaksAtOnce ? 9 : 14)) {
    case 0:
      stage.type('\u2028');
      return '';
    case 1:
      stage.type('\r\n');
      return '';
    case 2: {
      const digit = '0123456789*#'[chance.integer(12)] ?? '0';
      stage.press(digit);
      return digit;
    }
    case 3:
      stage.pass(chance.integer(2000));
      return '';
    case 4:
      stage.pass(chance.integer(20_000));
      return '';
    case 5:
      stage.think(...randomActs(chance));
      return '';
    case 6:
      stage.thought();
      return '';
    case 7:
    case 8: {
      const word = `w${chance.integer(100_000)}`;
      stage.type(chance.integer(4) === 0 ? `x\b${word} ` : word);
      return word;
    }
    default:
      stage.uttered();
      return '';
  }
}

function runCall(seed: number): void {
  const chance = new SeededChance(seed);
  const speaksAtOnce = chance.integer(2) === 0;
  const stage = new Stage({
    mind: randomMind(chance),
    maxDurationSeconds: MAX_SECONDS,
    speaksAtOnce,
    hangUp: chance.integer(5) === 0 ? 'unconfirmed' : 'confirmed',
  });
  stage.answer();
  let written = '';
  for (let event = 0; event < EVENTS && !stage.course.isOver && stage.hangUpsAtMs.length === 0; event += 1) {
    written += happenAnything(stage, chance, speaksAtOnce);
  }
  if (!stage.course.isOver && stage.hangUpsAtMs.length === 0) {
    const choice = chance.integer(4);
    if (choice === 0) stage.happen({ kind: 'cancel' });
    if (choice === 1) stage.happen({ kind: 'stop' });
    if (choice === 2) stage.ended('recipient');
  }
  stage.pass(MAX_SECONDS * 1000 + HANG_UP_LIMIT_MS);

  assert.equal(stage.finishes, 1, 'the call has ended, once');
  assert.ok(stage.hangUpsAtMs.length <= 1, 'hung up once');
  for (const at of stage.hangUpsAtMs) assert.ok(at <= MAX_SECONDS * 1000, 'within the duration limit');
  const terminal = stage.reports.filter(({ kind }) => kind !== 'acknowledged' && kind !== 'answered');
  assert.equal(terminal.length, 1, 'one end is reported');
  const heard = stage.segments.filter(({ speaker }) => speaker === 'recipient');
  assert.ok(heard.length <= RECIPIENT_TURN_LIMIT + LAST_TURNS_LIMIT);
  for (const { text } of stage.segments) assert.ok(text.length > 0 && Array.from(text).length <= 4000);
  // Words and keys are kept apart, so that only the number of each character is the same.
  const kept = heard.map(({ text }) => text.replace('[keypad]', '')).join('');
  assert.deepEqual(counted(kept), counted(written), 'every character is in the transcript');
}

function counted(text: string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const character of text.replaceAll(' ', '')) counts[character] = (counts[character] ?? 0) + 1;
  return counts;
}

test(`${CALLS} random calls end within their limits and lose no character`, () => {
  for (let seed = 1; seed <= CALLS; seed += 1) {
    try {
      runCall(seed);
    } catch (error) {
      throw new Error(`the call of seed ${seed} went wrong`, { cause: error });
    }
  }
});
