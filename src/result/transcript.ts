// The shape in which a finished call reaches the result: what was said, by whom, and what was being asked.
import type { Speaker } from '../contract/call.ts';

export interface TranscriptTurn {
  /** From 1, without gaps. */
  readonly sequence: number;
  readonly speaker: Speaker;
  readonly text: string;
  /** JSON Pointer of the answer that an assistant turn asked for. */
  readonly about: string | null;
}
