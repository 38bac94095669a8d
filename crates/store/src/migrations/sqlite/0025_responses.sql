-- Responses that their owners may read again, continue and delete.
CREATE TABLE responses (
    id             TEXT    PRIMARY KEY,
    entity         TEXT    NOT NULL,
    -- The response that this one continues; it may be deleted.
    previous       TEXT,
    state          TEXT    NOT NULL,
    -- The response in its wire form, without its output.
    object         TEXT    NOT NULL,
    -- Sizes of the events that were streamed; null if they cannot be sent again.
    events         TEXT,
    bytes          INTEGER NOT NULL,
    -- Until when the process that samples the response in the background has it; null for any other response.
    lease_deadline INTEGER,
    created_at     INTEGER NOT NULL,
    expires_at     INTEGER NOT NULL
) STRICT;

CREATE INDEX responses_by_expiry ON responses (entity, expires_at);

-- What a response was asked with, then what it brought, in order.
CREATE TABLE response_items (
    response_id TEXT    NOT NULL REFERENCES responses (id) ON DELETE CASCADE,
    position    INTEGER NOT NULL,
    entity      TEXT    NOT NULL,
    item_id     TEXT    NOT NULL,
    is_output   INTEGER NOT NULL,
    item        TEXT    NOT NULL,
    PRIMARY KEY (response_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX response_items_by_id ON response_items (entity, item_id);

-- Bytes of the responses of an entity.
CREATE TABLE response_totals (
    entity TEXT    PRIMARY KEY,
    bytes  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
