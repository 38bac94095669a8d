//! The commands that work on a data directory.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::{finish, program};
use crate::support::process::{Process, Site};
use crate::support::{answer, row};

/// Everything below a directory, and the directory itself, that others can access.
fn open_to_others(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut left = vec![directory.to_owned()];
    while let Some(path) = left.pop() {
        let metadata = path.symlink_metadata().expect("it is there");
        if metadata.is_dir() {
            left.extend(std::fs::read_dir(&path).expect("a directory").map(|entry| entry.expect("an entry").path()));
        }
        if metadata.permissions().mode() & 0o077 != 0 {
            found.push(path);
        }
    }
    found
}

#[tokio::test]
async fn the_store_is_private_whoever_made_its_directory() {
    for umask in ["000", "022"] {
        let site = Site::new();
        // The owner made the directory, and a program that did not care made the database.
        for (path, mode) in [("", 0o755), ("trainyard.db", 0o644)] {
            std::fs::set_permissions(site.data().join(path), PermissionsExt::from_mode(mode)).expect("ours");
        }
        let server = Process::serve_with_umask(site.path(), umask);
        let model = site.model(&server, "private").await;
        let job = site.start_sft(&server, &model, &[row("red?", "blue")]).await;
        site.finished(&server, &job).await;
        let form = reqwest::multipart::Form::new()
            .text("purpose", "user_data")
            .part("file", reqwest::multipart::Part::bytes(vec![b'x'; 9 << 20]).file_name("large"));
        answer(site.request(&server, reqwest::Method::POST, "/v1/files").multipart(form)).await.ok();
        // While it runs, so that the logs of the database are there.
        assert!(site.data().join("trainyard.db-wal").exists());
        assert_eq!(open_to_others(&site.data()), Vec::<PathBuf>::new(), "umask {umask}");
        server.stop();

        let copy = site.path().join("copy");
        let data = site.data().display().to_string();
        let (code, _, told) =
            finish(program(&site, &["backup", &copy.display().to_string(), "--data-dir", &data])).await;
        assert_eq!((code, open_to_others(&copy)), (0, Vec::new()), "{told}");
    }
}

#[tokio::test]
async fn a_directory_of_other_programs_is_rejected_with_the_remedy() {
    let site = Site::new();
    let shared = site.path().join("shared");
    std::fs::create_dir(&shared).expect("a directory");
    std::fs::write(shared.join("notes"), "mine").expect("a file");
    std::fs::set_permissions(&shared, PermissionsExt::from_mode(0o755)).expect("ours");
    let directory = shared.display().to_string();
    let create = ["keys", "create", "--entity", "acme", "--data-dir", &directory];
    let (code, shown, told) = finish(program(&site, &create)).await;
    assert!(code == 1 && shown.is_empty() && told.contains("other users can access it"), "{code} {told}");
    assert!(told.contains(&format!("chmod 700 {directory}")), "{told}");
    std::fs::set_permissions(&shared, PermissionsExt::from_mode(0o700)).expect("ours");
    assert_eq!(finish(program(&site, &create)).await.0, 0);
}

#[tokio::test]
async fn a_wrong_data_directory_is_told_and_left_alone() {
    let site = Site::new();
    let (missing, empty) = (site.path().join("missing"), site.path().join("empty"));
    std::fs::create_dir(&empty).expect("a directory");
    let copy = site.path().join("copy").display().to_string();
    let commands = [
        vec!["keys", "list"],
        vec!["keys", "revoke", "abcd"],
        vec!["keys", "limit", "abcd", "--streams", "1"],
        vec!["usage"],
        vec!["fsck"],
        vec!["verify", "demo/agent"],
        vec!["replay", "01a1f9c4-9a7e-7d10-8c55-3b1f60a2c9e4"],
        vec!["export", "demo/agent", "--form", "peft", "--out", &copy],
        vec!["backup", &copy],
    ];
    for command in commands {
        for directory in [&missing, &empty] {
            let directory = directory.display().to_string();
            let (code, shown, told) =
                finish(program(&site, &[&command[..], &["--data-dir", &directory]].concat())).await;
            let reason = format!("error: there is no database in {directory}; name the data directory");
            assert!(code == 1 && shown.is_empty() && told.starts_with(&reason), "{command:?}: {code} {told}");
        }
        assert!(!missing.exists() && std::fs::read_dir(&empty).expect("it is there").next().is_none(), "{command:?}");
    }
    // A key may be made before the first start of the service.
    let directory = missing.display().to_string();
    let create = ["keys", "create", "--entity", "early", "--data-dir", &directory];
    assert_eq!(finish(program(&site, &create)).await.0, 0);
    let (code, table, _) = finish(program(&site, &["keys", "list", "--data-dir", &directory])).await;
    assert!(code == 0 && table.contains("early") && table.contains("just now"), "{code} {table}");
}
