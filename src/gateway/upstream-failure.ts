// Why the control plane gave no usable answer: the three ways that the public contract tells apart.

export type UpstreamCode = 'control_plane_error' | 'invalid_control_plane_response' | 'control_plane_unavailable';

export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly code: UpstreamCode;
  /** `safe`: surely nothing was done. */
  readonly retry: 'safe' | 'never';
  /** What the control plane said of itself; null when it did not answer. */
  readonly upstreamStatus: string | null;

  constructor(
    code: UpstreamCode,
    message: string,
    options: { readonly retry?: 'safe' | 'never'; readonly upstreamStatus?: string; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retry = options.retry ?? 'never';
    this.upstreamStatus = options.upstreamStatus ?? null;
  }
}
