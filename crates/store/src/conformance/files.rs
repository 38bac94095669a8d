//! Rules of uploaded files, and of checkpoints that are made without training.

use uuid::Uuid;

use super::{Store, adapter, artifact, claim, copy_of, follow, job, model, new_checkpoint, new_job, page, trained};
use crate::metadata::StoreError;
use crate::records::{
    AddedCheckpoint, ArtifactHolder, CheckpointSource, FilePurpose, FileRecord, IdempotentRequest, IdempotentResult,
    JobFile, JobInput, JobOutcome, NewCheckpoint, NewFile, NewJob, Order,
};
use trainyard_model_options::AdapterEffect;

pub(super) fn new_file(entity: &str, name: &str, purpose: FilePurpose) -> NewFile {
    NewFile {
        id: Uuid::now_v7(),
        entity: entity.to_owned(),
        name: name.to_owned(),
        purpose,
        bytes: 7,
        artifact: artifact(name),
        life: None,
        key_id: None,
        max_stored_bytes: None,
        request: None,
    }
}

async fn file(store: &Store, name: &str) -> FileRecord {
    store.create_file(new_file("acme", name, FilePurpose::FineTune)).await.unwrap()
}

fn request(what: u8) -> Option<IdempotentRequest> {
    Some(IdempotentRequest { key: "once".to_owned(), sha256: [what; 32] })
}

pub(crate) async fn files_are_listed_by_purpose_and_age(store: Store) {
    let mut made = Vec::new();
    for name in ["a", "b", "c", "d", "e"] {
        let purpose = if name == "c" { FilePurpose::UserData } else { FilePurpose::FineTune };
        made.push(store.create_file(new_file("acme", name, purpose)).await.unwrap());
    }
    store.create_file(new_file("rival", "x", FilePurpose::FineTune)).await.unwrap();
    assert_eq!(store.get_file("acme", made[0].id).await.unwrap(), made[0]);
    assert_eq!((made[0].name.as_str(), made[0].bytes, made[0].artifact), ("a", 7, artifact("a")));
    for order in [Order::Ascending, Order::Descending] {
        let ask = async |after| store.list_files("acme", None, page(after, 2, order)).await.unwrap();
        let mut listed = follow(ask, |file| file.id).await.concat();
        if order == Order::Descending {
            listed.reverse();
        }
        assert_eq!(listed, made);
    }
    let others = store.list_files("acme", Some(FilePurpose::UserData), page(None, 10, Order::Ascending)).await.unwrap();
    assert_eq!(others.items, [made[2].clone()]);
}

pub(crate) async fn a_file_belongs_to_its_entity(store: Store) {
    let file = file(&store, "a").await;
    let nobodys = Uuid::now_v7();
    for (entity, id) in [("rival", file.id), ("acme", nobodys)] {
        let rejections = [store.get_file(entity, id).await.map(drop), store.delete_file(entity, id).await.map(drop)];
        for rejected in rejections {
            assert!(matches!(rejected, Err(StoreError::NotFound("file"))), "{rejected:?}");
        }
        let cursor = store.list_files(entity, None, page(Some(id), 10, Order::Ascending)).await;
        assert!(matches!(cursor, Err(StoreError::InvalidCursor(_))), "{cursor:?}");
    }
    let held = store.artifact_references(None, 10).await.unwrap();
    assert_eq!((held[0].artifact, held[0].holder), (artifact("a"), ArtifactHolder::File(file.id)));
    assert_eq!(store.delete_file("acme", file.id).await.unwrap(), [artifact("a")]);
    assert_eq!(store.artifact_references(None, 10).await.unwrap(), []);
    assert!(matches!(store.delete_file("acme", file.id).await, Err(StoreError::NotFound("file"))));
}

pub(crate) async fn files_of_one_name_are_versions(store: Store) {
    let mut made = Vec::new();
    for name in ["a", "b", "a", "a"] {
        made.push(file(&store, name).await);
    }
    let found = async |name: &str, version| {
        store.find_file("acme", name, version).await.map(|found| (found.file, found.version))
    };
    assert_eq!(found("a", None).await.unwrap(), (made[3].clone(), 2));
    for (version, index) in [(0, 0), (1, 2), (2, 3)] {
        assert_eq!(found("a", Some(version)).await.unwrap(), (made[index].clone(), i64::from(version)));
    }
    assert_eq!(found("b", None).await.unwrap(), (made[1].clone(), 0));
    for (name, version) in [("a", Some(3)), ("c", None), ("a\0", None)] {
        let rejected = found(name, version).await;
        assert!(matches!(rejected, Err(StoreError::NotFound("file"))), "{rejected:?}");
    }
    assert!(store.find_file("rival", "a", None).await.is_err());
    // What is deleted leaves its number.
    store.delete_file("acme", made[0].id).await.unwrap();
    assert!(found("a", Some(0)).await.is_err());
    assert_eq!(found("a", Some(1)).await.unwrap(), (made[2].clone(), 1));
    assert_eq!(file(&store, "a").await.name, "a");
    assert_eq!(found("a", None).await.unwrap().1, 3);
    // Also of those that come at once.
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let store = store.clone();
        tasks.spawn(async move { file(&store, "d").await });
    }
    assert_eq!(tasks.join_all().await.len(), 20);
    for version in 0..20 {
        found("d", Some(version)).await.unwrap();
    }
}

