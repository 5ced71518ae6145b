// A mind's acts brought within bounds: a mind may be a model, and a model may answer anything.
import type { Act } from './mind.ts';
import { ACT_LIMIT, SAY_LIMIT, WAIT_LIMIT_SECONDS } from './pace.ts';

const KEYS_LIMIT = 64;

/** A mind's act within the bounds, its text as one line; nothing when nothing is left of it. */
export function cleanAct(act: Act): Act[] {
  switch (act.kind) {
    case 'say': {
      const text = act.text.toWellFormed().replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ');
      const points = Array.from(text.trim());
      const parts: Act[] = [];
      for (let start = 0; start < points.length && parts.length < ACT_LIMIT; start += SAY_LIMIT) {
        parts.push({ ...act, text: points.slice(start, start + SAY_LIMIT).join('') });
      }
      return parts;
    }
    case 'press': {
      const digits = act.digits
        .toUpperCase()
        .replaceAll(/[^0-9*#A-D]/g, '')
        .slice(0, KEYS_LIMIT);
      return digits === '' ? [] : [{ kind: 'press', digits }];
    }
    case 'wait':
      return [{ kind: 'wait', seconds: Math.min(Math.max(act.seconds, 1), WAIT_LIMIT_SECONDS) }];
    case 'hang_up':
      return [act];
  }
}
