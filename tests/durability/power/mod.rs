//! Power cuts: what a client was told outlives the loss of everything that was not synced.
//!
//! strace records each change of the files below the data directory, with its bytes, and each answer that the server
//! sent. A replay stops anywhere, leaves on a directory what a disk may have kept of it, and starts the program there.

mod disk;
mod trace;
mod workload;

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::time::Instant;

use futures_util::FutureExt;
use serde_json::json;
use trainyard::store::records::JobStatus;
use trainyard::store::sqlite::SqliteMetadata;

use self::disk::{Disk, Ignores, NOTHING, Survivors};
use self::workload::{Fact, Workload, run, sha256};
use crate::job::{Client, JOB_TIME, Template, check_artifacts, check_database, end_of, ended, template};
use crate::server::Server;
use crate::{Random, figure, scale};

pub(crate) use trace::options;

/// Power cuts of one recording.
const CUTS: usize = 40;
/// Images that are started at once.
const WIDTH: usize = 2;

/// Replays a recording and leaves an image of each cut: a position, and what survives.
fn images(workload: &Workload, ignores: Ignores, cuts: &[(usize, Survivors)], random: &mut Random, target: &Path) {
    let calls = &workload.recording.calls;
    let mut moments: Vec<(usize, bool, usize)> = Vec::new();
    for (number, call) in calls.iter().enumerate() {
        moments.extend([(call.entered, false, number), (call.returned, true, number)]);
    }
    moments.sort_unstable();
    let mut moments = moments.into_iter().peekable();
    let mut disk = Disk::new(&workload.disk, ignores);
    for (index, (position, survivors)) in cuts.iter().enumerate() {
        while let Some((_, returns, number)) = moments.next_if(|(at, ..)| at < position) {
            if returns { disk.leave(number, &calls[number]) } else { disk.enter(number, &calls[number]) }
        }
        disk.cut(*survivors, random, &target.join(index.to_string()));
    }
}

/// Positions and survivors of `count` cuts, in order: half of them right after an acknowledgement.
fn choose(workload: &Workload, count: usize, random: &mut Random) -> Vec<(usize, Survivors)> {
    let acknowledged = workload.acknowledgements();
    let mut cuts: Vec<(usize, Survivors)> = (0..count)
        .map(|number| {
            let position = match number % 2 {
                0 => acknowledged[random.below(acknowledged.len())],
                _ => random.below(workload.recording.length + 1),
            };
            let survivors = [Survivors::None, Survivors::Random, Survivors::Oldest, Survivors::Random, Survivors::All];
            (position, survivors[random.below(survivors.len())])
        })
        .collect();
    cuts.sort_by_key(|(position, _)| *position);
    cuts
}

