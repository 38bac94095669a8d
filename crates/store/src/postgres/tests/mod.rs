mod faults;
mod migrations;
mod proxy;
#[path = "../../../../../tests/support/postgres.rs"]
mod server;
#[path = "../../../../../tests/support/time_limits.rs"]
mod time_limits;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use sqlx::{Connection, PgConnection, Row};
use uuid::Uuid;

use self::server::PostgresServer;
use super::{DatabaseAddress, PostgresMetadata, PostgresOpenError};
use crate::SchemaError;
use crate::conformance::jobs::times_of_a_job_stay_in_order;
use crate::conformance::{SET_JOBS_AHEAD, metadata_conformance, worker};
use crate::metadata::{Checkpoints, IDEMPOTENT_RESULT_LIFE, Idempotency, Jobs, Leases, Metadata, Models, StoreError};
use crate::records::{
    IdempotentRequest, JobInput, JobKind, JobLabels, JobRecord, ModelCreation, ModelRecord, NewJob, NewModel,
    Provenance,
};
use trainyard_model_options::{LoraOptions, TrainingMethod};

const LONG: Duration = Duration::from_secs(3600);

/// One server for all tests of the process; a database of its own for each.
fn shared_server() -> &'static PostgresServer {
    static SERVER: OnceLock<PostgresServer> = OnceLock::new();
    SERVER.get_or_init(PostgresServer::start)
}

/// Makes an empty database on a server; returns its name.
async fn create_database(server: &PostgresServer, encoding: &str) -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    let mut connection = PgConnection::connect(&server.address("postgres")).await.unwrap();
    let create = format!("CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0");
    sqlx::raw_sql(sqlx::AssertSqlSafe(create)).execute(&mut connection).await.unwrap();
    name
}

async fn new_address() -> DatabaseAddress {
    let name = create_database(shared_server(), "UTF8").await;
    shared_server().address(&name).parse().unwrap()
}

async fn open_empty() -> ((), Arc<dyn Metadata>) {
    ((), Arc::new(PostgresMetadata::open(&new_address().await).await.unwrap()))
}

mod conformance {
    super::metadata_conformance!(super::open_empty);
}

fn agent(name: &str) -> NewModel {
    NewModel {
        id: Uuid::now_v7(),
        entity: "acme".to_owned(),
        project: "demo".to_owned(),
        name: name.to_owned(),
        base_model: "trainyard/seedling".to_owned(),
        method: TrainingMethod::Lora(LoraOptions { rank_stabilised: true, ..LoraOptions::new(4, 8.0) }),
        run_id: Some("run-1".to_owned()),
        provenance: Provenance::default(),
        request: None,
    }
}

async fn model(store: &PostgresMetadata, name: &str) -> ModelRecord {
    let ModelCreation::Created(model) = store.create_model(agent(name)).await.unwrap() else { panic!("it is new") };
    model
}

fn new_job(model: &ModelRecord) -> NewJob {
    NewJob {
        key_id: None,
        max_unfinished_jobs: None,
        id: Uuid::now_v7(),
        entity: model.entity.clone(),
        model_id: model.id,
        kind: JobKind::Sft,
        config: "{}".to_owned(),
        input: JobInput::Url("file:///data".to_owned()),
        validation: None,
        fine_tuning: None,
        labels: JobLabels::default(),
        sampler: None,
        request: None,
    }
}

