//! A process that brings an old database up to date is killed, and many do it at once.

use std::{
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use rustix::process::Signal;
use tempfile::TempDir;

use crate::{
    kills::calls,
    old_database::{Contents, create, schema, versions},
    scale,
    server::{DURABLE_CALLS, Fault, binary, copy_directory, strace},
    spread,
};

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
        let output = list_keys(command, &copy.path().join("data")).output().expect("strace is installed");
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
            let first = list_keys(command, &data).output().expect("strace is installed");
            let was_killed = first.status.signal() == Some(Signal::KILL.as_raw());
            assert!(was_killed || first.status.success(), "{what}: {}", String::from_utf8_lossy(&first.stderr));
            killed += usize::from(was_killed);
            tried += 1;
            let next = list_keys(Command::new(binary()), &data).output().expect("the command runs");
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
        let start = |_| list_keys(Command::new(binary()), &old.data()).spawn().expect("the command runs");
        let processes: Vec<_> = (0..6).map(start).collect();
        for process in processes {
            let output = process.wait_with_output().expect("it ends");
            assert!(output.status.success(), "version {version}: {}", String::from_utf8_lossy(&output.stderr));
        }
        Contents::of(&old.data().join("trainyard.db")).await.assert_keeps(&old.contents, &format!("version {version}"));
    }
}
