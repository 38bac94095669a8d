//! Artifacts on a local directory, and their collection.

use std::path::PathBuf;
use std::time::Duration;

use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::garbage;
use crate::metadata::{Jobs, Models};
use crate::records::{JobInput, JobKind, JobLabels, ModelCreation, ModelRecord, NewJob, NewModel, Provenance};
use crate::sqlite::SqliteMetadata;
use trainyard_model_options::TrainingMethod;

fn scratch() -> (tempfile::TempDir, Artifacts) {
    let directory = tempfile::tempdir().unwrap();
    let artifacts = Artifacts::open_directory(&directory.path().join("artifacts")).unwrap();
    (directory, artifacts)
}

fn file_of(directory: &tempfile::TempDir, id: ArtifactId) -> PathBuf {
    let name = id.to_string();
    directory.path().join("artifacts/sha256").join(&name[..2]).join(&name)
}

#[tokio::test]
async fn bytes_come_back_under_their_hash() {
    let (directory, artifacts) = scratch();
    let id = artifacts.put("abc").await.unwrap();
    let name = id.to_string();
    assert_eq!(&name[..65], "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad-");
    assert_eq!(std::fs::read(file_of(&directory, id)).unwrap(), b"abc");
    assert_eq!(artifacts.get(id).await.unwrap(), "abc");
    let again = artifacts.put("abc").await.unwrap();
    assert_eq!(again.hash(), id.hash());
    assert_ne!(again, id, "each writing has a name of its own");
    artifacts.delete(again).await.unwrap();
    let (empty, large) = (Bytes::new(), Bytes::from(vec![7; 3_000_000]));
    for content in [empty, large] {
        let id = artifacts.put(content.clone()).await.unwrap();
        assert_eq!(artifacts.get(id).await.unwrap(), content);
    }
    assert_eq!(artifacts.list().await.unwrap().len(), 3);
}

#[tokio::test]
async fn a_flipped_bit_is_noticed() {
    let (directory, artifacts) = scratch();
    let content: Vec<u8> = (0..1000_u32).map(|value| value as u8).collect();
    let id = artifacts.put(content.clone()).await.unwrap();
    for position in [0, 500, 999] {
        let mut damaged = content.clone();
        damaged[position] ^= 1;
        std::fs::write(file_of(&directory, id), &damaged).unwrap();
        match artifacts.get(id).await {
            Err(ArtifactError::Corrupt { expected, found, length }) => {
                assert_eq!((expected, found, length), (id, ArtifactId::of(&damaged), 1000));
            }
            other => panic!("{other:?}"),
        }
    }
    std::fs::write(file_of(&directory, id), &content[..999]).unwrap();
    assert!(matches!(artifacts.get(id).await, Err(ArtifactError::Corrupt { length: 999, .. })));
    std::fs::write(file_of(&directory, id), &content).unwrap();
    assert_eq!(artifacts.get(id).await.unwrap(), content);
}

#[tokio::test]
async fn artifacts_of_the_oldest_layout_are_read_and_collected() {
    let (directory, artifacts) = scratch();
    let id = ArtifactId::of(b"of an earlier version");
    std::fs::create_dir_all(file_of(&directory, id).parent().unwrap()).unwrap();
    std::fs::write(file_of(&directory, id), b"of an earlier version").unwrap();
    assert_eq!(artifacts.get(id).await.unwrap(), "of an earlier version");
    assert_eq!(artifacts.list().await.unwrap().iter().map(|stored| stored.id).collect::<Vec<_>>(), [id]);
    artifacts.delete(id).await.unwrap();
    assert!(artifacts.list().await.unwrap().is_empty());
}

