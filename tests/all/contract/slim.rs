//! What the feature `client` makes its users build.

use std::{path::Path, process::Command};

fn cargo(arguments: &[&str]) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(arguments).args(["--locked", "--no-default-features", "--features", "client"]);
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo
}

/// No C compiler, no engine, no server, no generator. On this platform: to look at another, its crates must be there.
#[test]
fn the_client_alone_needs_only_the_rust_compiler() {
    let tree = cargo(&["tree", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"])
        .output()
        .expect("cargo runs");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let tree = String::from_utf8(tree.stdout).expect("names are UTF-8");
    let names: std::collections::BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains("trainyard") && names.contains("graviola"), "{names:?}");
    let unwanted = [
        "cc",
        "cmake",
        "bindgen",
        "pkg-config",
        "vcpkg",
        "ring",
        "aws-lc-sys",
        "openssl-sys",
        "libsqlite3-sys",
        "axum",
        "clap",
        "progenitor",
        "prettyplease",
        "openapiv3",
        "tokenizers",
        "regress",
    ];
    let found: Vec<_> = unwanted.iter().filter(|name| names.contains(*name)).collect();
    assert!(found.is_empty(), "the client builds {found:?}");
}

/// The tests are built with every feature, so nothing else would notice.
#[test]
fn the_client_alone_compiles_without_a_warning() {
    // A target directory of its own: flags differ, and the one of the tests may be locked.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("client-alone");
    let check = cargo(&["check", "--lib"])
        .env("CARGO_TARGET_DIR", target)
        .env("RUSTFLAGS", "-Dwarnings")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .output()
        .expect("cargo runs");
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
}
