//! The schema is brought up to date from that of an older program, by many at once and although one of them is cut off.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{Connection, PgConnection, Row, SqlSafeStr};

use super::proxy::{Cut, Proxy};
use super::server;
use super::{create_database, job, model, shared_server};
use crate::SchemaError;
use crate::metadata::{Jobs, Keys, Leases, Usage};
use crate::postgres::open::{MIGRATIONS, prepare};
use crate::postgres::{PostgresMetadata, PostgresOpenError};
use crate::records::{KeyLimits, NewEvent, NewKey, UsageCount, UsageKey};

/// Time limit of an operation that nothing blocks.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The schema of a program of the future: more of everything, in several statements.
fn next_release() -> Migrator {
    let changes = "ALTER TABLE models ADD COLUMN note text;
        UPDATE models SET note = 'was ' || name;
        ALTER TABLE events ADD COLUMN note text NOT NULL DEFAULT '';
        CREATE TABLE notes (id bigint PRIMARY KEY);
        INSERT INTO notes SELECT generate_series(1, 1000);
        CREATE INDEX notes_of_models ON models (note)";
    let mut migrations: Vec<Migration> = MIGRATIONS.iter().cloned().collect();
    let description = "of the future".into();
    migrations.push(Migration::new(9999, description, MigrationType::Simple, changes.into_sql_str(), false));
    Migrator::with_migrations(migrations)
}

#[test]
fn every_migration_is_embedded() {
    crate::migrations::tests::assert_all_are_embedded("postgres", &MIGRATIONS);
}

/// Everything in the tables of the released schema, each row as text, without what was added to it.
async fn contents(name: &str) -> BTreeMap<String, Vec<String>> {
    let mut connection = PgConnection::connect(&shared_server().address(name)).await.unwrap();
    let mut contents = BTreeMap::new();
    for table in ["keys", "models", "checkpoints", "jobs", "events", "usage", "trajectory_logs", "idempotent_results"] {
        let statement = format!("SELECT (to_jsonb(t) - 'note')::text FROM {table} t ORDER BY 1");
        let rows = sqlx::query(sqlx::AssertSqlSafe(statement)).fetch_all(&mut connection).await.unwrap();
        contents.insert(table.to_owned(), rows.iter().map(|row| row.get(0)).collect());
    }
    connection.close().await.unwrap();
    contents
}

/// A database of the released schema with rows in it.
struct Old {
    name: String,
    contents: BTreeMap<String, Vec<String>>,
}

impl Old {
    async fn new() -> Self {
        let name = create_database(shared_server(), "UTF8").await;
        let store = PostgresMetadata::open(&shared_server().address(&name).parse().unwrap()).await.unwrap();
        let model = model(&store, "agent").await;
        job(&store, &model).await;
        let lease = store.claim_next(&super::worker("w"), super::LONG).await.unwrap().unwrap().lease;
        for sequence in 1..=50 {
            let event = NewEvent { kind: "gradient_step".to_owned(), data: sequence.to_string() };
            store.append_event(&lease, sequence, event).await.unwrap();
        }
        let key = NewKey {
            entity: "acme".to_owned(),
            name: "k".to_owned(),
            suffix: "x".to_owned(),
            sha256: [1; 32],
            limits: KeyLimits::default(),
            is_admin: false,
        };
        let key_id = store.create_key(key).await.unwrap().id;
        let usage = UsageKey { key_id, entity: "acme".to_owned(), project: "p".to_owned(), model: "m".to_owned() };
        store
            .add_usage(usage, UsageCount { requests: 1, prompt_tokens: 2, completion_tokens: 3, trained_tokens: 0 })
            .await
            .unwrap();
        store.close().await;
        let contents = contents(&name).await;
        assert_eq!((contents["events"].len(), contents["models"].len(), contents["usage"].len()), (50, 1, 1));
        Self { name, contents }
    }

    /// Brings the schema up to date through this port.
    async fn migrate(&self, port: u16, migrations: &Migrator) -> Result<(), PostgresOpenError> {
        let address: super::DatabaseAddress = server::address(port, &self.name).parse().unwrap();
        prepare(&address.connect_options().unwrap(), &self.name, migrations).await
    }