/// Starts the program on an image and checks that everything is there that was acknowledged. The number of facts.
async fn recover(template: &Template, workload: &Workload, image: &Path, position: usize, what: &str) -> usize {
    let data = image.join("data");
    let mut server = Server::ready(&data, &template.directory, &crate::server::Start::default());
    let client = Client::new(&workload.key);
    let facts: Vec<&Fact> = workload.known(position).collect();
    for fact in &facts {
        check(fact, &client, &server.root, image, what).await;
    }
    // A job may be stored although the cut came before its answer; the server runs it all the same.
    let begun = Instant::now();
    for (id, _) in &workload.jobs {
        let is_told = facts.iter().any(|fact| matches!(fact, Fact::Job { id: told, .. } if told == id));
        loop {
            let events = client.events(&server.root, id).await;
            assert!(events.is_some() || !is_told, "{what}: job {id} has no events");
            if events.is_none_or(|events| end_of(&events).is_some()) {
                break;
            }
            assert!(server.runs() && begun.elapsed() < JOB_TIME, "{what}: job {id} does not end: {}", server.log());
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
    let log = server.log();
    assert!(server.stop().success() && !log.contains("panicked"), "{what}: {log}");
    let (whole, words) = run(&["fsck"], &data);
    assert!(whole, "{what}: {words}");
    let jobs = check_database(&data).await;
    let metadata = SqliteMetadata::open(&data.join("trainyard.db")).await.expect("the database opens");
    for job in &jobs {
        check_job(workload, template, &metadata, job, what).await;
    }
    check_artifacts(&data, &metadata).await;
    metadata.close().await;
    facts.len()
}

/// Checks that a job has ended as if there had been no power cut.
async fn check_job(workload: &Workload, template: &Template, metadata: &SqliteMetadata, job: &str, what: &str) {
    let (record, outcome) = ended(metadata, job).await;
    let Some((_, kind)) = workload.jobs.iter().find(|(id, _)| id == job) else { return };
    assert_eq!(record.status, JobStatus::Succeeded, "{what}: {:?}", record.error);
    let expected = template.expected(*kind);
    assert_eq!(outcome.events, expected.events, "{what}: job {job}");
    // Its checkpoint may have been deleted; the facts tell.
    assert!(outcome.adapter.is_none() || outcome == *expected, "{what}: job {job}: {outcome:?}");
}

/// Checks one fact.
async fn check(fact: &Fact, client: &Client, root: &str, image: &Path, what: &str) {
    let get = async |path: String| client.call("GET", &format!("{root}{path}"), None).await.expect("an answer");
    let steps = async |model: &str| {
        let (status, page) = get(format!("/v1/preview/models/{model}/checkpoints?limit=100")).await;
        assert_eq!(status, 200, "{what}: {page}");
        let steps = page["data"].as_array().expect("a page").iter().filter_map(|item| item["step"].as_i64());
        steps.collect::<Vec<_>>()
    };
    match fact {
        Fact::Key => assert_eq!(get("/v1/files".to_owned()).await.0, 200, "{what}: {fact:?}"),
        Fact::Model(id) => assert!(steps(id).await.contains(&0), "{what}: {fact:?}"),
        Fact::NoModel(id) => {
            assert_eq!(get(format!("/v1/preview/models/{id}/checkpoints")).await.0, 404, "{what}: {fact:?}");
        }
        Fact::File { id, content } => {
            let stored = client.bytes(&format!("{root}/v1/files/{id}/content")).await;
            assert_eq!(stored.map(|bytes| sha256(&bytes)), Some(*content), "{what}: file {id}");
        }
        Fact::NoFile(id) => assert_eq!(get(format!("/v1/files/{id}")).await.0, 404, "{what}: {fact:?}"),
        Fact::Job { path, body, key, id } => {
            let (status, job) = client.create(&format!("{root}{path}"), body, key).await.expect("an answer");
            assert!(status < 300 && job["id"] == json!(id), "{what}: {fact:?}: {status} {job}");
        }
        Fact::Events { job, events } => {
            let now = client.events(root, job).await.unwrap_or_default();
            assert!(now.starts_with(events), "{what}: told {events:?}, now {now:?}");
        }
        Fact::Cancelled(id) => {
            let job = get(format!("/v1/preview/training-jobs/{id}")).await.1;
            assert_eq!(job["status"], "cancelled", "{what}: {job}");
        }
        Fact::Checkpoint { model, step, weights } => {
            let url = format!("{root}/v1/preview/models/{model}/checkpoints/{step}/files/adapter_model.safetensors");
            let stored = client.bytes(&url).await;
            assert_eq!(stored.map(|bytes| sha256(&bytes)), Some(*weights), "{what}: {fact:?}");
        }
        Fact::NoCheckpoint { model, step } => assert!(!steps(model).await.contains(step), "{what}: {fact:?}"),
        Fact::Backup(path) => {
            let restored = image.join("restored");
            let (whole, words) = run(&["restore", image.join(path).to_str().expect("text")], &restored);
            assert!(whole, "{what}: {words}");
        }
    }
}

#[tokio::test]
async fn acknowledged_requests_survive_a_power_cut() {
    let template = template().await;
    let mut random = Random::new(7);
    let (mut checked, mut cuts) = (0, 0);
    for _ in 0..scale() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let workload = Workload::record(template, directory.path()).await;
        replays_to_the_same_files(&workload, directory.path());
        let chosen = choose(&workload, CUTS, &mut random);
        let place = directory.path().join("images");
        images(&workload, NOTHING, &chosen, &mut random, &place);
        let numbered: Vec<_> = chosen.iter().enumerate().collect();
        for some in numbered.chunks(WIDTH) {
            let recoveries = some.iter().map(async |(index, (position, survivors))| {
                let what = format!("cut at {position} of {}, {survivors:?} survive", workload.recording.length);
                let image = place.join(index.to_string());
                let facts = recover(template, &workload, &image, *position, &what).await;
                std::fs::remove_dir_all(&image).expect("the image is removed");
                facts
            });
            checked += futures_util::future::join_all(recoveries).await.into_iter().sum::<usize>();
            cuts += some.len();
        }
    }
    figure("power cuts, SQLite and a local directory", cuts);
    println!("{cuts} power cuts, {checked} acknowledged facts checked, none lost");
    assert!(checked > 10 * cuts, "hardly anything was acknowledged: {checked}");
}

#[tokio::test]
async fn unsynced_writes_of_a_killed_server_are_synced_before_they_are_read() {
    let template = template().await;
    for syncs in 10..10 + 3 * scale() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let workload = Workload::record_kill(template, directory.path(), syncs).await;
        replays_to_the_same_files(&workload, directory.path());
        let position = workload.acknowledgements().into_iter().last().expect("an acknowledgement");
        let place = directory.path().join("images");
        images(&workload, NOTHING, &[(position, Survivors::None)], &mut Random::new(11), &place);
        let what = format!("killed before sync {syncs}, cut after the answer of the next server");
        recover(template, &workload, &place.join("0"), position, &what).await;
    }
    figure("kills followed by a power cut, SQLite", 3 * scale());
}

