-- Files that their owners uploaded, to train on or to import.
CREATE TABLE files (
    sequence   INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT    NOT NULL UNIQUE,
    entity     TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    -- Counts the files of the name from 0, and stays when others go.
    version    INTEGER NOT NULL,
    purpose    TEXT    NOT NULL CHECK (purpose IN ('fine-tune', 'user_data')),
    bytes      INTEGER NOT NULL,
    artifact   TEXT    NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX files_of_entity ON files (entity, sequence);
CREATE INDEX files_by_name ON files (entity, name, version);
CREATE INDEX files_by_artifact ON files (artifact);

-- The file whose content is the job's input artifact, if it is one.
ALTER TABLE jobs ADD COLUMN input_file TEXT;

-- Files and checkpoints are created under a key too. Which results there are is the program's knowledge: it refuses to
-- read another one.
CREATE TABLE results (
    entity         TEXT    NOT NULL,
    key            TEXT    NOT NULL,
    request_sha256 BLOB    NOT NULL CHECK (length(request_sha256) = 32),
    outcome        TEXT    NOT NULL,
    object_id      TEXT    NOT NULL,
    created_at     INTEGER NOT NULL,
    PRIMARY KEY (entity, key)
) STRICT, WITHOUT ROWID;
INSERT INTO results SELECT entity, key, request_sha256, outcome, object_id, created_at FROM idempotent_results;
DROP TABLE idempotent_results;
ALTER TABLE results RENAME TO idempotent_results;
CREATE INDEX idempotent_results_by_age ON idempotent_results (created_at);
