//! A process that brings an old database up to date is killed, and many do it at once.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::Signal;
use tempfile::TempDir;

use crate::kills::calls;
use crate::old_database::{Contents, create, schema, versions};
use crate::server::{DURABLE_CALLS, Fault, binary, copy_directory, strace};
use crate::time_limits::Limited;
use crate::{scale, spread};

/// Short command that opens the database.
fn list_keys(mut command: Command, data: &Path) -> Command {
    command.args(["keys", "list", "--data-dir"]).arg(data);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// A data directory with a database of an old version.
struct OldSite {
    directory: TempDir,
    contents: Contents,
}

impl OldSite {
    async fn new(version: usize) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let file = directory.path().join("data").join("trainyard.db");
        std::fs::create_dir(directory.path().join("data")).expect("a directory");
        create(&file, version).await;
        let contents = Contents::of(&file).await;
        contents.assert_full();
        Self { contents, directory }
    }

    fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    /// A copy of the data directory, in a directory that ends with it.
    fn copy(&self) -> TempDir {
        let directory = tempfile::tempdir().expect("a temporary directory");
        copy_directory(&self.data(), &directory.path().join("data"));
        directory
    }

    /// Every durable call of a process that opens the database.
    fn points(&self) -> Vec<(String, usize)> {
        let copy = self.copy();
        let trace = copy.path().join("trace");
        let mut command = strace();
        command.args(["-f", "--seccomp-bpf", "-e", &format!("trace={DURABLE_CALLS}"), "-o"]).arg(&trace).arg(binary());
        let output = list_keys(command, &copy.path().join("data")).output_limited();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        calls(&trace)
    }
}

#[tokio::test]
async fn a_migration_killed_at_any_durable_call_is_made_by_the_next_process() {
    let newest = versions().count();
    let newest_schema = schema(&OldSite::new(newest).await.data().join("trainyard.db")).await;
    let (mut killed, mut tried) = (0, 0);
    for version in versions().filter(|version| *version < newest) {
        let old = OldSite::new(version).await;
        let points = old.points();
        assert!(
            points.iter().any(|(call, _)| call == "fdatasync" || call == "fsync"),
            "nothing was written: {points:?}"
        );
        for (call, k) in spread(&points, 12 * scale()) {
            let what = format!("version {version} killed at {call} {k} of {}", points.len());
            let copy = old.copy();
            let data = copy.path().join("data");
            let mut command = strace();
            command.args(Fault::kill(&call, k).options()).args(["-o", "/dev/null"]).arg(binary());
            let first = list_keys(command, &data).output_limited();
            let was_killed = first.status.signal() == Some(Signal::KILL.as_raw());
            assert!(was_killed || first.status.success(), "{what}: {}", String::from_utf8_lossy(&first.stderr));
            killed += usize::from(was_killed);
            tried += 1;
            let next = list_keys(Command::new(binary()), &data).output_limited();
            assert!(next.status.success(), "{what}: {}", String::from_utf8_lossy(&next.stderr));
            let file = data.join("trainyard.db");
            Contents::of(&file).await.assert_keeps(&old.contents, &what);
            assert_eq!(schema(&file).await, newest_schema, "{what}");
        }
    }
    println!("{killed} of {tried} kills hit a process");
    // Which thread makes a call differs from run to run, so that some points are never reached.
    assert!(killed * 2 > tried, "only {killed} of {tried} kills hit a process");
}

#[tokio::test]
async fn many_processes_may_open_an_old_database_at_once() {
    for version in versions() {
        let old = OldSite::new(version).await;
        let start = |_| list_keys(Command::new(binary()), &old.data()).spawn_limited();
        let processes: Vec<_> = (0..6).map(start).collect();
        for process in processes {
            let output = process.wait_with_output().expect("it ends");
            assert!(output.status.success(), "version {version}: {}", String::from_utf8_lossy(&output.stderr));
        }
        Contents::of(&old.data().join("trainyard.db")).await.assert_keeps(&old.contents, &format!("version {version}"));
    }
}

/// `trainyard migrate` with these arguments: exit code, standard output, standard error.
fn migrate(data: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(binary()).arg("migrate").args(arguments).arg("--data-dir").arg(data).output_limited();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[tokio::test]
async fn migrate_lists_the_pending_migrations_and_then_applies_them() {
    let newest = versions().count();
    for version in [1, newest - 1, newest] {
        let old = OldSite::new(version).await;
        let (data, file) = (old.data(), old.data().join("trainyard.db"));
        let before = schema(&file).await;

        let (code, shown, told) = migrate(&data, &["--dry-run", "--json"]);
        assert_eq!((code, told.as_str()), (Some(0), ""), "{shown}");
        let state: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
        assert_eq!(state["schema_version"], version);
        assert_eq!(state["newest_version"], newest);
        let pending: Vec<usize> = state["pending"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| one["version"].as_u64().expect("a number") as usize)
            .collect();
        assert_eq!(pending, (version + 1..=newest).collect::<Vec<_>>());
        assert_eq!(schema(&file).await, before, "a dry run changes nothing");

        let (code, shown, told) = migrate(&data, &[]);
        assert_eq!(code, Some(0), "{told}");
        assert_eq!(shown.lines().filter(|line| line.starts_with("applied  ")).count(), newest - version, "{shown}");
        Contents::of(&file).await.assert_keeps(&old.contents, "after migrate");
        let up_to_date = format!("schema version {newest} is up to date\n");
        assert_eq!(migrate(&data, &["--dry-run"]), (Some(0), up_to_date.clone(), String::new()));
        assert_eq!(migrate(&data, &[]), (Some(0), up_to_date, String::new()));
    }
}

#[tokio::test]
async fn migrate_rejects_a_directory_without_a_database() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for arguments in [&[][..], &["--dry-run"]] {
        let (code, _, told) = migrate(&directory.path().join("wrong"), arguments);
        assert_eq!(code, Some(1), "{told}");
        assert!(told.contains("there is no database in") && told.contains("--data-dir"), "{told}");
    }
    assert!(!directory.path().join("wrong").exists());
}