    async fn connect(&self) -> PgConnection {
        PgConnection::connect(&shared_server().address(&self.name)).await.unwrap()
    }

    /// Whether the schema is that of the future; it is one or the other, and the rows are what they were.
    async fn verify(&self) -> bool {
        assert_eq!(contents(&self.name).await, self.contents);
        let mut connection = self.connect().await;
        let applied: i64 = sqlx::query_scalar("SELECT count(*) FROM _sqlx_migrations WHERE version = 9999 AND success")
            .fetch_one(&mut connection)
            .await
            .unwrap();
        let seen: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM information_schema.columns WHERE column_name = 'note'
             AND table_name IN ('models', 'events')",
        )
        .fetch_one(&mut connection)
        .await
        .unwrap();
        let noted: Option<String> =
            sqlx::query_scalar("SELECT to_regclass('notes')::text").fetch_one(&mut connection).await.unwrap();
        assert_eq!((seen, noted.is_some()), (2 * applied, applied == 1), "a half of the change is there");
        connection.close().await.unwrap();
        applied == 1
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_may_open_an_old_database_at_once() {
    let old = std::sync::Arc::new(Old::new().await);
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let old = old.clone();
        tasks.spawn(async move { old.migrate(shared_server().port(), &next_release()).await.unwrap() });
    }
    tasks.join_all().await;
    assert!(old.verify().await);
    // The older program says what is wrong.
    let rejected = old.migrate(shared_server().port(), &MIGRATIONS).await.unwrap_err();
    assert!(matches!(rejected, PostgresOpenError::Schema(SchemaError::TooNew { found: 9999, .. })), "{rejected}");
}

