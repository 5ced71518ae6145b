// The journal on a real disk: what was written is there again, whatever happened to the process.
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { Fault } from '../../platform/errors.ts';
import { MAX_CALLS, PhoneBook } from './call-record.ts';
import type { Entry } from './call-record.ts';
import { Journal } from './journal.ts';
import { readProgram } from './program.ts';

const AT = '2026-01-01T00:00:00.000Z';
const NUMBER = '+15550100199';

function inFolder(work: (file: string) => void): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'errand-journal-'));
  try {
    work(path.join(folder, 'exchange.jsonl'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const invite = (id: string, transaction = `z9hG4bK${id} 1`): Entry => ({
  kind: 'invite',
  number: NUMBER,
  sip_call_id: id,
  transaction,
  caller: '+15550100100',
  at: AT,
});

function wholeCall(id: string): Entry[] {
  const ofCall = { number: NUMBER, sip_call_id: id };
  return [
    invite(id),
    { kind: 'answered', ...ofCall, at: AT },
    { kind: 'heard', ...ofCall, text: 'Are you open?' },
    { kind: 'said', ...ofCall, text: 'Yes.' },
    { kind: 'keys', ...ofCall, text: '1' },
    { kind: 'keys', ...ofCall, text: '#' },
    { kind: 'ended', ...ofCall, at: AT, by: 'caller' },
  ];
}

const RECORD = {
  sip_call_id: 'a',
  invites: 1,
  caller: '+15550100100',
  started_at: AT,
  answered_at: AT,
  ended_at: AT,
  ended_by: 'caller',
  heard: ['Are you open?'],
  said: ['Yes.'],
  keys: '1#',
};

test('Programs and calls are there again after a restart, and after a second one', () => {
  inFolder((file) => {
    const read = readProgram({ behaviour: 'busy' });
    assert.ok('program' in read);
    const journal = Journal.open(file);
    journal.append({ kind: 'program', number: NUMBER, program: read.program });
    for (const entry of wholeCall('a')) journal.append(entry);
    journal.close();
    for (let restart = 1; restart <= 2; restart += 1) {
      const again = Journal.open(file);
      assert.deepEqual(again.book.callsOf(NUMBER), [RECORD]);
      assert.deepEqual(again.book.programOf(NUMBER), read.program);
      assert.ok(again.book.knows(NUMBER, 'a', 'z9hG4bKa 1'));
      again.close();
    }
    assert.equal(statSync(file).mode & 0o077, 0, 'nobody else reads what was said');
  });
});

test('A last line that was cut off is left out, and what follows is written after it as it should be', () => {
  inFolder((file) => {
    const journal = Journal.open(file);
    for (const entry of wholeCall('a')) journal.append(entry);
    journal.close();
    appendFileSync(file, '{"kind":"said","number":"+15550100199","sip_ca');
    const again = Journal.open(file);
    again.append({ kind: 'said', number: NUMBER, sip_call_id: 'a', text: 'Bye.' });
    again.close();
    const third = Journal.open(file);
    assert.deepEqual(third.book.callsOf(NUMBER)[0]?.said, ['Yes.', 'Bye.']);
    third.close();
  });
});

test('A journal that is broken in its middle, or cannot be written, is a fault that says so', () => {
  inFolder((file) => {
    writeFileSync(file, `${JSON.stringify(invite('a'))}\nnonsense\n${JSON.stringify(invite('b'))}\n`);
    assert.throws(
      () => Journal.open(file),
      (error) => error instanceof Fault && /line 2/.test(error.message),
    );
    assert.throws(() => Journal.open(path.join(file, 'nowhere')), Fault);
  });
});

test('A journal that grew long is compacted to what it tells', () => {
  inFolder((file) => {
    const journal = Journal.open(file, 10_000);
    for (const entry of wholeCall('a')) journal.append(entry);
    const read = readProgram({});
    assert.ok('program' in read);
    for (let round = 0; round < 500; round += 1)
      journal.append({ kind: 'program', number: NUMBER, program: read.program });
    assert.ok(statSync(file).size < 11_000);
    assert.equal(
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.includes('"call"')).length,
      1,
    );
    journal.close();
    const again = Journal.open(file);
    assert.deepEqual(again.book.callsOf(NUMBER), [RECORD]);
    again.close();
  });
});

test('Two INVITE transactions of one call are counted as two', () => {
  const book = new PhoneBook();
  book.apply(invite('a', 'one'));
  book.apply(invite('a', 'two'));
  assert.equal(book.callsOf(NUMBER)[0]?.invites, 2);
  assert.ok(book.knows(NUMBER, 'a', 'one') && book.knows(NUMBER, 'a', 'two') && !book.knows(NUMBER, 'a', 'three'));
});

test('Of more calls than the bound the oldest are forgotten', () => {
  const book = new PhoneBook();
  for (let call = 0; call < MAX_CALLS + 10; call += 1) book.apply(invite(`call-${call}`));
  const calls = book.callsOf(NUMBER);
  assert.equal(calls.length, MAX_CALLS);
  assert.equal(calls[0]?.sip_call_id, 'call-10');
  book.apply({ kind: 'said', number: NUMBER, sip_call_id: 'call-0', text: 'late' });
  assert.equal(book.callsOf(NUMBER).length, MAX_CALLS);
});