async fn job(store: &PostgresMetadata, model: &ModelRecord) -> JobRecord {
    store.create_job(new_job(model)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_may_open_a_new_database_at_once() {
    let address = new_address().await;
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let address = address.clone();
        tasks.spawn(async move {
            let store = PostgresMetadata::open(&address).await.unwrap();
            store.create_model(agent("agent")).await.unwrap();
            store
        });
    }
    for store in tasks.join_all().await {
        assert_eq!(store.list_models("acme").await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn opening_again_keeps_everything() {
    let address = new_address().await;
    let store = PostgresMetadata::open(&address).await.unwrap();
    let model = model(&store, "agent").await;
    store.close().await;
    assert!(matches!(store.list_models("acme").await, Err(StoreError::Unavailable(_))));
    let store = PostgresMetadata::open(&address).await.unwrap();
    assert_eq!(store.list_models("acme").await.unwrap(), [model]);
}

#[tokio::test]
async fn times_of_a_job_stay_in_order_when_the_clock_is_set_back() {
    let store = Arc::new(PostgresMetadata::open(&new_address().await).await.unwrap());
    times_of_a_job_stay_in_order(store.clone(), async || {
        for statement in SET_JOBS_AHEAD {
            sqlx::query(statement).execute(store.connections.pool()).await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn a_newer_schema_is_rejected() {
    let address = new_address().await;
    let store = PostgresMetadata::open(&address).await.unwrap();
    sqlx::query(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (9999, 'of the future', true, '\\x00', 0)",
    )
    .execute(store.connections.pool())
    .await
    .unwrap();
    let rejected = PostgresMetadata::open(&address).await.err().expect("the schema is too new");
    assert!(matches!(rejected, PostgresOpenError::Schema(SchemaError::TooNew { found: 9999, .. })), "{rejected:?}");
    let message = rejected.to_string();
    assert!(message.contains("127.0.0.1") && message.contains("9999") && message.contains("newer"), "{message}");
    // Who has it open already goes on.
    model(&store, "agent").await;
}

#[tokio::test]
async fn a_changed_migration_is_rejected() {
    let address = new_address().await;
    let store = PostgresMetadata::open(&address).await.unwrap();
    sqlx::query("UPDATE _sqlx_migrations SET checksum = '\\x00'").execute(store.connections.pool()).await.unwrap();
    let rejected = PostgresMetadata::open(&address).await.err();
    assert!(matches!(rejected, Some(PostgresOpenError::Schema(SchemaError::Migration { .. }))), "{rejected:?}");
}

#[tokio::test]
async fn errors_of_opening_contain_no_passwords() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let latin = create_database(shared_server(), "LATIN1").await;
    for (address, expected) in [
        ("mysql://root:secret@localhost/x".to_owned(), "postgres://"),
        ("secret".to_owned(), "postgres://"),
        ("postgres://[secret".to_owned(), "postgres://"),
        (format!("postgres://u:secret@127.0.0.1:{nobody}/x"), "cannot connect"),
        (shared_server().address("missing"), "cannot connect"),
        (shared_server().address(&latin), "UTF8"),
    ] {
        let address: DatabaseAddress = address.parse().unwrap();
        let error = PostgresMetadata::open(&address).await.err().expect("it cannot be opened");
        let message = format!("{error:?} {}", trainyard_runtime::error_chain(&error));
        assert!(message.contains(expected) && !message.contains("secret"), "{message}");
    }
}

#[tokio::test]
async fn a_newer_program_may_add_columns_meanwhile() {
    let store = PostgresMetadata::open(&new_address().await).await.unwrap();
    let model = model(&store, "agent").await;
    job(&store, &model).await;
    let lease = store.claim_next(&worker("worker"), LONG).await.unwrap().unwrap().lease;
    // Every statement is prepared by now.
    for table in ["keys", "models", "checkpoints", "jobs", "events"] {
        let change = format!("ALTER TABLE {table} ADD COLUMN of_the_future text");
        sqlx::raw_sql(sqlx::AssertSqlSafe(change)).execute(store.connections.pool()).await.unwrap();
    }
    assert_eq!(store.get_model("acme", model.id).await.unwrap(), model);
    store.record_start(&lease, None).await.unwrap();
    job(&store, &model).await;
    store.newest_checkpoint("acme", model.id).await.unwrap().expect("step 0");
}

#[tokio::test]
async fn results_of_requests_are_kept_for_a_day() {
    let store = PostgresMetadata::open(&new_address().await).await.unwrap();
    let model = model(&store, "agent").await;
    let request = |key: &str| IdempotentRequest { key: key.to_owned(), sha256: [1; 32] };
    let ask = async |key| store.create_job(NewJob { request: Some(request(key)), ..new_job(&model) }).await.unwrap().id;
    let age = async |milliseconds: i64| {
        let aged = sqlx::query("UPDATE idempotent_results SET created_at = created_at - $1").bind(milliseconds);
        aged.execute(store.connections.pool()).await.unwrap();
    };
    let first = ask("one").await;
    age(IDEMPOTENT_RESULT_LIFE - 60_000).await;
    assert_eq!(ask("one").await, first);
    age(60_000).await;
    assert_eq!(store.find_idempotent_result("acme", &request("one")).await.unwrap(), None);
    assert_ne!(ask("one").await, first);
    // Others of that age are forgotten by the way.
    age(IDEMPOTENT_RESULT_LIFE).await;
    ask("two").await;
    let count: i64 = sqlx::query_scalar("SELECT count(*) FROM idempotent_results")
        .fetch_one(store.connections.pool())
        .await
        .unwrap();
    assert_eq!(count, 1);
}

#[tokio::test]
async fn marks_of_writes_are_forgotten_after_an_hour() {
    let store = PostgresMetadata::open(&new_address().await).await.unwrap();
    model(&store, "one").await;
    sqlx::query("UPDATE committed_writes SET written_at = written_at - 3700000")
        .execute(store.connections.pool())
        .await
        .unwrap();
    model(&store, "two").await;
    assert_eq!(store.delete_old_markers().await.unwrap(), 1);
    assert_eq!(store.delete_old_markers().await.unwrap(), 0);
}

#[tokio::test]
async fn a_worker_of_another_process_starts_within_milliseconds() {
    let address = new_address().await;
    let (here, there) =
        (PostgresMetadata::open(&address).await.unwrap(), Arc::new(PostgresMetadata::open(&address).await.unwrap()));
    let model = model(&here, "agent").await;
    let mut delays = Vec::new();
    for _ in 0..20 {
        let worker = tokio::spawn({
            let there = there.clone();
            async move {
                loop {
                    there.wait_for_job(LONG).await.unwrap();
                    if let Some(claimed) = there.claim_next(&worker("there"), LONG).await.unwrap() {
                        return (claimed, Instant::now());
                    }
                }
            }
        });
        tokio::time::sleep(Duration::from_millis(30)).await;
        job(&here, &model).await;
        let queued = Instant::now();
        let (claimed, started) = tokio::time::timeout(Duration::from_secs(5), worker).await.unwrap().unwrap();
        delays.push(started.saturating_duration_since(queued));
        there.finish_job(&claimed.lease, crate::records::JobOutcome::Succeeded, None, None).await.unwrap();
    }
    delays.sort_unstable();
    println!("from queued to claimed: median {:?}, longest {:?}", delays[10], delays[19]);
    assert!(delays[10] < Duration::from_millis(500), "{delays:?}");
}

#[tokio::test]
async fn jobs_of_a_model_run_in_the_order_they_become_visible() {
    // A create that is slow to commit must not let a younger job of the model by.
    let store = Arc::new(PostgresMetadata::open(&new_address().await).await.unwrap());
    let model = model(&store, "agent").await;
    let mut slow = store.connections.pool().begin().await.unwrap();
    super::statements::models::lock_owned(&mut slow, "acme", model.id).await.unwrap();
    let younger = tokio::spawn({
        let (store, wanted) = (store.clone(), new_job(&model));
        async move { store.create_job(wanted).await.unwrap() }
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!younger.is_finished());
    slow.rollback().await.unwrap();
    younger.await.unwrap();
}

#[tokio::test]
async fn a_frozen_writer_holds_nobody_up() {
    // It stopped in the middle of a transaction that has locked its job.
    let store = PostgresMetadata::open(&new_address().await).await.unwrap();
    let model = model(&store, "agent").await;
    job(&store, &model).await;
    let frozen = store.claim_next(&worker("frozen"), Duration::ZERO).await.unwrap().unwrap();
    let mut transaction = store.connections.pool().begin().await.unwrap();
    super::statements::held_jobs::held(&mut transaction, &frozen.lease).await.unwrap();
    let begun = Instant::now();
    let adopted = loop {
        match store.claim_next(&worker("other"), LONG).await.unwrap() {
            Some(claimed) => break claimed,
            None => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    };
    assert_eq!(adopted.job.id, frozen.job.id);
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    // The server ended the transaction: what it wrote is gone and it writes nothing more.
    let late = sqlx::query("UPDATE jobs SET error = 'stale'").execute(&mut *transaction).await;
    assert!(matches!(StoreError::from(late.unwrap_err()), StoreError::Unavailable(_)));
}

#[tokio::test]
async fn work_of_the_hot_paths_is_indexed() {
    let store = PostgresMetadata::open(&new_address().await).await.unwrap();
    let mut connection = store.connections.pool().acquire().await.unwrap();
    // So that a table with a few rows is planned as a large one.
    sqlx::raw_sql("SET enable_seqscan = off; SET enable_bitmapscan = off").execute(&mut *connection).await.unwrap();
    for (statement, expected) in [
        ("EXPLAIN SELECT * FROM keys WHERE sha256 = '\\x00'", "keys_sha256_key"),
        (
            "EXPLAIN SELECT * FROM events WHERE job_id = '00000000-0000-0000-0000-000000000000' AND sequence > 3 ORDER BY sequence",
            "events_pkey",
        ),
        (
            "EXPLAIN SELECT * FROM checkpoints WHERE model_id = '00000000-0000-0000-0000-000000000000' ORDER BY step DESC LIMIT 1",
            "checkpoints_model_id_step_key",
        ),
        ("EXPLAIN SELECT 1 FROM jobs WHERE status IN ('queued', 'running') ORDER BY sequence", "jobs_unfinished"),
        (
            "EXPLAIN SELECT count(*) FROM jobs WHERE entity = '' AND status IN ('queued', 'running')",
            "unfinished_jobs_of_entity",
        ),
        ("EXPLAIN SELECT 1 FROM checkpoints WHERE adapter_weights = 'a'", "checkpoints_by_adapter_weights"),
    ] {
        let plan = sqlx::query(statement).fetch_all(&mut *connection).await.unwrap();
        let plan: Vec<String> = plan.iter().map(|row| row.get(0)).collect();
        assert!(plan.iter().any(|line| line.contains(expected)), "{statement}: {plan:?}");
        assert!(!plan.iter().any(|line| line.contains("Sort")), "{statement}: {plan:?}");
    }
}
