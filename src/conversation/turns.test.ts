// Who speaks when: the conversation on paper, with a clock that is moved.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stage } from '../../test/support/conversation-stage.ts';
import { GOODBYES } from './disclosure.ts';
import type { Act } from './mind.ts';
import { ACT_LIMIT, PACE, RECIPIENT_TURN_LIMIT, REOPEN_LIMIT, SAY_LIMIT } from './pace.ts';

const DISCLOSURE = 'Hello, this is an automated assistant calling for Ada Lovelace.';
const say = (text: string, about?: string): Act => ({ kind: 'say', text, ...(about === undefined ? {} : { about }) });
const hangUp: Act = { kind: 'hang_up' };

/** Answered, opened with `Purpose.`, and listening; after that the mind is answered by hand. */
function opened(options: ConstructorParameters<typeof Stage>[0] = {}): Stage {
  const stage = new Stage({ mind: (prompt) => (prompt.kind === 'opening' ? [say('Purpose.')] : 'later'), ...options });
  stage.answer();
  stage.pass(PACE.greeting);
  return stage;
}

test('the first words of every call are the disclosure and the opening line, whatever the mind', () => {
  for (const mind of [() => [say('Buy now!')], () => [], () => 'fails' as const, () => [hangUp]]) {
    const stage = new Stage({ mind, openingLine: 'Have a nice day.' });
    stage.answer();
    stage.pass(PACE.greeting);
    assert.equal(stage.segments.find(({ speaker }) => speaker === 'assistant')?.text, `${DISCLOSURE} Have a nice day.`);
    assert.ok(stage.said[0]?.startsWith(DISCLOSURE));
  }
});

test('without a name the assistant calls on behalf of a client', () => {
  const stage = new Stage({ callerName: null });
  stage.answer();
  stage.pass(PACE.greeting);
  assert.match(stage.said[0] ?? '', /^Hello, this is an automated assistant calling on behalf of a client\./);
});

test('the disclosure and the first words of the mind are one line', () => {
  const stage = opened();
  assert.equal(stage.said.join(''), `${DISCLOSURE} Purpose.\u2028`);
});

test('waits for a greeting and hands it to the mind', () => {
  const stage = new Stage({ mind: () => 'later' });
  stage.answer();
  stage.pass(300);
  stage.tell('Corner Clinic, good morning.');
  assert.deepEqual(stage.prompts, [{ kind: 'opening', heard: 'Corner Clinic, good morning.' }]);
});

test('opens after a second when nobody greets', () => {
  const stage = new Stage({ mind: () => 'later' });
  stage.answer();
  stage.pass(PACE.greeting - 1);
  assert.equal(stage.prompts.length, 0);
  stage.pass(1);
  assert.deepEqual(stage.prompts, [{ kind: 'opening', heard: null }]);
});

test('a greeting that is still being typed is waited for', () => {
  const stage = new Stage({ mind: () => 'later' });
  stage.answer();
  stage.pass(PACE.greeting - 100);
  stage.type('Hel');
  stage.pass(600);
  stage.type('lo');
  assert.equal(stage.said.length, 0);
  stage.pass(PACE.line);
  assert.deepEqual(stage.prompts, [{ kind: 'opening', heard: 'Hello' }]);
  assert.equal(stage.transcript[0], 'recipient: Hello');
});

test('blanks are no greeting', () => {
  const stage = new Stage({ mind: () => 'later' });
  stage.answer();
  stage.type('  ');
  stage.pass(PACE.greeting + PACE.line);
  assert.deepEqual(stage.prompts, [{ kind: 'opening', heard: null }]);
});

test('lines in quick succession are one turn, a pause ends it', () => {
  const stage = opened();
  stage.type('Yes.\r\n');
  stage.pass(100);
  stage.type('Until five.\u2028');
  stage.pass(PACE.more_lines);
  assert.deepEqual(stage.prompt, { kind: 'heard', text: 'Yes. Until five.' });
  assert.equal(stage.transcript.at(-1), 'recipient: Yes. Until five.');
});

