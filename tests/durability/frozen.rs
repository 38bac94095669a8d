//! A worker that is frozen, anywhere, keeps nobody from writing for long, and writes nothing any more when it wakes.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use rustix::process::Signal;

use crate::job::{Kind, Over, Round, template};
use crate::kills::points;
use crate::server::{Fault, Server, Task};
use crate::threads::is_stopped;
use crate::{Random, figure, scale, spread};

/// Longest time until the other worker has the job and has ended it: a lease lasts 15 s.
const TAKEOVER_TIME: Duration = Duration::from_secs(90);
/// Rounds at once.
const WIDTH: usize = 5;

/// Longest time that others cannot write: an owner of SQLite's write lock is killed when it has not run for 8 s, and
/// PostgreSQL ends a transaction that was left alone for 5 s.
const WRITE_TIME: Duration = Duration::from_secs(30);

/// Freezes a worker before the `k`-th of these calls of one of its threads, and lets another worker end the job. Whether
/// the worker made as many calls, and whether it was killed.
pub(crate) async fn freeze_at(round: &mut Round<'_>, server: &mut Server, calls: &str, k: usize) -> (bool, bool) {
    let what = format!("frozen at {calls} {k}");
    let mut owner = round.start(Task::Work, &[]);
    let tracer = owner.disturb(&Fault { calls: calls.to_owned(), effect: "signal=SIGSTOP", when: k.to_string() });
    let root = server.root.clone();
    round.create(&root).await;
    let mut hit = true;
    while !is_stopped(owner.pid()) {
        if round.look(&root).await {
            hit = false;
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let waiting = round.start(Task::Work, &[]);
    let begun = Instant::now();
    loop {
        // Rounds share a thread, and the start of a process keeps it: only a request that begins after the time counts.
        let is_late = begun.elapsed() >= WRITE_TIME;
        if round.can_write(&root).await {
            break;
        }
        assert!(!is_late, "{what}: nobody can write\n{}", server.log());
    }
    round.reach_end(server, &what).await;
    owner.signal(Signal::CONT);
    drop(tracer);
    // A worker that reaches the call only now, after the job has ended, is stopped after the first signal.
    owner.signal(Signal::CONT);
    let killed = owner.was_killed();
    for worker in [Some(waiting), (!killed).then_some(owner)].into_iter().flatten() {
        round.log += &worker.log();
        assert!(worker.stop().success(), "{what}: {}", round.log);
    }
    (hit, killed)
}

#[tokio::test]
async fn a_worker_frozen_at_any_call_stops_no_other() {
    let template = template().await;
    let mut points = points(template, Kind::Sft).await;
    // The locks of SQLite.
    points.extend((1..=200).step_by(5).map(|k| ("fcntl".to_owned(), k)));
    let mut seen = Vec::new();
    for points in spread(&points, 3 * WIDTH * scale()).chunks(WIDTH) {
        let rounds = points.iter().map(async |(call, k)| {
            let mut round = Round::new(template, Kind::Sft);
            let mut server = round.start(Task::Serve, &[]);
            let seen = freeze_at(&mut round, &mut server, call, *k).await;
            round.log += &server.log();
            assert!(server.stop().success(), "{}", round.log);
            round.verify(&format!("frozen at {call} {k}")).await;
            seen
        });
        seen.extend(join_all(rounds).await);
    }
    let (hits, kills) =
        (seen.iter().filter(|(hit, _)| *hit).count(), seen.iter().filter(|(_, killed)| *killed).count());
    figure("freezes of a worker, SQLite", hits);
    println!("{hits} of {} freezes hit a job, {kills} of them a transaction", seen.len());
    assert!(hits * 3 > seen.len(), "only {hits} of {} freezes hit a job", seen.len());
}

/// Freezes the owner of the job after some steps, lets another process end the job, and wakes the first one: when the
/// other has ended the job, or while it still works. `false` if the owner was faster than the freeze.
async fn freeze(kind: Kind, after: usize, wake_early: bool) -> bool {
    let what = format!("{kind:?} frozen after {after} events, woken {}", if wake_early { "early" } else { "late" });
    let mut round = Round::new(template().await, kind);
    let mut owner = round.serve();
    let begun = Instant::now();
    round.reach(&mut owner, after).await;
    owner.freeze();
    if !round.is_running().await {
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
    while !owner.was_killed() && !owner.log().contains("leaving it") {
        assert!(owner.runs() && woken.elapsed() < TAKEOVER_TIME, "{what}: {}", owner.log());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(!owner.log().contains("checkpoint published"), "{what}: {}", owner.log());
    let owner = (!owner.was_killed()).then_some(owner);
    for server in owner.into_iter().chain([other]) {
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
    figure("freezes of a worker, SQLite", rounds.len());
    for rounds in rounds.chunks(WIDTH) {
        join_all(rounds.iter().map(async |(kind, after, early)| while !freeze(*kind, *after, *early).await {})).await;
    }
}
