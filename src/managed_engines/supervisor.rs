//! A child process that is started again when it ends, and ended with this process.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use reqwest::{Client, Url};
use rustix::process::Signal;
use tokio::runtime::Handle;

use crate::process_group::ProcessGroup;

/// Interval at which a child is looked at.
const TICK: Duration = Duration::from_millis(200);
/// Interval of the questions for its health.
const HEALTH_INTERVAL: Duration = Duration::from_secs(5);
/// Time limit of a response to one.
const HEALTH_TIMEOUT: Duration = Duration::from_secs(10);
/// Time without health, after it was healthy, in which a child is killed.
const HUNG: Duration = Duration::from_secs(120);
/// Time that a child has to end after SIGTERM.
const STOP_TIMEOUT: Duration = Duration::from_secs(20);
/// Longest line of output that is passed on.
const MAX_LINE: u64 = 16 << 10;
/// Last lines of output that are shown when a child ends.
const SHOWN_LINES: usize = 12;

/// A program to run.
#[derive(Clone, Debug)]
pub(super) struct Engine {
    /// Name for the log.
    pub(super) name: String,
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<String>,
    /// Variables that are added to the environment.
    pub(super) environment: Vec<(String, String)>,
    /// Address that responds with success while it works.
    pub(super) health: Url,
}

/// Check of a child's health over HTTP.
#[derive(Clone, Debug)]
pub(super) struct HealthCheck {
    pub(super) runtime: Handle,
    pub(super) client: Client,
}

impl HealthCheck {
    /// Returns whether an address responds with success; blocks.
    fn passes(&self, url: &Url) -> bool {
        let response = async { self.client.get(url.clone()).timeout(HEALTH_TIMEOUT).send().await };
        self.runtime.block_on(response).is_ok_and(|response| response.status().is_success())
    }
}

/// Pauses before a child is started again.
#[derive(Debug, Default)]
struct Backoff {
    failures: u32,
}

impl Backoff {
    const LONGEST: Duration = Duration::from_secs(60);
    /// A child that lived so long is started again at once.
    const GOOD_LIFE: Duration = Duration::from_secs(300);

    /// Returns the pause after a child that lived so long.
    fn next(&mut self, lived: Duration) -> Duration {
        if lived >= Self::GOOD_LIFE {
            self.failures = 0;
        }
        let pause = Duration::from_secs(1 << self.failures.min(6)).min(Self::LONGEST);
        self.failures += 1;
        pause
    }
}

/// A thread that keeps a child process alive. Dropping it ends the child.
#[derive(Debug)]
pub(super) struct Supervisor {
    stop: Arc<AtomicBool>,
    /// The thread starts the child itself and lives as long as this process, because the system ties the signal of a
    /// parent's death to the thread that started a child.
    thread: Option<JoinHandle<()>>,
}

impl Supervisor {
    /// Starts a program and keeps it alive.
    ///
    /// # Errors
    /// The system has no further thread.
    pub(super) fn start(engine: Engine, health: HealthCheck) -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let name = format!("engine-{}", engine.name);
        let thread = thread::Builder::new().name(name).spawn(move || keep_alive(&engine, &health, &stopped))?;
        Ok(Self { stop, thread: Some(thread) })
    }

    /// Tells the child to end. Waits for nothing.
    pub(super) fn begin_to_stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.begin_to_stop();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was reported.
            let _ = thread.join();
        }
    }
}

fn keep_alive(engine: &Engine, health: &HealthCheck, stop: &AtomicBool) {
    let mut backoff = Backoff::default();
    while !stop.load(Ordering::Relaxed) {
        let begin = Instant::now();
        match Running::start(engine) {
            Ok(mut running) => {
                let Some(status) = running.watch(engine, health, stop) else { return running.end() };
                let last = running.last_lines();
                tracing::error!(engine = engine.name, %status, "the engine ended; its last lines were:\n{last}");
            }
            Err(error) => {
                let program = engine.program.display();
                tracing::error!(engine = engine.name, %program, %error, "the engine cannot be started");
            }
        }
        let pause = backoff.next(begin.elapsed());
        tracing::info!(engine = engine.name, seconds = pause.as_secs(), "the engine starts again after a pause");
        let begin = Instant::now();
        while begin.elapsed() < pause && !stop.load(Ordering::Relaxed) {
            thread::sleep(TICK);
        }
    }
}

/// A child process with the threads that read its output.
struct Running {
    group: ProcessGroup,
    lines: Arc<Mutex<VecDeque<String>>>,
}

