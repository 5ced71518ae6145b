// What a phone of the exchange does when it is called, as data: read strictly from outside, with every fault named.
import { RE2JS } from 're2js';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { compile } from '../../contract/compile.ts';
import { nullable } from '../../contract/nullable.ts';
import { messageOf } from '../../platform/errors.ts';

/** E.164. */
export const NUMBER_PATTERN = /^\+[1-9][0-9]{7,14}$/;

export const BEHAVIOURS = ['person', 'silent', 'busy', 'no_answer', 'reject', 'unreachable', 'mute_network'] as const;
/** Of the local mode's list, not built: they are refused by name. */
const LATER_BEHAVIOURS: ReadonlySet<string> = new Set(['voicemail', 'menu']);

const DEFAULT_RING_MS = 200;
const DEFAULT_OTHERWISE = 'Sorry, could you say that again?';
/** As long as one turn of a conversation may be. */
const MAX_SAYING = 4_000;

const PhoneReply = Type.Object(
  {
    hears: Type.String({ minLength: 1, maxLength: 500 }),
    says: Type.String({ maxLength: MAX_SAYING }),
    keys: Type.Optional(Type.String({ pattern: '^[0-9*#A-D]{1,32}$' })),
    hang_up: Type.Optional(Type.Boolean()),
    once: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

const ProgramInput = Type.Object(
  {
    behaviour: Type.Optional(Type.String()),
    medium: Type.Optional(Type.String()),
    ring_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
    greeting: Type.Optional(nullable(Type.String({ maxLength: MAX_SAYING }))),
    replies: Type.Optional(Type.Array(PhoneReply, { maxItems: 100 })),
    otherwise: Type.Optional(Type.String({ maxLength: MAX_SAYING })),
    hang_up_after_ms: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 3_600_000 }))),
  },
  { additionalProperties: false },
);

export type Behaviour = (typeof BEHAVIOURS)[number];
export type PhoneReply = Readonly<Static<typeof PhoneReply>>;

/** A whole program, every default filled in. */
export interface PhoneProgram {
  readonly behaviour: Behaviour;
  /** Real-time text. */
  readonly medium: 'text';
  /** How long it rings before it answers or rejects. */
  readonly ring_ms: number;
  /** First words after answering. */
  readonly greeting: string | null;
  /** `hears` is a case-insensitive regular expression (RE2) on what the caller just said; the first that fits is used. */
  readonly replies: readonly PhoneReply[];
  /** Said when nothing fits. */
  readonly otherwise: string;
  /** Hangs up so long after answering; null: never. */
  readonly hang_up_after_ms: number | null;
}

export type ReadProgram =
  | { readonly program: PhoneProgram }
  /** `pointer`: JSON Pointer of the field; `because`: what is wrong with it and what is wanted. */
  | { readonly fault: { readonly pointer: string; readonly because: string } };

const checkInput = compile(ProgramInput);

/** Reads a program from outside. @param input parsed JSON, anything */
export function readProgram(input: unknown): ReadProgram {
  const checked = checkInput(input);
  if (!checked.ok) return faultAt(checked.pointer, sentence(checked.fault.message, checked.fault.params));
  const { behaviour = 'person', medium = 'text', replies = [], ...rest } = checked.value;
  if (LATER_BEHAVIOURS.has(behaviour)) {
    return faultAt('/behaviour', `${behaviour} is not available yet; available are ${BEHAVIOURS.join(', ')}`);
  }
  const known = BEHAVIOURS.find((each) => each === behaviour);
  if (known === undefined) return faultAt('/behaviour', `must be one of ${BEHAVIOURS.join(', ')}`);
  if (medium === 'speech') return faultAt('/medium', 'speech is not available yet; available is text');
  if (medium !== 'text') return faultAt('/medium', 'must be text');
  for (const [index, reply] of replies.entries()) {
    const because = whyNotAPattern(reply.hears);
    if (because !== null) return faultAt(`/replies/${index}/hears`, because);
  }
  return {
    program: {
      behaviour: known,
      medium,
      ring_ms: rest.ring_ms ?? DEFAULT_RING_MS,
      greeting: rest.greeting ?? null,
      replies,
      otherwise: rest.otherwise ?? DEFAULT_OTHERWISE,
      hang_up_after_ms: rest.hang_up_after_ms ?? null,
    },
  };
}

/** The pattern of a reply, on an engine whose time grows with the text alone. @throws for a pattern that `readProgram` refuses */
export function compileHears(hears: string): RE2JS {
  return RE2JS.compile(hears, RE2JS.CASE_INSENSITIVE);
}

function whyNotAPattern(hears: string): string | null {
  try {
    compileHears(hears);
    return null;
  } catch (error) {
    return `is not a regular expression in RE2 syntax: ${messageOf(error)}`;
  }
}

function faultAt(pointer: string, because: string): ReadProgram {
  return { fault: { pointer, because } };
}

function sentence(message: string | undefined, params: object): string {
  if ('additionalProperty' in params) return 'is not a field of a phone program';
  if ('missingProperty' in params) return 'is missing';
  return message ?? 'is not valid';
}
