//! What the feature `client` makes its users build. `tests/check` compiles it alone.

use std::process::Command;

use crate::time_limits::Limited;

fn cargo(arguments: &[&str]) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(arguments).args(["--locked", "--no-default-features", "--features", "client"]);
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo
}

/// No C compiler, no engine, no server, no generator. On this platform: to look at another, its crates must be there.
#[test]
fn the_client_alone_needs_only_the_rust_compiler() {
    let tree = cargo(&["tree", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"]).output_limited();
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
