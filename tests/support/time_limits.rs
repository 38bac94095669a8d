//! Time limits of tests and of the processes that they start: whatever hangs is named, and ended by force.
//!
//! A limit belongs to the process and not to the wait for it: with the process end its pipes and its connections, so that
//! whoever waits for any of them goes on. A limit of the wait alone would have to be remembered at each of them.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;
use std::{fs, thread};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};

/// Longest time that a process of a test may run, times [`scale`].
const PROCESS_TIME: Duration = Duration::from_secs(600);
/// Longest time that a test may take, times [`scale`]: longer than its processes, so that one of these is named first.
const TEST_TIME: Duration = Duration::from_secs(900);

/// Returns how many times the rounds of an ordinary run are made.
pub(crate) fn scale() -> usize {
    match std::env::var("TRAINYARD_FAULTS") {
        Ok(text) => text.parse().expect("TRAINYARD_FAULTS is a number"),
        Err(_) => 1,
    }
}

fn scaled(time: Duration) -> Duration {
    time.saturating_mul(scale().try_into().unwrap_or(u32::MAX))
}

/// Commands whose processes end in time.
pub(crate) trait Limited {
    /// Starts the process, as [`Command::spawn`] does.
    fn spawn_limited(&mut self) -> Child;

    /// Runs the process to its end without an input, as [`Command::output`] does.
    fn output_limited(&mut self) -> Output;
}

impl Limited for Command {
    #[track_caller]
    fn spawn_limited(&mut self) -> Child {
        limit_test();
        let child = self.spawn().unwrap_or_else(|error| panic!("{self:?} does not start: {error}"));
        let (handle, process, what) = (handle(&child), child.id(), format!("{self:?}"));
        thread::spawn(move || {
            let limit = scaled(PROCESS_TIME);
            if !ends(&handle, limit) {
                eprintln!("{what} hangs: it is killed after {limit:?}\n{}", end(process));
            }
        });
        child
    }

    #[track_caller]
    fn output_limited(&mut self) -> Output {
        let child = self.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn_limited();
        child.wait_with_output().expect("the output can be read")
    }
}

/// Waits for a process that has to end. One that does not is killed; `None` says so.
pub(crate) fn wait_within(limit: Duration, child: &mut Child, what: &str) -> Option<ExitStatus> {
    // The number of a process that has been waited for may be another's.
    if let Some(status) = child.try_wait().expect("the process can be asked") {
        return Some(status);
    }
    let in_time = ends(&handle(child), limit);
    if !in_time {
        eprintln!("{what} hangs: it is killed after {limit:?}\n{}", end(child.id()));
    }
    let status = child.wait().expect("the process ends");
    in_time.then_some(status)
}

/// Returns a handle of a process that has not been waited for.
fn handle(child: &Child) -> OwnedFd {
    let id = child.id().try_into().ok().and_then(Pid::from_raw).expect("a process id");
    pidfd_open(id, PidfdFlags::empty()).expect("the process is there, as a zombie at least")
}

/// Waits until a process ends, or `limit` is over; whether it has ended.
fn ends(handle: &OwnedFd, limit: Duration) -> bool {
    let time = Timespec { tv_sec: limit.as_secs().cast_signed(), tv_nsec: limit.subsec_nanos().into() };
    poll(&mut [PollFd::new(handle, PollFlags::IN)], Some(&time)) != Ok(0)
}

/// Limits the time of the test that runs on this thread. The first call counts.
pub(crate) fn limit_test() {
    thread_local! {
        static LIMIT: Option<TestLimit> = {
            let name = thread::current().name().unwrap_or_default().to_owned();
            // A test in a module: not a thread of a runtime, nor the first thread, on which `--test-threads 1` runs all.
            name.contains("::").then(|| TestLimit::start(name))
        };
    }
    LIMIT.with(|_| ());
}

/// Ends this process by force unless it is dropped in time, which it is with the thread of its test.
struct TestLimit {
    is_over: Arc<AtomicBool>,
    /// Tells of the end by going away.
    _running: Sender<Infallible>,
}

impl TestLimit {
    fn start(test: String) -> Self {
        let (running, ended) = mpsc::channel();
        let is_over = Arc::new(AtomicBool::new(false));
        let limit = Self { is_over: is_over.clone(), _running: running };
        thread::spawn(move || {
            let time = scaled(TEST_TIME);
            if ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                is_over.store(true, Ordering::SeqCst);
                let killed = end(std::process::id());
                // `eprintln` would keep the text until the test has ended.
                let _ = writeln!(std::io::stderr(), "\ntest {test} hangs: the tests end after {time:?}\n{killed}");
                std::process::abort();
            }
        });
        limit
    }
}

impl Drop for TestLimit {
    fn drop(&mut self) {
        // A test that goes on when its processes are killed has not passed.
        while self.is_over.load(Ordering::SeqCst) {
            thread::park();
        }
    }
}

/// Kills a process, unless it is this one, and with it those that it has started, those that it traces, and those that
/// trace it: a tracer that waits for a process keeps it from its end, and the other way round. Returns their commands.
fn end(process: u32) -> String {
    let mut killed = String::new();
    for process in related(process).into_iter().filter(|process| *process != std::process::id()) {
        let command = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
        killed += &format!("killed: {process} {}\n", command.replace('\0', " "));
        if let Some(id) = process.try_into().ok().and_then(Pid::from_raw) {
            let _ = kill_process(id, Signal::KILL);
        }
    }
    killed
}

/// Returns a process with all that descend from it, trace it, or are traced by it.
fn related(process: u32) -> BTreeSet<u32> {
    let entries = |path: String| fs::read_dir(path).into_iter().flatten().flatten();
    let tasks = entries("/proc".to_owned()).flat_map(|one| entries(format!("{}/task", one.path().display())));
    let threads: Vec<[u32; 3]> = tasks
        .filter_map(|task| fs::read_to_string(task.path().join("status")).ok())
        .map(|status| {
            let number = |field: &str| status.lines().find_map(|line| line.strip_prefix(field)?.trim().parse().ok());
            ["Tgid:", "PPid:", "TracerPid:"].map(|field| number(field).unwrap_or_default())
        })
        .collect();
    let mut found = BTreeSet::from([process]);
    loop {
        let before = found.len();
        for [process, parent, tracer] in &threads {
            if found.contains(parent) || found.contains(tracer) {
                found.insert(*process);
            }
            if found.contains(process) && *tracer != 0 {
                found.insert(*tracer);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
