//! Databases of every released version are brought up to date with all that is in them.

#[path = "../../../../tests/support/old_database.rs"]
mod old_database;

use std::time::Duration;

use uuid::Uuid;

use self::old_database::{Contents, create, schema, versions};
use super::SqliteMetadata;
use crate::metadata::{Checkpoints, Jobs, Keys, Leases, Models, Usage};
use crate::records::{JobStatus, Order, PageRequest, TrainerKind, WorkerProfile};
use trainyard_model_options::{TrainingMethod, WeightFormat};

/// The model that every old database has, and its job that is running.
const MODEL: &str = "01a1f9c3-5630-77c3-a5f2-daaf4564b88a";
const JOB: &str = "01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4";

const ALL: PageRequest = PageRequest { after: None, limit: 1000, order: Order::Ascending };

#[test]
fn every_migration_is_embedded() {
    crate::migrations::tests::assert_all_are_embedded("sqlite", &super::open::MIGRATIONS);
}

#[tokio::test]
async fn every_released_version_is_brought_up_to_date_with_its_rows() {
    let directory = tempfile::tempdir().unwrap();
    let fresh = directory.path().join("fresh.db");
    SqliteMetadata::open(&fresh).await.unwrap().close().await;
    for version in versions() {
        let what = format!("version {version}");
        let file = directory.path().join(format!("{version}.db"));
        create(&file, version).await;
        let old = Contents::of(&file).await;
        old.assert_full();
        let store = SqliteMetadata::open(&file).await.unwrap();

        assert_eq!(store.list_keys(None).await.unwrap().len(), 2, "{what}");
        assert_eq!(store.list_usage(None).await.unwrap()[0].count.completion_tokens, 50, "{what}");
        let model = store.get_model("acme", MODEL.parse().unwrap()).await.unwrap();
        assert_eq!(model.method == TrainingMethod::default(), version == 1, "{what}: {:?}", model.method);
        let steps = store.list_checkpoints("acme", model.id, ALL).await.unwrap().items;
        assert_eq!(steps.iter().map(|step| step.step).collect::<Vec<_>>(), [0, 1], "{what}");
        let adapter = steps[1].adapter.as_ref().unwrap();
        assert!(adapter.weights.to_string().ends_with("02"), "{what}: {adapter:?}");
        let job = JOB.parse::<Uuid>().unwrap();
        let events = store.list_events("acme", job, ALL).await.unwrap().items;
        assert_eq!(events[1].data, r#"{"loss/train":0.30000000000000004}"#, "{what}");
        let state = store.get_job_state("acme", job).await.unwrap();
        // The last version's rows have a step more.
        let progress = if version < 16 { (2, 12) } else { (3, 17) };
        assert_eq!((state.steps, state.trained_tokens), progress, "{what}");

        // What was running then is taken up: a row that the new program could not read would stop it here.
        let weights = match version {
            ..6 => WeightFormat::F32,
            6..19 => WeightFormat::Bf16,
            _ => WeightFormat::Int4,
        };
        let trainers = [("trainyard/seedling".to_owned(), TrainerKind::Engine(weights))].into();
        let worker = WorkerProfile {
            owner: "new".to_owned(),
            trainers,
            excluded_entities: Vec::new(),
            excluded_sources: Vec::new(),
        };
        let contents = Contents::of(&file).await;
        contents.assert_keeps(&old, &what);
        assert_eq!(store.get_job("acme", job).await.unwrap().status, JobStatus::Running, "{what}");
        let claimed = store.claim_next(&worker, Duration::from_secs(60)).await.unwrap().expect("the job is free");
        assert_eq!((claimed.job.id, claimed.job.attempts), (job, 3), "{what}");
        assert_eq!(claimed.job.resume.is_some(), version >= 4, "{what}: {:?}", claimed.job.resume);
        store.close().await;
        assert_eq!(schema(&file).await, schema(&fresh).await, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_may_open_an_old_file_at_once() {
    let directory = tempfile::tempdir().unwrap();
    for version in versions() {
        let file = directory.path().join(format!("{version}.db"));
        create(&file, version).await;
        let old = Contents::of(&file).await;
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let file = file.clone();
            tasks.spawn(async move { SqliteMetadata::open(&file).await.unwrap() });
        }
        for store in tasks.join_all().await {
            assert_eq!(store.list_models("acme").await.unwrap().len(), 1);
            store.close().await;
        }
        Contents::of(&file).await.assert_keeps(&old, &format!("version {version}"));
    }
}
