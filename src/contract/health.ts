// What the public health endpoints answer.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { wordOf } from './word-of.ts';

export const Health = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
  examples: [{ status: 'ok' }],
});

export const Readiness = Type.Object(
  {
    status: wordOf(['ready', 'degraded']),
    components: Type.Object(
      {
        configuration: Type.Boolean({ description: 'The credential for the control plane is configured.' }),
        control_plane: Type.Boolean({ description: 'The readiness request to the control plane succeeded.' }),
        control_plane_status: Type.Optional(Type.String({ description: 'What the control plane said of itself.' })),
        configuration_error: Type.Optional(Type.String()),
        control_plane_error: Type.Optional(Type.String()),
      },
      { additionalProperties: true },
    ),
  },
  { additionalProperties: true },
);
export type Readiness = Static<typeof Readiness>;
