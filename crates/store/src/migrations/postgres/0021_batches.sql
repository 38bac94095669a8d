-- Requests of a file that are sampled when there is time.
CREATE TABLE batches (
    sequence         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id               uuid   NOT NULL UNIQUE,
    entity           text   COLLATE "C" NOT NULL,
    -- Key under which the requests are made.
    key_id           uuid   NOT NULL,
    project          text   COLLATE "C" NOT NULL,
    endpoint         text   COLLATE "C" NOT NULL,
    input_file       uuid   NOT NULL,
    input_artifact   text   COLLATE "C" NOT NULL,
    metadata         text,
    -- Lifetime of the files of responses; none means forever.
    output_life      bigint,
    status           text   NOT NULL,
    -- Counts of lines: those of the file, none until it is validated, and those that are recorded.
    total            bigint,
    completed        bigint NOT NULL DEFAULT 0,
    failed           bigint NOT NULL DEFAULT 0,
    input_tokens     bigint NOT NULL DEFAULT 0,
    cached_tokens    bigint NOT NULL DEFAULT 0,
    output_tokens    bigint NOT NULL DEFAULT 0,
    reasoning_tokens bigint NOT NULL DEFAULT 0,
    -- Faults of the file.
    errors           text,
    output_file      uuid,
    error_file       uuid,
    lease_owner      text   COLLATE "C",
    -- Rises with every claim; a writer with an older one has lost the batch.
    lease_token      bigint NOT NULL DEFAULT 0,
    lease_deadline   bigint NOT NULL DEFAULT 0,
    created_at       bigint NOT NULL,
    expires_at       bigint NOT NULL,
    in_progress_at   bigint,
    finalizing_at    bigint,
    cancelling_at    bigint,
    ended_at         bigint
);
CREATE INDEX batches_of_entity ON batches (entity, sequence);
CREATE INDEX unfinished_batches ON batches (sequence) WHERE ended_at IS NULL;
CREATE INDEX batches_by_input ON batches (input_artifact) WHERE ended_at IS NULL;

-- Recorded responses of a batch, each once, until its files are made.
CREATE TABLE batch_lines (
    batch_id  uuid   NOT NULL,
    line      bigint NOT NULL,
    is_failed bigint NOT NULL,
    text      text   NOT NULL,
    PRIMARY KEY (batch_id, line)
);

-- Files may be requests of a batch and their responses, and may expire: the time from which the file is absent.
ALTER TABLE files DROP CONSTRAINT files_purpose_check;
ALTER TABLE files ADD COLUMN expires_at bigint;
CREATE INDEX files_by_end ON files (expires_at) WHERE expires_at IS NOT NULL;
