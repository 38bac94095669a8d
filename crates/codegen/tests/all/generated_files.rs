//! What a build script does about a generated file, in a checkout and in a package.

use std::fs;
use std::path::Path;

use trainyard_codegen::generated_files::keep;

fn with(content: Option<&str>) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    if let Some(content) = content {
        fs::write(directory.path().join("types.rs"), content).unwrap();
    }
    directory
}

fn files(directory: &Path) -> Vec<(String, String)> {
    let files = fs::read_dir(directory).unwrap().map(|file| file.unwrap());
    files.map(|file| (file.file_name().into_string().unwrap(), fs::read_to_string(file.path()).unwrap())).collect()
}

#[test]
fn a_fresh_file_is_not_touched() {
    for packaged in [false, true] {
        let directory = with(Some("new"));
        let before = fs::metadata(directory.path().join("types.rs")).unwrap().modified().unwrap();
        assert_eq!(keep(directory.path(), "types.rs", "new", packaged), Ok(()));
        assert_eq!(fs::metadata(directory.path().join("types.rs")).unwrap().modified().unwrap(), before);
    }
}

#[test]
fn a_stale_file_is_written_in_a_checkout() {
    for before in [Some("old"), None] {
        let directory = with(before);
        assert_eq!(keep(directory.path(), "types.rs", "new", false), Ok(()));
        assert_eq!(files(directory.path()), [("types.rs".to_owned(), "new".to_owned())]);
    }
}

#[test]
fn a_stale_file_stops_the_build_of_a_package() {
    for before in [Some("old"), None] {
        let directory = with(before);
        let told = keep(directory.path(), "types.rs", "new", true);
        assert_eq!(told, Err("generated/types.rs is stale: build once in the repository, then package".to_owned()));
        let left: Vec<_> = files(directory.path()).into_iter().map(|(_, content)| content).collect();
        assert_eq!(left, before.map(str::to_owned).into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn a_file_that_cannot_be_written_is_told() {
    let directory = with(Some("a file"));
    let told = keep(&directory.path().join("types.rs"), "client.rs", "new", false).unwrap_err();
    assert!(told.starts_with("generated/client.rs is stale and cannot be written: "), "{told}");
}
