//! The program of an attempt: its arguments, its environment, and its end.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rustix::process::Signal;

use crate::process_group::ProcessGroup;

/// Bytes at the end of an output that are kept.
const KEPT: usize = 64 << 10;
/// Ends of the names of variables that hold keys.
const SECRET_NAMES: [&str; 3] = ["_KEY", "_TOKEN", "_SECRET"];
/// Interval of looks at a running program.
const LOOK: Duration = Duration::from_millis(20);
/// Time in which the outputs of a program that has ended are read.
const DRAIN: Duration = Duration::from_secs(2);
/// Beginning of this service's keys.
const OWN_KEYS: &str = "ty_";

/// Access of an attempt to its session.
pub(super) struct Access<'a> {
    /// Address of the service, without a path.
    pub root: &'a str,
    pub key: &'a str,
    /// Name of the model, as programs write it.
    pub model: &'a str,
    pub session: &'a str,
}

/// How a program ended.
pub(super) struct Ended {
    /// `None` if it was stopped at its time limit.
    pub status: Option<ExitStatus>,
    /// Last part of its standard output.
    pub output: Vec<u8>,
    /// Last part of its standard error.
    pub errors: Vec<u8>,
}

impl Access<'_> {
    /// Returns an argument with its placeholders replaced.
    fn filled(&self, argument: &str) -> String {
        let base_url = format!("{}/v1", self.root);
        argument.replace("{base_url}", &base_url).replace("{key}", self.key).replace("{model}", self.model)
    }

    /// Returns the variables that make programs of each dialect use the session.
    fn variables(&self) -> [(&'static str, String); 10] {
        let (root, base_url) = (self.root.to_owned(), format!("{}/v1", self.root));
        let [key, other_key, token] = [(); 3].map(|()| self.key.to_owned());
        let model = || self.model.to_owned();
        [
            ("OPENAI_BASE_URL", base_url.clone()),
            ("OPENAI_API_BASE", base_url),
            ("OPENAI_API_KEY", key),
            ("OPENAI_MODEL", model()),
            ("ANTHROPIC_BASE_URL", root),
            // Programs send the first as `Authorization`, the second as `x-api-key`.
            ("ANTHROPIC_AUTH_TOKEN", token),
            ("ANTHROPIC_API_KEY", other_key),
            ("ANTHROPIC_MODEL", model()),
            ("ANTHROPIC_SMALL_FAST_MODEL", model()),
            ("TRAINYARD_SESSION", self.session.to_owned()),
        ]
    }

    /// Returns the command of an attempt.
    pub(super) fn command(&self, program: &[String]) -> Command {
        let [name, arguments @ ..] = program else { return Command::new("true") };
        let mut command = Command::new(self.filled(name));
        command.args(arguments.iter().map(|argument| self.filled(argument)));
        without_keys(&mut command);
        command.envs(self.variables());
        command
    }
}

/// Removes the variables that hold keys.
pub(super) fn without_keys(command: &mut Command) {
    for (name, _) in std::env::vars_os().filter(|(name, value)| is_secret(name, value)) {
        command.env_remove(name);
    }
}

fn is_secret(name: &OsString, value: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    SECRET_NAMES.iter().any(|end| name.ends_with(end)) || value.to_string_lossy().contains(OWN_KEYS)
}

impl Ended {
    /// Returns the signal by which another process ended the program, or one that its shell ran.
    pub(super) fn killed_by(&self) -> Option<i32> {
        let [hangup, interrupt, kill, terminate] =
            [Signal::HUP, Signal::INT, Signal::KILL, Signal::TERM].map(Signal::as_raw);
        let status = self.status?;
        let of_shell = || status.code().map(|code| code - 128).filter(|signal| [kill, terminate].contains(signal));
        status.signal().or_else(of_shell).filter(|signal| [hangup, interrupt, kill, terminate].contains(signal))
    }
}

/// Runs a command to its end, its time limit or until `stop` is set, with a text as its standard input. Nothing of it is left
/// running.
///
/// # Errors
/// The program cannot be started.
pub(super) async fn run(command: Command, input: Vec<u8>, limit: Duration, stop: Arc<AtomicBool>) -> io::Result<Ended> {
    tokio::task::spawn_blocking(move || run_here(command, input, limit, &stop)).await?
}

fn run_here(mut command: Command, input: Vec<u8>, limit: Duration, stop: &AtomicBool) -> io::Result<Ended> {
    let program = command.get_program().to_string_lossy().into_owned();
    let begun = Instant::now();
    let mut group = ProcessGroup::start(command.stdin(Stdio::piped()))
        .map_err(|error| io::Error::new(error.kind(), format!("{program} cannot be started: {error}")))?;
    let child = &mut group.leader;
    let stdin = child.stdin.take();
    thread::spawn(move || {
        // A program need not read its input.
        stdin.map(|mut stdin| stdin.write_all(&input))
    });
    let (output, errors) = (Tail::of(child.stdout.take()), Tail::of(child.stderr.take()));
    let status = loop {
        // An error would mean that it is gone and was waited for.
        if let Ok(Some(status)) = child.try_wait() {
            break Some(status);
        }
        if begun.elapsed() >= limit || stop.load(Ordering::Relaxed) {
            break None;
        }
        thread::sleep(LOOK);
    };
    group.kill();
    Ok(Ended { status, output: output.text(), errors: errors.text() })
}

