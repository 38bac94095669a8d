//! A server in a process of its own that can be killed, frozen, and disturbed at its system calls by strace.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, geteuid, kill_process};

use crate::power;
use crate::threads::is_stopped;
use crate::time_limits::{Limited, wait_within};

/// Longest time that a process may take to stop.
const STOP_TIME: Duration = Duration::from_secs(60);
/// Longest time until a killed process is gone, and until strace has left a process alone.
const END_TIME: Duration = Duration::from_secs(10);

/// The program under test: the one of this build unless `TRAINYARD_BINARY` names another.
pub(crate) fn binary() -> OsString {
    std::env::var_os("TRAINYARD_BINARY").unwrap_or_else(|| env!("CARGO_BIN_EXE_trainyard").into())
}

/// A disturbance of system calls, in the words of strace's option `-e inject=`.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// System calls, separated by commas; a question mark before those that may not exist. strace counts those of each thread for itself.
    pub calls: String,
    /// Fault: `signal=SIGKILL` before the call is made, or `error=EIO` in its place.
    pub effect: &'static str,
    /// Which call it happens to: `3` is the third, `3+` the third and all later ones.
    pub when: String,
}

impl Fault {
    /// The process is killed before the `k`-th of these calls is made.
    pub(crate) fn kill(calls: &str, k: usize) -> Self {
        Self { calls: calls.to_owned(), effect: "signal=SIGKILL", when: k.to_string() }
    }

    /// The words for strace.
    pub(crate) fn options(&self) -> [String; 5] {
        let injection = format!("inject={}", self.injection());
        ["-f".to_owned(), "-e".to_owned(), format!("trace={}", self.calls), "-e".to_owned(), injection]
    }

    /// The value of strace's option `--inject`.
    pub(crate) fn injection(&self) -> String {
        let Self { calls, effect, when } = self;
        format!("{calls}:{effect}:when={when}")
    }
}

/// Task of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Task {
    /// Responds to requests and works on jobs.
    #[default]
    Whole,
    /// Responds to requests.
    Serve,
    /// Works on jobs.
    Work,
}

impl Task {
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Whole => &["serve", "--listen", "127.0.0.1:0"],
            Self::Serve => &["serve", "--listen", "127.0.0.1:0", "--no-worker"],
            Self::Work => &["worker"],
        }
    }

    /// Text that it prints when it is ready, before its address or that of its data.
    fn ready(self) -> &'static str {
        if self == Self::Work { "working on the jobs of " } else { "listening on " }
    }
}

