use proptest::prelude::*;
use serde_json::json;

use super::*;

/// Returns the root fields of a query as `key:name`, or the error.
fn roots(query: &str, variables: Value) -> Result<Vec<String>, String> {
    let Value::Object(variables) = variables else { unreachable!("variables are an object") };
    let document = Document::parse(query).map_err(|error| error.to_string())?;
    let request = document.request(&variables).map_err(|error| error.to_string())?;
    let fields = request.fields().map_err(|error| error.to_string())?;
    Ok(fields.into_iter().map(|field| format!("{}:{}", field.key(), field.name())).collect())
}

#[test]
fn root_fields_are_found_whatever_stands_around_them() {
    for (query, found) in [
        ("{ viewer { id } }", "viewer:viewer"),
        ("query{viewer{id}}", "viewer:viewer"),
        ("query Viewer { viewer { id } }", "viewer:viewer"),
        (
            "\u{feff},,# {no}\r\n#graphql\nquery Q($a: [String!]! = [\"}\"], $b: X = {c: 1}) @d(e: \"{\") { viewer }",
            "viewer:viewer",
        ),
        ("query viewer { serverInfo { viewer } }", "serverInfo:serverInfo"),
        ("query { result: viewer { id } }", "result:viewer"),
        ("query { ... on Query { viewer } }", "viewer:viewer"),
        ("query { ...F } fragment F on Query { ... @include(if: true) { viewer } ...F }", "viewer:viewer"),
        ("query { viewer, model(name: \"\"\"a \\\"\"\" { b\"\"\") }", "viewer:viewer model:model"),
        ("query { viewer @skip(if: true) model @include(if: $no) run @include(if: true) }", "run:run"),
        ("query Q($yes: Boolean = true) { viewer @include(if: $yes) model @skip(if: $yes) }", "viewer:viewer"),
        ("{ }", ""),
    ] {
        assert_eq!(roots(query, json!({})).map(|found| found.join(" ")), Ok(found.to_owned()), "{query}");
    }
}

#[test]
fn invalid_queries_are_rejected_with_their_places() {
    for (query, position) in [
        ("", "byte 0"),
        ("# nothing", "byte 9"),
        ("viewer", "byte 0"),
        ("query", "byte 5"),
        ("query { viewer", "byte 14"),
        ("query { viewer(id: \"}) }", "a text that ends"),
        ("query { viewer(id: \"\"\"}) }", "a text that ends"),
        ("query { viewer(id: \"\\q\") }", "escapes"),
        ("query { viewer(id: 01) }", "a number"),
        ("query { viewer(id: [$a]) }", "without variables"),
        ("query { viewer(id:) }", "byte 18"),
        ("query { viewer.id }", "byte 14"),
        ("query { é }", "byte 8"),
        ("{ ...Nowhere }", "no fragment \"Nowhere\""),
        ("subscription { viewer }", "subscriptions"),
        ("query A { viewer } query B { viewer }", "2 operations"),
        ("fragment F on Query { viewer }", "an operation"),
    ] {
        let rejected = roots(query, json!({})).expect_err(query);
        assert!(rejected.contains(position), "{query}: {rejected}");
    }
}

#[test]
fn sizes_and_depths_are_bounded() {
    let deep = |open: &str, close: &str, times: usize| format!("{{ a{}{} }}", open.repeat(times), close.repeat(times));
    assert!(roots(&deep("{a", "}", DEPTH - 1), json!({})).is_ok());
    for deep in [
        deep("{a", "}", DEPTH),
        deep("{a", "}", 20_000),
        format!("{{ a(b: {}1) }}", "[".repeat(30_000)),
        format!("{{ a(b: {}", "{c:".repeat(20_000)),
        format!("query Q($a: {}", "[".repeat(30_000)),
        format!("{{ {}", "... {".repeat(12_000)),
    ] {
        assert!(roots(&deep, json!({})).expect_err("too deep").contains("too deeply"));
    }
    assert!(
        roots(&format!("{{ a }} #{}", "x".repeat(QUERY_BYTES)), json!({})).expect_err("too long").contains("65536")
    );
    // Each fragment is expanded once, although each spreads the next one twice.
    let fragments: String =
        (0..500).map(|n| format!("fragment F{n} on Q {{ a ...F{} ...F{} }}\n", n + 1, n + 1)).collect();
    let found = roots(&format!("{{ ...F0 }} {fragments} fragment F500 on Q {{ a }}"), json!({})).unwrap();
    assert_eq!(found.len(), 501);
}