/// The last part of an output, read by a thread.
struct Tail {
    kept: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl Tail {
    fn of(output: Option<impl Read + Send + 'static>) -> Self {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let shared = kept.clone();
        let reader = thread::spawn(move || {
            let (Some(mut output), mut chunk) = (output, [0; 8192]) else { return };
            while let Ok(read @ 1..) = output.read(&mut chunk) {
                let mut kept = shared.lock();
                kept.extend_from_slice(&chunk[..read]);
                let surplus = kept.len().saturating_sub(KEPT);
                kept.drain(..surplus);
            }
        });
        Self { kept, reader }
    }

    /// Returns what was read. A process that left its group may keep the output open.
    fn text(self) -> Vec<u8> {
        let begun = Instant::now();
        while !self.reader.is_finished() && begun.elapsed() < DRAIN {
            thread::sleep(LOOK / 4);
        }
        std::mem::take(&mut *self.kept.lock())
    }
}

/// Returns the last number in a text.
pub(super) fn last_number(text: &[u8]) -> Option<f64> {
    let text = String::from_utf8_lossy(text);
    let parts = text.rsplit(|character: char| character.is_whitespace() || ",;:=()[]{}\"'".contains(character));
    parts.filter_map(|part| part.parse::<f64>().ok()).find(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn placeholders_and_variables_name_the_session() {
        let access = Access { root: "http://h:1", key: "ty_k", model: "e/p/n", session: "s" };
        let program = ["run {model}", "--url={base_url}", "--key", "{key}"].map(str::to_owned);
        let command = access.command(&program);
        let arguments: Vec<_> = command.get_args().collect();
        assert_eq!(command.get_program(), "run e/p/n");
        assert_eq!(arguments, ["--url=http://h:1/v1", "--key", "ty_k"]);
        let set: Vec<_> = command.get_envs().collect();
        for (name, value) in [("ANTHROPIC_BASE_URL", "http://h:1"), ("OPENAI_API_KEY", "ty_k")] {
            assert!(set.contains(&(OsStr::new(name), Some(OsStr::new(value)))), "{name}");
        }
        for (name, value, expected) in
            [("A_KEY", "x", true), ("gh_token", "x", true), ("X", "ty_123", true), ("PATH", "/bin", false)]
        {
            assert_eq!(is_secret(&name.into(), value.as_ref()), expected, "{name}");
        }
    }

    #[test]
    fn the_last_number_counts() {
        for (text, number) in [
            ("score: 0.5\n", Some(0.5)),
            ("1 of 3, reward=-2e-1 (done)", Some(-0.2)),
            ("{\"reward\": 1}", Some(1.0)),
            ("NaN inf", None),
            ("none", None),
        ] {
            assert_eq!(last_number(text.as_bytes()), number, "{text}");
        }
    }

    #[tokio::test]
    async fn a_program_ends_or_is_stopped_with_its_descendants() {
        let run = |command, input, limit| run(command, input, limit, Arc::default());
        let ended = run(shell("cat; echo bad >&2; exit 3"), b"fed".to_vec(), LONG).await.unwrap();
        assert_eq!(ended.killed_by(), None);
        assert_eq!(ended.status.and_then(|status| status.code()), Some(3));
        assert_eq!((&ended.output[..], &ended.errors[..]), (&b"fed"[..], &b"bad\n"[..]));
        let slow = run(shell("echo begun; sleep 1000 & wait"), Vec::new(), Duration::from_millis(300)).await.unwrap();
        assert!(slow.status.is_none() && slow.output == b"begun\n");
        let left = run(shell("sleep 1000 & echo left"), Vec::new(), LONG).await.unwrap();
        assert!(left.status.is_some_and(|status| status.success()), "a descendant holds nobody up");
        let much = run(shell("yes | head -c 200000; echo end"), Vec::new(), LONG).await.unwrap();
        assert!(much.output.len() == KEPT && much.output.ends_with(b"end\n"));
        let stopped = super::run(shell("sleep 1000"), Vec::new(), LONG, Arc::new(AtomicBool::new(true))).await.unwrap();
        assert!(stopped.status.is_none());
        for (script, signal) in [
            ("kill -9 $$", Some(9)),
            ("kill -15 $$", Some(15)),
            ("kill -6 $$", None),
            ("exit 137", Some(9)),
            ("exit 129", None),
        ] {
            assert_eq!(run(shell(script), Vec::new(), LONG).await.unwrap().killed_by(), signal, "{script}");
        }
        let absent = Command::new("/nowhere/at/all");
        assert!(run(absent, Vec::new(), LONG).await.is_err_and(|error| error.to_string().contains("/nowhere/at/all")));
    }
}
