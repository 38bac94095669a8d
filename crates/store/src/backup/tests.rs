//! Backups: taken while rows and artifacts come and go, damaged, interrupted, brought back.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use uuid::Uuid;

use super::*;
use crate::artifacts::ArtifactId;
use crate::check::check;
use crate::garbage;
use crate::metadata::Models;
use crate::records::{ArtifactHolder, ModelCreation, NewModel, NewTrajectoryLog, Provenance};
use trainyard_model_options::TrainingMethod;

struct Yard {
    directory: tempfile::TempDir,
    metadata: SqliteMetadata,
    artifacts: Artifacts,
}

impl Yard {
    async fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let metadata = SqliteMetadata::open(&directory.path().join(DATABASE)).await.unwrap();
        let artifacts = Artifacts::open_directory(&directory.path().join(ARTIFACTS)).unwrap();
        Self { directory, metadata, artifacts }
    }

    /// A model with a log of these bytes.
    async fn log(&self, name: &str, content: &[u8]) -> (uuid::Uuid, ArtifactId) {
        let model = NewModel {
            id: Uuid::now_v7(),
            entity: "acme".to_owned(),
            project: "demo".to_owned(),
            name: name.to_owned(),
            base_model: "trainyard/seedling".to_owned(),
            method: TrainingMethod::default(),
            run_id: None,
            provenance: Provenance::default(),
            request: None,
        };
        let ModelCreation::Created(model) = self.metadata.create_model(model).await.unwrap() else { panic!("new") };
        let artifact = self.artifacts.put(content.to_vec()).await.unwrap();
        let log = NewTrajectoryLog {
            id: Uuid::now_v7(),
            entity: "acme".to_owned(),
            model_id: model.id,
            split: "val".to_owned(),
            artifact,
            groups: 1,
            request: None,
        };
        self.metadata.add_trajectory_log(log).await.unwrap();
        (model.id, artifact)
    }

    fn database(&self) -> PathBuf {
        self.directory.path().join(DATABASE)
    }

    async fn back_up(&self, target: &Path) -> Result<Manifest, BackupError> {
        back_up(&self.database(), &self.artifacts, target, &mut |_| {}).await
    }
}

async fn opened(directory: &Path) -> (SqliteMetadata, Artifacts) {
    let metadata = SqliteMetadata::open(&directory.join(DATABASE)).await.unwrap();
    (metadata, Artifacts::open_directory(&directory.join(ARTIFACTS)).unwrap())
}

async fn restored(backup: &Path, directory: &Path) -> Result<Manifest, BackupError> {
    let lock = DirectoryLock::seize(directory).unwrap();
    let artifacts = Artifacts::open_directory(&directory.join(ARTIFACTS)).unwrap();
    restore(backup, &lock, &artifacts, &mut |_| {}).await
}

