//! Servers and workers that share a database and a bucket over networks that fail: whatever happens, the recorded history
//! of all clients obeys the rules of [`checker`].

mod checker;
mod clients;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::{join, join_all};
use trainyard::server::open_metadata;
use trainyard::store::records::{JobKind, JobStatus};
use uuid::Uuid;

use self::checker::{Response, check};
use self::clients::Records;
use crate::job::{ENTITY, Kind, end_of, ended, template};
use crate::link::{Link, State};
use crate::scaled::Storage;
use crate::server::{Server, Start, Task, binary};
use crate::time_limits::Limited;
use crate::{Random, figure, scale};

const CLIENTS: usize = 6;
/// Requests of each client.
const OPERATIONS: usize = 200;
const SERVERS: usize = 2;
const WORKERS: usize = 3;
/// Longest time until every job has ended, once the network is whole.
const END_TIME: Duration = Duration::from_secs(300);
/// A lease lasts 15 s: a worker that is cut off longer loses its job.
const LEASE_LOSS: Duration = Duration::from_secs(18);

/// A process with its links to the database and the bucket.
struct Node {
    process: Server,
    links: [Link; 2],
    directory: tempfile::TempDir,
}

impl Node {
    async fn start(storage: &Storage, task: Task) -> Self {
        let links = [Link::to(storage.postgres).await, Link::to(storage.s3).await];
        let environment = storage.environment(links[0].address, links[1].address);
        let directory = tempfile::tempdir().expect("a temporary directory");
        let start = Start { task, environment: &environment, ..Default::default() };
        let process = Server::ready(&directory.path().join("data"), &template().await.directory, &start);
        Self { process, links, directory }
    }
}

fn node_links(nodes: &[Node]) -> Vec<&Link> {
    nodes.iter().flat_map(|node| &node.links).collect()
}

/// Cuts and stalls one of the links after the other until it is told to end; how often. Every fifth time for `longest`.
async fn disturb(links: &[&Link], longest: Duration, over: &AtomicBool, mut random: Random) -> usize {
    let mut faults = 0;
    while !over.load(Ordering::Relaxed) {
        let link = links[random.below(links.len())];
        link.set([State::Cut, State::Stalled][random.below(2)]);
        faults += 1;
        let time = if faults % 5 == 3 { longest } else { Duration::from_millis(5 + random.below(300) as u64) };
        let begun = Instant::now();
        while begun.elapsed() < time && !over.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        link.set(State::Open);
        tokio::time::sleep(Duration::from_millis(random.below(300) as u64)).await;
    }
    faults
}

fn address(root: &str) -> SocketAddr {
    root.trim_start_matches("http://").parse().expect("an address")
}

/// Whether the last of these events ends a job.
fn is_over(events: &[String]) -> bool {
    let last = events.last().map(|event| serde_json::from_str(event).expect("an event is JSON"));
    end_of(&Vec::from_iter(last)).is_some()
}

