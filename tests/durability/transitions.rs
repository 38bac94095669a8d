//! Every transition of a model, a checkpoint, a file and a job, and what happens when it is cut off at each of its durable calls:
//! it is made wholly or not at all, an acknowledged one stays, and the same request can be sent again.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::job::{Client, Kind, Over, Round, check_database, end_of, template};
use crate::scale;
use crate::server::{Fault, Server};

/// A change of state, who makes it, and the tests that fail it on its way.
struct Transition {
    object: &'static str,
    from: &'static str,
    to: &'static str,
    /// Methods of the metadata store that make it.
    methods: &'static [&'static str],
    /// Names of tests beside this file.
    cases: &'static [&'static str],
}

const MODEL_REQUESTS: &str = "a_request_that_is_cut_off_changes_a_model_wholly_or_not_at_all";
const JOB_REQUESTS: &str = "a_request_that_is_cut_off_changes_a_job_or_file_wholly_or_not_at_all";
const KILLS: &str = "a_job_killed_at_any_durable_call_ends_with_the_same_bytes";
const CHAINS: &str = "a_job_killed_again_while_it_recovers_ends_with_the_same_bytes";
const ERRORS: &str = "one_failing_call_neither_loses_nor_ends_a_job";
const FROZEN: &str = "an_owner_that_wakes_after_a_takeover_writes_nothing";
const TAKEOVERS: &str = "a_job_of_a_lost_worker_goes_to_another";
const CLOCKS: &str = "a_clock_that_is_set_holds_no_job_up_and_spoils_none";
const SCALED_KILLS: &str = "a_killed_worker_of_a_shared_database_leaves_the_same_bytes";
const SCALED_FROZEN: &str = "an_owner_frozen_in_a_transaction_holds_up_nobody_and_writes_nothing";
const CLIENTS: &str = "acknowledged_requests_survive_a_kill";
const RELEASES: &str = "a_server_killed_while_it_stops_leaves_the_job_to_the_next";
const BATCHES: &str = "a_batch_killed_again_and_again_has_each_line_once";
const FAILURES: &str = "a_job_that_fails_while_its_process_is_killed_fails_once";

const TRANSITIONS: &[Transition] = &[
    Transition {
        object: "model",
        from: "absent",
        to: "present",
        methods: &["create_model"],
        cases: &[MODEL_REQUESTS, CLIENTS],
    },
    Transition {
        object: "model",
        from: "present",
        to: "absent",
        methods: &["delete_model"],
        cases: &[MODEL_REQUESTS, CLIENTS],
    },
    Transition {
        object: "model",
        from: "present",
        to: "with logged trajectories",
        methods: &["add_trajectory_log"],
        cases: &[MODEL_REQUESTS],
    },
    Transition {
        object: "checkpoint",
        from: "absent",
        to: "of step 0",
        methods: &["create_model"],
        cases: &[MODEL_REQUESTS],
    },
    Transition {
        object: "checkpoint",
        from: "absent",
        to: "published",
        methods: &["finish_job", "publish_checkpoint"],
        cases: &[KILLS, CHAINS, ERRORS],
    },
    Transition {
        object: "checkpoint",
        from: "absent",
        to: "copied or imported",
        methods: &["add_checkpoint"],
        cases: &[MODEL_REQUESTS],
    },
    Transition {
        object: "checkpoint",
        from: "published",
        to: "with other notes",
        methods: &["set_checkpoint_metadata"],
        cases: &[MODEL_REQUESTS],
    },
    Transition { object: "file", from: "absent", to: "present", methods: &["create_file"], cases: &[JOB_REQUESTS] },
    Transition { object: "file", from: "present", to: "absent", methods: &["delete_file"], cases: &[JOB_REQUESTS] },
    Transition {
        object: "checkpoint",
        from: "published",
        to: "without its optimizer's state",
        methods: &["finish_job"],
        cases: &[KILLS],
    },
    Transition {
        object: "checkpoint",
        from: "published",
        to: "absent",
        methods: &["delete_checkpoints", "delete_model"],
        cases: &[MODEL_REQUESTS],
    },
    Transition {
        object: "job",
        from: "absent",
        to: "queued",
        methods: &["create_job", "create_model_with_job"],
        cases: &[JOB_REQUESTS, CLIENTS, KILLS, ERRORS],
    },
    Transition {
        object: "job",
        from: "queued",
        to: "with labels",
        methods: &["set_job_labels"],
        cases: &[JOB_REQUESTS],
    },
    Transition { object: "job", from: "queued", to: "running", methods: &["claim_next"], cases: &[KILLS, ERRORS] },
    Transition {
        object: "job",
        from: "running",
        to: "running with its start",
        methods: &["record_start", "record_reference", "record_reward_deviation", "record_rollouts"],
        cases: &[KILLS, ERRORS],
    },
    Transition {
        object: "job",
        from: "running",
        to: "running with an event",
        methods: &["append_event"],
        cases: &[KILLS, ERRORS, FROZEN],
    },
    Transition {
        object: "job",
        from: "running",
        to: "running behind a step",
        methods: &["record_step"],
        cases: &[KILLS, CHAINS, ERRORS, FROZEN],
    },
    Transition {
        object: "job",
        from: "running",
        to: "running with a later deadline",
        methods: &["heartbeat"],
        cases: &[FROZEN, CLOCKS],
    },
    Transition {
        object: "job",
        from: "running",
        to: "running with a kind of trainer",
        methods: &["record_trainer"],
        cases: &[KILLS, ERRORS],
    },
    Transition {
        object: "job",
        from: "running",
        to: "running after a failure",
        methods: &["note_failure"],
        cases: &[FAILURES],
    },
    Transition {
        object: "job",
        from: "running",
        to: "queued by its owner",
        methods: &["release_job"],
        cases: &[RELEASES],
    },
    Transition {
        object: "job",
        from: "running",
        to: "running for another owner",
        methods: &["expire_leases_of_other_owners", "claim_next"],
        cases: &[CHAINS, FROZEN, TAKEOVERS, CLOCKS, SCALED_KILLS, SCALED_FROZEN],
    },
    Transition {
        object: "job",
        from: "running",
        to: "succeeded",
        methods: &["finish_job"],
        cases: &[KILLS, ERRORS, FROZEN],
    },
    Transition { object: "job", from: "running", to: "failed", methods: &["finish_job"], cases: &[FAILURES] },
    Transition {
        object: "job",
        from: "queued or running",
        to: "cancelled",
        methods: &["cancel_job"],
        cases: &[JOB_REQUESTS],
    },
    Transition {
        object: "job",
        from: "any",
        to: "absent",
        methods: &["delete_model"],
        cases: &[MODEL_REQUESTS, CLIENTS],
    },
    Transition {
        object: "batch",
        from: "absent",
        to: "ended, line by line",
        methods: &[
            "create_batch",
            "claim_batch",
            "start_batch",
            "record_batch_line",
            "renew_batch",
            "finalize_batch",
            "end_batch",
        ],
        cases: &[BATCHES],
    },
];

