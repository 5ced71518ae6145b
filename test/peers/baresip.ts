// baresip as a whole phone: it answers by itself, speaks a tone and listens. It is watched and steered over its control port.
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { freePort, freePortRange } from './free-ports.ts';
import { Program, workFolder } from './program.ts';

export interface PhoneEvent {
  readonly type?: string;
  readonly param?: string;
}

export interface PhonePeer extends AsyncDisposable {
  readonly uri: string;
  /** What has happened at the phone so far. */
  readonly events: readonly PhoneEvent[];
  /** Waits for an event: CALL_ESTABLISHED, CALL_RTPESTAB, CALL_CLOSED, CALL_DTMF_START, ... */
  readonly happened: (type: string) => Promise<PhoneEvent>;
  /** Runs a command of the phone, e.g. `hangup`. */
  readonly command: (command: string, params?: string) => void;
}

// Debian keeps them beside the program's own prefix.
const MODULE_PATH = '/usr/lib/baresip/modules';

/** Starts a phone and waits until its control port answers. It ends by itself after a minute, whatever happens. */
export async function startPhone(): Promise<PhonePeer> {
  const folder = await workFolder();
  const [port, control, rtp] = [await freePort(), await freePort(), await freePortRange(20)];
  await writeConfiguration(folder.path, { port, control, rtp });
  const program = new Program('baresip', ['-t', '60', '-4', '-f', folder.path], folder.path);
  const socket = await until(`baresip answers on ${control}: ${program.output}`, () => tryConnect(control));
  const events: PhoneEvent[] = [];
  readNetstrings(socket, (text) => {
    events.push(JSON.parse(text) as PhoneEvent); // the phone's own JSON; every field of it is optional
  });
  return {
    uri: `sip:callee@127.0.0.1:${port}`,
    events,
    happened: (type) => until(`the phone tells ${type}`, () => events.find((event) => event.type === type)),
    command(command, params = '') {
      const message = JSON.stringify({ command, params, token: 'test' });
      socket.write(`${Buffer.byteLength(message)}:${message},`);
    },
    async [Symbol.asyncDispose]() {
      socket.destroy();
      await program[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function tryConnect(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', () => resolve(null));
  });
}

/** `12:{"class":..},` and so on. */
function readNetstrings(socket: Socket, heard: (text: string) => void): void {
  let buffer = Buffer.alloc(0);
  socket.on('data', (data) => {
    buffer = Buffer.concat([buffer, data]);
    for (;;) {
      const colon = buffer.indexOf(':');
      const size = Number(buffer.subarray(0, Math.max(colon, 0)).toString());
      if (colon === -1 || buffer.length < colon + 2 + size) return;
      heard(buffer.subarray(colon + 1, colon + 1 + size).toString());
      buffer = buffer.subarray(colon + 2 + size);
    }
  });
}

async function writeConfiguration(
  folder: string,
  ports: { readonly port: number; readonly control: number; readonly rtp: number },
): Promise<void> {
  await mkdir(join(folder, 'rec'));
  await writeFile(join(folder, 'contacts'), '');
  await writeFile(join(folder, 'tone.wav'), toneWav());
  const account = `<sip:callee@127.0.0.1:${ports.port}>;answermode=auto;regint=0;audio_codecs=pcmu/8000/1,pcma/8000/1\n`;
  await writeFile(join(folder, 'accounts'), account);
  const lines = [
    'poll_method epoll',
    `sip_listen 127.0.0.1:${ports.port}`,
    'audio_player aubridge,sink',
    `audio_source aufile,${join(folder, 'tone.wav')}`,
    'audio_alert aubridge,alert',
    'ausrc_srate 8000',
    'auplay_srate 8000',
    'ausrc_channels 1',
    'auplay_channels 1',
    'audio_txmode thread',
    'audio_level no',
    'audio_buffer 20-160',
    'call_local_timeout 120',
    `rtp_ports ${ports.rtp}-${ports.rtp + 18}`,
    'rtcp_mux no',
    'rtp_stats yes',
    'net_interface 127.0.0.1',
    `module_path ${MODULE_PATH}`,
    'module g711.so',
    'module aubridge.so',
    'module aufile.so',
    'module_tmp uuid.so',
    'module_tmp account.so',
    'module_app menu.so',
    'module_app ctrl_tcp.so',
    `ctrl_tcp_listen 127.0.0.1:${ports.control}`,
    '',
  ];
  await writeFile(join(folder, 'config'), lines.join('\n'));
}

const RATE_HZ = 8_000;
// A phone ends its call when its audio file ends.
const TONE_SECONDS = 60;

/** A minute of 440 Hz: 16-bit mono at 8,000 Hz, as a WAV file. */
function toneWav(): Buffer {
  const bytes = TONE_SECONDS * RATE_HZ * 2;
  const wav = Buffer.alloc(44 + bytes);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(36 + bytes, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20); // PCM
  wav.writeUInt16LE(1, 22); // channels
  wav.writeUInt32LE(RATE_HZ, 24);
  wav.writeUInt32LE(RATE_HZ * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(bytes, 40);
  for (let at = 0; at < bytes / 2; at++) {
    wav.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * 440 * at) / RATE_HZ)), 44 + 2 * at);
  }
  return wav;
}
