//! SQLite databases as released versions of the program left them, with something in every table, and what is in one.

use std::collections::BTreeMap;
use std::path::Path;

use sqlx::migrate::Migrator;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, Row, SqliteConnection};

/// Reads the versions of the schema from the repository. The program embeds them; sqlx compares the checksums of both.
async fn migrations() -> Migrator {
    // Tests of the service and of the store's crate include this file.
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let folder = above.map(|directory| directory.join("crates/store/src/migrations/sqlite")).find(|path| path.is_dir());
    Migrator::new(folder.expect("the repository")).await.expect("the files of the schema")
}

/// Rows that each version could hold and the one before could not.
const ROWS: [&str; 27] = [
    "INSERT INTO keys (id, entity, name, suffix, sha256, created_at, revoked_at, last_used_at) VALUES
         ('01a1f9c2-0000-7000-8000-000000000001', 'acme', 'ci', 'abcd', zeroblob(32), 1, NULL, 5),
         ('01a1f9c2-0000-7000-8000-000000000002', 'acme', 'old', 'ef01', randomblob(32), 2, 3, NULL);
     INSERT INTO models (id, entity, project, name, base_model, run_id, last_step, created_at) VALUES
         ('01a1f9c3-5630-77c3-a5f2-daaf4564b88a', 'acme', 'p', 'agent', 'trainyard/seedling', 'run-1', 1, 10);
     INSERT INTO checkpoints (id, model_id, step, metrics, adapter_config, adapter_weights, optimizer_state,
         optimizer_kind, created_at) VALUES
         ('01a1f9c3-0000-7000-8000-000000000000', '01a1f9c3-5630-77c3-a5f2-daaf4564b88a', 0, '{}', NULL, NULL, NULL,
          NULL, 11),
         ('01a1f9c3-0000-7000-8000-000000000001', '01a1f9c3-5630-77c3-a5f2-daaf4564b88a', 1, '{\"loss/train\":0.1}',
          '0000000000000000000000000000000000000000000000000000000000000001',
          '0000000000000000000000000000000000000000000000000000000000000002',
          '0000000000000000000000000000000000000000000000000000000000000003', 'sft', 12);
     INSERT INTO jobs (id, entity, model_id, kind, status, config, input_artifact, input_url, start_step, dataset,
         published_step, lease_owner, lease_token, lease_deadline, attempts, error, created_at, started_at, ended_at)
         VALUES
         ('01a1f9c4-0000-7000-8000-000000000001', 'acme', '01a1f9c3-5630-77c3-a5f2-daaf4564b88a', 'sft', 'succeeded',
          '{}', NULL, 'https://example.com/rows.jsonl', 0, NULL, 1, NULL, 1, NULL, 1, NULL, 20, 21, 22),
         ('01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4', 'acme', '01a1f9c3-5630-77c3-a5f2-daaf4564b88a', 'rl', 'running',
          '{}', '0000000000000000000000000000000000000000000000000000000000000004', NULL, 1, NULL, NULL, 'worker-1', 2,
          23, 2, NULL, 20, 22, NULL),
         ('01a1f9c4-0000-7000-8000-000000000003', 'acme', '01a1f9c3-5630-77c3-a5f2-daaf4564b88a', 'rl', 'queued',
          '{}', '0000000000000000000000000000000000000000000000000000000000000005', NULL, NULL, NULL, NULL, NULL, 0,
          NULL, 0, NULL, 24, NULL, NULL);
     UPDATE jobs SET start_adapter_config = '0000000000000000000000000000000000000000000000000000000000000001',
         start_adapter_weights = '0000000000000000000000000000000000000000000000000000000000000002',
         start_optimizer_state = '0000000000000000000000000000000000000000000000000000000000000003',
         start_optimizer_kind = 'sft', dataset = '000000000000000000000000000000000000000000000000000000000000000a'
         WHERE status = 'running';
     INSERT INTO jobs (id, entity, model_id, kind, status, config, input_url, error, created_at, ended_at) VALUES
         ('01a1f9c4-0000-7000-8000-000000000004', 'acme', '01a1f9c3-5630-77c3-a5f2-daaf4564b88a', 'sft', 'failed', '{}',
          'https://example.com/bad.jsonl', 'row 1 is no JSON', 18, 19);
     INSERT INTO events (job_id, sequence, id, kind, data, created_at) VALUES
         ('01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4', 1, '01a1f9c5-0000-7000-8000-000000000001', 'training_started',
          '{\"num_sequences\":2}', 22),
         ('01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4', 2, '01a1f9c5-0000-7000-8000-000000000002', 'gradient_step',
          '{\"loss/train\":0.30000000000000004}', 23),
         ('01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4', 3, '01a1f9c5-0000-7000-8000-000000000003', 'gradient_step',
          '{\"row/num_trained_tokens\":12.0}', 24);
     INSERT INTO usage (key_id, entity, project, model, requests, prompt_tokens, completion_tokens) VALUES
         ('01a1f9c2-0000-7000-8000-000000000001', 'acme', 'p', 'trainyard/seedling', 3, 40, 50);
     INSERT INTO trajectory_logs (id, model_id, split, artifact, groups, created_at) VALUES
         ('01a1f9c6-0000-7000-8000-000000000001', '01a1f9c3-5630-77c3-a5f2-daaf4564b88a', 'val',
          '0000000000000000000000000000000000000000000000000000000000000006', 7, 30)",
    "UPDATE models SET training_method = '{\"method\":\"lora\",\"rank\":4,\"alpha\":8.0,\"target_modules\":[\"q_proj\"],\"use_rslora\":true}'",
    "UPDATE jobs SET reference_model_id = '01a1f9c3-5630-77c3-a5f2-daaf4564b88a', reference_step = 1,
         reference_adapter_config = '0000000000000000000000000000000000000000000000000000000000000001',
         reference_adapter_weights = '0000000000000000000000000000000000000000000000000000000000000002',
         reward_deviation = 0.1 WHERE status = 'running'",
    "UPDATE jobs SET resume_step = 1,
         resume_adapter_config = '0000000000000000000000000000000000000000000000000000000000000007',
         resume_adapter_weights = '0000000000000000000000000000000000000000000000000000000000000008',
         resume_optimizer_state = '0000000000000000000000000000000000000000000000000000000000000009'
         WHERE status = 'running'",
    "INSERT INTO idempotent_results (entity, key, request_sha256, outcome, object_id, created_at) VALUES
         ('acme', 'once', zeroblob(32), 'job_created', '01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4', 24)",
    "UPDATE jobs SET weight_format = 'bf16', fruitless_attempts = 1, failure = 'the disk is full', failures = 2
         WHERE status = 'running'",
    "INSERT INTO jobs (id, entity, model_id, kind, status, config, input_url, error, error_code, created_at, ended_at) VALUES
         ('01a1f9c4-0000-7000-8000-000000000005', 'acme', '01a1f9c3-5630-77c3-a5f2-daaf4564b88a', 'sft', 'failed', '{}',
          'https://example.com/more.jsonl', 'the job was cancelled by its owner', 'cancelled', 25, 26)",
    "INSERT INTO files (id, entity, name, version, purpose, bytes, artifact, created_at) VALUES
         ('01a1f9c7-0000-7000-8000-000000000001', 'acme', 'rows.jsonl', 0, 'fine-tune', 7,
          '000000000000000000000000000000000000000000000000000000000000000b', 40);
     INSERT INTO jobs (id, entity, model_id, kind, status, config, input_artifact, input_file, created_at) VALUES
         ('01a1f9c4-0000-7000-8000-000000000006', 'acme', '01a1f9c3-5630-77c3-a5f2-daaf4564b88a', 'sft', 'queued', '{}',
          '000000000000000000000000000000000000000000000000000000000000000b', '01a1f9c7-0000-7000-8000-000000000001', 41)",
    "UPDATE usage SET day = 20779, trained_tokens = 7;
     UPDATE jobs SET key_id = '01a1f9c2-0000-7000-8000-000000000001' WHERE status = 'running'",
    "INSERT INTO manifests (model_id, step, sha256, text) VALUES
         ('01a1f9c3-5630-77c3-a5f2-daaf4564b88a', 1,
          '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', '{}');
     INSERT INTO kept_artifacts (model_id, step, artifact) VALUES
         ('01a1f9c3-5630-77c3-a5f2-daaf4564b88a', 1,
          '000000000000000000000000000000000000000000000000000000000000000c')",
    "UPDATE keys SET limits = '{\"streams\":3}' WHERE name = 'ci';
     UPDATE files SET key_id = '01a1f9c2-0000-7000-8000-000000000001'",
    "UPDATE usage SET job_id = '01a1f9c4-0000-7000-8000-000000000001'",
    "UPDATE checkpoints SET metadata = '{\"wandb.provenance\":[\"serverless-sft\"]}'",
    "UPDATE jobs SET validation_file = '01a1f9c7-0000-7000-8000-000000000001',
         validation_content = '000000000000000000000000000000000000000000000000000000000000000b',
         fine_tuning = '{\"model\":\"trainyard/seedling\",\"suffix\":null,\"seed\":7,\"metadata\":{\"team\":\"x\"}}'
         WHERE input_file IS NOT NULL",
    "UPDATE jobs SET claim_number = 7 WHERE status = 'running';
     INSERT INTO entity_claims (entity, claim_number) VALUES ('acme', 7)",
    // What a program of the version before writes when another one has changed the schema meanwhile.
    "INSERT INTO events (job_id, sequence, id, kind, data, created_at) VALUES
         ('01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4', 4, '01a1f9c5-0000-7000-8000-000000000004', 'gradient_step',
          '{\"num_trainable_tokens\":5}', 25)",
    "UPDATE keys SET session_ends = 2 WHERE name = 'ci'",
    "UPDATE jobs SET waiting = 'a learner starts' WHERE status = 'running'",
    "UPDATE jobs SET weight_format = 'int4' WHERE status = 'running'",
    "UPDATE checkpoints SET adapter_effect = '{\"tokens\":[7,8],\"places\":[1],\"with\":[-0.5],\"without\":[-1.5]}'
         WHERE step = 1;
     UPDATE jobs SET sampler = 'vllm', trainer = 'learner' WHERE kind = 'rl' AND status = 'queued'",
    "UPDATE keys SET is_admin = 1 WHERE name = 'ci';
     INSERT INTO workers (name, host, version, trainers, started_at, reported_at) VALUES
         ('worker-1', 'gpu-1', '0.1.0', '{\"trainyard/seedling\":\"bf16\"}', 22, 25)",
    "UPDATE jobs SET rollout_index = '000000000000000000000000000000000000000000000000000000000000000d',
         trained_logprobs = '000000000000000000000000000000000000000000000000000000000000000e' WHERE status = 'running'",
    "UPDATE jobs SET name = 'Sweep', tags = '[\"lr\"]', waiting_for = 'learner', waiting_since = 24 WHERE status = 'running'",
    "INSERT INTO sessions (id, entity, key_id, sha256, model, name, group_name, tags, metadata, reward, generations, bytes,
         created_at, expires_at) VALUES
         ('01a1f9d0-4c1e-7b20-9d33-6f0e2ab4c811', 'acme', '01a1f9c2-0000-7000-8000-000000000001', zeroblob(32),
          'wandb-artifact:///acme/p/agent', 'first', 'g', '[\"a\"]', '{}', '{\"reward\":0.5}', 1, 6, 50, 9000000000000);
     INSERT INTO generations (id, session_id, number, operation, model, step, is_whole, prompt_tokens, completion_tokens,
         request, choices, tokens, reward, started_at, ended_at) VALUES
         ('01a1f9d0-5a02-7c41-8e0f-1c2d3e4f5a6b', '01a1f9d0-4c1e-7b20-9d33-6f0e2ab4c811', 1, 'create_message',
          'wandb-artifact:///acme/p/agent', 1, 1, 2, 3, '{}', '[]', '[]', '{\"reward\":0.5}', 51, 52)",
    "INSERT INTO responses (id, entity, previous, state, object, events, bytes, lease_deadline, created_at, expires_at) VALUES
         ('01a1f9c8-0000-7000-8000-000000000001', 'acme', '01a1f9c8-0000-7000-8000-000000000002', 'completed', '{}', '[]', 4,
          60, 50, 9000000000000);
     INSERT INTO response_items (response_id, position, entity, item_id, is_output, item) VALUES
         ('01a1f9c8-0000-7000-8000-000000000001', 0, 'acme', 'msg_1', 1, '{}');
     INSERT INTO response_totals (entity, bytes) VALUES ('acme', 4)",
    "INSERT INTO files (id, entity, name, version, purpose, bytes, artifact, created_at, expires_at) VALUES
         ('01a1f9c7-0000-7000-8000-000000000002', 'acme', 'requests.jsonl', 0, 'batch', 7,
          '000000000000000000000000000000000000000000000000000000000000000b', 41, 9000000000000);
     INSERT INTO batches (id, entity, key_id, project, endpoint, input_file, input_artifact, metadata, output_life, status,
         total, failed, output_tokens, errors, output_file, error_file, lease_owner, lease_token, created_at, expires_at,
         in_progress_at, finalizing_at, cancelling_at, ended_at)
         VALUES ('01a1f9c8-0000-7000-8000-000000000001', 'acme', '01a1f9c2-0000-7000-8000-000000000001', 'p', '/v1/responses',
          '01a1f9c7-0000-7000-8000-000000000002', '000000000000000000000000000000000000000000000000000000000000000b',
          '{\"run\":\"1\"}', 3600000, 'expired', 2, 2, 5, '[]', '01a1f9c7-0000-7000-8000-000000000003',
          '01a1f9c7-0000-7000-8000-000000000004', 'server-1', 3, 42, 43, 44, 45, 46, 47);
     INSERT INTO batch_lines (batch_id, line, is_failed, text) VALUES ('01a1f9c8-0000-7000-8000-000000000001', 1, 1, '{}')",
    "INSERT INTO responses (id, entity, state, object, bytes, created_at, expires_at, kind) VALUES
         ('01a1f9c8-0000-7000-8000-000000000003', 'acme', 'completed', '{}', 2, 51, 9000000000000, 'chat_completion');
     UPDATE response_totals SET bytes = 6",
];