test('a turn without a line end is ended by a pause', () => {
  const stage = opened();
  stage.type('Ye');
  stage.pass(PACE.line - 1);
  stage.type('s');
  stage.pass(PACE.line - 1);
  assert.equal(stage.prompts.length, 1);
  stage.pass(1);
  assert.deepEqual(stage.prompt, { kind: 'heard', text: 'Yes' });
});

test('keys are gathered', () => {
  const stage = opened();
  stage.press('1');
  stage.pass(PACE.keys - 1);
  stage.press('2');
  stage.pass(PACE.keys);
  assert.deepEqual(stage.prompt, { kind: 'heard', text: '[keypad] 12' });
  stage.press('7#');
  assert.deepEqual(stage.prompt, { kind: 'heard', text: '[keypad] 12 [keypad] 7#' });
});

test('keys of ours are pressed and kept', () => {
  const stage = new Stage({ mind: () => [{ kind: 'press', digits: '1 2#x' }] });
  stage.answer();
  stage.pass(PACE.greeting);
  assert.deepEqual(stage.keys, ['12#']);
  assert.equal(stage.transcript.at(-1), 'assistant: [keypad] 12#');
});

test('sentences of one answer are one line, each kept when it has left', () => {
  const stage = opened({ mind: () => 'later', speaksAtOnce: false });
  stage.think(say('One.'));
  stage.pass(PACE.next_act);
  assert.deepEqual(stage.said, [DISCLOSURE]);
  stage.uttered();
  stage.pass(PACE.next_act);
  assert.equal(stage.said.at(-1), ' One.');
  stage.think(say('Two?', '/x'));
  stage.thought();
  assert.deepEqual(stage.transcript, [`assistant: ${DISCLOSURE}`]);
  stage.uttered();
  assert.equal(stage.said.at(-1), ' Two?\u2028');
  stage.uttered();
  assert.deepEqual(stage.transcript.slice(1), ['assistant: One.', 'assistant: Two?']);
  assert.equal(stage.segments.at(-1)?.about, '/x');
});

test('a line is ended by itself when the mind says no more', () => {
  const stage = new Stage({ mind: () => 'later' });
  stage.answer();
  stage.pass(PACE.greeting);
  stage.think(say('One.'));
  stage.pass(PACE.next_act);
  stage.thought();
  assert.equal(stage.said.join(''), `${DISCLOSURE} One.\u2028`);
});

test('nothing is said while the recipient types', () => {
  const stage = opened();
  stage.tell('Yes.');
  stage.type('And on');
  stage.think(say('Thank you.'));
  stage.thought();
  const before = stage.said.length;
  stage.pass(PACE.line - 1);
  assert.equal(stage.said.length, before);
});

test('what was not said yet is dropped when a turn comes that the mind has not seen', () => {
  const stage = opened();
  stage.tell('Yes.');
  stage.type('Oh wait');
  stage.think(say('Thank you, goodbye.'), hangUp);
  stage.thought();
  stage.pass(PACE.line);
  assert.deepEqual(stage.prompt, { kind: 'heard', text: 'Yes. Oh wait' });
  assert.ok(!stage.said.join('').includes('goodbye'));
  stage.think(say('Go on.'));
  stage.thought();
  assert.equal(stage.transcript.at(-1), 'assistant: Go on.');
});

test('a mind that is still thinking is stopped by a new turn', () => {
  const stage = opened();
  stage.tell('Yes.');
  stage.tell('No.');
  assert.deepEqual(stage.aborted, [2]);
  assert.deepEqual(stage.prompt, { kind: 'heard', text: 'Yes. No.' });
});

test('an act of an answer that was stopped is not carried out', () => {
  const stage = opened();
  stage.tell('Yes.');
  stage.tell('No.');
  stage.happen({ kind: 'act', ask: 2, act: say('Too late.') });
  stage.happen({ kind: 'mind_done', ask: 2 });
  stage.happen({ kind: 'mind_failed', ask: 2 });
  stage.thought();
  assert.ok(!stage.said.join('').includes('Too late.'));
  assert.equal(stage.finishes, 0);
});

