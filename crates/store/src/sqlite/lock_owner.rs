//! Ends a process that is frozen while it holds the write lock of the database.
//!
//! SQLite has one writer. A process that is stopped in the middle of a write transaction (by a signal, a debugger, the
//! freezer of a container) keeps the lock, and every other process of the data directory waits. So whoever waits for the
//! lock looks at its owner, and kills it once it has used no processor time for [`MAX_FROZEN`]. The kill is a crash like
//! any other: the next writer rolls the transaction back. An owner that computes, however slowly, is left alone.
//!
//! The operating system knows the owner of the lock: the locks of a write-ahead log are POSIX locks on its shared-memory
//! file (`unixShmLock` in SQLite's `os_unix.c`). Processor times are those of Linux; elsewhere the owner is named only.

use std::fs::{read_link, read_to_string};
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rustix::process::{Flock, FlockOffsetType, FlockType, Pid, fcntl_getlk};

use super::shared_memory::SharedMemory;

/// Bytes of the shared-memory file whose locks exclude writers: those of the writer and of recovery.
const LOCKS: [u64; 2] = [120, 122];
/// Time without processor time after which the owner of the lock is killed. With the interval of looks and of heartbeats
/// it is shorter than a lease, so that the workers that wait keep theirs.
const MAX_FROZEN: Duration = Duration::from_secs(8);

/// Interval of the looks of a writer that waits.
const LOOK: Duration = Duration::from_secs(1);
/// Time without processor time after which the owner is reported.
const NOTICEABLE: Duration = Duration::from_secs(2);

/// The owner of the write lock, as seen by the writers of this process that wait for it.
pub(super) struct LockOwner {
    shared_memory: SharedMemory,
    suspect: Mutex<Option<Suspect>>,
}

/// A process that has been seen with the lock at every look.
struct Suspect {
    pid: Pid,
    /// A reference to the process, which no later process of the same number has.
    handle: Option<OwnedFd>,
    /// Processor time that the process had used when it was seen first with it, in clock ticks.
    processor_time: Option<u64>,
    since: Instant,
}

/// A process that keeps every other one from writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("process {pid} holds the write lock of the database and has not run for {} s; {remedy}", .frozen.as_secs())]
pub(super) struct Blocked {
    /// Process id of the owner.
    pid: i32,
    /// Time since when the owner has used no processor time.
    frozen: Duration,
    remedy: &'static str,
}

impl LockOwner {
    /// Creates the view of the database in `file`.
    pub(super) fn of(file: &Path) -> Self {
        Self { shared_memory: SharedMemory::of(file), suspect: Mutex::new(None) }
    }

    /// Waits for `work`, which needs the lock, and looks at the owner of the lock meanwhile.
    pub(super) async fn watched<T>(&self, work: impl Future<Output = T>) -> T {
        tokio::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                () = tokio::time::sleep(LOOK) => drop(self.look()),
            }
        }
    }

    /// Returns the process that holds the lock, if it is another one, and kills it if it has been frozen for too long.
    fn look(&self) -> Option<Blocked> {
        let owner = self.owner().unwrap_or_else(|error| {
            tracing::warn!(%error, "the owner of the database's write lock is unknown");
            None
        });
        let mut suspect = self.suspect.lock();
        let Some(pid) = owner else {
            *suspect = None;
            return None;
        };
        let processor_time = processor_time(pid);
        if !suspect.as_ref().is_some_and(|suspect| suspect.pid == pid && suspect.processor_time == processor_time) {
            *suspect = Some(Suspect { pid, handle: handle(pid), processor_time, since: Instant::now() });
        }
        suspect.as_ref().map(Suspect::kill_if_frozen)
    }

    /// Returns the process that keeps others from writing, if it has been frozen for a noticeable time.
    pub(super) fn frozen(&self) -> Option<Blocked> {
        self.look().filter(|blocked| blocked.frozen >= NOTICEABLE)
    }

    /// Returns the process that holds one of the locks; `None` if this process does, or nobody.
    fn owner(&self) -> io::Result<Option<Pid>> {
        let Some(file) = self.shared_memory.opened()? else { return Ok(None) };
        for start in LOCKS {
            let typ = FlockType::WriteLock;
            let lock = Flock { start, length: 1, pid: None, typ, offset_type: FlockOffsetType::Set };
            if let Some(Flock { pid: Some(pid), .. }) = fcntl_getlk(file, &lock)? {
                return Ok(Some(pid));
            }
        }
        Ok(None)
    }
}

impl Suspect {
    fn kill_if_frozen(&self) -> Blocked {
        let (pid, frozen) = (self.pid.as_raw_nonzero().get(), self.since.elapsed());
        let remedy = if self.processor_time.is_none() || !is_same_program(self.pid) {
            "end it"
        } else {
            if frozen >= MAX_FROZEN {
                match self.handle.as_ref().map(kill) {
                    Some(Ok(())) => tracing::error!(pid, "killed a frozen process that held the database's write lock"),
                    Some(Err(error)) => tracing::error!(pid, %error, "cannot kill the frozen process"),
                    None => {}
                }
            }
            "it is killed if it stays frozen"
        };
        Blocked { pid, frozen, remedy }
    }
}

#[cfg(target_os = "linux")]
fn handle(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(target_os = "linux")]
fn kill(process: &OwnedFd) -> io::Result<()> {
    Ok(rustix::process::pidfd_send_signal(process, rustix::process::Signal::KILL)?)
}

#[cfg(not(target_os = "linux"))]
fn handle(_: Pid) -> Option<OwnedFd> {
    None
}

#[cfg(not(target_os = "linux"))]
fn kill(_: &OwnedFd) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Returns the processor time of all threads of a process, in clock ticks (`utime` and `stime` of `proc_pid_stat(5)`).
fn processor_time(pid: Pid) -> Option<u64> {
    let stat = read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    // The second field is the name of the program in parentheses, which may contain anything.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

/// Returns whether a process runs the same program as this one.
fn is_same_program(pid: Pid) -> bool {
    let program = |process: &str| {
        let path = read_link(format!("/proc/{process}/exe")).ok()?;
        // Of a program that was replaced by a newer one since it started.
        let name = path.file_name()?.to_str()?.to_owned();
        Some(name.strip_suffix(" (deleted)").map(str::to_owned).unwrap_or(name))
    };
    let own = program("self");
    own.is_some() && program(&pid.as_raw_nonzero().to_string()) == own
}
