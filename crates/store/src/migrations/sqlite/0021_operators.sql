-- Whether the key may use the operations of operators.
ALTER TABLE keys ADD COLUMN is_admin INTEGER NOT NULL DEFAULT 0;

-- Workers, each with the time of its last report.
CREATE TABLE workers (
    name          TEXT    NOT NULL PRIMARY KEY,
    host          TEXT    NOT NULL,
    version       TEXT    NOT NULL,
    -- JSON object of the kind of trainer of each base model.
    trainers      TEXT    NOT NULL,
    started_at    INTEGER NOT NULL,
    reported_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
