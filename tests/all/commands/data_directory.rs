//! Commands beside each other and beside a service on one data directory, and as root on that of another user.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::Value;

use super::{finish, program};
use crate::support::process::{Process, Site};
use crate::support::{answer, row, text};
use crate::time_limits::{Limited, wait_within};

/// Files of a site: enough that a restoration takes a while.
const FILES: usize = 300;
/// Longest time that a killed process may take to end.
const END_TIME: Duration = Duration::from_secs(60);
/// A user that is not root.
const USER: u32 = 65_534;

/// A site with files, and a backup of it.
async fn backed_up() -> (Site, PathBuf) {
    let site = Site::new();
    let server = Process::serve(site.path(), &["--no-worker"]);
    for number in 0..FILES {
        upload(&site, &server, &format!("file {number}")).await;
    }
    server.stop();
    let backup = site.path().join("backup");
    let (code, _, told) = finish(on(&site, &["backup", &backup.display().to_string()], &site.data())).await;
    assert_eq!(code, 0, "{told}");
    (site, backup)
}

async fn upload(site: &Site, server: &Process, name: &str) -> String {
    let file = reqwest::multipart::Part::bytes(name.as_bytes().to_vec()).file_name(name.to_owned());
    let form = reqwest::multipart::Form::new().text("purpose", "user_data").part("file", file);
    let file = answer(site.request(server, Method::POST, "/v1/files").multipart(form)).await.ok();
    text(&file["id"]).to_owned()
}

async fn files(site: &Site, server: &Process) -> usize {
    let files = site.call(server, Method::GET, "/v1/files", None).await.ok();
    files["data"].as_array().map_or(0, Vec::len)
}

/// The program on a data directory.
fn on(site: &Site, arguments: &[&str], data: &Path) -> Command {
    let mut command = program(site, arguments);
    command.arg("--data-dir").arg(data);
    command
}

fn restore(site: &Site, backup: &Path, data: &Path) -> Command {
    on(site, &["restore", &backup.display().to_string()], data)
}

/// A server that may fail to start: its address, or the last line that it printed.
fn try_serve(site: &Site, data: &Path) -> (Child, Result<String, String>) {
    let mut command = on(site, &["serve", "--no-worker", "--listen", "127.0.0.1:0", "--threads", "1"], data);
    let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn_limited();
    let mut last = String::new();
    for line in BufReader::new(child.stderr.take().expect("standard error")).lines() {
        last = line.expect("text");
        if let Some(root) = last.strip_prefix("listening on ") {
            let root = root.to_owned();
            return (child, Ok(root));
        }
    }
    (child, Err(last))
}

fn end(mut child: Child) {
    let _ = child.kill();
    wait_within(END_TIME, &mut child, "a process that was killed");
}