#[tokio::test]
async fn a_restored_backup_equals_the_original() {
    let yard = Yard::new().await;
    let (_, one) = yard.log("one", b"one").await;
    let (_, two) = yard.log("two", &vec![2; 300_000]).await;
    yard.artifacts.put("never published").await.unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let (backup, target) = (elsewhere.path().join("backup"), elsewhere.path().join("data"));
    let made = yard.back_up(&backup).await.unwrap();
    assert_eq!((made.artifacts, made.bytes), (2, 300_003));
    assert!(matches!(yard.back_up(&backup).await, Err(BackupError::NotEmpty(_))));
    assert!(!yard.artifacts.is_retention_locked().await.unwrap());
    // What happens afterwards is not in it.
    yard.log("three", b"three").await;
    assert_eq!(restored(&backup, &target).await.unwrap(), made);
    let (metadata, artifacts) = opened(&target).await;
    assert_eq!(metadata.list_models("acme").await.unwrap().len(), 2);
    assert_eq!(artifacts.get(one).await.unwrap(), "one");
    assert_eq!(artifacts.get(two).await.unwrap().len(), 300_000);
    let report = check(&metadata, &artifacts, &mut |_| {}).await.unwrap();
    assert_eq!((report.referenced, report.faults.len(), report.unpublished.len()), (2, 0, 0));
    assert!(matches!(restored(&backup, &target).await, Err(BackupError::HasDatabase(_))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_backup_under_load_is_whole() {
    let yard = Arc::new(Yard::new().await);
    let (stop, removed) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    // There is an artifact from the start, however long the first one takes.
    let (mut before, _) = yard.log("model", b"state").await;
    // As jobs do at every step: new artifacts are named, the ones before are removed.
    let working = tokio::spawn({
        let (yard, stop, removed) = (yard.clone(), stop.clone(), removed.clone());
        async move {
            for step in 0.. {
                let (model, _) = yard.log(&format!("model {step}"), format!("state {step}").as_bytes()).await;
                let deleted = yard.metadata.delete_model("acme", std::mem::replace(&mut before, model)).await.unwrap();
                let found = garbage::collect(&yard.metadata, &yard.artifacts, &deleted.unreferenced).await.unwrap();
                removed.fetch_add(found, Ordering::Relaxed);
                if stop.load(Ordering::Relaxed) {
                    break;
                }
            }
        }
    });
    let elsewhere = tempfile::tempdir().unwrap();
    for round in 0..5 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        let backup = elsewhere.path().join(format!("backup {round}"));
        yard.back_up(&backup).await.unwrap();
        let (metadata, artifacts) = opened(&backup).await;
        let report = check(&metadata, &artifacts, &mut |_| {}).await.unwrap();
        assert!(report.faults.is_empty(), "{:?}", report.faults);
        assert!((1..=2).contains(&report.referenced), "{}", report.referenced);
    }
    // Between the backups, or on a busy machine after the last.
    while removed.load(Ordering::Relaxed) == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    stop.store(true, Ordering::Relaxed);
    working.await.unwrap();
}

#[tokio::test]
async fn damage_is_found_by_check_and_never_copied() {
    let yard = Yard::new().await;
    let (model, id) = yard.log("one", b"bytes").await;
    yard.log("two", b"other").await;
    let name = id.to_string();
    let file = yard.directory.path().join("artifacts/sha256").join(&name[..2]).join(&name);
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::write(&file, b"bytez").unwrap();
    let report = check(&yard.metadata, &yard.artifacts, &mut |_| {}).await.unwrap();
    assert_eq!(report.referenced, 2);
    assert!(matches!(
        report.faults.as_slice(),
        [fault] if fault.artifact == id && fault.holder == ArtifactHolder::Model(model) && matches!(fault.error, ArtifactError::Corrupt { .. })
    ));
    let failed = yard.back_up(&elsewhere.path().join("damaged")).await;
    assert!(matches!(failed, Err(BackupError::Artifacts(ArtifactError::Corrupt { .. }))), "{failed:?}");
    assert!(!yard.artifacts.is_retention_locked().await.unwrap(), "a backup that fails releases its lock too");
    let begun = restored(&elsewhere.path().join("damaged"), &elsewhere.path().join("data")).await;
    assert!(matches!(begun, Err(BackupError::NoBackup { .. })), "{begun:?}");
    std::fs::remove_file(&file).unwrap();
    let report = check(&yard.metadata, &yard.artifacts, &mut |_| {}).await.unwrap();
    assert!(matches!(report.faults.as_slice(), [fault] if matches!(fault.error, ArtifactError::NotFound(_))));
}

#[tokio::test]
async fn a_damaged_backup_is_rejected_and_an_interrupted_one_can_be_repeated() {
    let yard = Yard::new().await;
    let (_, id) = yard.log("one", &vec![1; 100_000]).await;
    let elsewhere = tempfile::tempdir().unwrap();
    let (backup, data) = (elsewhere.path().join("backup"), elsewhere.path().join("data"));
    yard.back_up(&backup).await.unwrap();
    let name = id.to_string();
    let file = backup.join("artifacts/sha256").join(&name[..2]).join(&name);
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..50_000]).unwrap();
    let failed = restored(&backup, &data).await;
    assert!(matches!(failed, Err(BackupError::Artifacts(ArtifactError::Corrupt { .. }))), "{failed:?}");
    assert!(!data.join(DATABASE).exists(), "no service starts on half of it");
    std::fs::write(&file, &whole).unwrap();
    restored(&backup, &data).await.unwrap();
    let (metadata, artifacts) = opened(&data).await;
    assert!(check(&metadata, &artifacts, &mut |_| {}).await.unwrap().faults.is_empty());
}

#[tokio::test]
async fn old_artifacts_that_nothing_refers_to_are_orphans() {
    let yard = Yard::new().await;
    let (young, old) = (yard.artifacts.put("young").await.unwrap(), yard.artifacts.put("old").await.unwrap());
    let name = old.to_string();
    let file = yard.directory.path().join("artifacts/sha256").join(&name[..2]).join(&name);
    let then = std::time::SystemTime::now() - garbage::GRACE - std::time::Duration::from_secs(60);
    File::options().write(true).open(file).unwrap().set_modified(then).unwrap();
    let report = check(&yard.metadata, &yard.artifacts, &mut |_| {}).await.unwrap();
    assert_eq!(report.orphans.iter().map(|stored| stored.id).collect::<Vec<_>>(), [old]);
    assert_eq!(report.unpublished.iter().map(|stored| stored.id).collect::<Vec<_>>(), [young]);
}
