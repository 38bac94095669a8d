//! What every implementation of the metadata interface must do, whichever database keeps it.
//!
//! An implementation's tests invoke [`metadata_conformance`] with a function that opens an empty store; the macro makes
//! one test of each rule.

pub(crate) mod batches;
pub(crate) mod comparisons;
pub(crate) mod fair_share;
pub(crate) mod files;
pub(crate) mod fine_tuning;
pub(crate) mod idempotency;
pub(crate) mod jobs;
pub(crate) mod key_limits;
pub(crate) mod lineage;
pub(crate) mod models;
pub(crate) mod others;
pub(crate) mod owners;
pub(crate) mod queue;
pub(crate) mod responses;
pub(crate) mod sessions;
pub(crate) mod steps;
pub(crate) mod workers;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

use super::artifacts::ArtifactId;
use super::metadata::Metadata;
use super::records::{
    AdapterArtifacts, AddedCheckpoint, CheckpointSource, ClaimedJob, JobErrorCode, JobFailure, JobInput, JobKind,
    JobLabels, JobOutcome, JobRecord, ModelCreation, ModelRecord, NewCheckpoint, NewEvent, NewJob, NewModel,
    OptimizerArtifact, Order, Page, PageRequest, Program, Provenance, TrainerKind, WorkerProfile,
};
use trainyard_model_options::{TrainingMethod, WeightFormat};

/// A store that is shared by the tasks of a test.
type Store = Arc<dyn Metadata>;

/// Long enough that no lease of a test runs out by itself.
const LONG: Duration = Duration::from_secs(3600);