impl Running {
    fn start(engine: &Engine) -> io::Result<Self> {
        let mut command = tied_to_this_process(engine)?;
        command.envs(engine.environment.iter().map(|(name, value)| (name, value)));
        let mut group = ProcessGroup::start(command.stdin(Stdio::null()))?;
        tracing::info!(engine = engine.name, process = group.leader.id(), "engine started");
        let lines = Arc::default();
        if let (Some(out), Some(err)) = (group.leader.stdout.take(), group.leader.stderr.take()) {
            forward(engine, out, &lines)?;
            forward(engine, err, &lines)?;
        }
        Ok(Self { group, lines })
    }

    /// Waits for the end of the child; returns `None` when it is to be stopped.
    fn watch(&mut self, engine: &Engine, health: &HealthCheck, stop: &AtomicBool) -> Option<ExitStatus> {
        let begin = Instant::now();
        let mut healthy_at: Option<Instant> = None;
        let mut asked_at = begin;
        loop {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            // An error would mean that the child is gone and was waited for.
            if let Some(status) = self.group.leader.try_wait().ok()? {
                return Some(status);
            }
            if asked_at.elapsed() >= HEALTH_INTERVAL {
                if health.passes(&engine.health) {
                    if healthy_at.is_none() {
                        let seconds = begin.elapsed().as_secs();
                        tracing::info!(engine = engine.name, seconds, "the engine is ready");
                    }
                    healthy_at = Some(Instant::now());
                } else if healthy_at.is_some_and(|at| at.elapsed() >= HUNG) {
                    tracing::error!(engine = engine.name, "the engine does not answer and is killed");
                    self.group.signal(Signal::KILL);
                }
                asked_at = Instant::now();
            }
            thread::sleep(TICK);
        }
    }

    /// Ends the child and the processes that it has started.
    fn end(mut self) {
        self.group.signal(Signal::TERM);
        let begin = Instant::now();
        while begin.elapsed() < STOP_TIMEOUT {
            if !matches!(self.group.leader.try_wait(), Ok(None)) {
                break;
            }
            thread::sleep(TICK);
        }
        // Processes of the group that outlive its leader, or the leader itself.
        self.group.kill();
    }

    fn last_lines(&self) -> String {
        let lines = self.lines.lock();
        lines.iter().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
    }
}

/// Returns the command of an engine, which ends when this process dies, however that happens.
#[cfg(target_os = "linux")]
fn tied_to_this_process(engine: &Engine) -> io::Result<Command> {
    // This program sets the signal in the new process and then becomes the engine. The link also leads to it when its file
    // was replaced.
    let mut command = Command::new("/proc/self/exe");
    command.args(["engines", "become", &std::process::id().to_string()]).arg(&engine.program).args(&engine.arguments);
    Ok(command)
}

/// Returns the command of an engine. It outlives a parent that is killed.
#[cfg(not(target_os = "linux"))]
fn tied_to_this_process(engine: &Engine) -> io::Result<Command> {
    let mut command = Command::new(&engine.program);
    command.args(&engine.arguments);
    Ok(command)
}

/// Replaces this process by a program that gets SIGTERM when `parent` dies; returns only with an error.
pub(crate) fn become_child(parent: u32, program: &std::path::Path, arguments: &[String]) -> io::Error {
    #[cfg(target_os = "linux")]
    {
        if let Err(error) = rustix::process::set_parent_process_death_signal(Some(Signal::TERM)) {
            return error.into();
        }
        // It may have died before.
        if rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get().unsigned_abs()) != Some(parent) {
            return io::Error::other("the process that started it is gone");
        }
    }
    let _ = parent;
    Command::new(program).args(arguments).exec()
}

/// Passes the lines of an engine's output on to the log, and keeps the last ones.
fn forward(engine: &Engine, output: impl Read + Send + 'static, last: &Arc<Mutex<VecDeque<String>>>) -> io::Result<()> {
    let (name, last) = (engine.name.clone(), last.clone());
    let mut reader = BufReader::new(output);
    let read = move || {
        let mut line = Vec::new();
        while reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            line.clear();
            tracing::info!(engine = name, "{text}");
            let mut lines = last.lock();
            if lines.len() == SHOWN_LINES {
                lines.pop_front();
            }
            lines.push_back(text);
        }
    };
    thread::Builder::new().name(format!("log-{}", engine.name)).spawn(read).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_minute_and_shrink_after_a_good_life() {
        let mut backoff = Backoff::default();
        let mut pauses = |lived, count| -> Vec<u64> { (0..count).map(|_| backoff.next(lived).as_secs()).collect() };
        assert_eq!(pauses(Duration::from_secs(3), 8), [1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(pauses(Backoff::GOOD_LIFE, 1), [1]);
        assert_eq!(pauses(Duration::ZERO, 2), [2, 4]);
    }
}
