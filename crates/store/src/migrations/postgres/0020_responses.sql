-- Responses that their owners may read again, continue and delete.
CREATE TABLE responses (
    id             uuid   PRIMARY KEY,
    entity         text   COLLATE "C" NOT NULL,
    -- The response that this one continues; it may be deleted.
    previous       uuid,
    state          text   NOT NULL,
    -- The response in its wire form, without its output.
    object         text   NOT NULL,
    -- Sizes of the events that were streamed; null if they cannot be sent again.
    events         text,
    bytes          bigint NOT NULL,
    -- Until when the process that samples the response in the background has it; null for any other response.
    lease_deadline bigint,
    created_at     bigint NOT NULL,
    expires_at     bigint NOT NULL
);

CREATE INDEX responses_by_expiry ON responses (entity, expires_at);

-- What a response was asked with, then what it brought, in order.
CREATE TABLE response_items (
    response_id uuid   NOT NULL REFERENCES responses (id) ON DELETE CASCADE,
    position    bigint NOT NULL,
    entity      text   COLLATE "C" NOT NULL,
    item_id     text   COLLATE "C" NOT NULL,
    is_output   bigint NOT NULL,
    item        text   NOT NULL,
    PRIMARY KEY (response_id, position)
);

CREATE INDEX response_items_by_id ON response_items (entity, item_id);

-- Bytes of the responses of an entity.
CREATE TABLE response_totals (
    entity text   COLLATE "C" PRIMARY KEY,
    bytes  bigint NOT NULL
);
