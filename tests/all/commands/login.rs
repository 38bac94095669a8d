//! `trainyard login` and `logout`, and what commands without a key say.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use super::{asking, finish, program};
use crate::support::process::{Process, Site};
use crate::time_limits::Limited;

/// Logs in with this key on standard input: exit code and all that was said.
async fn log_in(site: &Site, root: &str, key: &str) -> (i32, String) {
    let mut command = program(site, &["login", "--base-url", &format!("{root}/v1/")]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn_limited();
    writeln!(child.stdin.take().expect("standard input"), "{key}").expect("it reads");
    let output =
        tokio::task::spawn_blocking(move || child.wait_with_output()).await.expect("no panic").expect("it ends");
    let said = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
    (output.status.code().expect("an exit code"), said)
}

#[tokio::test]
async fn a_login_is_tried_and_kept_private() {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let root = server.root.clone();
    let file = site.path().join("config/trainyard/login.toml");
    let list = ["models", "list"];
    let (code, _, told) = finish(program(&site, &list)).await;
    assert!(code == 1 && told.contains("set TRAINYARD_API_KEY, or keep one with `trainyard login`"), "{code} {told}");

    let (code, said) = log_in(&site, &root, "wrong-key").await;
    assert!(code == 1 && said.contains("the API key is not valid") && !said.contains("401"), "{code} {said}");
    let (code, said) = log_in(&site, &root, "").await;
    assert!(code == 1 && said.contains("no key was given"), "{code} {said}");
    assert!(!file.exists(), "nothing is kept of a key that does not work");
    let (code, said) = log_in(&site, &root, &site.key).await;
    assert!(code == 0 && said.contains(&format!("logged in to {root}")) && !said.contains(&site.key), "{code} {said}");
    let mode = || fs::metadata(&file).expect("it is kept").permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);

    let (code, _, told) = finish(program(&site, &list)).await;
    assert_eq!((code, told.contains("no models yet")), (0, true), "{told}");
    // Permissions that somebody widened are narrowed again, and that is told.
    fs::set_permissions(&file, Permissions::from_mode(0o644)).expect("changed");
    let (code, _, told) = finish(program(&site, &list)).await;
    assert!(code == 0 && told.contains("others could read"), "{code} {told}");
    assert_eq!(mode(), 0o600);
    // The environment comes before what is kept, and a kept key goes to no other service.
    let mut wrong = asking(&site, &root, &list);
    wrong.env("TRAINYARD_API_KEY", "wrong-key");
    let (code, _, told) = finish(wrong).await;
    assert!(code == 1 && told.contains("TRAINYARD_API_KEY"), "{code} {told}");
    let (code, _, told) = finish(program(&site, &["models", "list", "--base-url", "http://127.0.0.1:9"])).await;
    assert!(code == 1 && told.contains(&format!("you are logged in to {root}, not to http://127.0.0.1:9")), "{told}");

    assert_eq!(finish(program(&site, &["logout"])).await.0, 0);
    assert!(!file.exists());
    let (code, _, told) = finish(program(&site, &["logout"])).await;
    assert!(code == 0 && told.contains("nobody is logged in"), "{code} {told}");
    server.stop();
}
