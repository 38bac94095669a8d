//! The page on statuses, the table on the document's front page, the document and [`ApiError`] say the same.
//!
//! [`ApiError`]: trainyard::http::ApiError

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use trainyard::http::ErrorStatus;

use super::json_schema::document;
use super::specification::rows;
use crate::support::text;

const PAGE: &str = include_str!("../../../docs/status-codes.md");
const API_ERROR: &str = include_str!("../../../crates/runtime/src/http/api_error.rs");

/// Cells of the table whose first column is headed `status`.
fn table(markdown: &str) -> Vec<Vec<String>> {
    let lines = markdown.lines().skip_while(|line| !line.starts_with("| status |")).skip(2);
    lines
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect())
        .collect()
}

fn statuses_and_types(rows: &[Vec<String>]) -> Vec<(String, String)> {
    rows.iter().map(|row| (row[0].clone(), row[1].clone())).collect()
}

/// The constants of `ErrorStatus`, each with the status that its comment names.
fn constants() -> BTreeSet<String> {
    let lines: Vec<&str> = API_ERROR.lines().map(str::trim).collect();
    let pairs =
        lines.windows(2).filter(|pair| pair[1].starts_with("pub const ") && pair[1].contains("Self(StatusCode::"));
    pairs.map(|pair| pair[0].trim_start_matches("///").trim().to_owned()).collect()
}

#[test]
fn the_page_has_the_statuses_of_failure_with_their_types() {
    let rows = table(PAGE);
    let listed: BTreeSet<String> = rows.iter().map(|row| row[0].clone()).collect();
    assert_eq!(listed, constants(), "docs/status-codes.md against ErrorStatus");
    assert_eq!(listed.len(), rows.len(), "each status has one row");
    let known = [
        ErrorStatus::BAD_REQUEST,
        ErrorStatus::UNAUTHORIZED,
        ErrorStatus::FORBIDDEN,
        ErrorStatus::NOT_FOUND,
        ErrorStatus::METHOD_NOT_ALLOWED,
        ErrorStatus::NOT_ACCEPTABLE,
        ErrorStatus::REQUEST_TIMEOUT,
        ErrorStatus::CONFLICT,
        ErrorStatus::CONTENT_TOO_LARGE,
        ErrorStatus::URI_TOO_LONG,
        ErrorStatus::UNSUPPORTED_MEDIA_TYPE,
        ErrorStatus::RANGE_NOT_SATISFIABLE,
        ErrorStatus::EXPECTATION_FAILED,
        ErrorStatus::UNPROCESSABLE_CONTENT,
        ErrorStatus::TOO_MANY_REQUESTS,
        ErrorStatus::REQUEST_HEADER_FIELDS_TOO_LARGE,
        ErrorStatus::INTERNAL_SERVER_ERROR,
        ErrorStatus::SERVICE_UNAVAILABLE,
    ];
    let kinds: Vec<_> =
        known.iter().map(|status| (status.code().as_str().to_owned(), status.kind().to_owned())).collect();
    assert_eq!(statuses_and_types(&rows), kinds, "add the new status to the list of this test");
    for row in &rows {
        let constructor = format!("pub fn {}(", row[3]);
        assert!(API_ERROR.contains(&constructor), "{}: ApiError has no {}", row[0], row[3]);
    }
}

#[test]
fn the_front_page_has_the_same_table() {
    let document = document();
    let front = table(text(&document["info"]["description"]));
    assert_eq!(statuses_and_types(&front), statuses_and_types(&table(PAGE)));
}

#[test]
fn the_page_says_where_the_document_has_each_status() {
    let document = document();
    let mut operations: BTreeMap<String, usize> = BTreeMap::new();
    for item in document["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values().filter(|operation| operation.get("responses").is_some()) {
            for (status, response) in operation["responses"].as_object().unwrap() {
                let rejection = response["$ref"].is_string();
                if status != "default" && rejection {
                    *operations.entry(status.clone()).or_default() += 1;
                }
            }
        }
    }
    let rows = table(PAGE);
    let listed: BTreeSet<&str> = rows.iter().filter(|row| row[2] == "operations").map(|row| row[0].as_str()).collect();
    assert_eq!(listed, operations.keys().map(String::as_str).collect(), "statuses that operations list");
    for row in &rows {
        assert!(["operations", "every path", "default"].contains(&row[2].as_str()), "{row:?}");
    }
    let types = text(&document["components"]["schemas"]["ErrorDetail"]["properties"]["type"]["description"]);
    for row in &rows {
        assert!(types.contains(&format!("`{}`", row[1])), "ErrorDetail.type does not name {}", row[1]);
    }
}

/// Retry headers are promised exactly where `ApiError` sends them.
#[test]
fn headers_of_rejections() {
    let document = document();
    let headers: BTreeMap<&str, Vec<&str>> = document["components"]["responses"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, response): (_, &Value)| {
            let headers = response["headers"].as_object().unwrap().keys().map(String::as_str);
            // On every answer, and on every answer to a key with limits.
            let everywhere = |header: &str| header == "x-request-id" || header.starts_with("x-ratelimit-");
            (name.as_str(), headers.filter(|header| !everywhere(header)).collect())
        })
        .filter(|(_, headers): &(_, Vec<_>)| !headers.is_empty())
        .collect();
    let expected = [
        ("Conflict", vec!["x-should-retry"]),
        ("RangeNotSatisfiable", vec!["Content-Range"]),
        ("Stopping", vec!["Retry-After"]),
        ("TooManyRequests", vec!["Retry-After"]),
        ("Unauthorized", vec!["WWW-Authenticate"]),
        ("Unavailable", vec!["Retry-After"]),
    ];
    assert_eq!(headers, BTreeMap::from(expected));
}

/// Operations with a choice of media types have 406, and no others.
#[test]
fn operations_with_several_media_types_have_406() {
    for row in rows() {
        let several =
            row.answer(200).is_some_and(|(_, answer)| answer["content"].as_object().is_some_and(|it| it.len() > 1));
        let listed = row.answers.iter().any(|(status, _)| status == "406");
        assert_eq!(listed, several, "{}", row.id);
    }
}
