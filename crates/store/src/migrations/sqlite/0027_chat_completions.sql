-- What is stored: a response, or a chat completion, whose items are its messages and itself.
ALTER TABLE responses ADD COLUMN kind TEXT NOT NULL DEFAULT 'response';

CREATE INDEX responses_by_kind ON responses (entity, kind, id);