pub(crate) async fn a_repeated_upload_makes_one_file(store: Store) {
    let mut tasks = tokio::task::JoinSet::new();
    for attempt in 0..50 {
        let mut file = new_file("acme", "a", FilePurpose::FineTune);
        file.artifact = artifact(&format!("attempt {attempt}"));
        file.request = request(1);
        let store = store.clone();
        tasks.spawn(async move { store.create_file(file).await.unwrap() });
    }
    let files = tasks.join_all().await;
    assert!(files.iter().all(|file| *file == files[0]));
    let listed = store.list_files("acme", None, page(None, 10, Order::Ascending)).await.unwrap();
    assert_eq!(listed.items, [files[0].clone()]);
    let found = store.find_idempotent_result("acme", &request(1).unwrap()).await.unwrap();
    assert_eq!(found, Some(IdempotentResult::File(files[0].id)));
    let other = NewFile { request: request(2), ..new_file("acme", "b", FilePurpose::FineTune) };
    assert!(matches!(store.create_file(other).await, Err(StoreError::KeyReused(_))));
}

pub(crate) async fn a_job_keeps_the_content_of_its_file(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let file = file(&store, "rows").await;
    let input = JobInput::File { id: file.id, content: file.artifact };
    let job = store.create_job(NewJob { input: input.clone(), ..new_job(&model) }).await.unwrap();
    assert_eq!(job.input, input);
    assert_eq!(store.get_job("acme", job.id).await.unwrap().input, input);
    assert_eq!(store.delete_file("acme", file.id).await.unwrap(), [], "the job needs the content");
    let claimed = claim(&store).await;
    let finished = store.finish_job(&claimed.lease, JobOutcome::Succeeded, None, None).await.unwrap();
    assert_eq!(finished.unreferenced, [file.artifact]);
}

pub(crate) async fn a_job_keeps_its_validation_file(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let [rows, held_out] = [file(&store, "rows").await, file(&store, "held out").await];
    let input = JobInput::File { id: rows.id, content: rows.artifact };
    let validation = Some(JobFile { id: held_out.id, content: held_out.artifact });
    let wanted = || NewJob { input: input.clone(), validation, ..new_job(&model) };
    let job = store.create_job(wanted()).await.unwrap();
    assert_eq!((job.validation, &job.input), (validation, &input));
    assert_eq!(store.get_job("acme", job.id).await.unwrap(), job);
    assert_eq!(store.delete_file("acme", held_out.id).await.unwrap(), [], "the job needs the content");
    let late = store.create_job(wanted()).await;
    assert!(matches!(late, Err(StoreError::NotFound("file"))), "{late:?}");
    // What it takes to run it again is kept with the checkpoint.
    let claimed = claim(&store).await;
    store.record_start(&claimed.lease, None).await.unwrap();
    let checkpoint = Some(new_checkpoint("made"));
    let finished = store.finish_job(&claimed.lease, JobOutcome::Succeeded, checkpoint, None).await.unwrap();
    assert_eq!(finished.unreferenced, []);
    let manifests = store.list_manifests("acme", model.id, 1, 1).await.unwrap();
    let training = manifests[0].read().unwrap().training.unwrap();
    assert_eq!(training.validation_sha256, Some(held_out.artifact.sha256()));
    let deleted = store.delete_model("acme", model.id).await.unwrap();
    assert!(deleted.unreferenced.contains(&held_out.artifact) && !deleted.unreferenced.contains(&rows.artifact));
}

pub(crate) async fn a_deletion_takes_nothing_from_what_is_made_meanwhile(store: Store) {
    let model = model(&store, "acme", "agent").await;
    for round in 0..30 {
        let file = file(&store, &format!("file {round}")).await;
        let input = JobInput::File { id: file.id, content: file.artifact };
        let job = NewJob { input, ..new_job(&model) };
        let source = CheckpointSource::File { file: file.id, config: artifact("config") };
        let import = AddedCheckpoint { source, ..copy_of("acme", model.id, model.id, 0) };
        let (job, import, deleted) = tokio::join!(
            tokio::spawn({
                let store = store.clone();
                async move { store.create_job(job).await }
            }),
            tokio::spawn({
                let store = store.clone();
                async move { store.add_checkpoint(import).await }
            }),
            tokio::spawn({
                let store = store.clone();
                async move { store.delete_file("acme", file.id).await }
            }),
        );
        let made = job.unwrap().is_ok() || import.unwrap().is_ok();
        let deleted = deleted.unwrap().unwrap();
        assert_eq!(deleted.is_empty(), made, "round {round}: the content goes only if nothing was made of it");
        assert_eq!(store.unreferenced_artifacts(&[file.artifact]).await.unwrap().is_empty(), made);
    }
}

