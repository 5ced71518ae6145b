// What the gateway and the control plane say to each other over internal HTTP, in one place for both ends. Not public.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { BODY_LIMIT_BYTES, CallView } from './call.ts';
import { nullable } from './nullable.ts';

/** Paths of the internal port; all POST but `ready`, which is GET. */
export const INTERNAL_PATHS = {
  createCall: '/internal/create-call',
  getCall: '/internal/get-call',
  syncCall: '/internal/sync-call',
  cancelCall: '/internal/cancel-call',
  ready: '/internal/ready',
} as const;

/** Status of an answer that carries a refusal. */
export const REFUSED_STATUS = 422;

/** A body's text grows at most sixfold when it is quoted as JSON; the rest is small. */
export const INTERNAL_REQUEST_LIMIT_BYTES = 6 * BODY_LIMIT_BYTES + 128 * 1024;

const Caller = { token: nullable(Type.String()), requestId: Type.String() };

export const InternalCallRequest = Type.Object({ ...Caller, callId: Type.String() });

export const InternalCreateRequest = Type.Object({
  ...Caller,
  idempotencyKey: nullable(Type.String()),
  body: Type.Union([Type.Object({ text: Type.String() }), Type.Literal('too_large'), Type.Literal('not_utf8')]),
});

export const InternalCreated = Type.Object({ call: CallView, isReplay: Type.Boolean() });

export const InternalReady = Type.Object({ status: Type.Literal('ready') });

export const InternalRefused = Type.Object({
  refusal: Type.Object({
    code: Type.String(),
    detail: Type.String(),
    details: Type.Object({
      actionUrl: Type.Optional(Type.String()),
      retryAfterSeconds: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
  }),
});

/** The control plane failed, or something behind it: whether the same request may surely be sent again. */
export const InternalFailed = Type.Object({ failure: Type.Object({ retry: Type.Enum(['safe', 'never']) }) });
export type InternalFailed = Static<typeof InternalFailed>;
