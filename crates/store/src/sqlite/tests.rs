//! The conformance suite on SQLite, and tests of what is particular to it.

use std::path::PathBuf;
use std::sync::Arc;

use sqlx::Row;
use uuid::Uuid;

use super::open::check_version;
use super::{OpenError, SqliteMetadata};
use crate::SchemaError;
use crate::conformance::jobs::times_of_a_job_stay_in_order;
use crate::conformance::{SET_JOBS_AHEAD, metadata_conformance};
use crate::metadata::{Checkpoints, Metadata, Models, StoreError};
use crate::records::{ModelCreation, NewModel, Provenance};
use trainyard_model_options::{LoraOptions, TrainingMethod};

fn scratch() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("metadata.db");
    (directory, file)
}

async fn open_empty() -> (tempfile::TempDir, Arc<dyn Metadata>) {
    let (directory, file) = scratch();
    (directory, Arc::new(SqliteMetadata::open(&file).await.unwrap()))
}

mod conformance {
    super::metadata_conformance!(super::open_empty);
}

fn agent() -> NewModel {
    NewModel {
        id: Uuid::now_v7(),
        entity: "acme".to_owned(),
        project: "demo".to_owned(),
        name: "agent".to_owned(),
        base_model: "trainyard/seedling".to_owned(),
        method: TrainingMethod::Lora(LoraOptions { rank_stabilised: true, ..LoraOptions::new(4, 8.0) }),
        run_id: Some("run-1".to_owned()),
        provenance: Provenance::default(),
        request: None,
    }
}