/// Methods of the store that change no model, checkpoint, file or job.
const OTHER_METHODS: &[&str] = &[
    "create_key",
    "list_keys",
    "revoke_key",
    "find_key_by_hash",
    "touch_key",
    "get_key",
    "find_idempotent_result",
    "get_model",
    "find_model",
    "list_models",
    "list_newest",
    "list_checkpoints",
    "newest_checkpoint",
    "checkpoint_at_step",
    "get_checkpoint",
    "find_file",
    "get_file",
    "list_files",
    "get_job",
    "get_job_state",
    "list_jobs",
    "page_models",
    "list_events",
    "add_usage",
    "list_usage",
    "list_daily_usage",
    "unreferenced_artifacts",
    "artifact_references",
    "wait_for_job",
    "count_jobs_for_others",
    "note_waiting",
    "ping",
    "close",
    "queue_depth",
    "list_manifests",
    "adapter_effect",
    "get_trajectory_log",
    "list_all_jobs",
    "list_job_steps",
    "list_steps",
    "list_trajectory_logs",
    "list_workers",
    "report_worker",
    "remove_worker",
    "unfinished_jobs_of_key",
    "reward_deviations",
    "set_key_limits",
    "end_sessions",
    "revoked_keys",
    "used_tokens",
    "stored_bytes",
    "get_batch",
    "list_batches",
    "recorded_batch_lines",
    "read_batch_lines",
    // One statement, which a kill leaves undone or done.
    "cancel_batch",
    "delete_batch",
    "release_batch",
    "delete_expired_files",
    "create_session",
    "find_session_by_key",
    "get_session",
    "list_sessions",
    "delete_session",
    "reward_session",
    "add_generation",
    "list_generations",
    "next_generation",
    "session_bytes",
    "delete_expired_sessions",
    "cancel_response",
    "delete_response",
    "expire_responses",
    "find_response_items",
    "finish_response",
    "get_response",
    "list_responses",
    "renew_response",
    "replace_response_object",
    "store_response",
    "stored_conversation",
];

