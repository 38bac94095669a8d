-- Files may be requests of a batch and their responses, and may expire. SQLite changes a constraint by copying the table.
CREATE TABLE new_files (
    sequence   INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT    NOT NULL UNIQUE,
    entity     TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    -- Counts the files of the name from 0, and stays when others go.
    version    INTEGER NOT NULL,
    purpose    TEXT    NOT NULL,
    bytes      INTEGER NOT NULL,
    artifact   TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    key_id     TEXT,
    -- Time from which the file is absent.
    expires_at INTEGER
) STRICT;
INSERT INTO new_files (sequence, id, entity, name, version, purpose, bytes, artifact, created_at, key_id)
    SELECT sequence, id, entity, name, version, purpose, bytes, artifact, created_at, key_id FROM files;
DROP TABLE files;
ALTER TABLE new_files RENAME TO files;
CREATE INDEX files_of_entity ON files (entity, sequence);
CREATE INDEX files_by_name ON files (entity, name, version);
CREATE INDEX files_by_artifact ON files (artifact);
CREATE INDEX files_of_key ON files (key_id);
CREATE INDEX files_by_end ON files (expires_at) WHERE expires_at IS NOT NULL;

-- Requests of a file that are sampled when there is time.
CREATE TABLE batches (
    sequence         INTEGER PRIMARY KEY AUTOINCREMENT,
    id               TEXT    NOT NULL UNIQUE,
    entity           TEXT    NOT NULL,
    -- Key under which the requests are made.
    key_id           TEXT    NOT NULL,
    project          TEXT    NOT NULL,
    endpoint         TEXT    NOT NULL,
    input_file       TEXT    NOT NULL,
    input_artifact   TEXT    NOT NULL,
    metadata         TEXT,
    -- Lifetime of the files of responses; none means forever.
    output_life      INTEGER,
    status           TEXT    NOT NULL,
    -- Counts of lines: those of the file, none until it is validated, and those that are recorded.
    total            INTEGER,
    completed        INTEGER NOT NULL DEFAULT 0,
    failed           INTEGER NOT NULL DEFAULT 0,
    input_tokens     INTEGER NOT NULL DEFAULT 0,
    cached_tokens    INTEGER NOT NULL DEFAULT 0,
    output_tokens    INTEGER NOT NULL DEFAULT 0,
    reasoning_tokens INTEGER NOT NULL DEFAULT 0,
    -- Faults of the file.
    errors           TEXT,
    output_file      TEXT,
    error_file       TEXT,
    lease_owner      TEXT,
    -- Rises with every claim; a writer with an older one has lost the batch.
    lease_token      INTEGER NOT NULL DEFAULT 0,
    lease_deadline   INTEGER NOT NULL DEFAULT 0,
    created_at       INTEGER NOT NULL,
    expires_at       INTEGER NOT NULL,
    in_progress_at   INTEGER,
    finalizing_at    INTEGER,
    cancelling_at    INTEGER,
    ended_at         INTEGER
) STRICT;
CREATE INDEX batches_of_entity ON batches (entity, sequence);
CREATE INDEX unfinished_batches ON batches (sequence) WHERE ended_at IS NULL;
CREATE INDEX batches_by_input ON batches (input_artifact) WHERE ended_at IS NULL;

-- Recorded responses of a batch, each once, until its files are made.
CREATE TABLE batch_lines (
    batch_id  TEXT    NOT NULL,
    line      INTEGER NOT NULL,
    is_failed INTEGER NOT NULL,
    text      TEXT    NOT NULL,
    PRIMARY KEY (batch_id, line)
) STRICT;