#[tokio::test]
async fn a_migration_that_the_server_ends_is_made_by_the_next() {
    let old = Old::new().await;
    // Its third statement waits for this one.
    let mut holder = old.connect().await;
    let mut held = holder.begin().await.unwrap();
    sqlx::raw_sql("LOCK TABLE events IN ACCESS SHARE MODE").execute(&mut *held).await.unwrap();
    let ending = async {
        let mut connection = old.connect().await;
        let begun = Instant::now();
        loop {
            let ended: Vec<bool> = sqlx::query_scalar(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = $1 AND wait_event_type = 'Lock' AND query LIKE '%of_models%'",
            )
            .bind(&old.name)
            .fetch_all(&mut connection)
            .await
            .unwrap();
            if ended == [true] {
                break;
            }
            assert!(ended.is_empty() && begun.elapsed() < TIMEOUT, "nobody waits in the migration: {ended:?}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let next = next_release();
    let (cut_off, ()) = tokio::join!(old.migrate(shared_server().port(), &next), ending);
    assert!(matches!(cut_off, Err(PostgresOpenError::Schema(SchemaError::Migration { .. }))), "{cut_off:?}");
    held.rollback().await.unwrap();
    assert!(!old.verify().await);
    old.migrate(shared_server().port(), &next).await.unwrap();
    assert!(old.verify().await);
}

#[tokio::test]
async fn a_migration_whose_connection_breaks_is_made_by_the_next() {
    for cut in [Cut::BeforeCommit, Cut::AfterCommit] {
        let old = Old::new().await;
        let proxy = Proxy::start(shared_server().port()).await;
        proxy.cut_next(cut);
        let broken = old.migrate(proxy.port, &next_release()).await;
        assert!(matches!(broken, Err(PostgresOpenError::Schema(SchemaError::Migration { .. }))), "{cut:?}: {broken:?}");
        assert_eq!(proxy.cuts(), 1, "{cut:?}");
        assert_eq!(old.verify().await, cut == Cut::AfterCommit, "{cut:?}");
        old.migrate(shared_server().port(), &next_release()).await.unwrap();
        assert!(old.verify().await, "{cut:?}");

        // The first schema of all as well.
        let name = create_database(shared_server(), "UTF8").await;
        proxy.cut_next(cut);
        let broken = PostgresMetadata::open(&server::address(proxy.port, &name).parse().unwrap()).await.err();
        assert!(
            matches!(broken, Some(PostgresOpenError::Schema(SchemaError::Migration { .. }))),
            "{cut:?}: {broken:?}"
        );
        let store = PostgresMetadata::open(&shared_server().address(&name).parse().unwrap()).await.unwrap();
        model(&store, "agent").await;
    }
}

#[tokio::test]
async fn a_migration_that_is_left_without_a_word_holds_nobody_up_for_long() {
    let old = Old::new().await;
    let proxy = Proxy::start(shared_server().port()).await;
    // The server is not told that nobody is there any more.
    proxy.cut_next(Cut::WhileCommitting);
    let left = old.migrate(proxy.port, &next_release()).await;
    assert!(matches!(left, Err(PostgresOpenError::Schema(SchemaError::Migration { .. }))), "{left:?}");
    let begun = Instant::now();
    old.migrate(shared_server().port(), &next_release()).await.unwrap();
    let waited = begun.elapsed();
    println!("the next one waited for {waited:?}");
    assert!(waited < TIMEOUT, "{waited:?}");
    assert!(old.verify().await);
}

#[tokio::test]
async fn the_progress_of_older_jobs_is_counted() {
    // The schema of the program before progress was counted, with a job that has made three steps.
    let name = create_database(shared_server(), "UTF8").await;
    let before: Vec<Migration> = MIGRATIONS.iter().filter(|migration| migration.version < 11).cloned().collect();
    let address: super::DatabaseAddress = shared_server().address(&name).parse().unwrap();
    prepare(&address.connect_options().unwrap(), &name, &Migrator::with_migrations(before)).await.unwrap();
    let mut connection = PgConnection::connect(&shared_server().address(&name)).await.unwrap();
    sqlx::raw_sql(
        r#"INSERT INTO models (id, entity, project, name, base_model, training_method, created_at) VALUES
             ('01a1f9c3-5630-77c3-a5f2-daaf4564b88a', 'acme', 'p', 'agent', 'trainyard/seedling', '{}', 10);
         INSERT INTO jobs (id, entity, model_id, kind, status, config, input_url, created_at)
             SELECT ('01a1f9c4-0000-7000-8000-00000000000' || n)::uuid, 'acme',
                 '01a1f9c3-5630-77c3-a5f2-daaf4564b88a', 'sft', 'queued', '{}', 'https://example.com/rows', 20 + n
             FROM generate_series(1, 2) AS n;
         INSERT INTO events (job_id, sequence, id, kind, data, created_at)
             SELECT '01a1f9c4-0000-7000-8000-000000000001', n, gen_random_uuid(),
                 CASE n WHEN 1 THEN 'training_started' ELSE 'gradient_step' END,
                 (ARRAY['{}', '{"row/num_trained_tokens":12.0}', '{"loss/train":1}', '{"num_trainable_tokens":5}'])[n], 30
             FROM generate_series(1, 4) AS n"#,
    )
    .execute(&mut connection)
    .await
    .unwrap();
    let store = PostgresMetadata::open(&address).await.unwrap();
    let progress = async |number: u128| {
        let id = uuid::Uuid::from_u128(0x01a1f9c4_0000_7000_8000_000000000000 + number);
        let state = store.get_job_state("acme", id).await.unwrap();
        (state.steps, state.trained_tokens)
    };
    assert_eq!((progress(1).await, progress(2).await), ((3, 17), (0, 0)));
    // A program of the version before may still run.
    sqlx::query(
        r#"INSERT INTO events VALUES ('01a1f9c4-0000-7000-8000-000000000002', 1, gen_random_uuid(), 'gradient_step',
             '{"num_trainable_tokens":7}', 31)"#,
    )
    .execute(&mut connection)
    .await
    .unwrap();
    assert_eq!((progress(1).await, progress(2).await), ((3, 17), (1, 7)));
    connection.close().await.unwrap();
}
