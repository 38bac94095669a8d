//! A writer that is killed at any moment loses nothing that it was told is stored.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use uuid::Uuid;

use super::SqliteMetadata;
use crate::metadata::{Jobs, Leases, Models};
use crate::records::{
    JobInput, JobKind, JobLabels, ModelCreation, NewEvent, NewJob, NewModel, Order, PageRequest, Provenance,
    TrainerKind, WorkerProfile,
};
use trainyard_model_options::{TrainingMethod, WeightFormat};

/// Names the database file for the process that is going to be killed.
const FILE_VARIABLE: &str = "TRAINYARD_TEST_KILLED_WRITER_FILE";

/// Not a test of its own: the process that [`killed_writers_lose_nothing`] starts and kills.
#[test]
#[ignore = "the child process of another test"]
fn writer_that_is_killed() {
    let Some(file) = std::env::var_os(FILE_VARIABLE) else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    // Whoever reads its output waits no longer than this.
    let appending = async { tokio::time::timeout(Duration::from_secs(60), append_forever(&PathBuf::from(file))).await };
    let _ = runtime.block_on(appending);
}

/// Claims the job and appends events, each acknowledged on standard output once it is stored.
async fn append_forever(file: &Path) {
    let store = SqliteMetadata::open(file).await.unwrap();
    let worker = WorkerProfile {
        owner: format!("process {}", std::process::id()),
        trainers: [("trainyard/seedling".to_owned(), TrainerKind::Engine(WeightFormat::F32))].into(),
        excluded_entities: Vec::new(),
        excluded_sources: Vec::new(),
    };
    store.expire_leases_of_other_owners(&worker.owner).await.unwrap();
    let claimed = store.claim_next(&worker, Duration::from_secs(60)).await.unwrap().expect("the job is free");
    // As a repeated attempt does: from the first event again.
    for sequence in 1.. {
        let event = NewEvent { kind: "gradient_step".to_owned(), data: sequence.to_string() };
        let event = store.append_event(&claimed.lease, sequence, event).await.unwrap();
        println!("\nstored {sequence} {}", event.id);
    }
}

#[tokio::test]
async fn killed_writers_lose_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("metadata.db");
    let store = SqliteMetadata::open(&file).await.unwrap();
    let model = NewModel {
        id: Uuid::now_v7(),
        entity: "acme".to_owned(),
        project: "demo".to_owned(),
        name: "agent".to_owned(),
        base_model: "trainyard/seedling".to_owned(),
        method: TrainingMethod::default(),
        run_id: None,
        provenance: Provenance::default(),
        request: None,
    };
    let ModelCreation::Created(model) = store.create_model(model).await.unwrap() else { panic!("it is new") };
    let job = NewJob {
        key_id: None,
        max_unfinished_jobs: None,
        id: Uuid::now_v7(),
        entity: "acme".to_owned(),
        model_id: model.id,
        kind: JobKind::Rl,
        config: "{}".to_owned(),
        input: JobInput::Url("file:///data".to_owned()),
        validation: None,
        fine_tuning: None,
        labels: JobLabels::default(),
        sampler: None,
        request: None,
    };
    let job = store.create_job(job).await.unwrap();
    let mut acknowledged: Vec<(i64, String)> = Vec::new();
    for round in 1..=5 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "sqlite::kill_tests::writer_that_is_killed", "--ignored", "--nocapture"])
            .env(FILE_VARIABLE, &file)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (before, killed_after) = (acknowledged.len(), 7 * round);
        let mut killed = false;
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            let mut words = line.split_whitespace();
            let (Some("stored"), Some(sequence), Some(id)) = (words.next(), words.next(), words.next()) else {
                continue;
            };
            let sequence: i64 = sequence.parse().unwrap();
            match acknowledged.get(usize::try_from(sequence - 1).unwrap()) {
                Some(earlier) => assert_eq!(*earlier, (sequence, id.to_owned()), "an event keeps its identity"),
                None => acknowledged.push((sequence, id.to_owned())),
            }
            // SIGKILL while it goes on writing; what it still printed is read to the end.
            if !killed && acknowledged.len() >= before + killed_after {
                child.kill().unwrap();
                killed = true;
            }
        }
        child.wait().unwrap();
        assert!(killed, "round {round}: the child ended by itself");
        let page = PageRequest { after: None, limit: 100_000, order: Order::Ascending };
        let stored = store.list_events("acme", job.id, page).await.unwrap().items;
        let sequences: Vec<i64> = stored.iter().map(|event| event.sequence).collect();
        assert_eq!(sequences, (1..=i64::try_from(stored.len()).unwrap()).collect::<Vec<_>>());
        let state = store.get_job_state("acme", job.id).await.unwrap();
        assert_eq!(usize::try_from(state.steps).unwrap(), stored.len(), "round {round}");
        for (event, acknowledged) in stored.iter().zip(&acknowledged) {
            assert_eq!((event.sequence, event.id.to_string()), *acknowledged);
        }
        // At most the event that was being acknowledged is more.
        assert!((0..=1).contains(&(stored.len() - acknowledged.len())), "round {round}");
        // What the dead one stored without a word is there for the next.
        for event in stored.iter().skip(acknowledged.len()) {
            acknowledged.push((event.sequence, event.id.to_string()));
        }
    }
    let verdict: String = sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&store.readers).await.unwrap();
    assert_eq!(verdict, "ok");
    assert_eq!(store.get_job("acme", job.id).await.unwrap().attempts, 5);
}