/// Makes a test of every rule. `$open` is an `async fn() -> (Guard, Arc<dyn Metadata>)`.
macro_rules! metadata_conformance {
    ($open:path; $($area:ident: $($rule:ident),+;)+) => {$($(
        #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
        async fn $rule() {
            let (_guard, store) = $open().await;
            $crate::conformance::$area::$rule(store).await;
        }
    )+)+};
    ($open:path) => {
        $crate::conformance::metadata_conformance! {
            $open;
            models: parallel_creates_make_one_model, a_name_belongs_to_entity_and_project,
                a_new_model_has_the_base_as_step_0, foreign_models_do_not_exist, checkpoints_page_in_both_orders,
                a_cursor_must_be_of_this_listing, deleting_checkpoints_counts_and_collects,
                a_step_is_never_used_twice, the_newest_checkpoint_is_deleted_only_if_told,
                deleting_a_model_takes_everything_with_it,
                shared_artifacts_outlive_one_of_their_models, a_model_keeps_its_training_method,
                notes_of_a_checkpoint_are_its_owners_and_its_provenance_is_inherited;
            jobs: a_job_reads_back, a_job_needs_a_model_of_its_entity, events_are_gapless_and_idempotent,
                events_page_by_cursor, parallel_appends_make_one_event, the_start_is_recorded_once,
                a_start_outlives_its_checkpoint, a_step_leaves_its_state, a_checkpoint_is_published_once,
                finishing_is_one_transaction, a_failed_job_says_why, metrics_must_be_finite,
                an_ended_job_releases_its_data, equal_data_stays_until_its_last_job_ends,
                only_the_newest_checkpoint_keeps_optimizer_state, a_kept_optimizer_state_stays;
            queue: jobs_of_a_model_run_one_after_the_other, workers_never_share_a_job,
                a_lease_is_lost_to_the_next_claim, a_released_job_can_be_claimed_at_once,
                leases_of_dead_processes_end_at_once, unfinished_jobs_of_an_entity_are_limited,
                waiting_workers_are_notified_of_jobs, a_job_goes_to_a_worker_that_can_compute_it,
                attempts_count_until_something_is_recorded, equal_failures_in_a_row_are_counted,
                a_waiting_worker_hears_of_a_job_at_once, a_lease_that_nobody_renews_ends_whatever_its_deadline_says,
                deleting_a_model_ends_the_lease_of_its_jobs;
            fair_share: an_entity_that_comes_later_is_served_second, entities_take_turns,
                models_of_an_entity_take_turns, a_deleted_model_does_not_reset_the_share,
                excluded_entities_are_left_to_others, excluded_sources_are_left_to_others, every_entity_and_model_starts_within_as_many_starts_as_wait;
            comparisons: a_reference_is_recorded_once, a_reference_outlives_its_checkpoint_and_its_model,
                a_reference_belongs_to_the_entity, reward_deviations_follow_the_jobs_of_a_model;
            idempotency: a_repeated_request_makes_one_job, parallel_repetitions_make_one_job,
                a_key_names_one_request, a_repeated_request_makes_one_model, a_rejected_request_is_not_recorded,
                a_repeated_request_keeps_one_log;
            owners: a_job_says_how_far_it_is, a_running_job_has_the_time_of_its_last_steps, a_running_job_says_for_what_it_waits, jobs_are_listed_by_what_they_are, jobs_of_every_entity_are_listed, a_waiting_job_is_cancelled_once,
                the_owner_of_a_cancelled_job_writes_no_further_rows, jobs_are_named_and_found_by_their_labels,
                models_page_by_project,
                newest_checkpoints_are_of_all_models_of_the_entity;
            files: files_are_listed_by_purpose_and_age, a_file_belongs_to_its_entity, files_of_one_name_are_versions,
                a_repeated_upload_makes_one_file, a_job_keeps_the_content_of_its_file,
                a_deletion_takes_nothing_from_what_is_made_meanwhile, a_deleted_file_feeds_no_job,
                a_job_keeps_its_validation_file,
                a_step_is_copied_with_its_state, the_effect_of_an_adapter_belongs_to_its_content, an_imported_checkpoint_keeps_its_files,
                a_repeated_request_makes_one_checkpoint, crosswise_copies_end,
                an_added_checkpoint_may_pass_steps_over;
            batches: a_batch_reads_back_and_belongs_to_its_entity,
                a_repeated_request_makes_one_batch_and_the_unfinished_are_limited, a_line_is_recorded_once_under_the_lease,
                a_batch_goes_to_the_next_when_its_lease_ends, batches_of_entities_take_turns,
                a_batch_ends_as_its_owner_or_its_file_says, a_batch_is_deleted_with_its_responses, an_expired_file_is_absent;
            fine_tuning: a_model_is_made_with_its_first_job, a_rejected_job_leaves_no_model,
                a_repeated_request_makes_one_model_with_one_job;
            key_limits: limits_of_a_key_read_back_and_change, ends_of_sessions_are_counted, unfinished_jobs_of_a_key_are_limited,
                bytes_of_the_files_of_a_key_are_limited, usage_of_a_key_is_summed_from_a_day_on;
            lineage: manifests_are_one_chain, inputs_of_a_checkpoint_are_kept_with_it,
                artifacts_about_rollouts_are_kept_with_their_data, a_start_that_no_job_made_is_kept,
                a_start_that_another_trainer_or_no_step_made_is_kept;
            responses: a_response_reads_back_and_is_deleted, a_conversation_is_read_from_its_beginning,
                responses_of_another_entity_do_not_exist, expired_responses_do_not_exist, the_oldest_responses_make_room,
                items_are_found_by_id, a_response_in_the_background_ends_once, a_response_whose_process_is_gone_has_failed,
                items_are_kept_in_their_order, chat_completions_are_no_responses, what_is_stored_is_listed_by_age,
                a_replaced_object_counts_with_its_bytes;
            sessions: a_session_is_found_by_its_key_and_its_owner, sessions_are_listed_by_group_and_model,
                generations_are_numbered_and_counted, rewards_replace_each_other, an_expired_session_is_gone;
            steps: steps_of_a_model_are_those_of_its_jobs_in_their_order;
            workers: a_worker_is_listed_with_its_jobs_until_it_leaves, a_job_says_why_it_waits;
            others: keys_read_back_and_are_revoked_for_good, usage_is_summed_per_key_project_and_model,
                training_is_charged_to_the_key_that_asked,
                parallel_usage_is_not_lost, trajectory_logs_keep_their_artifact, references_are_listed_once,
                the_store_says_how_it_is, texts_are_kept_or_rejected;
        }
    };
}
pub(crate) use metadata_conformance;

fn artifact(name: &str) -> ArtifactId {
    ArtifactId::of(name.as_bytes())
}

fn adapter(name: &str) -> AdapterArtifacts {
    AdapterArtifacts { config: artifact(&format!("{name} config")), weights: artifact(&format!("{name} weights")) }
}

fn new_checkpoint(name: &str) -> NewCheckpoint {
    NewCheckpoint {
        metrics: BTreeMap::from([("loss/train".to_owned(), 0.1 + 0.2), ("reward".to_owned(), -1e-300)]),
        adapter: Some(adapter(name)),
        optimizer: Some(OptimizerArtifact { state: artifact(&format!("{name} optimizer")), kind: JobKind::Rl }),
        provenance: Provenance {
            base_sha256: "ab".repeat(32),
            program: Program { version: "1.2.3".to_owned(), instructions: "any".to_owned(), learner: None },
            config: serde_json::json!({ "batch_size": 2, "learning_rate": 1e-5 }),
        },
        ..NewCheckpoint::default()
    }
}

fn new_event(kind: &str, data: &str) -> NewEvent {
    NewEvent { kind: kind.to_owned(), data: data.to_owned() }
}

