// Who may use the local endpoints, as a table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFromThisMachine } from './this-machine.ts';

const ROWS: readonly [
  what: string,
  address: string,
  host: string | undefined,
  origin: string | undefined,
  may: boolean,
][] = [
  ['a tool on this machine', '127.0.0.1', '127.0.0.1:8080', undefined, true],
  ['by name', '127.0.0.1', 'localhost:8080', undefined, true],
  ['without a port', '127.0.0.1', 'localhost', undefined, true],
  ['over IPv6', '::1', '[::1]:8080', undefined, true],
  ['over a socket of both families', '::ffff:127.0.0.1', 'LOCALHOST:8080', undefined, true],
  ['another loopback address', '127.8.9.1', '127.8.9.1:1', undefined, true],
  ['a page of ours in a browser here', '127.0.0.1', 'localhost:8080', 'http://localhost:8080', true],
  ['another machine', '192.0.2.7', 'localhost:8080', undefined, false],
  ['another machine over IPv6', '2001:db8::1', '[::1]:8080', undefined, false],
  ['a name that was rebound to us', '127.0.0.1', 'evil.example:8080', undefined, false],
  ['a name that looks like us', '127.0.0.1', 'localhost.evil.example', undefined, false],
  ['a name that begins like our address', '127.0.0.1', '127.0.0.1.evil.example', undefined, false],
  ['a user part that looks like us', '127.0.0.1', 'localhost@evil.example', undefined, false],
  ['no host', '127.0.0.1', undefined, undefined, false],
  ['a host that is none', '127.0.0.1', 'a b', undefined, false],
  ['a page of elsewhere in a browser here', '127.0.0.1', 'localhost:8080', 'https://evil.example', false],
  ['a page without an origin of its own', '127.0.0.1', 'localhost:8080', 'null', false],
  ['a page of a file', '127.0.0.1', 'localhost:8080', 'file://', false],
];

for (const [what, address, host, origin, may] of ROWS) {
  test(`${may ? 'May' : 'May not'} use /local: ${what}`, () => {
    assert.equal(isFromThisMachine({ address, host, origin }), may);
  });
}
