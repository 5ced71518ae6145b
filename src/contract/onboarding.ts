// Schemas of the phone-verified signup, field for field as the interface has them.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { nullable } from './nullable.ts';

/** The signup nonce that `Idempotency-Key` carries: 32 random bytes in unpadded base64url. */
export const SIGNUP_NONCE_PATTERN = '^[A-Za-z0-9_-]{43}$';

const Moment = Type.String({ format: 'date-time' });
const Uuid = Type.String({ format: 'uuid' });

export const OnboardingStart = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 160 }),
    email: Type.String({
      minLength: 3,
      maxLength: 320,
      description: 'For password setup and account recovery; it is not verified first.',
    }),
    phone_number: Type.String({ minLength: 1, maxLength: 40, description: 'A US phone in E.164; verified by SMS.' }),
    organization: Type.Optional(
      nullable(Type.String({ maxLength: 160, description: "Names the workspace; blank: the person's name does." })),
    ),
    client_name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 80, default: 'Personal bot', description: 'Names the connection.' }),
    ),
    acceptable_use_accepted: Type.Unsafe<true>({
      type: 'boolean',
      const: true,
      description: 'Sent only after explicit consent to responsible use.',
    }),
  },
  { additionalProperties: false },
);
export type OnboardingStart = Static<typeof OnboardingStart>;

export const PhoneStatus = Type.Object({
  verified: Type.Boolean(),
  phone_number: Type.Optional(nullable(Type.String())),
  challenge_id: Type.Optional(nullable(Uuid)),
  expires_at: Type.Optional(nullable(Moment)),
  resend_at: Type.Optional(nullable(Moment)),
});
export type PhoneStatus = Static<typeof PhoneStatus>;

export const OnboardingView = Type.Object({
  onboarding_token: Type.String({ description: 'Bearer of resend, verify and complete; lives 30 minutes.' }),
  expires_at: Moment,
  phone: PhoneStatus,
});
export type OnboardingView = Static<typeof OnboardingView>;

export const PhoneVerify = Type.Object(
  {
    challenge_id: Uuid,
    code: Type.String({ pattern: '^[0-9]{6}$', description: 'As it was sent; leading zeros count.' }),
  },
  { additionalProperties: false },
);
export type PhoneVerify = Static<typeof PhoneVerify>;

export const OnboardingKey = Type.Object({
  api_key: Type.String(),
  project_id: Uuid,
  workspace_id: Uuid,
  login_url: Type.String(),
  recharge_url: Type.String(),
  password_setup_email: Type.Literal('requested'),
});
export type OnboardingKey = Static<typeof OnboardingKey>;

export const ValidationFault = Type.Object({
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), { description: 'Begins with `body` or `header`.' }),
  msg: Type.String(),
  type: Type.String(),
  input: Type.Optional(Type.Unknown()),
  ctx: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
});

/** The body of a 422 on the onboarding routes. */
export const ValidationFaults = Type.Object({ detail: Type.Array(ValidationFault) });
export type ValidationFaults = Static<typeof ValidationFaults>;