#[tokio::test]
async fn opening_again_keeps_everything() {
    let (_directory, file) = scratch();
    let store = SqliteMetadata::open(&file).await.unwrap();
    let ModelCreation::Created(model) = store.create_model(agent()).await.unwrap() else { panic!("it is new") };
    store.close().await;
    assert!(matches!(store.list_models("acme").await, Err(StoreError::Unavailable(_))));
    let store = SqliteMetadata::open(&file).await.unwrap();
    assert_eq!(store.list_models("acme").await.unwrap(), [model]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_may_open_a_new_file_at_once() {
    let (_directory, file) = scratch();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let file = file.clone();
        tasks.spawn(async move {
            let store = SqliteMetadata::open(&file).await.unwrap();
            store.create_model(agent()).await.unwrap();
            store
        });
    }
    let stores = tasks.join_all().await;
    for store in &stores {
        assert_eq!(store.list_models("acme").await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn the_settings_that_keep_data_safe_are_on() {
    let (_directory, file) = scratch();
    let store = SqliteMetadata::open(&file).await.unwrap();
    for pool in [&store.writer, &store.readers] {
        let mode: String = sqlx::query_scalar("PRAGMA journal_mode").fetch_one(pool).await.unwrap();
        let synchronous: i64 = sqlx::query_scalar("PRAGMA synchronous").fetch_one(pool).await.unwrap();
        let foreign_keys: i64 = sqlx::query_scalar("PRAGMA foreign_keys").fetch_one(pool).await.unwrap();
        assert_eq!((mode.as_str(), synchronous, foreign_keys), ("wal", 2, 1));
    }
    let rejected = sqlx::query("DELETE FROM models").execute(&store.readers).await;
    assert!(rejected.is_err(), "readers cannot write");
}

#[tokio::test]
async fn times_of_a_job_stay_in_order_when_the_clock_is_set_back() {
    let (_directory, file) = scratch();
    let store = Arc::new(SqliteMetadata::open(&file).await.unwrap());
    times_of_a_job_stay_in_order(store.clone(), async || {
        for statement in SET_JOBS_AHEAD {
            sqlx::query(statement).execute(&store.writer).await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn a_newer_schema_is_rejected() {
    let (_directory, file) = scratch();
    let store = SqliteMetadata::open(&file).await.unwrap();
    sqlx::query(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (9999, 'of the future', 1, x'00', 0)",
    )
    .execute(&store.writer)
    .await
    .unwrap();
    store.close().await;
    let rejected = SqliteMetadata::open(&file).await.err().expect("the schema is too new");
    assert!(matches!(rejected, OpenError::Schema(SchemaError::TooNew { found: 9999, .. })), "{rejected:?}");
    let message = rejected.to_string();
    assert!(message.contains("metadata.db") && message.contains("9999") && message.contains("newer"), "{message}");
}

#[tokio::test]
async fn a_changed_migration_is_rejected() {
    let (_directory, file) = scratch();
    let store = SqliteMetadata::open(&file).await.unwrap();
    sqlx::query("UPDATE _sqlx_migrations SET checksum = x'00'").execute(&store.writer).await.unwrap();
    store.close().await;
    assert!(matches!(SqliteMetadata::open(&file).await.err(), Some(OpenError::Schema(SchemaError::Migration { .. }))));
}

#[tokio::test]
async fn a_file_that_is_no_database_is_rejected_and_left_alone() {
    let (_directory, file) = scratch();
    let content = b"not a database, but somebody's text".repeat(100);
    std::fs::write(&file, &content).unwrap();
    assert!(matches!(SqliteMetadata::open(&file).await.err(), Some(OpenError::Open { .. })));
    assert_eq!(std::fs::read(&file).unwrap(), content);
    let missing = file.with_file_name("missing").join("metadata.db");
    assert!(matches!(SqliteMetadata::open(&missing).await.err(), Some(OpenError::Open { .. })));
}

#[test]
fn an_unsafe_sqlite_is_rejected() {
    for fine in ["3.51.3", "3.51.10", "3.52.0", "4.0.0"] {
        assert!(check_version(fine).is_ok(), "{fine}");
    }
    for bad in ["3.51.2", "3.50.9", "3.9.9", "2.99.99", "", "nonsense", "3.51.x"] {
        let rejected = check_version(bad).unwrap_err();
        assert!(rejected.to_string().contains("3.51.3"), "{rejected}");
    }
}

#[tokio::test]
async fn a_foreign_lock_is_waited_for_and_then_reported_as_passing() {
    let (_directory, file) = scratch();
    let store = SqliteMetadata::open(&file).await.unwrap();
    let other = SqliteMetadata::open(&file).await.unwrap();
    let lock = other.write().await.unwrap();
    let waiting = tokio::spawn(async move { (store.create_model(agent()).await, store) });
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    assert!(!waiting.is_finished());
    drop(lock);
    let (created, store) = waiting.await.unwrap();
    assert!(matches!(created, Ok(ModelCreation::Created(_))));
    // Without the patience: the error is of the kind that may be tried again.
    sqlx::query("PRAGMA busy_timeout = 0").execute(&store.writer).await.unwrap();
    let _lock = other.write().await.unwrap();
    let rejected = store.create_model(agent()).await;
    assert!(matches!(rejected, Err(StoreError::Unavailable(_))), "{rejected:?}");
}

#[tokio::test]
async fn a_transaction_that_sqlite_rolled_back_leaves_the_store_writable() {
    let (_directory, file) = scratch();
    let store = SqliteMetadata::open(&file).await.unwrap();
    // What SQLite does itself when the disk is full at a commit; the transaction's own rollback fails then.
    let mut transaction = store.write().await.unwrap();
    sqlx::query("ROLLBACK").execute(&mut *transaction).await.unwrap();
    drop(transaction);
    assert!(matches!(store.create_model(agent()).await, Ok(ModelCreation::Created(_))));
    let synchronous: i64 = sqlx::query_scalar("PRAGMA synchronous").fetch_one(&store.writer).await.unwrap();
    assert_eq!(synchronous, 2, "the new connection has the settings of the old one");
}

#[tokio::test]
async fn damaged_values_are_reported_by_column() {
    let (_directory, file) = scratch();
    let store = SqliteMetadata::open(&file).await.unwrap();
    let ModelCreation::Created(model) = store.create_model(agent()).await.unwrap() else { panic!("it is new") };
    sqlx::query("UPDATE checkpoints SET metrics = 'oops'").execute(&store.writer).await.unwrap();
    let failed = store.newest_checkpoint("acme", model.id).await;
    assert!(matches!(failed, Err(StoreError::Corrupt { column: "metrics", .. })));
}

#[tokio::test]
async fn a_training_method_is_read_with_care() {
    let (_directory, file) = scratch();
    let store = SqliteMetadata::open(&file).await.unwrap();
    let ModelCreation::Created(model) = store.create_model(agent()).await.unwrap() else { panic!("it is new") };
    let read = async |stored: Option<&str>| {
        let change = sqlx::query("UPDATE models SET training_method = ?").bind(stored).execute(&store.writer).await;
        change.unwrap();
        store.get_model("acme", model.id).await
    };
    // As every model was before there was a choice.
    assert_eq!(read(None).await.unwrap().method, TrainingMethod::default());
    for damaged in [
        "oops",
        r#"{"method":"other"}"#,
        r#"{"method":"lora","rank":0,"alpha":1.0,"target_modules":["q_proj"],"use_rslora":false}"#,
        r#"{"method":"lora","rank":1,"alpha":-1.0,"target_modules":["q_proj"],"use_rslora":false}"#,
        r#"{"method":"lora","rank":1,"alpha":1.0,"target_modules":[],"use_rslora":false}"#,
    ] {
        let failed = read(Some(damaged)).await;
        assert!(matches!(failed, Err(StoreError::Corrupt { column: "training_method", .. })), "{damaged}: {failed:?}");
    }
}

#[tokio::test]
async fn work_of_the_hot_paths_is_indexed() {
    let (_directory, file) = scratch();
    let store = SqliteMetadata::open(&file).await.unwrap();
    for (statement, expected) in [
        ("EXPLAIN QUERY PLAN SELECT * FROM keys WHERE sha256 = x'00'", "SEARCH keys"),
        (
            "EXPLAIN QUERY PLAN SELECT * FROM events WHERE job_id = '' AND sequence > 3 ORDER BY sequence",
            "SEARCH events",
        ),
        ("EXPLAIN QUERY PLAN SELECT * FROM checkpoints WHERE model_id = '' ORDER BY step DESC", "SEARCH checkpoints"),
        ("EXPLAIN QUERY PLAN SELECT 1 FROM jobs WHERE status IN ('queued', 'running')", "jobs_unfinished"),
        (
            "EXPLAIN QUERY PLAN SELECT count(*) FROM jobs INDEXED BY unfinished_jobs_of_entity
             WHERE entity = '' AND status IN ('queued', 'running')",
            "unfinished_jobs_of_entity",
        ),
        (
            "EXPLAIN QUERY PLAN SELECT * FROM jobs WHERE entity = '' AND sequence > 3 ORDER BY sequence",
            "jobs_of_entity",
        ),
        (
            "EXPLAIN QUERY PLAN SELECT * FROM models WHERE entity = '' AND sequence > 3 ORDER BY sequence",
            "models_of_entity",
        ),
    ] {
        let plan = sqlx::query(statement).fetch_all(&store.readers).await.unwrap();
        let plan: Vec<String> = plan.iter().map(|row| row.get("detail")).collect();
        assert!(plan.iter().any(|line| line.contains(expected)), "{statement}: {plan:?}");
        assert!(!plan.iter().any(|line| line.contains("TEMP B-TREE")), "{statement}: {plan:?}");
    }
}