/// The versions that were released, in order.
pub(super) fn versions() -> impl Iterator<Item = usize> {
    1..=ROWS.len()
}

async fn connect(file: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(file).create_if_missing(true);
    SqliteConnection::connect_with(&options).await.expect("the database opens")
}

/// Makes a database of a version, with rows that use every column that it has.
pub(super) async fn create(file: &Path, version: usize) {
    let migrations = migrations().await;
    assert_eq!(migrations.iter().count(), ROWS.len(), "a new version needs rows in this test");
    let mut connection = connect(file).await;
    // As the program does, so that the schema of a file is changed where it lies.
    sqlx::raw_sql("PRAGMA journal_mode = wal; PRAGMA synchronous = full").execute(&mut connection).await.expect("WAL");
    let newest = migrations.iter().nth(version - 1).expect("a version that there is").version;
    migrations.run_direct(Some(newest), &mut connection, false).await.expect("the schema is made");
    for rows in &ROWS[..version] {
        sqlx::raw_sql(*rows).execute(&mut connection).await.expect("the rows fit into the schema");
    }
    connection.close().await.expect("the database closes");
}

/// Content of a database: of each table its columns in order, each with its values by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Contents(BTreeMap<String, Vec<(String, Vec<String>)>>);

impl Contents {
    /// Reads everything, and checks the file.
    pub(super) async fn of(file: &Path) -> Self {
        let mut connection = connect(file).await;
        let verdict: String =
            sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut connection).await.expect("a verdict");
        assert_eq!(verdict, "ok");
        let dangling = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut connection).await.expect("a verdict");
        assert!(dangling.is_empty(), "{} rows refer to nothing", dangling.len());
        let tables: Vec<String> = sqlx::query_scalar(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_sqlx%'",
        )
        .fetch_all(&mut connection)
        .await
        .expect("the tables");
        let mut contents = BTreeMap::new();
        for table in tables {
            let columns: Vec<String> = sqlx::query_scalar("SELECT name FROM pragma_table_info(?) ORDER BY cid")
                .bind(&table)
                .fetch_all(&mut connection)
                .await
                .expect("the columns");
            let mut values = Vec::new();
            for column in columns {
                let statement = format!("SELECT quote({column}) FROM {table} ORDER BY 1");
                let rows = sqlx::query(sqlx::AssertSqlSafe(statement)).fetch_all(&mut connection).await.expect("rows");
                values.push((column, rows.iter().map(|row| row.get(0)).collect()));
            }
            contents.insert(table, values);
        }
        connection.close().await.expect("the database closes");
        Self(contents)
    }

    /// Panics unless this has everything that `old` has, under the same names; columns and tables may have been added.
    #[track_caller]
    pub(super) fn assert_keeps(&self, old: &Self, what: &str) {
        for (table, columns) in &old.0 {
            let now = self.0.get(table).unwrap_or_else(|| panic!("{what}: {table} is gone"));
            for column in columns {
                assert!(now.contains(column), "{what}: {table}.{} was {:?}", column.0, column.1);
            }
        }
    }

    /// Panics if a table has no rows, or a column no value: nothing would be seen of its loss.
    #[track_caller]
    pub(super) fn assert_full(&self) {
        for (table, columns) in &self.0 {
            for (column, values) in columns {
                assert!(values.iter().any(|value| value != "NULL"), "{table}.{column} has no value: {values:?}");
            }
        }
    }
}

/// The statements that make the schema of a database.
pub(super) async fn schema(file: &Path) -> Vec<String> {
    let mut connection = connect(file).await;
    let schema = sqlx::query_scalar("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name")
        .fetch_all(&mut connection)
        .await
        .expect("the schema");
    connection.close().await.expect("the database closes");
    schema
}
