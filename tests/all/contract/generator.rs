//! What the generator writes for one feature at a time, and what the linter says to a spoilt document.

use super::codegen;

const PARAMETERS: &str = include_str!("fixtures/parameters.yaml");
const UNIONS: &str = include_str!("fixtures/unions.yaml");
const ANSWERS: &str = include_str!("fixtures/answers.yaml");
const SPOILT: &str = include_str!("fixtures/spoilt.yaml");

pub(super) fn artifact(document: &str, name: &str) -> String {
    match codegen::generate(document) {
        Ok(artifacts) => artifacts.into_iter().find(|(other, _)| *other == name).expect("an artifact").1,
        Err(faults) => panic!("the fixture has faults: {}", listed(&faults)),
    }
}

fn listed(faults: &[codegen::Fault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn parameters_and_a_body() {
    insta::assert_snapshot!(artifact(PARAMETERS, "server.rs"));
}

#[test]
fn limits() {
    insta::assert_snapshot!(artifact(PARAMETERS, "validate.rs"));
}

#[test]
fn unions_and_verbatim_values() {
    insta::assert_snapshot!(artifact(UNIONS, "unions.rs"));
}

#[test]
fn limits_inside_unions() {
    insta::assert_snapshot!(artifact(UNIONS, "validate.rs"));
}

#[test]
fn several_statuses_a_stream_an_alias_and_an_open_operation() {
    insta::assert_snapshot!(artifact(ANSWERS, "server.rs"));
}

#[test]
fn faults_of_a_spoilt_document() {
    insta::assert_snapshot!(listed(&codegen::generate(SPOILT).expect_err("it is spoilt")));
}

#[test]
fn another_version_is_refused_before_anything_else() {
    let newer = PARAMETERS.replace("openapi: 3.0.3", "openapi: 3.1.0");
    let faults = codegen::generate(&newer).expect_err("3.1 is not read");
    assert_eq!(listed(&faults), "/openapi: the version is 3.1.0; progenitor reads 3.0.x only");
}

#[test]
fn a_misspelt_key_does_not_vanish() {
    let misspelt = ANSWERS.replace("security: []", "securty: []");
    let faults = codegen::generate(&misspelt).expect_err("the key is unknown");
    let lost = faults.iter().any(|fault| fault.pointer == "/paths/~1alive/get/securty");
    assert!(lost, "{}", listed(&faults));
}