pub(crate) async fn a_deleted_file_feeds_no_job(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let file = file(&store, "rows").await;
    let input = JobInput::File { id: file.id, content: file.artifact };
    store.delete_file("acme", file.id).await.unwrap();
    let late = store.create_job(NewJob { input: input.clone(), ..new_job(&model) }).await;
    assert!(matches!(late, Err(StoreError::NotFound("file"))), "{late:?}");
    let theirs = self::file(&store, "theirs").await;
    let rival = self::model(&store, "rival", "agent").await;
    let input = JobInput::File { id: theirs.id, content: theirs.artifact };
    let foreign = store.create_job(NewJob { input, ..new_job(&rival) }).await;
    assert!(matches!(foreign, Err(StoreError::NotFound("file"))), "{foreign:?}");
    assert_eq!(store.queue_depth().await.unwrap().queued, 0);
}

pub(crate) async fn the_effect_of_an_adapter_belongs_to_its_content(store: Store) {
    let agent = model(&store, "acme", "agent").await;
    let effect = AdapterEffect { tokens: vec![7, 8], positions: vec![1], with: vec![-0.25], without: vec![-1.5] };
    job(&store, &agent).await;
    let claimed = claim(&store).await;
    let checkpoint = NewCheckpoint { effect: Some(effect.clone()), ..new_checkpoint("checked") };
    store.finish_job(&claimed.lease, JobOutcome::Succeeded, Some(checkpoint), None).await.unwrap();
    let found = async |base: &str, name: &str| store.adapter_effect(base, &adapter(name)).await.unwrap();
    assert_eq!(found("trainyard/seedling", "checked").await, Some(effect.clone()));
    assert_eq!(found("acme/other", "checked").await, None, "of another base model");
    assert_eq!(found("trainyard/seedling", "other").await, None);
    // A copy has it too, also when the original is gone.
    let copy = model(&store, "acme", "copy").await;
    store.add_checkpoint(copy_of("acme", copy.id, agent.id, 1)).await.unwrap();
    store.delete_model("acme", agent.id).await.unwrap();
    assert_eq!(found("trainyard/seedling", "checked").await, Some(effect));
}

pub(crate) async fn a_step_is_copied_with_its_state(store: Store) {
    let from = trained(&store, "acme", "teacher", 2).await;
    let to = model(&store, "acme", "pupil").await;
    let source = store.checkpoint_at_step("acme", from.id, 2).await.unwrap();
    let copied = store.add_checkpoint(copy_of("acme", to.id, from.id, 2)).await.unwrap();
    assert_eq!((copied.model_id, copied.step), (to.id, 1));
    assert_eq!(
        (&copied.metrics, &copied.adapter, &copied.optimizer),
        (&source.metrics, &source.adapter, &source.optimizer)
    );
    assert!(copied.optimizer.is_some());
    assert_eq!(store.newest_checkpoint("acme", to.id).await.unwrap(), Some(copied.clone()));
    assert_eq!(store.get_checkpoint("acme", to.id, copied.id).await.unwrap(), copied);
    // Also within one model, and of the base itself.
    assert_eq!(store.add_checkpoint(copy_of("acme", from.id, from.id, 1)).await.unwrap().step, 3);
    assert_eq!(store.add_checkpoint(copy_of("acme", to.id, from.id, 0)).await.unwrap().adapter, None);
    // What one of them is deleted with, the other keeps.
    assert!(store.delete_model("acme", from.id).await.unwrap().unreferenced.len() > 1);
    assert_eq!(store.unreferenced_artifacts(&[copied.adapter.as_ref().unwrap().weights]).await.unwrap(), []);
    assert_eq!(store.delete_model("acme", to.id).await.unwrap().unreferenced.len(), 3);
    // Steps and models that are not there, or not theirs.
    let (mine, theirs) = (model(&store, "acme", "mine").await, model(&store, "rival", "theirs").await);
    for (to, from, step, what) in [
        (mine.id, mine.id, 9, "checkpoint"),
        (mine.id, theirs.id, 0, "model"),
        (theirs.id, mine.id, 0, "model"),
        (mine.id, Uuid::now_v7(), 0, "model"),
    ] {
        let rejected = store.add_checkpoint(copy_of("acme", to, from, step)).await;
        assert!(matches!(rejected, Err(StoreError::NotFound(found)) if found == what), "{rejected:?}");
    }
    assert_eq!(store.get_model("acme", mine.id).await.unwrap().last_step, 0, "a refusal takes no step");
}