#[tokio::test]
async fn reads_of_missing_artifacts_are_not_found() {
    let (_directory, artifacts) = scratch();
    let id = ArtifactId::of(b"never stored");
    assert!(matches!(artifacts.get(id).await, Err(ArtifactError::NotFound(missing)) if missing == id));
    artifacts.delete(id).await.unwrap();
    let id = artifacts.put("stored").await.unwrap();
    artifacts.delete(id).await.unwrap();
    assert!(matches!(artifacts.get(id).await, Err(ArtifactError::NotFound(missing)) if missing == id));
    assert!(artifacts.list().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_directory_that_is_gone_is_no_missing_artifact() {
    let (directory, artifacts) = scratch();
    let id = artifacts.put("stored").await.unwrap();
    let (root, away) = (directory.path().join("artifacts"), directory.path().join("away"));
    std::fs::rename(&root, &away).unwrap();
    let missing = |error: ArtifactError| {
        assert!(matches!(error, ArtifactError::DirectoryMissing { .. }) && error.is_transient(), "{error:?}");
    };
    missing(artifacts.get(id).await.unwrap_err());
    missing(artifacts.size(id).await.unwrap_err());
    missing(artifacts.verify(id).await.unwrap_err());
    missing(artifacts.stream(id, 6).try_collect::<Vec<_>>().await.unwrap_err());
    missing(artifacts.probe().await.unwrap_err());
    for error in [artifacts.put("new").await.map(drop).unwrap_err(), artifacts.list().await.map(drop).unwrap_err()] {
        assert!(matches!(error, ArtifactError::Storage { .. }) && error.is_transient(), "{error:?}");
    }
    let mut large = artifacts.writer();
    assert!(large.write(&vec![0; 9 << 20]).await.unwrap_err().is_transient());
    assert!(!root.exists(), "nothing makes it anew");
    std::fs::rename(&away, &root).unwrap();
    assert_eq!(artifacts.get(id).await.unwrap(), "stored");
    artifacts.probe().await.unwrap();
}

#[tokio::test]
async fn parallel_writers_of_the_same_bytes_do_not_disturb_each_other() {
    let (directory, artifacts) = scratch();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let artifacts = artifacts.clone();
        tasks.spawn(async move {
            let id = artifacts.put(vec![1; 200_000]).await.unwrap();
            artifacts.get(id).await.unwrap();
            id
        });
    }
    let ids = tasks.join_all().await;
    let files = std::fs::read_dir(file_of(&directory, ids[0]).parent().unwrap()).unwrap().count();
    assert_eq!(files, 16, "no temporary file is left");
    for id in &ids[1..] {
        artifacts.delete(*id).await.unwrap();
    }
    assert_eq!(artifacts.get(ids[0]).await.unwrap().len(), 200_000);
}

#[tokio::test]
async fn half_written_files_are_removed_when_they_are_old() {
    let (directory, artifacts) = scratch();
    let id = artifacts.put("whole").await.unwrap();
    let whole = file_of(&directory, id);
    let foreign = whole.with_file_name("notes#1");
    // What `object_store` really leaves: begin an upload and do not finish it.
    let mut upload = artifacts.storage.put_multipart(&id.location()).await.unwrap();
    upload.put_part(object_store::PutPayload::from_static(b"half")).await.unwrap();
    std::mem::forget(upload);
    std::fs::write(&foreign, "somebody's").unwrap();
    let files = || std::fs::read_dir(whole.parent().unwrap()).unwrap().count();
    artifacts.remove_unfinished(Duration::from_secs(60)).await.unwrap();
    assert_eq!(files(), 3);
    artifacts.remove_unfinished(Duration::ZERO).await.unwrap();
    assert_eq!(files(), 2);
    assert!(foreign.exists());
    assert_eq!(artifacts.get(id).await.unwrap(), "whole");
}

#[test]
fn only_lower_case_hexadecimal_digits_are_an_id() {
    let (id, named) = (ArtifactId::of(b"x"), ArtifactId::new([7; 32]));
    for id in [id, named] {
        assert_eq!(id.to_string().parse::<ArtifactId>().unwrap(), id);
    }
    let upper = id.to_string().to_uppercase();
    let traversal = format!("../{}", &id.to_string()[3..]);
    let nil = format!("{id}-{}", "0".repeat(32));
    let more = [format!("{id}0"), format!(" {id}"), format!("{id}-"), format!("{named}0"), format!("{named}-"), nil];
    let more = more.iter().map(String::as_str);
    for bad in ["", "-", "..", "../../etc/passwd", "00", &upper, &traversal].into_iter().chain(more) {
        assert!(bad.parse::<ArtifactId>().is_err(), "{bad:?}");
    }
}

proptest! {
    #[test]
    fn reading_an_id_never_panics(text in "\\PC{0,80}") {
        if let Ok(id) = text.parse::<ArtifactId>() {
            prop_assert_eq!(id.to_string(), text);
        }
    }
}

async fn metadata(directory: &tempfile::TempDir) -> (SqliteMetadata, ModelRecord) {
    let store = SqliteMetadata::open(&directory.path().join("metadata.db")).await.unwrap();
    let ModelCreation::Created(model) = store.create_model(new_model()).await.unwrap() else { panic!("it is new") };
    (store, model)
}

fn new_model() -> NewModel {
    NewModel {
        id: Uuid::now_v7(),
        entity: "acme".to_owned(),
        project: "demo".to_owned(),
        name: "agent".to_owned(),
        base_model: "trainyard/seedling".to_owned(),
        method: TrainingMethod::default(),
        run_id: None,
        provenance: Provenance::default(),
        request: None,
    }
}

fn job_with(model: &ModelRecord, body: ArtifactId) -> NewJob {
    NewJob {
        key_id: None,
        max_unfinished_jobs: None,
        id: Uuid::now_v7(),
        entity: model.entity.clone(),
        model_id: model.id,
        kind: JobKind::Rl,
        config: "{}".to_owned(),
        input: JobInput::Artifact(body),
        validation: None,
        fine_tuning: None,
        labels: JobLabels::default(),
        sampler: None,
        request: None,
    }
}

#[tokio::test]
async fn only_old_artifacts_that_no_row_refers_to_are_swept() {
    let (directory, artifacts) = scratch();
    let (store, model) = metadata(&directory).await;
    let used = artifacts.put("used").await.unwrap();
    let lost = artifacts.put("written just before a crash").await.unwrap();
    store.create_job(job_with(&model, used)).await.unwrap();
    assert_eq!(garbage::collect(&store, &artifacts, &[used]).await.unwrap(), 0);
    assert_eq!(garbage::sweep(&store, &artifacts, garbage::GRACE).await.unwrap(), 0, "it may yet be published");
    let yesterday = std::time::SystemTime::now() - garbage::GRACE - Duration::from_secs(60);
    for id in [used, lost] {
        std::fs::File::options().write(true).open(file_of(&directory, id)).unwrap().set_modified(yesterday).unwrap();
    }
    assert_eq!(garbage::sweep(&store, &artifacts, garbage::GRACE).await.unwrap(), 1);
    assert_eq!(artifacts.get(used).await.unwrap(), "used");
    assert!(matches!(artifacts.get(lost).await, Err(ArtifactError::NotFound(_))));
    let deleted = store.delete_model("acme", model.id).await.unwrap();
    assert_eq!(garbage::collect(&store, &artifacts, &deleted.unreferenced).await.unwrap(), 1);
    assert!(artifacts.list().await.unwrap().is_empty());
}

#[tokio::test]
async fn equal_bytes_of_another_process_are_not_collected() {
    let (directory, artifacts) = scratch();
    let (store, model) = metadata(&directory).await;
    let first = artifacts.put("body").await.unwrap();
    store.create_job(job_with(&model, first)).await.unwrap();
    // Another process writes the same bytes, the rows of the first go, and only then the second names its own.
    let other = Artifacts::open_directory(&directory.path().join("artifacts")).unwrap();
    let second = other.put("body").await.unwrap();
    let deleted = store.delete_model("acme", model.id).await.unwrap();
    assert_eq!(garbage::collect(&store, &artifacts, &deleted.unreferenced).await.unwrap(), 1);
    let ModelCreation::Created(model) = store.create_model(new_model()).await.unwrap() else { panic!("it is new") };
    store.create_job(job_with(&model, second)).await.unwrap();
    assert_eq!(other.get(second).await.unwrap(), "body");
}

#[tokio::test]
async fn retained_artifacts_are_not_collected() {
    let (directory, artifacts) = scratch();
    let (store, model) = metadata(&directory).await;
    let body = artifacts.put("body").await.unwrap();
    store.create_job(job_with(&model, body)).await.unwrap();
    let other = Artifacts::open_directory(&directory.path().join("artifacts")).unwrap();
    let lock = other.lock_retention().await.unwrap();
    let deleted = store.delete_model("acme", model.id).await.unwrap();
    assert_eq!(garbage::collect(&store, &artifacts, &deleted.unreferenced).await.unwrap(), 0);
    assert_eq!(garbage::sweep(&store, &artifacts, Duration::ZERO).await.unwrap(), 1, "a lock that is too old is gone");
    assert!(!artifacts.is_retention_locked().await.unwrap());
    lock.release().await.unwrap();
}
