//! A clock that is set while a process runs on it: a job waits no longer for that, and nothing stale is written.
//!
//! On SQLite every process reads the clock of its machine, so one whose clock is wrong may take a job that another still
//! works on. That costs time and nothing else.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use futures_util::future::join_all;
use rustix::process::Signal;
use trainyard::store::metadata::Jobs;

use crate::job::{ENTITY, Kind, Round, template};
use crate::scale;
use crate::server::Task;
use crate::takeover::{Handover, begun_in_time};
use crate::time_limits::Limited;

/// Rounds at once.
const WIDTH: usize = 4;
/// When a frozen worker's next heartbeat is due, a third of a lease, and a little more.
pub(crate) const HEARTBEAT: Duration = Duration::from_millis(5500);
/// How far a clock is set, milliseconds.
const HOUR: i64 = 3_600_000;
/// Longest time that a worker which was woken may take to write its heartbeat, or to lose its job.
const WRITE_TIME: Duration = Duration::from_secs(30);

/// The clock of some processes, which can be set while they run; time goes on in them as it does.
pub(crate) struct Clock {
    file: PathBuf,
}

impl Clock {
    /// A clock that is right, kept in a new file of a directory.
    pub(crate) fn new(directory: &Path, name: &str) -> Self {
        let clock = Self { file: directory.join(name) };
        clock.set(0);
        clock
    }

    /// Sets the clock so many hours ahead of the real one, or behind it.
    pub(crate) fn set(&self, hours: i64) {
        let new = self.file.with_extension("new");
        std::fs::write(&new, format!("{:+}", hours * 3600)).expect("a file can be written");
        // At once: a process may be reading it.
        std::fs::rename(&new, &self.file).expect("a file can be renamed");
        let now = Command::new("date").arg("+%s%3N").envs(self.environment()).output_limited();
        let now: i64 = String::from_utf8_lossy(&now.stdout).trim().parse().expect("a number");
        assert!(
            (now - milliseconds() - hours * HOUR).abs() < HOUR / 2,
            "the clock cannot be set: is faketime installed?"
        );
    }

    /// Environment of a process that runs on this clock.
    pub(crate) fn environment(&self) -> [(&'static str, String); 5] {
        [
            ("LD_PRELOAD", library().display().to_string()),
            ("FAKETIME_TIMESTAMP_FILE", self.file.display().to_string()),
            ("FAKETIME_NO_CACHE", "1".to_owned()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
            ("NO_FAKE_STAT", "1".to_owned()),
        ]
    }
}

/// libfaketime, as Debian and Fedora have it.
fn library() -> PathBuf {
    let directories = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten().map(|entry| entry.path());
    directories
        .chain(["/usr/lib".into(), "/usr/lib64".into()])
        .map(|directory| directory.join("faketime/libfaketimeMT.so.1"))
        .find(|file| file.exists())
        .expect("libfaketime is needed: apt-get install faketime")
}

/// The real time, in milliseconds since 1970.
fn milliseconds() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970");
    i64::try_from(since.as_millis()).expect("before the year 292 million")
}

/// Owner of the clock that is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// The worker's that has the job.
    Owner,
    /// The worker's that waits for it.
    Waiting,
    /// That of the machine.
    Both,
}

#[derive(Clone, Copy, Debug)]
struct Jump {
    whose: Whose,
    hours: i64,
    /// Whether the owner is killed afterwards.
    killed: bool,
}

/// The first four are those of an ordinary run.
const JUMPS: [Jump; 12] = [
    Jump { whose: Whose::Both, hours: -1, killed: true },
    Jump { whose: Whose::Owner, hours: 1, killed: true },
    Jump { whose: Whose::Waiting, hours: 1, killed: false },
    Jump { whose: Whose::Owner, hours: -1, killed: false },
    Jump { whose: Whose::Waiting, hours: -1, killed: true },
    Jump { whose: Whose::Both, hours: 1, killed: true },
    Jump { whose: Whose::Both, hours: -1, killed: false },
    Jump { whose: Whose::Both, hours: 1, killed: false },
    Jump { whose: Whose::Owner, hours: 1, killed: false },
    Jump { whose: Whose::Owner, hours: -1, killed: true },
    Jump { whose: Whose::Waiting, hours: 1, killed: true },
    Jump { whose: Whose::Waiting, hours: -1, killed: false },
];