pub(crate) async fn an_imported_checkpoint_keeps_its_files(store: Store) {
    let model = model(&store, "acme", "agent").await;
    let file = file(&store, "weights").await;
    let import = |file: Uuid| AddedCheckpoint {
        source: CheckpointSource::File { file, config: artifact("config") },
        ..copy_of("acme", model.id, model.id, 0)
    };
    let made = store.add_checkpoint(import(file.id)).await.unwrap();
    let adapter = made.adapter.unwrap();
    assert_eq!((made.step, adapter.config, adapter.weights), (1, artifact("config"), file.artifact));
    assert_eq!(store.delete_file("acme", file.id).await.unwrap(), [], "the checkpoint needs it");
    let late = store.add_checkpoint(import(file.id)).await;
    assert!(matches!(late, Err(StoreError::NotFound("file"))), "{late:?}");
    let deleted = store.delete_checkpoints("acme", model.id, &[1], true).await.unwrap();
    assert_eq!(deleted.unreferenced.len(), 2);
}

pub(crate) async fn a_repeated_request_makes_one_checkpoint(store: Store) {
    let from = trained(&store, "acme", "teacher", 1).await;
    let to = model(&store, "acme", "pupil").await;
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let added = AddedCheckpoint { request: request(1), ..copy_of("acme", to.id, from.id, 1) };
        let store = store.clone();
        tasks.spawn(async move { store.add_checkpoint(added).await.unwrap() });
    }
    let made = tasks.join_all().await;
    assert!(made.iter().all(|checkpoint| *checkpoint == made[0]));
    assert_eq!(store.get_model("acme", to.id).await.unwrap().last_step, 1);
    let other = AddedCheckpoint { request: request(2), ..copy_of("acme", to.id, from.id, 1) };
    assert!(matches!(store.add_checkpoint(other).await, Err(StoreError::KeyReused(_))));
    // One that is gone is not made anew by a late repetition.
    store.delete_checkpoints("acme", to.id, &[1], true).await.unwrap();
    let late =
        store.add_checkpoint(AddedCheckpoint { request: request(1), ..copy_of("acme", to.id, from.id, 1) }).await;
    assert!(matches!(late, Err(StoreError::NotFound("checkpoint"))), "{late:?}");
}

pub(crate) async fn crosswise_copies_end(store: Store) {
    let (one, two) = (trained(&store, "acme", "one", 1).await, trained(&store, "acme", "two", 1).await);
    let mut tasks = tokio::task::JoinSet::new();
    for index in 0..40 {
        let (to, from) = if index % 2 == 0 { (one.id, two.id) } else { (two.id, one.id) };
        let store = store.clone();
        tasks.spawn(async move { store.add_checkpoint(copy_of("acme", to, from, 1)).await.unwrap().step });
    }
    let mut steps = tasks.join_all().await;
    steps.sort_unstable();
    assert_eq!(steps, (2..22).flat_map(|step| [step, step]).collect::<Vec<_>>());
}

pub(crate) async fn an_added_checkpoint_may_pass_steps_over(store: Store) {
    let from = trained(&store, "acme", "teacher", 1).await;
    let to = model(&store, "acme", "pupil").await;
    let add = async |min_step: i64| {
        let metadata = Some(format!(r#"{{"least":{min_step}}}"#));
        let added = AddedCheckpoint { min_step, metadata, ..copy_of("acme", to.id, from.id, 1) };
        store.add_checkpoint(added).await.unwrap()
    };
    for (min_step, step) in [(7, 7), (7, 8), (0, 9), (3, 10), (12, 12)] {
        let made = add(min_step).await;
        assert_eq!((made.step, made.metadata), (step, Some(format!(r#"{{"least":{min_step}}}"#))));
        assert_eq!(store.newest_checkpoint("acme", to.id).await.unwrap().map(|newest| newest.step), Some(step));
    }
    assert_eq!(store.get_model("acme", to.id).await.unwrap().last_step, 12);
    // The chain of manifests has no gap where steps were passed over.
    let manifests = store.list_manifests("acme", to.id, 0, 9).await.unwrap();
    assert_eq!(manifests.iter().map(|manifest| manifest.step).collect::<Vec<_>>(), [0, 7, 8, 9, 10, 12]);
    for pair in manifests.windows(2) {
        assert_eq!(pair[1].read().unwrap().previous_sha256.as_ref(), Some(&pair[0].sha256));
    }
}
