//! What is in the package.

use std::fs;

/// Everything that the build reads is in the package.
#[test]
fn the_package_has_what_the_build_reads() {
    let manifest: toml::Table =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).unwrap().parse().unwrap();
    let included: Vec<_> =
        manifest["package"]["include"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    for needed in ["/build.rs", "/src/**", "/spec/**", "/generated/**", "/assets/**"] {
        assert!(included.contains(&needed), "{needed} is not in {included:?}");
    }
}
