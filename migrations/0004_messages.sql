-- What goes out by SMS or e-mail. In local mode the row is the delivery.

CREATE TABLE messages (
  id uuid PRIMARY KEY,
  channel text NOT NULL CHECK (channel IN ('sms', 'email')),
  to_address text NOT NULL CHECK (char_length(to_address) BETWEEN 3 AND 320),
  body text NOT NULL,
  sent_at timestamptz NOT NULL
);
CREATE INDEX messages_to ON messages (to_address, sent_at);