test('a sentence under way is finished, and words that crossed it stand before it', () => {
  const stage = opened({ speaksAtOnce: false });
  stage.uttered();
  stage.uttered();
  stage.tell('Good morning.');
  stage.think(say('Are you open?', '/open'));
  stage.thought();
  stage.type('No, ');
  stage.uttered();
  stage.type('sorry.\u2028');
  stage.pass(PACE.more_lines);
  assert.deepEqual(stage.transcript.slice(-3), [
    'recipient: Good morning.',
    'recipient: No, sorry.',
    'assistant: Are you open?',
  ]);
  assert.deepEqual(stage.prompt, { kind: 'heard', text: 'No, sorry.' });
});

test('words that begin after a sentence has left stand behind it', () => {
  const stage = opened();
  stage.tell('Good morning.');
  stage.think(say('Are you open?', '/open'));
  stage.thought();
  stage.tell('Yes.');
  assert.deepEqual(stage.transcript.slice(-2), ['assistant: Are you open?', 'recipient: Yes.']);
});

test('silence is told to the mind twice, then the call ends politely', () => {
  const stage = new Stage({ mind: () => [] });
  stage.answer();
  stage.pass(PACE.greeting);
  stage.pass(PACE.silence);
  assert.deepEqual(stage.prompt, { kind: 'silence', times: 1 });
  stage.pass(PACE.silence);
  assert.deepEqual(stage.prompt, { kind: 'silence', times: 2 });
  stage.pass(PACE.silence);
  assert.equal(stage.said.at(-1), `${GOODBYES.silence}\u2028`);
  stage.pass(PACE.linger);
  assert.deepEqual(stage.outcome, { kind: 'ended', code: null, because: 'the recipient stayed silent' });
});

test('a word ends the count of silences', () => {
  const stage = new Stage({ mind: () => [] });
  stage.answer();
  stage.pass(PACE.greeting + 2 * PACE.silence);
  stage.tell('Hello?');
  stage.pass(PACE.silence);
  assert.deepEqual(stage.prompt, { kind: 'silence', times: 1 });
});

test('a wait is quiet for its time, however long others would be', () => {
  const stage = opened();
  stage.tell('One moment.');
  stage.think({ kind: 'wait', seconds: 60 });
  stage.thought();
  stage.pass(59_999);
  assert.equal(stage.prompts.length, 2);
  stage.pass(1);
  assert.deepEqual(stage.prompt, { kind: 'waited' });
});

test('a mind that never waits to the end is kept within the longest wait', () => {
  const stage = opened();
  stage.tell('One moment.');
  stage.think({ kind: 'wait', seconds: 1e9 });
  stage.thought();
  stage.pass(120_000);
  assert.deepEqual(stage.prompt, { kind: 'waited' });
});

test('hangs up after the goodbye and a moment for the other', () => {
  const stage = opened();
  stage.tell('Yes.');
  stage.think(say('Goodbye.'), hangUp);
  stage.thought();
  assert.equal(stage.hangUpsAtMs.length, 0);
  stage.pass(PACE.linger);
  assert.equal(stage.hangUpsAtMs.length, 1);
  assert.deepEqual(stage.outcome, { kind: 'ended', code: null, because: 'the conversation was over' });
});

test('a word after the goodbye is heard, but not for ever', () => {
  const stage = new Stage({ mind: () => [say('Goodbye.'), hangUp] });
  stage.answer();
  stage.tell('Hello.');
  for (let reopened = 0; reopened < REOPEN_LIMIT; reopened += 1) {
    assert.equal(stage.hangUpsAtMs.length, 0);
    stage.tell('Wait.');
  }
  assert.equal(stage.prompts.length, REOPEN_LIMIT + 1);
  stage.tell('Wait!');
  assert.equal(stage.hangUpsAtMs.length, 1);
  assert.equal(stage.transcript.at(-1), 'recipient: Wait!');
});

test('the duration limit is announced in time and the call is over before it', () => {
  const stage = opened({ maxDurationSeconds: 30, mind: () => [] });
  for (let second = 0; second < 18; second += 6) {
    stage.tell('And another thing.');
    stage.pass(6000 - PACE.more_lines);
  }
  stage.pass(30_000 - PACE.time_up - stage.nowMs);
  assert.equal(stage.said.at(-1), `${GOODBYES.timeUp}\u2028`);
  stage.pass(PACE.linger);
  assert.equal(stage.outcome?.kind === 'ended' && stage.outcome.code, 'duration_limit_reached');
  assert.ok(stage.nowMs < 30_000);
});

