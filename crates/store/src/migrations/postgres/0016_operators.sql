-- Whether the key may use the operations of operators: 1 or 0.
ALTER TABLE keys ADD COLUMN is_admin bigint NOT NULL DEFAULT 0;

-- Workers, each with the time of its last report.
CREATE TABLE workers (
    name          text   COLLATE "C" PRIMARY KEY,
    host          text   NOT NULL,
    version       text   NOT NULL,
    -- JSON object of the kind of trainer of each base model.
    trainers      text   NOT NULL,
    started_at    bigint NOT NULL,
    reported_at   bigint NOT NULL
);
