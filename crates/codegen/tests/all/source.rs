//! Reading the text of a document.

use trainyard_codegen::source::Source;

fn rejection(text: &str) -> String {
    match Source::parse(text) {
        Ok(_) => panic!("it was read: {text}"),
        Err(fault) => fault.to_string(),
    }
}

#[test]
fn yaml_and_json_give_the_same_value_in_the_order_of_the_text() {
    let yaml = Source::parse("openapi: 3.0.3\ninfo: {title: no, b: [1, -2, 0.5, null, on]}\n200: x\n").unwrap();
    let json = Source::parse(
        "{\"openapi\": \"3.0.3\", \"info\": {\"title\": \"no\", \"b\": [1, -2, 0.5, null, \"on\"]}, \"200\": \"x\"}",
    )
    .unwrap();
    assert_eq!(yaml.json(), json.json());
    assert_eq!(yaml.value(), json.value());
    let order: Vec<_> = ["openapi", "info", "title", "200"].map(|key| yaml.json().find(key)).into();
    assert!(order.is_sorted(), "{}", yaml.json());
}

#[test]
fn rejections_name_line_and_column() {
    let mut deep = "a: ".to_owned() + &"[".repeat(120) + &"]".repeat(120);
    deep.push('\n');
    let cases = [
        "",
        "# nothing\n\n",
        "- a\n- b\n",
        "just words",
        "a: 1\nb: {c: 1, d: 2, c: 3}\n",
        "{\"a\": 1,\n \"b\": {\"c\": 1, \"c\": 2}}",
        "{\"a\": 1,\n \"b\": }",
        "a: 1\nb:\n\tc: 1\n",
        "a: [1, 2\nb: 3\n",
        "a: 1\n---\na: 2\n",
        "true: 1\n",
        "paths: {null: 1}\n",
        "paths:\n  ? [a, b]\n  : 1\n",
        "a: {b: .nan}\n",
        "a: !odd {b: 1}\n",
        "a: *nowhere\n",
        "a: {<<: [1]}\n",
        &deep,
    ];
    let told: Vec<_> = cases.iter().map(|text| rejection(text)).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn aliases_that_grow_without_bound_are_rejected() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let before = format!("*a{}", level - 1);
        bomb += &format!("a{level}: &a{level} [{}]\n", [before.as_str(); 10].join(", "));
    }
    assert!(rejection(&bomb).contains("repeat too much"), "{}", rejection(&bomb));
}

#[test]
fn merge_keys_are_resolved() {
    let merged = Source::parse("a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {<<: [*a, *b], x: 0}\n").unwrap();
    assert_eq!(merged.value()["c"], serde_json::json!({"x": 0, "y": 1, "z": 2}));
}