test('a sentence that never leaves does not hold the call beyond the limit', () => {
  const stage = opened({ maxDurationSeconds: 30, speaksAtOnce: false });
  stage.pass(30_000);
  assert.equal(stage.hangUpsAtMs.length, 1);
  assert.ok((stage.hangUpsAtMs[0] ?? 0) < 30_000);
  assert.ok(PACE.farewell < PACE.time_up);
  assert.equal(stage.outcome?.kind === 'ended' && stage.outcome.code, 'duration_limit_reached');
});

test('a mind that fails ends the call politely', () => {
  const stage = opened({ mind: (prompt) => (prompt.kind === 'opening' ? [] : 'fails') });
  stage.tell('Yes.');
  assert.equal(stage.said.at(-1), `${GOODBYES.mindFailed}\u2028`);
  stage.pass(PACE.linger);
  assert.equal(stage.outcome?.kind === 'ended' && stage.outcome.code, 'call_interrupted');
});

test('a stop says goodbye and hangs up', () => {
  const stage = opened();
  stage.happen({ kind: 'stop' });
  assert.equal(stage.said.at(-1), `${GOODBYES.stop}\u2028`);
  stage.pass(PACE.linger);
  assert.equal(stage.outcome?.kind === 'ended' && stage.outcome.code, 'call_interrupted');
});

test('a stop before the first word says who is calling', () => {
  const stage = new Stage();
  stage.answer();
  stage.happen({ kind: 'stop' });
  assert.equal(stage.said[0], `${DISCLOSURE} ${GOODBYES.stop}\u2028`);
});

test('a stop in a sentence that does not leave hangs up within the farewell', () => {
  const stage = opened({ speaksAtOnce: false });
  stage.happen({ kind: 'stop' });
  stage.pass(PACE.farewell);
  assert.equal(stage.hangUpsAtMs.length, 1);
});

test('a cancel hangs up without a word', () => {
  const stage = opened();
  const said = stage.said.length;
  stage.happen({ kind: 'cancel' });
  assert.equal(stage.said.length, said);
  assert.deepEqual(stage.outcome, { kind: 'hang_up_confirmed' });
});

test('what was begun when the recipient hung up is in the transcript', () => {
  const stage = opened();
  stage.type('We close at fi');
  stage.press('4');
  stage.ended('recipient');
  assert.deepEqual(stage.transcript.slice(-2), ['recipient: We close at fi', 'recipient: [keypad] 4']);
  assert.deepEqual(stage.reports.at(-1), { kind: 'ended', code: null, because: 'ended by recipient' });
});

test('endless talk is ended at the limit of turns', () => {
  const stage = new Stage({ mind: () => [] });
  stage.answer();
  for (let turn = 0; turn < RECIPIENT_TURN_LIMIT; turn += 1) stage.tell('Bla.');
  assert.equal(stage.said.at(-1), `${GOODBYES.tooLong}\u2028`);
  stage.pass(PACE.linger);
  assert.equal(stage.outcome?.kind === 'ended' && stage.outcome.code, 'call_interrupted');
});

test('what a mind says is brought within bounds', () => {
  const long = 'x'.repeat(SAY_LIMIT + 1);
  const stage = new Stage({ mind: () => [say(' \n\u2028 '), say('a\nb\u2028c\u0000'), say(long)] });
  stage.answer();
  stage.tell('Hi.');
  assert.deepEqual(
    stage.segments.filter(({ speaker }) => speaker === 'assistant').map(({ text }) => Array.from(text).length),
    [DISCLOSURE.length, 5, SAY_LIMIT, 1],
  );
  assert.ok(stage.said.includes(' a b c'));
});

test('a mind that never stops talking is stopped', () => {
  const stage = opened();
  stage.tell('Yes.');
  for (let act = 0; act < ACT_LIMIT * 2; act += 1) stage.type('x');
  for (let act = 0; act < ACT_LIMIT * 2; act += 1) stage.think(say('More.'));
  assert.deepEqual(stage.aborted, [2]);
});