/// Checks that the recording misses no change: with all of them the files are those of the real directory.
fn replays_to_the_same_files(workload: &Workload, directory: &Path) {
    let end = [(workload.recording.length + 1, Survivors::All)];
    images(workload, NOTHING, &end, &mut Random::new(8), &directory.join("end"));
    let (real, replayed) = (files(&workload.disk), files(&directory.join("end").join("0")));
    assert_eq!(real.keys().collect::<Vec<_>>(), replayed.keys().collect::<Vec<_>>());
    for (name, content) in real {
        let is_known = !workload.recording.uncertain.contains(&workload.disk.join(&name));
        assert!(!is_known || replayed[&name] == content, "{name} has other bytes in the replay");
    }
}

/// The files below a directory, without those of SQLite's shared memory.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(directory).expect("a directory") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("a name");
        if entry.file_type().expect("a type").is_dir() {
            found.extend(files(&entry.path()).into_iter().map(|(below, content)| (format!("{name}/{below}"), content)));
        } else if !name.ends_with("-shm") {
            found.insert(name, std::fs::read(entry.path()).expect("a file"));
        }
    }
    found
}

#[tokio::test]
async fn a_disk_that_ignores_syncs_is_found_out() {
    let template = template().await;
    let directory = tempfile::tempdir().expect("a temporary directory");
    let workload = Workload::record(template, directory.path()).await;
    // Before the last one: the backup reads the database, which brings SQLite's log to its end.
    let position = workload.acknowledgements().into_iter().rev().nth(1).expect("many acknowledgements");
    let cut = [(position, Survivors::None)];
    let bad: [(&str, Ignores); 6] = [
        ("any file", |_, is_directory| !is_directory),
        ("any directory", |_, is_directory| is_directory),
        ("the directory above the data", |path, _| path.ends_with("disk")),
        ("SQLite's log", |path, _| path.to_string_lossy().ends_with("-wal")),
        ("an artifact", |path, is_directory| !is_directory && path.iter().any(|name| name == "sha256")),
        ("directories of artifacts", |path, is_directory| is_directory && path.iter().any(|name| name == "sha256")),
    ];
    for (number, (what, ignores)) in bad.into_iter().enumerate() {
        let place = directory.path().join(format!("bad-{number}"));
        images(&workload, ignores, &cut, &mut Random::new(9), &place);
        let recovery = async { recover(template, &workload, &place.join("0"), position, what).await };
        let lost = AssertUnwindSafe(recovery).catch_unwind().await.is_err();
        assert!(lost, "a disk that ignores the sync of {what} loses nothing");
    }
}