#[test]
fn fields_on_all_levels_are_counted_and_bounded() {
    let count = |query: &str| {
        let (document, variables) = (Document::parse(query).unwrap(), serde_json::Map::new());
        document.request(&variables).unwrap().all_fields().map(|all| all.len())
    };
    assert_eq!(count("{ a { b { c } b: d } ...F } fragment F on Q { a { b } }"), Ok(6));
    let aliases = |count: usize| (0..count).map(|n| format!("a{n}:b ")).collect::<String>();
    assert_eq!(count(&format!("{{ a {{ {} }} }}", aliases(FIELDS - 1))), Ok(FIELDS));
    for too_many in [
        format!("{{ a {{ {} }} }}", aliases(FIELDS)),
        format!("{{ {} }}", aliases(FIELDS + 1)),
        "{ ...F } fragment F on Q { a { ...F } }".to_owned(),
        format!("{{ {} }} fragment F on Q {{ {} }}", "a { ...F } ".repeat(40), aliases(40)),
    ] {
        assert_eq!(count(&too_many), Err(GraphqlError::TooManyFields), "{too_many}");
    }
}

#[test]
fn arguments_are_read_where_they_stand() {
    let query = "mutation Any($i: X, $n: Y = \"default\", $gone: Z) {
        whole(input: $i) part(input: {name: $n, list: $i, text: \"t\\u00e9\", gone: $gone, empty: [], on: true, kind: FULL})
        fixed(input: {a: [1, -2.5e3, {b: null}], c: \"\"}) none
    }";
    let document = Document::parse(query).unwrap();
    let Value::Object(variables) = json!({ "i": { "deep": [{ "x": 1 }], "null": null, "no": [] }, "gone": null })
    else {
        unreachable!("an object")
    };
    let request = document.request(&variables).unwrap();
    assert_eq!(request.kind(), Kind::Mutation);
    let fields = request.fields().unwrap();
    let [whole, part, fixed, none] = fields.as_slice() else { panic!("four fields") };
    assert_eq!(whole.argument(&["input", "deep"]), Some(&json!([{ "x": 1 }])));
    assert_eq!((whole.argument(&["input", "null"]), whole.argument(&["input", "deep", "x"])), (None, None));
    assert_eq!(whole.names_in("input"), ["deep"]);
    assert_eq!(part.argument(&["input", "name"]), Some(&json!("default")));
    assert_eq!(part.argument(&["input", "list", "deep"]), Some(&json!([{ "x": 1 }])));
    assert_eq!(part.argument(&["input", "text"]), Some(&json!("té")));
    assert_eq!(part.argument(&["input", "kind"]), Some(&json!("FULL")));
    assert_eq!((part.argument(&["input", "gone"]), part.argument(&["input"])), (None, None));
    assert_eq!(part.names_in("input"), ["name", "list", "text", "on", "kind"]);
    assert_eq!(fixed.argument(&["input"]), Some(&json!({ "a": [1, -2500.0, { "b": null }], "c": "" })));
    assert_eq!((none.argument(&["input"]), none.names_in("input").len()), (None, 0));
}

proptest! {
    #[test]
    fn any_text_is_read_or_rejected(text in ".{0,200}") {
        let _ = roots(&text, json!({}));
    }

    #[test]
    fn any_words_are_read_or_rejected(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "{", "}", "(", ")", "[", "]", ":", "$", "@", "!", "=", "...", "\"", "\"\"\"", "\\", "#", "\n", "query",
                "mutation", "fragment", "on", "a", "é", "1", "-", "true", "null", "include", "if", "F",
            ]),
            0..40,
        )
    ) {
        let _ = roots(&words.join(" "), json!({ "a": 1 }));
        let _ = roots(&words.concat(), json!({ "a": 1 }));
    }

    #[test]
    fn written_queries_are_read_back(
        alias in prop::option::of("[a-z_][A-Za-z0-9_]{0,8}"),
        name in "[A-Za-z_][A-Za-z0-9_]{0,8}",
        text in ".{0,40}",
        number in any::<i64>(),
        comment in "[^\r\n]{0,20}",
    ) {
        let value = json!({ "text": text, "number": number, "list": [text.clone(), null, true] });
        // GraphQL strings, numbers and lists are written as in JSON; its names are not quoted.
        let written = format!(
            "{{text: {}, number: {number}, list: {}, given: $given}}",
            Value::String(text.clone()), json!([text.clone(), null, true]),
        );
        let prefix = alias.as_ref().map(|alias| format!("{alias}: ")).unwrap_or_default();
        let query = format!("#{comment}\nquery Q($given: X) {{ #{comment}\n {prefix}{name}(input: {written}) {{ id }} }}");
        let document = Document::parse(&query).unwrap();
        let mut variables = Map::new();
        variables.insert("given".to_owned(), value.clone());
        let fields = document.request(&variables).unwrap().fields().unwrap();
        prop_assert_eq!((fields.len(), fields[0].name(), fields[0].key()), (1, name.as_str(), alias.as_deref().unwrap_or(&name)));
        for key in ["text", "number", "list"] {
            prop_assert_eq!(fields[0].argument(&["input", key]).unwrap(), &value[key]);
        }
        prop_assert_eq!(fields[0].argument(&["input", "given"]), Some(&value));
    }
}
