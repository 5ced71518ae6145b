// What went out by SMS or e-mail, as rows. In local mode the row is the delivery. A message is never changed.
import type { Queryable } from '../platform/database.ts';

export interface Message {
  readonly id: string;
  readonly channel: 'sms' | 'email';
  /** A phone number in E.164, or an e-mail address; 3 to 320 code points. */
  readonly to: string;
  readonly body: string;
  readonly sent_at: Date;
}

/** The latest that one answer holds. */
export const MAX_LISTED_MESSAGES = 1_000;

/** Keeps one message, once for each id: a repeated id changes nothing. */
export async function recordMessage(db: Queryable, message: Message): Promise<void> {
  await db.query(
    `INSERT INTO messages (id, channel, to_address, body, sent_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (id) DO NOTHING`,
    [message.id, message.channel, message.to, message.body, message.sent_at],
  );
}

/**
 * The latest messages, at most `MAX_LISTED_MESSAGES`.
 * @param to one recipient, exactly as it was written; null: all
 * @returns oldest first; those of one moment in the order of their ids
 */
export async function listMessages(db: Queryable, to: string | null): Promise<Message[]> {
  const rows = await db.query<Message>(
    `SELECT id, channel, to_address AS "to", body, sent_at FROM messages
     WHERE $1::text IS NULL OR to_address = $1 ORDER BY sent_at DESC, id DESC LIMIT $2`,
    [to, MAX_LISTED_MESSAGES],
  );
  return rows.reverse();
}