/// How often each job's checkpoint was published, by the logs of all workers.
fn published(logs: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for line in logs.lines().filter(|line| line.contains("checkpoint published")) {
        let job = line.split_once("job{id=").and_then(|(_, rest)| rest.split([' ', '}']).next()).expect("a job");
        *counts.entry(job.to_owned()).or_default() += 1;
    }
    counts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_history_of_a_disturbed_service_obeys_the_rules() {
    let template = template().await;
    let mut random = Random::new(10);
    let storage = Storage::new().await;
    let directory = tempfile::tempdir().expect("a temporary directory");
    let created = std::process::Command::new(binary())
        .args(["keys", "create", "--entity", ENTITY, "--data-dir"])
        .arg(directory.path())
        .envs(storage.environment(storage.postgres, storage.s3))
        .output_limited();
    let key = String::from_utf8(created.stdout).expect("text").trim().to_owned();
    let servers = join_all((0..SERVERS).map(|_| Node::start(&storage, Task::Serve))).await;
    let workers = join_all((0..WORKERS).map(|_| Node::start(&storage, Task::Work))).await;
    let fronts = join_all(servers.iter().map(|server| Link::to(address(&server.process.root)))).await;
    let roots = fronts.iter().map(|link| format!("http://{}", link.address)).collect();
    let records = Records::new(template, roots, &key);

    let over = AtomicBool::new(false);
    let clients = (0..CLIENTS).map(|client| {
        let mut random = Random::new(100 + client as u64);
        let records = &records;
        async move { records.operate(client, OPERATIONS * scale(), &mut random).await }
    });
    let operating = async {
        join_all(clients).await;
        over.store(true, Ordering::Relaxed);
    };
    let disturbing = [
        (fronts.iter().collect(), Duration::from_secs(2)),
        (node_links(&servers), Duration::from_secs(6)),
        (node_links(&workers), LEASE_LOSS),
    ];
    let disturbing = disturbing
        .iter()
        .zip(200..)
        .map(|((links, longest), number)| disturb(links, *longest, &over, Random::new(number)));
    let ((), faults) = join(operating, join_all(disturbing)).await;
    let faults = faults.into_iter().sum::<usize>();

    records.settle(&mut random).await;
    let begun = Instant::now();
    for job in records.jobs() {
        loop {
            match records.events(&job, &mut random).await {
                Response::Absent => break,
                Response::Events(events) if is_over(&events) => break,
                _ => {}
            }
            assert!(begun.elapsed() < END_TIME, "job {job} does not end: {}", workers[0].process.log());
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    let listed = records.read_all(&mut random).await;
    let logs: Vec<String> = servers.iter().chain(&workers).map(|node| node.process.log()).collect();
    let logs = logs.join("\n");
    assert!(!logs.contains("panicked"), "{logs}");
    for node in servers.into_iter().chain(workers) {
        assert!(node.process.stop().success(), "{logs}");
        drop(node.directory);
    }

    let history = records.history();
    let deviations = check(&history, &listed);
    assert!(deviations.is_empty(), "{} deviations: {deviations:#?}", deviations.len());
    for (job, times) in published(&logs) {
        assert_eq!(times, 1, "job {job} was published {times} times");
    }
    let database = storage.database(storage.postgres).parse().expect("an address");
    let metadata = open_metadata(directory.path(), Some(&database)).await.expect("the database opens");
    let mut ends = Vec::new();
    for job in records.jobs().iter().filter(|job| listed.contains(*job)) {
        ends.push((job.clone(), ended(&*metadata, job).await));
    }
    let mut siblings: BTreeMap<Uuid, usize> = BTreeMap::new();
    for (_, (record, _)) in &ends {
        *siblings.entry(record.model_id).or_default() += 1;
    }
    let mut succeeded = 0;
    for (job, (record, outcome)) in ends {
        assert!(matches!(record.status, JobStatus::Succeeded | JobStatus::Cancelled), "{job}: {:?}", record.error);
        if record.status == JobStatus::Succeeded {
            succeeded += 1;
            let expected = template.expected(if record.kind == JobKind::Rl { Kind::Rl } else { Kind::Sft });
            assert_eq!(outcome.events.len(), expected.events.len(), "{job}: {:?}", outcome.events);
            // Other jobs may start from its checkpoint, and somebody may have deleted it.
            if siblings[&record.model_id] == 1 && outcome.adapter.is_some() {
                assert_eq!(&outcome, expected, "{job}");
            }
        }
    }
    let check = std::process::Command::new(binary())
        .args(["fsck", "--data-dir"])
        .arg(directory.path())
        .envs(storage.environment(storage.postgres, storage.s3))
        .output_limited();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
    figure("requests in a checked history, PostgreSQL and S3", history.len());
    figure("cut or stalled network links, PostgreSQL and S3", faults);
    let claims = logs.matches("job claimed").count();
    let unknown = history.iter().filter(|entry| entry.response == Response::Unknown).count();
    println!(
        "{} requests, {unknown} without an answer, {faults} faults of the network, {succeeded} jobs succeeded in {claims} \
         claims: no deviation",
        history.len()
    );
    assert!(unknown > 0 && succeeded > 0, "{unknown} requests without an answer, {succeeded} jobs");
}
