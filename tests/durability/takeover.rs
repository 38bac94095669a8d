//! How long a job waits when the worker that has it is lost beside processes that live.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use rustix::process::Signal;

use crate::job::{JOB_TIME, Kind, Round, template};
use crate::scale;
use crate::server::{Environment, Server, Task};

/// Rounds at once.
const WIDTH: usize = 4;
/// Longest time until another worker has the job: a lease lasts 15 s, and who waits for one looks every 2 s.
const TAKEOVER_TIME: Duration = Duration::from_secs(60);

/// A job whose worker is frozen in the middle of it, with a server that answers and a worker that waits.
pub(crate) struct Handover<'a> {
    pub round: Round<'a>,
    pub server: Server,
    pub owner: Server,
    pub waiting: Server,
    /// When the owner was frozen.
    pub frozen: Instant,
}

impl<'a> Handover<'a> {
    /// Begins the job and freezes its worker after so many events. The workers have these variables beside the round's.
    /// Returns `None` if the job ended before.
    pub(crate) async fn begin(
        mut round: Round<'a>,
        mut server: Server,
        events: usize,
        owner: &Environment,
        waiting: &Environment,
    ) -> Option<Self> {
        let owner = round.start(Task::Work, owner);
        round.reach(&mut server, events).await;
        owner.freeze();
        let frozen = Instant::now();
        let root = server.root.clone();
        if round.look(&root).await {
            owner.kill();
            server.kill();
            return None;
        }
        let waiting = round.start(Task::Work, waiting);
        Some(Self { round, server, owner, waiting, frozen })
    }

    /// Whether the waiting worker has taken the job over.
    pub(crate) fn is_taken(&self) -> bool {
        self.waiting.log().contains("job claimed")
    }

    /// Waits until the waiting worker has taken the job over.
    pub(crate) async fn taken(&self, what: &str) {
        let begun = Instant::now();
        while !self.is_taken() {
            assert!(begun.elapsed() < TAKEOVER_TIME, "{what}: nobody takes the job over\n{}", self.waiting.log());
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    /// Kills the owner, frozen or not.
    pub(crate) fn kill_owner(self) -> Rest<'a> {
        let Self { mut round, server, owner, waiting, .. } = self;
        round.log += &owner.log();
        owner.kill();
        Rest { round, server, workers: vec![waiting] }
    }

    /// Wakes the owner.
    pub(crate) fn wake_owner(self) -> Rest<'a> {
        let Self { round, server, mut owner, waiting, .. } = self;
        let mut workers = vec![waiting];
        // One that was frozen inside a transaction was ended by a process that waited for its lock.
        if !owner.was_killed() {
            owner.signal(Signal::CONT);
            workers.insert(0, owner);
        }
        Rest { round, server, workers }
    }
}

/// Processes that finish a job.
pub(crate) struct Rest<'a> {
    pub round: Round<'a>,
    pub server: Server,
    pub workers: Vec<Server>,
}

impl<'a> Rest<'a> {
    /// Waits for the end of the job and stops everything.
    pub(crate) async fn end(self, what: &str) -> Round<'a> {
        let Self { mut round, mut server, workers } = self;
        round.reach_end(&mut server, what).await;
        for server in workers.into_iter().chain([server]) {
            round.log += &server.log();
            assert!(server.stop().success(), "{what}: {}", round.log);
        }
        round
    }
}

/// Repeats a start until the worker is frozen before its job ends: a job is short, and a busy machine may run the test
/// too late.
pub(crate) async fn begun_in_time<T>(what: &str, begin: impl AsyncFn() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(handover) = begin().await {
            return handover;
        }
        assert!(begun.elapsed() < JOB_TIME, "{what}: each job ended before its worker was frozen");
    }
}

/// A job whose worker is frozen or killed: how long it takes until it is another's.
async fn take_over(kind: Kind, killed: bool) -> Duration {
    let what = format!("{kind:?} whose worker was {}", if killed { "killed" } else { "frozen" });
    let handover = begun_in_time(&what, async || {
        let round = Round::new(template().await, kind);
        let server = round.start(Task::Serve, &[]);
        Handover::begin(round, server, 1, &[], &[]).await
    })
    .await;
    if killed {
        // A process that is frozen keeps its connections and locks; one that is gone keeps nothing.
        handover.owner.signal(Signal::KILL);
    }
    handover.taken(&what).await;
    let time = handover.frozen.elapsed();
    let rest = if killed { handover.kill_owner() } else { handover.wake_owner() };
    rest.end(&what).await.verify(&what).await;
    time
}

#[tokio::test]
async fn a_job_of_a_lost_worker_goes_to_another() {
    let rounds: Vec<bool> = (0..4 * scale()).map(|number| number % 2 == 0).collect();
    let mut times = Vec::new();
    for rounds in rounds.chunks(WIDTH) {
        times.extend(join_all(rounds.iter().map(|killed| take_over(Kind::Long, *killed))).await);
    }
    times.sort();
    let (most, likely) = (times[times.len() - 1], times[times.len() * 99 / 100]);
    println!(
        "{} lost workers; their jobs were taken over after {most:?} at most, {likely:?} in 99 of 100",
        times.len()
    );
    assert!(most < JOB_TIME);
}
