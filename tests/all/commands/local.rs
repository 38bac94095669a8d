//! The commands that work on a data directory.

use super::{finish, program};
use crate::support::process::Site;

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
