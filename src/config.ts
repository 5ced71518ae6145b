// The environment, parsed once; all faults are reported at once. No other file reads `process.env`.
// A test holds SETTINGS equal to .env.example, so a setting is described here and nowhere else.

interface Setting {
  /** What it means, for .env.example. */
  readonly means: string;
  /** Used when the variable is unset or empty; null: no value. */
  readonly fallback: string | null;
}

const setting = (means: string, fallback: string | null): Setting => ({ means, fallback });

/** Every environment variable that the service reads, in the order of .env.example. */
export const SETTINGS = {
  PORT: setting('Public HTTP port; 0 takes a free one.', '8080'),
  HOST: setting('Address of the public HTTP port. Without a trunk only loopback is allowed.', '127.0.0.1'),
  ERRAND_DATA_DIR: setting('Everything that lasts: database, owner key, master key, local messages.', '.errand'),
  ERRAND_PUBLIC_URL: setting('Base of the links that are handed out; unset: http://127.0.0.1:PORT.', null),
  DATABASE_URL: setting('An existing PostgreSQL 15 or later; unset: an embedded one in the data folder.', null),
  ERRAND_MASTER_KEY: setting('32 bytes in base64 that wrap every data key; unset: a file in the data folder.', null),
  LOG_LEVEL: setting('debug, info, warn, error or silent. JSON lines on standard error.', 'info'),

  CONTROL_PLANE_URL: setting('gateway: where the control plane is, e.g. http://10.0.0.5:8081.', null),
  CONTROL_PLANE_TOKEN: setting('gateway, control-plane: the credential between them, 32 characters or more.', null),
  CONTROL_PLANE_HOST: setting('control-plane: address of its internal port.', '127.0.0.1'),
  CONTROL_PLANE_PORT: setting('control-plane: its internal port; 0 takes a free one.', '8081'),
  CONTROL_PLANE_TIMEOUT_MS: setting(
    'gateway: how long the control plane may take to answer; longer than LLM_TIMEOUT_MS.',
    '30000',
  ),

  SIP_TRUNK_URI: setting('The trunk, e.g. sip:trunk.example:5060. Unset: local mode, a phone network in a box.', null),
  SIP_TRUNK_USER: setting('User of the trunk, for digest authentication.', null),
  SIP_TRUNK_PASSWORD: setting('Password of the trunk.', null),
  SIP_CALLER_NUMBER: setting('Number that recipients see, E.164.', '+15550100100'),
  SIP_LOCAL_ADDRESS: setting(
    'IPv4 address for SIP and media; unset: loopback for a trunk there, else found out.',
    null,
  ),
  SIP_LOCAL_PORT: setting('UDP port for SIP; 0 takes a free one.', '0'),
  RTP_PORTS: setting('UDP ports for media, FIRST-LAST.', '20000-29999'),
  RING_SECONDS: setting('How long a phone may ring before the call counts as not answered.', '45'),
  ACKNOWLEDGE_SECONDS: setting('How long the carrier may stay mute before the dial counts as unconfirmed.', '8'),

  WORKER_CAPACITY: setting('worker: calls at the same time.', '50'),
  LEASE_SECONDS: setting('worker: how long a claim on a call lasts without renewal.', '5'),
  QUEUE_LIMIT_SECONDS: setting('A call that was not dispatched by then fails with queue_expired.', '900'),
  RECOVERY_LOOKUPS: setting('Look-ups for a dial of unknown outcome before an operator is asked.', '8'),
  RECOVERY_SECONDS: setting('Time over which those look-ups are spread, with growing pauses.', '600'),
  DRAIN_SECONDS: setting('SIGTERM: how long running calls may go on before they are ended.', '30'),

  LLM_PROVIDER: setting('openai-compatible, anthropic or google; unset: the built-in interviewer, no model.', null),
  LLM_MODEL: setting("The provider's name of the model.", null),
  LLM_BASE_URL: setting('Where the model is; required for openai-compatible.', null),
  LLM_API_KEY: setting('Key of the model.', null),
  LLM_TIMEOUT_MS: setting('How long one answer of the model may take.', '20000'),

  CREATES_PER_MINUTE: setting('New calls a minute and key.', '120'),
  READS_PER_MINUTE: setting('Reads, syncs and cancels a minute and key.', '1200'),
  FREE_INCLUDED_MINUTES: setting('Plan free: minutes included each calendar month.', '10'),
  FREE_MAX_SECONDS: setting('Plan free: longest call.', '180'),
  PREPAID_MAX_SECONDS: setting('Plan prepaid: longest call.', '180'),
  PRO_INCLUDED_MINUTES: setting('Plan pro: minutes included each calendar month.', '0'),
  PRO_MAX_SECONDS: setting('Plan pro: longest call.', '600'),
  OPERATOR_MAX_SECONDS: setting('Plan operator: longest call; never metered.', '3600'),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

/** The variables' names and raw values, as `process.env` gives them. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface PlanFigures {
  readonly name: 'free' | 'prepaid' | 'pro' | 'operator';
  readonly maxCallSeconds: number;
  readonly includedMinutes: number;
  readonly isMetered: boolean;
}

export type Config = ReturnType<typeof parseConfig>;

/** One sentence a fault; thrown once with all of them. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`configuration is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/**
 * Parses the environment.
 * @throws {ConfigError} with every fault found; values of secrets are never part of a fault
 */
// oxlint-disable-next-line max-lines-per-function -- one line a setting; splitting would only scatter the list
export function parseConfig(environment: Environment) {
  const faults: string[] = [];
  const text = (name: SettingName): string | null => {
    const value = environment[name];
    return value === undefined || value === '' ? SETTINGS[name].fallback : value;
  };
  const integer = (name: SettingName, least: number, most: number): number => {
    const value = text(name) ?? '';
    const parsed = /^[0-9]{1,12}$/.test(value) ? Number(value) : Number.NaN;
    if (parsed >= least && parsed <= most) return parsed;
    faults.push(`${name} must be a whole number from ${least} to ${most}`);
    return least;
  };
  const oneOf = <const Choice extends string>(name: SettingName, choices: readonly Choice[]): Choice | null => {
    const value = text(name);
    if (value === null) return null;
    const found = choices.find((choice) => choice === value);
    if (found === undefined) faults.push(`${name} must be one of ${choices.join(', ')}`);
    return found ?? null;
  };
  const url = (name: SettingName, protocols: readonly string[]): string | null => {
    const value = text(name);
    if (value === null) return null;
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
      faults.push(`${name} must be a URL that starts with ${protocols.map((each) => `${each}//`).join(' or ')}`);
      return null;
    }
    return value.replace(/\/+$/, '');
  };

  const trunkUri = text('SIP_TRUNK_URI');
  if (trunkUri !== null && !/^sip:(?!.*;transport=(?!udp(?:;|$)))[^\s@[\]]+$/i.test(trunkUri))
    faults.push(
      'SIP_TRUNK_URI must look like sip:host or sip:host:port, with an IPv4 address or a name; it is spoken to by UDP',
    );
  const callerNumber = text('SIP_CALLER_NUMBER') ?? '';
  if (!/^\+[1-9][0-9]{7,14}$/.test(callerNumber)) faults.push('SIP_CALLER_NUMBER must be an E.164 number');
  const host = text('HOST') ?? '127.0.0.1';
  const isLocalMode = trunkUri === null;
  const rtpPorts = /^([0-9]{1,5})-([0-9]{1,5})$/.exec(text('RTP_PORTS') ?? '');
  const firstRtpPort = Number(rtpPorts?.[1]);
  const lastRtpPort = Number(rtpPorts?.[2]);
  if (rtpPorts === null || firstRtpPort < 1024 || lastRtpPort > 65_535 || lastRtpPort - firstRtpPort < 3) {
    faults.push('RTP_PORTS must be FIRST-LAST, from 1024 to 65535, at least 4 ports');
  }
  const masterKey = text('ERRAND_MASTER_KEY');
  if (masterKey !== null && Buffer.from(masterKey, 'base64').length !== 32)
    faults.push('ERRAND_MASTER_KEY must be 32 bytes in base64');
  const controlPlaneToken = text('CONTROL_PLANE_TOKEN');
  if (controlPlaneToken !== null && controlPlaneToken.length < 32)
    faults.push('CONTROL_PLANE_TOKEN must have 32 characters or more');
  const provider = oneOf('LLM_PROVIDER', ['openai-compatible', 'anthropic', 'google']);
  const model = text('LLM_MODEL');
  const modelUrl = url('LLM_BASE_URL', ['http:', 'https:']);
  if (provider !== null && model === null) faults.push('LLM_MODEL must be set when LLM_PROVIDER is');
  if (provider === 'openai-compatible' && modelUrl === null)
    faults.push('LLM_BASE_URL must be set for openai-compatible');

  const config = {
    http: { host, port: integer('PORT', 0, 65_535), publicUrl: url('ERRAND_PUBLIC_URL', ['http:', 'https:']) },
    isLocalMode,
    dataDir: text('ERRAND_DATA_DIR') ?? '.errand',
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    masterKey: masterKey === null ? null : Buffer.from(masterKey, 'base64'),
    logLevel: oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent']) ?? 'info',
    controlPlane: {
      url: url('CONTROL_PLANE_URL', ['http:', 'https:']),
      token: controlPlaneToken,
      host: text('CONTROL_PLANE_HOST') ?? '127.0.0.1',
      port: integer('CONTROL_PLANE_PORT', 0, 65_535),
      timeoutMs: integer('CONTROL_PLANE_TIMEOUT_MS', 100, 120_000),
    },
    sip: {
      trunkUri,
      user: text('SIP_TRUNK_USER'),
      password: text('SIP_TRUNK_PASSWORD'),
      callerNumber,
      localAddress: text('SIP_LOCAL_ADDRESS'),
      localPort: integer('SIP_LOCAL_PORT', 0, 65_535),
      firstRtpPort,
      lastRtpPort,
      ringMs: integer('RING_SECONDS', 1, 600) * 1000,
      acknowledgeMs: integer('ACKNOWLEDGE_SECONDS', 1, 32) * 1000,
    },
    dispatch: {
      capacity: integer('WORKER_CAPACITY', 1, 5_000),
      leaseMs: integer('LEASE_SECONDS', 1, 300) * 1000,
      queueLimitMs: integer('QUEUE_LIMIT_SECONDS', 1, 86_400) * 1000,
      recoveryLookups: integer('RECOVERY_LOOKUPS', 1, 100),
      recoveryMs: integer('RECOVERY_SECONDS', 1, 86_400) * 1000,
      drainMs: integer('DRAIN_SECONDS', 0, 3_600) * 1000,
    },
    languageModel:
      provider === null || model === null ? null : { provider, model, baseUrl: modelUrl, apiKey: text('LLM_API_KEY') },
    languageModelTimeoutMs: integer('LLM_TIMEOUT_MS', 500, 120_000),
    rates: {
      createsPerMinute: integer('CREATES_PER_MINUTE', 1, 10_000_000),
      readsPerMinute: integer('READS_PER_MINUTE', 1, 10_000_000),
    },
    plans: [
      {
        name: 'free',
        maxCallSeconds: integer('FREE_MAX_SECONDS', 30, 3600),
        includedMinutes: integer('FREE_INCLUDED_MINUTES', 0, 1_000_000),
        isMetered: true,
      },
      {
        name: 'prepaid',
        maxCallSeconds: integer('PREPAID_MAX_SECONDS', 30, 3600),
        includedMinutes: 0,
        isMetered: true,
      },
      {
        name: 'pro',
        maxCallSeconds: integer('PRO_MAX_SECONDS', 30, 3600),
        includedMinutes: integer('PRO_INCLUDED_MINUTES', 0, 1_000_000),
        isMetered: true,
      },
      {
        name: 'operator',
        maxCallSeconds: integer('OPERATOR_MAX_SECONDS', 30, 3600),
        includedMinutes: 0,
        isMetered: false,
      },
    ] satisfies readonly PlanFigures[],
  };
  if (isLocalMode && !isLoopback(host)) {
    faults.push(
      'HOST must be a loopback address in local mode (/local has no password); set SIP_TRUNK_URI to serve others',
    );
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.[0-9]{1,3}){3}$/.test(host);
}