#[test]
fn every_transition_has_a_test_that_fails_it() {
    let traits = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/store/src/metadata");
    let metadata: String = std::fs::read_dir(traits)
        .expect("the directory of the metadata traits")
        .map(|file| std::fs::read_to_string(file.expect("an entry").path()).expect("a source file"))
        .collect();
    let after = |line: &str, start: &str| {
        let name = line.trim().strip_prefix(start)?;
        Some(name[..name.find(['(', '<'])?].to_owned())
    };
    let methods: BTreeSet<String> = metadata.lines().filter_map(|line| after(line, "async fn ")).collect();
    let mut named: BTreeSet<String> = OTHER_METHODS.iter().map(ToString::to_string).collect();
    let sources = [
        "batches",
        "clients",
        "clocks",
        "disk",
        "errors",
        "frozen",
        "kills",
        "requests",
        "scaled",
        "takeover",
        "transitions",
    ]
    .map(|name| std::fs::read_to_string(format!("{}/tests/durability/{name}.rs", env!("CARGO_MANIFEST_DIR"))));
    let sources: String = sources.map(|source| source.expect("a source file")).concat();
    let mut tests = BTreeSet::new();
    let mut lines = sources.lines();
    while let Some(line) = lines.next() {
        if line == "#[tokio::test]" {
            tests.extend(lines.next().and_then(|line| after(line, "async fn ")));
        }
    }
    for Transition { object, from, to, methods, cases } in TRANSITIONS {
        assert!(!cases.is_empty(), "nothing fails the transition of a {object} from {from} to {to}");
        for case in *cases {
            assert!(tests.contains(*case), "a {object} from {from} to {to}: there is no test {case}");
        }
        named.extend(methods.iter().map(ToString::to_string));
    }
    let unnamed: Vec<_> = methods.difference(&named).collect();
    assert!(unnamed.is_empty(), "say in this table what these methods of the store change: {unnamed:?}");
    let gone: Vec<_> = named.difference(&methods).collect();
    assert!(gone.is_empty(), "the store has no such methods any more: {gone:?}");
}

#[tokio::test]
async fn a_server_killed_while_it_stops_leaves_the_job_to_the_next() {
    let template = template().await;
    let mut kills = 0;
    for k in (1..60).step_by(if scale() > 1 { 1 } else { 4 }) {
        let mut round = Round::new(template, Kind::Sft);
        let mut server = round.serve();
        let root = server.root.clone();
        while round.told.len() < 2 {
            let over = round.follow(&mut server, &root, Duration::from_millis(1)).await;
            assert!(over == Over::Time || over == Over::JobEnded, "{over:?}: {}", server.log());
        }
        server.signal(Signal::STOP);
        let tracer = server.disturb(&Fault::kill("pwrite64", k));
        server.signal(Signal::TERM);
        server.signal(Signal::CONT);
        let begun = Instant::now();
        while server.runs() {
            assert!(begun.elapsed() < Duration::from_secs(30), "it does not stop: {}", server.log());
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        drop(tracer);
        let killed = server.was_killed();
        round.log += &server.log();
        round.finish().await;
        round.verify(&format!("killed at pwrite64 {k} while it stopped")).await;
        if !killed {
            break;
        }
        kills += 1;
    }
    println!("{kills} points");
    assert!(kills > 0, "a server that stops writes that it gives the job back");
}

#[tokio::test]
async fn a_job_that_fails_while_its_process_is_killed_fails_once() {
    let template = template().await;
    let mut kills = 0;
    for calls in ["pwrite64", "fsync,fdatasync", "?rename,?renameat"] {
        for k in (1..100).step_by(if scale() > 1 { 1 } else { 4 }) {
            let directory = template.copy();
            let data = directory.path().join("data");
            let mut server = Server::undisturbed(&data, &template.directory);
            let http = Client::new(&template.key);
            let tracer = server.disturb(&Fault::kill(calls, k));
            let (path, body) = template.supervised(&template.models[0], "bad.jsonl");
            let created = http.call("POST", &format!("{}{path}", server.root), Some(&body)).await;
            let job = match created {
                Ok((status, job)) => {
                    assert!(status < 300, "{status} {job}");
                    job["id"].as_str().map(str::to_owned)
                }
                Err(_) => None,
            };
            let failed = async |server: &mut Server| {
                let begun = Instant::now();
                let Some(job) = &job else {
                    // No answer: the process is being killed.
                    while server.runs() {
                        assert!(begun.elapsed() < Duration::from_secs(10), "no answer: {}", server.log());
                        tokio::time::sleep(Duration::from_millis(2)).await;
                    }
                    return false;
                };
                while server.runs() {
                    let events = http.events(&server.root, job).await.unwrap_or_default();
                    if end_of(&events) == Some("training_failed") {
                        assert_eq!(events.len(), 1, "{events:?}");
                        return true;
                    }
                    assert!(begun.elapsed() < Duration::from_secs(60), "it does not fail: {}", server.log());
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                false
            };
            let alive = failed(&mut server).await;
            drop(tracer);
            server.kill();
            let mut server = Server::undisturbed(&data, &template.directory);
            assert!(job.is_none() || failed(&mut server).await, "{calls} {k}: it does not end");
            server.kill();
            check_database(&data).await;
            if alive {
                break;
            }
            kills += 1;
        }
    }
    println!("{kills} points");
    assert!(kills > 0);
}
