//! A worker that is frozen while another takes its job over writes nothing any more when it wakes.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use rustix::process::Signal;
use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use trainyard::store::{metadata::Jobs, records::JobStatus};

use crate::{
    Random,
    job::{ENTITY, Kind, Over, Round, template},
    scale,
    server::Server,
};

/// Longest time until the other worker has the job and has ended it: a lease lasts 15 s.
const TAKEOVER_TIME: Duration = Duration::from_secs(90);
/// Rounds at once.
const WIDTH: usize = 5;

/// Whether a frozen process is in the middle of a write to the database, which would keep every other one out.
async fn is_writing(data: &Path) -> bool {
    let options =
        SqliteConnectOptions::new().filename(data.join("trainyard.db")).busy_timeout(Duration::from_millis(0));
    let mut connection = SqliteConnection::connect_with(&options).await.expect("the database opens");
    let begun = sqlx::query("BEGIN IMMEDIATE").execute(&mut connection).await;
    if begun.is_ok() {
        sqlx::query("ROLLBACK").execute(&mut connection).await.expect("it ends");
    }
    connection.close().await.expect("the database closes");
    begun.is_err()
}

/// Freezes a process between its writes to a SQLite database: in the middle of one it would keep every other process out
/// for as long as it is frozen. Rows elsewhere need no such care.
pub(crate) async fn freeze_between_writes(process: &Server, data: &Path) {
    process.freeze();
    while data.join("trainyard.db").exists() && is_writing(data).await {
        process.signal(Signal::CONT);
        tokio::time::sleep(Duration::from_millis(2)).await;
        process.freeze();
    }
}

/// Freezes the owner of the job after some steps, lets another process end the job, and wakes the first one: when the
/// other has ended the job, or while it still works. `false` if the owner was faster than the freeze.
async fn freeze(kind: Kind, after: usize, wake_early: bool) -> bool {
    let what = format!("{kind:?} frozen after {after} events, woken {}", if wake_early { "early" } else { "late" });
    let mut round = Round::new(template().await, kind);
    let mut owner = round.serve();
    let begun = Instant::now();
    round.reach(&mut owner, after).await;
    freeze_between_writes(&owner, &round.data()).await;
    let job = round.job.as_deref().and_then(|job| job.parse().ok()).expect("a job");
    let metadata = round.metadata().await;
    let status = metadata.get_job(ENTITY, job).await.expect("the job").status;
    metadata.close().await;
    if status != JobStatus::Running {
        return false;
    }
    // The frozen process still holds its lock on the directory; a machine that lost its network holds none.
    std::fs::remove_file(round.data().join("lock")).expect("the lock is a file");
    let mut other = round.serve();
    let root = other.root.clone();
    if wake_early {
        // Until then the job is still the owner's.
        while !other.log().contains("job claimed") {
            round.follow(&mut other, &root, Duration::from_millis(1)).await;
            assert!(begun.elapsed() < TAKEOVER_TIME, "{what}: {}", other.log());
        }
        owner.signal(Signal::CONT);
    }
    let over = round.follow(&mut other, &root, TAKEOVER_TIME).await;
    assert_eq!(over, Over::JobEnded, "{what}: {}", other.log());
    if !wake_early {
        owner.signal(Signal::CONT);
    }
    // It notices at its next write, of a step or of a heartbeat, or at a file that it needs and that is gone.
    let woken = Instant::now();
    while !owner.log().contains("leaving it") {
        assert!(owner.runs() && woken.elapsed() < TAKEOVER_TIME, "{what}: {}", owner.log());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(!owner.log().contains("checkpoint published"), "{what}: {}", owner.log());
    for server in [owner, other] {
        round.log += &server.log();
        stop(server);
    }
    round.verify(&what).await;
    true
}

fn stop(server: Server) {
    let log = server.log();
    assert!(server.stop().success(), "{log}");
}

#[tokio::test]
async fn an_owner_that_wakes_after_a_takeover_writes_nothing() {
    let mut random = Random::new(3);
    let rounds: Vec<_> = (0..10 * scale())
        .map(|number| (if number % 3 == 0 { Kind::Rl } else { Kind::Sft }, 1 + random.below(6), number % 2 == 0))
        .collect();
    for rounds in rounds.chunks(WIDTH) {
        join_all(rounds.iter().map(async |(kind, after, early)| while !freeze(*kind, *after, *early).await {})).await;
    }
}