/// Sets clocks while one worker has a job and another waits for it. What happened, in words.
async fn set(jump: Jump) -> String {
    const ATTEMPTS: usize = 5;
    for _ in 0..ATTEMPTS {
        if let Some(line) = try_set(jump).await {
            return line;
        }
    }
    panic!("{jump:?}: the owner had computed all steps before it was frozen, {ATTEMPTS} times");
}

/// Sets clocks, unless the owner has computed all steps before it is frozen: then it ends the job without a heartbeat.
async fn try_set(jump: Jump) -> Option<String> {
    let what = format!("{jump:?}");
    let (owner, waiting, handover) = begun_in_time(&what, async || {
        let round = Round::new(template().await, Kind::Long);
        let directory = round.data().parent().expect("a directory").to_owned();
        let (owner, waiting) = (Clock::new(&directory, "owner"), Clock::new(&directory, "waiting"));
        let server = round.start(Task::Serve, &[]);
        let handover = Handover::begin(round, server, 3, &owner.environment(), &waiting.environment()).await?;
        Some((owner, waiting, handover))
    })
    .await;
    for (clock, is_set) in [(owner, jump.whose != Whose::Waiting), (waiting, jump.whose != Whose::Owner)] {
        if is_set {
            clock.set(jump.hours);
        }
    }
    let mut taken = None;
    let rest = if jump.killed && jump.whose != Whose::Owner {
        handover.owner.signal(Signal::KILL);
        handover.taken(&what).await;
        taken = Some(handover.frozen.elapsed());
        handover.kill_owner()
    } else {
        // Its next heartbeat is the first thing that it writes by its new clock.
        tokio::time::sleep_until((handover.frozen + HEARTBEAT).into()).await;
        handover.owner.signal(Signal::CONT);
        if jump.killed {
            let written = Instant::now();
            while !handover.is_taken() && !is_far(&handover.round).await {
                if handover.owner.log().contains("job ended") {
                    return None;
                }
                assert!(written.elapsed() < WRITE_TIME, "{what}: no heartbeat\n{}", handover.owner.log());
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            handover.owner.signal(Signal::KILL);
            let killed = Instant::now();
            handover.taken(&what).await;
            taken = Some(killed.elapsed());
            handover.kill_owner()
        } else {
            handover.wake_owner()
        }
    };
    let round = rest.end(&what).await;
    round.verify(&what).await;
    let claims = round.log.matches("job claimed").count();
    let taken = taken.map_or_else(String::new, |taken| format!(", the last {taken:?} after its worker was lost"));
    Some(format!("{what}: {claims} claims{taken}"))
}

/// Whether the deadline of the job's lease is that of a clock which is wrong.
async fn is_far(round: &Round<'_>) -> bool {
    let metadata = round.metadata().await;
    let job = round.job.as_deref().and_then(|job| job.parse().ok()).expect("a job");
    let deadline = metadata.get_job(ENTITY, job).await.expect("the job").lease_deadline;
    metadata.close().await;
    deadline.is_some_and(|deadline| (deadline - milliseconds()).abs() > HOUR / 2)
}

#[tokio::test]
async fn a_clock_that_is_set_holds_no_job_up_and_spoils_none() {
    let jumps: Vec<Jump> = (0..4 * scale()).map(|number| JUMPS[number % JUMPS.len()]).collect();
    for jumps in jumps.chunks(WIDTH) {
        for line in join_all(jumps.iter().map(|jump| set(*jump))).await {
            println!("{line}");
        }
    }
}