/// However late the server starts, either it is rejected, or the restoration is, or it has all that was restored.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restoration_and_a_service_never_meet() {
    let (site, backup) = backed_up().await;
    let mut seen = [0; 3];
    for round in 0..12_u64 {
        let data = site.path().join(format!("restored {round}"));
        let restoring = tokio::spawn(finish(restore(&site, &backup, &data)));
        tokio::time::sleep(Duration::from_millis(60 * round)).await;
        let (child, served) = try_serve(&site, &data);
        let (code, _, told) = restoring.await.expect("no panic");
        match (served, code) {
            (Err(rejected), 0) => {
                assert!(rejected.contains("a backup is being restored to"), "{rejected}");
                seen[0] += 1;
            }
            (Ok(_), 1) => {
                assert!(told.contains("another process uses") || told.contains("has a database already"), "{told}");
                assert!(!data.join("trainyard.restoring").exists());
                seen[1] += 1;
            }
            (Ok(root), 0) => {
                let listed = crate::support::http().get(format!("{root}/v1/files")).bearer_auth(&site.key).send().await;
                let listed: Value = listed.expect("an answer").json().await.expect("JSON");
                assert_eq!(listed["data"].as_array().map(Vec::len), Some(FILES), "{listed}");
                seen[2] += 1;
            }
            (served, code) => panic!("{served:?} {code} {told}"),
        }
        end(child);
    }
    println!(
        "the service was refused {} times, the restoration {} times; {} times they followed",
        seen[0], seen[1], seen[2]
    );
    assert!(seen[0] > 0, "no service started during a restoration");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_two_restorations_is_rejected() {
    let (site, backup) = backed_up().await;
    for round in 0..6_u64 {
        let data = site.path().join(format!("restored {round}"));
        let first = tokio::spawn(finish(restore(&site, &backup, &data)));
        tokio::time::sleep(Duration::from_millis(30 * round)).await;
        let second = finish(restore(&site, &backup, &data)).await;
        let mut both = [first.await.expect("no panic"), second];
        both.sort_by_key(|(code, ..)| *code);
        let [(whole, _, told), (rejected, _, why)] = both;
        assert_eq!((whole, rejected), (0, 1), "{told}{why}");
        let reasons = ["is being restored", "another process uses", "has a database already"];
        assert!(reasons.iter().any(|reason| why.contains(reason)), "{why}");
        let (code, shown, told) = finish(on(&site, &["fsck"], &data)).await;
        assert!(code == 0 && shown.contains(&format!("{FILES} of {FILES} artifacts")), "{shown}{told}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_uses_a_directory_whose_restoration_was_interrupted() {
    let (site, backup) = backed_up().await;
    let data = site.path().join("restored");
    let mut child = restore(&site, &backup, &data).stdout(Stdio::null()).stderr(Stdio::null()).spawn_limited();
    let deadline = Instant::now() + Duration::from_secs(60);
    while !data.join("trainyard.restoring").exists() {
        assert!(Instant::now() < deadline, "no restoration begins");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(!data.join("trainyard.db").exists(), "it was killed before its end");
    let copy = site.path().join("copy").display().to_string();
    let commands = [
        vec!["serve", "--listen", "127.0.0.1:0"],
        vec!["worker"],
        vec!["keys", "create", "--entity", "acme"],
        vec!["keys", "list"],
        vec!["usage"],
        vec!["fsck"],
        vec!["migrate"],
        vec!["backup", &copy],
    ];
    for command in commands {
        let (code, _, told) = finish(on(&site, &command, &data)).await;
        let remedy = "was interrupted; repeat `trainyard restore`";
        assert!(code == 1 && told.contains(remedy), "{command:?}: {code} {told}");
    }
    let (code, _, told) = finish(restore(&site, &backup, &data)).await;
    assert_eq!(code, 0, "{told}");
    let (code, shown, _) = finish(on(&site, &["fsck"], &data)).await;
    assert!(code == 0 && shown.contains(&format!("{FILES} of {FILES} artifacts")), "{shown}");
    // Killed between its last two steps.
    fs::hard_link(data.join("trainyard.db"), data.join("trainyard.restoring")).expect("ours");
    assert_eq!(finish(on(&site, &["keys", "list"], &data)).await.0, 0);
    assert!(!data.join("trainyard.restoring").exists());
}

/// Everything below a path, and the path itself, with its owner.
fn owners(path: &Path) -> Vec<(PathBuf, u32)> {
    let metadata = path.symlink_metadata().expect("it is there");
    let mut found = vec![(path.to_owned(), metadata.uid())];
    if metadata.is_dir() {
        for entry in fs::read_dir(path).expect("a directory") {
            found.extend(owners(&entry.expect("an entry").path()));
        }
    }
    found
}

fn not_owned(path: &Path) -> Vec<(PathBuf, u32)> {
    owners(path).into_iter().filter(|(_, owner)| *owner != USER).collect()
}

/// Gives everything below a path to the other user.
fn give(path: &Path) {
    for (path, _) in owners(path) {
        chown(path, Some(USER), Some(USER)).expect("the tests run as root: this one gives files to another user");
    }
}

async fn check(site: &Site, server: &Process) -> Value {
    site.call(server, Method::GET, "/v1/system-check", None).await.body["artifacts"].clone()
}

/// Waits until a check has this outcome.
async fn checked(site: &Site, server: &Process, success: bool) -> Value {
    let deadline = Instant::now() + Duration::from_secs(120);
    loop {
        let found = check(site, server).await;
        if found["success"] == success {
            return found;
        }
        assert!(Instant::now() < deadline, "{found}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_root_creates_belongs_to_the_owner_of_the_data_directory() {
    let site = Site::new();
    give(site.path());
    let server = Process::serve_as(site.path(), USER, &["--no-worker"]);
    let stored = site.data().join("artifacts/sha256");
    let count = || owners(&stored).iter().filter(|(path, _)| path.is_file()).count();
    let first = upload(&site, &server, "first").await;
    // As root, while the service runs and after it.
    let (backup, copy) = (site.path().join("backup"), site.path().join("restored"));
    let commands = |data: &Path| {
        let backup = backup.display().to_string();
        [
            on(&site, &["backup", &backup], data),
            on(&site, &["keys", "create", "--entity", "other"], data),
            on(&site, &["keys", "list"], data),
            on(&site, &["fsck"], data),
            on(&site, &["migrate"], data),
            on(&site, &["usage"], data),
        ]
    };
    for command in commands(&site.data()) {
        let (code, shown, told) = finish(command).await;
        assert_eq!(code, 0, "{shown}{told}");
        assert_eq!(not_owned(site.path()), [], "after {shown}{told}");
    }
    // The service still frees the disk.
    let stored_before = count();
    site.call(&server, Method::DELETE, &format!("/v1/files/{first}"), None).await.ok();
    let deadline = Instant::now() + Duration::from_secs(60);
    while count() == stored_before {
        assert!(Instant::now() < deadline, "the deleted file stays");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    server.stop();
    // A service that root runs there by mistake, and a restoration beside it.
    let server = Process::serve(site.path(), &[]);
    upload(&site, &server, "by root").await;
    let model = site.model(&server, "by-root").await;
    let job = site.start_sft(&server, &model, &[row("red?", "blue")]).await;
    site.finished(&server, &job).await;
    server.stop();
    assert_eq!(not_owned(&site.data()), []);
    let (code, _, told) = finish(restore(&site, &backup, &copy)).await;
    assert_eq!((code, not_owned(&copy)), (0, vec![]), "{told}");
    // The user can run a service on what root restored.
    fs::rename(site.data(), site.path().join("before")).expect("ours");
    fs::rename(&copy, site.data()).expect("ours");
    let server = Process::serve_as(site.path(), USER, &["--no-worker"]);
    assert_eq!(files(&site, &server).await, 1);
    upload(&site, &server, "after").await;
    server.stop();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collection_that_fails_fails_the_check_until_it_works() {
    let site = Site::new();
    give(site.path());
    let server = Process::serve_as(site.path(), USER, &["--no-worker"]);
    let locks = site.data().join("artifacts/holds");
    for (place, reason) in
        [(locks.clone(), "permission denied"), (site.data().join("artifacts/sha256"), "permission denied")]
    {
        let file = upload(&site, &server, "to be deleted").await;
        checked(&site, &server, true).await;
        let shard = if place == locks {
            fs::create_dir_all(&locks).expect("ours");
            locks.clone()
        } else {
            let (file, _) = owners(&place).into_iter().find(|(path, _)| path.is_file()).expect("an artifact");
            file.parent().expect("its directory").to_owned()
        };
        // As an older program left it, run by root.
        chown(&shard, Some(0), Some(0)).expect("the tests run as root: this one takes files from another user");
        fs::set_permissions(&shard, std::os::unix::fs::PermissionsExt::from_mode(0o700)).expect("ours");
        site.call(&server, Method::DELETE, &format!("/v1/files/{file}"), None).await.ok();
        let failed = checked(&site, &server, false).await;
        let error = text(&failed["errors"][0]);
        assert!(error.contains("deleted data is not removed") && error.contains(reason), "{error}");
        assert!(error.contains("chown -R") && !error.contains(&site.path().display().to_string()), "{error}");
        give(&shard);
        // It is tried again by itself.
        checked(&site, &server, true).await;
        assert!(owners(&site.data().join("artifacts/sha256")).iter().all(|(path, _)| !path.is_file()), "it is gone");
    }
    server.stop();
}