fn failed(message: &str) -> JobOutcome {
    JobOutcome::Failed(JobFailure { code: JobErrorCode::InvalidTrainingData, message: message.to_owned() })
}

fn page(after: Option<Uuid>, limit: u32, order: Order) -> PageRequest {
    PageRequest { after, limit, order }
}

fn new_model(entity: &str, project: &str, name: &str) -> NewModel {
    NewModel {
        id: Uuid::now_v7(),
        entity: entity.to_owned(),
        project: project.to_owned(),
        name: name.to_owned(),
        base_model: "trainyard/seedling".to_owned(),
        method: TrainingMethod::default(),
        run_id: None,
        provenance: Provenance::default(),
        request: None,
    }
}

async fn model(store: &Store, entity: &str, name: &str) -> ModelRecord {
    match store.create_model(new_model(entity, "project", name)).await.unwrap() {
        ModelCreation::Created(model) => model,
        ModelCreation::Existing(_) => panic!("the name {name} is used twice in one test"),
    }
}

fn new_job(model: &ModelRecord) -> NewJob {
    NewJob {
        key_id: None,
        max_unfinished_jobs: None,
        id: Uuid::now_v7(),
        entity: model.entity.clone(),
        model_id: model.id,
        kind: JobKind::Sft,
        config: r#"{"batch_size":2}"#.to_owned(),
        input: JobInput::Url("https://example.com/data.jsonl".to_owned()),
        validation: None,
        fine_tuning: None,
        labels: JobLabels::default(),
        sampler: None,
        request: None,
    }
}

async fn job(store: &Store, model: &ModelRecord) -> JobRecord {
    store.create_job(new_job(model)).await.unwrap()
}

/// The trainer of most jobs.
const ENGINE: TrainerKind = TrainerKind::Engine(WeightFormat::F32);

/// This trainer for each base model of these tests.
fn trainers(kind: TrainerKind) -> BTreeMap<String, TrainerKind> {
    ["trainyard/seedling", "acme/other"].map(|base| (base.to_owned(), kind)).into()
}

/// A worker that can compute what the jobs of these tests need.
pub(crate) fn worker(owner: &str) -> WorkerProfile {
    WorkerProfile {
        owner: owner.to_owned(),
        trainers: trainers(ENGINE),
        excluded_entities: Vec::new(),
        excluded_sources: Vec::new(),
    }
}

/// A checkpoint of `to` that is a copy of a step of `from`.
fn copy_of(entity: &str, to: Uuid, from: Uuid, step: i64) -> AddedCheckpoint {
    let source = CheckpointSource::Step { model_id: from, step };
    let provenance = new_checkpoint("copied").provenance;
    AddedCheckpoint {
        id: Uuid::now_v7(),
        entity: entity.to_owned(),
        model_id: to,
        min_step: 0,
        metadata: None,
        source,
        provenance,
        request: None,
    }
}

/// Adds an hour to every recorded time of the jobs, as if the clock had been set back by an hour since.
pub(crate) const SET_JOBS_AHEAD: [&str; 2] = [
    "UPDATE jobs SET created_at = created_at + 3600000, started_at = started_at + 3600000,
         ended_at = ended_at + 3600000",
    "UPDATE events SET created_at = created_at + 3600000",
];

async fn claim(store: &Store) -> ClaimedJob {
    store.claim_next(&worker("worker"), LONG).await.unwrap().expect("a job is waiting")
}

/// A model that has been trained `jobs` times, each job's checkpoint made of artifacts named after its step.
async fn trained(store: &Store, entity: &str, name: &str, jobs: i64) -> ModelRecord {
    let model = model(store, entity, name).await;
    for step in 1..=jobs {
        job(store, &model).await;
        let claimed = claim(store).await;
        assert_eq!(claimed.job.model_id, model.id);
        store.record_start(&claimed.lease, Some(artifact(&format!("{entity} {name} data")))).await.unwrap();
        store.record_trainer(&claimed.lease, ENGINE).await.unwrap();
        let checkpoint = new_checkpoint(&format!("{entity} {name} {step}"));
        let ended = Some(new_event("training_ended", "{}"));
        store.finish_job(&claimed.lease, JobOutcome::Succeeded, Some(checkpoint), ended).await.unwrap();
    }
    store.get_model(entity, model.id).await.unwrap()
}

/// Follows a listing page by page, as a client does.
async fn follow<T, F>(mut ask: F, cursor: fn(&T) -> Uuid) -> Vec<Vec<T>>
where
    F: AsyncFnMut(Option<Uuid>) -> Page<T>,
{
    let mut pages = Vec::new();
    let mut after = None;
    loop {
        let page = ask(after).await;
        after = page.items.last().map(cursor);
        pages.push(page.items);
        if !page.has_more {
            return pages;
        }
    }
}
