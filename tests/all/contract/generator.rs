//! What the generator writes for one feature at a time.

use super::codegen::{self, Settings};

const PARAMETERS: &str = include_str!("fixtures/parameters.yaml");
const UNIONS: &str = include_str!("fixtures/unions.yaml");
const ANSWERS: &str = include_str!("fixtures/answers.yaml");

pub(super) fn artifact(document: &str, name: &str) -> String {
    let settings = Settings { file: "fixture.yaml".to_owned(), support: "::trainyard".to_owned(), house_rules: false };
    match codegen::generate(document, &settings) {
        Ok(output) => output.artifacts.into_iter().find(|(other, _)| *other == name).expect("an artifact").1,
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