/// Variables of a process's environment.
pub(crate) type Environment = [(&'static str, String)];

/// How the server is started.
#[derive(Default)]
pub(crate) struct Start<'a> {
    /// Its task.
    pub task: Task,
    /// Variables beside those of the test.
    pub environment: &'a Environment,
    /// Fault that disturbs it from its first system call on.
    pub fault: Option<&'a Fault>,
    /// File in which strace writes the calls of [`DURABLE_CALLS`] that it sees; nothing is disturbed then.
    pub trace: Option<&'a Path>,
    /// File in which strace writes every change of a file, with its bytes.
    pub record: Option<&'a Path>,
    /// A tmpfs of so many bytes is mounted over the data directory, for this process only.
    pub disk_bytes: Option<usize>,
}

/// System calls through which data comes to the disk, or its name to the directory; not every processor has those with
/// a question mark.
pub(crate) const DURABLE_CALLS: &str =
    "pwrite64,write,fsync,fdatasync,ftruncate,openat,?rename,?renameat,?unlink,?unlinkat,?mkdir,?mkdirat";

/// A running server or worker.
pub(crate) struct Server {
    child: Child,
    /// `http://127.0.0.1:PORT`; of a worker, where its jobs are.
    pub root: String,
    log: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts a server on `data` that reads training data from `rows`; `Err` has its log if it ended before it listened.
    pub(crate) fn start(data: &Path, rows: &Path, start: &Start<'_>) -> Result<Self, Vec<String>> {
        let mut command = match (start.record, start.fault, start.trace, start.disk_bytes) {
            (Some(file), fault, ..) => {
                let mut command = strace();
                command.args(power::options(file, fault)).arg(binary());
                command
            }
            (_, Some(fault), ..) => {
                let mut command = strace();
                command.args(fault.options()).args(["-o", "/dev/null"]).arg(binary());
                command
            }
            (_, _, Some(file), _) => {
                let mut command = strace();
                command
                    .args(["-f", "--seccomp-bpf", "-e", &format!("trace={DURABLE_CALLS}"), "-o"])
                    .arg(file)
                    .arg(binary());
                command
            }
            (_, _, _, Some(bytes)) => {
                // In a mount namespace of its own, which goes with the process.
                let mut command = Command::new("unshare");
                command.arg("--mount");
                if !geteuid().is_root() {
                    command.args(["--user", "--map-root-user"]);
                }
                command.args(["sh", "-ec"]);
                let script = format!(
                    "cp -a \"$0\" \"$0.copy\"; mount -t tmpfs -o size={bytes} tmpfs \"$0\"; cp -a \"$0.copy/.\" \"$0\"; exec \"$@\""
                );
                command.arg(script).arg(data).arg(binary());
                command
            }
            _ => Command::new(binary()),
        };
        command
            .args(start.task.arguments())
            .envs(start.environment.iter().map(|(name, value)| (name, value)))
            .args(["--threads", "1", "--data-dir"])
            .arg(data)
            .arg("--allow-data")
            .arg(format!("file://{}/", rows.display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn_limited();
        let mut output = BufReader::new(child.stderr.take().expect("standard error"));
        let (mut head, mut line) = (Vec::new(), String::new());
        while output.read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
            // A process that is killed may leave half a line, with half an address.
            let whole = line.strip_suffix('\n');
            let root = whole.and_then(|line| line.strip_prefix(start.task.ready())).map(str::to_owned);
            head.push(std::mem::take(&mut line).trim_end().to_owned());
            if let Some(root) = root {
                let log = Arc::new(Mutex::new(head));
                let sink = log.clone();
                // Somebody has to read on, or the server's log fills the pipe.
                std::thread::spawn(move || {
                    for line in output.lines().map_while(Result::ok) {
                        sink.lock().unwrap_or_else(PoisonError::into_inner).push(line);
                    }
                });
                return Ok(Self { child, root, log });
            }
        }
        wait_within(END_TIME, &mut child, "a server that has closed its standard error");
        Err(head)
    }

    /// Starts a server that nothing disturbs.
    #[track_caller]
    pub(crate) fn undisturbed(data: &Path, rows: &Path) -> Self {
        Self::ready(data, rows, &Start::default())
    }

    /// Starts a process that has to start.
    #[track_caller]
    pub(crate) fn ready(data: &Path, rows: &Path, start: &Start<'_>) -> Self {
        match Self::start(data, rows, start) {
            Ok(server) => server,
            Err(log) => panic!("the server did not start:\n{}", log.join("\n")),
        }
    }

    /// Standard error of the server so far.
    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).join("\n")
    }

    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).expect("a process id");
        // A process that has ended is no fault: what is tested may have ended it.
        let _ = kill_process(pid, signal);
    }

    /// Stops every thread until [`Signal::CONT`]. A signal alone is not enough: on a busy machine the other threads run on
    /// until the one that got it has its turn.
    #[track_caller]
    pub(crate) fn freeze(&self) {
        self.signal(Signal::STOP);
        let deadline = Instant::now() + Duration::from_secs(60);
        while !is_stopped(self.pid()) {
            assert!(Instant::now() < deadline, "the server cannot be stopped:\n{}", self.log());
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether the process still runs.
    pub(crate) fn runs(&mut self) -> bool {
        self.child.try_wait().expect("the process can be asked").is_none()
    }

    /// Ends the process at once.
    pub(crate) fn kill(self) {
        drop(self);
    }

    /// Asks the process to stop and waits until it has.
    #[track_caller]
    pub(crate) fn stop(mut self) -> ExitStatus {
        self.signal(Signal::TERM);
        let status = wait_within(STOP_TIME, &mut self.child, "a server that was asked to stop");
        status.unwrap_or_else(|| panic!("the server does not stop:\n{}", self.log()))
    }

    /// Whether the process was ended by SIGKILL.
    pub(crate) fn was_killed(&mut self) -> bool {
        let status = self.child.try_wait().expect("the process can be asked");
        status.is_some_and(|status| status.signal() == Some(Signal::KILL.as_raw()))
    }

    /// Disturbs the process from now on until the returned tracer is dropped.
    #[track_caller]
    pub(crate) fn disturb(&self, fault: &Fault) -> Tracer {
        let mut child = Command::new("strace")
            .args(fault.options())
            .args(["-o", "/dev/null", "-p", &self.pid().to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn_limited();
        let mut lines = BufReader::new(child.stderr.take().expect("standard error")).lines();
        let attached = lines.by_ref().map_while(Result::ok).any(|line| line.contains("attached"));
        assert!(attached, "strace cannot attach to the server: is ptrace allowed?");
        std::thread::spawn(move || lines.for_each(drop));
        Tracer(child)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        // A process that strace traces ends when strace lets it.
        wait_within(END_TIME, &mut self.child, "a server that was killed");
    }
}

/// An attached strace; ends with its value.
pub(crate) struct Tracer(Child);

impl Tracer {
    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Tracer {
    fn drop(&mut self) {
        // SIGTERM lets it detach; the process goes on undisturbed. When the process is killed at this very moment,
        // strace 6.1 waits for a thread that has ended, which it does not hear of while the others wait for strace.
        if let Some(pid) = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process(pid, Signal::TERM);
        }
        wait_within(END_TIME, &mut self.0, "strace that was asked to detach");
    }
}

/// The tracer beside the process instead of above it, so that the process is ours to signal and to wait for. Without
/// `--seccomp-bpf`: strace 6.1 injects nothing then.
pub(crate) fn strace() -> Command {
    let mut command = Command::new("strace");
    command.arg("-D");
    command
}

/// Copies a directory.
pub(crate) fn copy_directory(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a directory can be made");
    for entry in std::fs::read_dir(from).expect("a directory") {
        let entry = entry.expect("an entry");
        let target: PathBuf = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy_directory(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a file can be copied");
        }
    }
}
