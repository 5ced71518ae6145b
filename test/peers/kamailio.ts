// kamailio as a carrier's trunk: it challenges every INVITE (407, digest, qop=auth), record-routes, and relays to one phone.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPeer } from '../support/peers.ts';
import { until } from '../support/until.ts';
import { freePort } from './free-ports.ts';
import { Program, workFolder } from './program.ts';
import { isUdpPortTaken } from './udp-port.ts';

export interface TrunkOptions {
  readonly algorithm: 'MD5' | 'SHA-256';
  /** Where every call goes; the dialled number is replaced by it. */
  readonly phoneUri: string;
}

/** What the trunk asks for. */
export const TRUNK_CREDENTIALS = { user: 'alice', password: 'secret' };
const REALM = 'trunk.example';

export interface TrunkPeer extends AsyncDisposable {
  readonly port: number;
}

/** Starts kamailio and waits until it listens. */
export async function startTrunk(options: TrunkOptions): Promise<TrunkPeer> {
  const folder = await workFolder();
  const port = await freePort();
  const file = join(folder.path, 'kamailio.cfg');
  await writeFile(file, configuration(port, options));
  const args = ['-f', file, '-DD', '-E', '-P', join(folder.path, 'pid'), '-Y', folder.path];
  const program = new Program(findPeer('kamailio') ?? 'kamailio', args, folder.path);
  await until(`kamailio listens on ${port}`, () => isUdpPortTaken(port));
  return {
    port,
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function configuration(port: number, options: TrunkOptions): string {
  const { user, password } = TRUNK_CREDENTIALS;
  // kamailio takes MD5 for granted.
  const algorithm = options.algorithm === 'MD5' ? '' : `modparam("auth", "algorithm", "${options.algorithm}")`;
  return `#!KAMAILIO
debug=2
log_stderror=yes
fork=no
auto_aliases=no
alias="${REALM}"
listen=udp:127.0.0.1:${port}
loadmodule "tm.so"
loadmodule "sl.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "maxfwd.so"
loadmodule "textops.so"
loadmodule "siputils.so"
loadmodule "sanity.so"
loadmodule "auth.so"
modparam("tm", "fr_timer", 5000)
modparam("tm", "fr_inv_timer", 60000)
modparam("rr", "append_fromtag", 1)
modparam("auth", "nonce_expire", 30)
modparam("auth", "nonce_count", 0)
modparam("auth", "qop", "auth")
${algorithm}

request_route {
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
  if (!sanity_check("1511", "7")) exit;
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (has_totag()) {
    if (loose_route()) { t_relay(); exit; }
    if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
    sl_send_reply("404", "Not here"); exit;
  }
  t_check_trans();
  if (is_method("INVITE")) {
    if (!pv_proxy_authenticate("${REALM}", "${password}", "0") || $au != "${user}") { auth_challenge("${REALM}", "1"); exit; }
    consume_credentials();
    record_route();
    $ru = "${options.phoneUri}";
    if (!t_relay()) sl_reply_error();
    exit;
  }
  sl_send_reply("405", "Method Not Allowed");
}
`;
}
