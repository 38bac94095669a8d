//! Tests with small documents.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::emit::context::Context;
use crate::emit::{types, unions, validate};
use crate::fault::Fault;
use crate::ir::schema::{Additional, Discrimination, Field, Kind, NamedType, Object, Shape, Union};
use crate::lower::schemas::Schemas;

struct Lowered(Vec<NamedType>, Vec<Fault>);

fn lower(schemas: Value) -> Lowered {
    let root = json!({"components": {"schemas": schemas}});
    let mut schemas = Schemas::new(&root);
    schemas.lower_components();
    let (types, faults) = schemas.finish(&mut []);
    Lowered(types, faults)
}

impl Lowered {
    fn kind(&self, name: &str) -> &Kind {
        match self.0.iter().find(|named| named.name == name) {
            Some(named) => &named.kind,
            None => panic!("no {name} among {:?}", self.0.iter().map(|named| &named.name).collect::<Vec<_>>()),
        }
    }

    fn object(&self, name: &str) -> &Object {
        match self.kind(name) {
            Kind::Object(object) => object,
            other => panic!("{name} is {other:?}"),
        }
    }

    fn union(&self, name: &str) -> &Union {
        match self.kind(name) {
            Kind::Union(union) => union,
            other => panic!("{name} is {other:?}"),
        }
    }

    fn field<'a>(&'a self, object: &str, name: &str) -> &'a Field {
        self.object(object).fields.iter().find(|field| field.wire_name == name).unwrap()
    }

    fn faults(&self) -> Vec<String> {
        self.1.iter().map(ToString::to_string).collect()
    }

    /// Returns every emitted file; panics if one is not valid Rust.
    fn emitted(&self) -> String {
        let context = Context::new(&self.0, quote::quote!(crate));
        let files = [types::file(&context), unions::file(&context), validate::file(&context)];
        files.map(|tokens| prettyplease::unparse(&syn::parse2(tokens).unwrap())).concat()
    }
}

#[test]
fn unknown_properties_may_be_ignored_if_they_are_null() {
    let lowered = lower(json!({
        "Options": {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false,
            "x-unknown-null-ignored": true},
        "Nothing": {"type": "object", "additionalProperties": false, "x-unknown-null-ignored": true},
        "Closed": {"type": "object", "properties": {"a": {}}, "additionalProperties": false},
        "Both": {"allOf": [{"$ref": "#/components/schemas/Options"}, {"$ref": "#/components/schemas/Closed"}]},
    }));
    for name in ["Options", "Nothing"] {
        assert!(matches!(lowered.object(name).additional, Additional::Null), "{name}");
    }
    for name in ["Closed", "Both"] {
        assert!(matches!(lowered.object(name).additional, Additional::Rejected), "{name}");
    }
}

#[test]
fn merge_patches_tell_null_from_absence_in_the_objects_within_too() {
    let schemas = json!({
        "Patch": {"type": "object", "required": ["id"], "properties": {
            "id": {"type": "string", "nullable": true}, "name": {"type": "string", "nullable": true},
            "size": {"type": "integer", "nullable": true, "default": 1}, "plain": {"type": "string"},
            "owner": {"$ref": "#/components/schemas/Owner"},
            "tags": {"type": "array", "items": {"$ref": "#/components/schemas/Tag"}}}},
        "Owner": {"type": "object", "properties": {"mail": {"type": "string", "nullable": true}}},
        "Tag": {"type": "object", "properties": {"note": {"type": "string", "nullable": true}}},
        "Marked": {"type": "object", "x-distinct-null": true, "properties": {
            "note": {"type": "string", "nullable": true}}},
    });
    let root = json!({"components": {"schemas": schemas}});
    let mut lowering = Schemas::new(&root);
    lowering.lower_components();
    let patch = lowering.schema("/components/schemas/Patch", &root["components"]["schemas"]["Patch"], "Patch");
    lowering.merge_patch(&patch);
    let (types, faults) = lowering.finish(&mut []);
    let lowered = Lowered(types, faults);
    let distinct = |object: &str| -> Vec<&str> {
        let fields = &lowered.object(object).fields;
        fields.iter().filter(|field| field.distinct_null).map(|field| field.wire_name.as_str()).collect()
    };
    assert_eq!(
        (distinct("Patch"), distinct("Owner"), distinct("Tag"), distinct("Marked")),
        (vec!["name"], vec!["mail"], vec![], vec!["note"])
    );
}

#[test]
fn all_of_is_merged_tightest_first() {
    let lowered = lower(json!({
        "Base": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string", "minLength": 1}}},
        "Whole": {"allOf": [{"$ref": "#/components/schemas/Base"}, {
            "properties": {"id": {"minLength": 3, "maxLength": 9}, "n": {"type": "integer"}},
            "additionalProperties": {"type": "number"},
        }]},
    }));
    assert_eq!(lowered.faults(), Vec::<String>::new());
    let id = lowered.field("Whole", "id");
    assert!(id.required);
    assert_eq!((id.schema.limits.min_length, id.schema.limits.max_length), (Some(3), Some(9)));
    assert!(matches!(lowered.object("Whole").additional, Additional::Kept(_)));
    assert!(matches!(lowered.object("Base").additional, Additional::Ignored));
}

#[test]
fn contradictory_schemas_are_rejected_with_their_places() {
    let lowered = lower(json!({
        "A": {"allOf": [{"type": "string"}, {"type": "integer"}]},
        "B": {"type": "array"},
        "C": {"type": "object", "properties": {"x": {"not": {"type": "string"}}, "y": {"$ref": "#/nowhere"}}},
        "D": {"$ref": "#/components/schemas/D"},
        "E": {"type": "string", "pattern": "("},
    }));
    insta::assert_snapshot!(lowered.faults().join("\n"), @r"
    /components/schemas/A/allOf/1/type: nothing is both string (/components/schemas/A/allOf/0) and integer; keep one of the types
    /components/schemas/B: an array needs `items`; write `items: {}` for items of any kind
    /components/schemas/C/properties/x/not: `not` cannot be served: say what the values are, by `enum`, `pattern`, `required` or `oneOf`
    /components/schemas/C/properties/y/$ref: `#/nowhere` does not exist; define it or correct the name
    /components/schemas/D: references lead in a circle; write what the values are
    /components/schemas/E/pattern: is no regular expression of JavaScript: Unbalanced parenthesis; correct it
    ");
}

#[test]
fn types_that_hold_themselves() {
    let lowered = lower(json!({
        "Node": {"type": "object", "properties": {
            "next": {"$ref": "#/components/schemas/Node"},
            "children": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}},
        }},
        "Nested": {"type": "array", "items": {"$ref": "#/components/schemas/Nested"}},
        "Either": {"oneOf": [{"type": "string"}, {"$ref": "#/components/schemas/Pair"}]},
        "Pair": {"type": "object", "required": ["left"], "properties": {"left": {"$ref": "#/components/schemas/Either"}}},
    }));
    assert!(lowered.field("Node", "next").boxed && !lowered.field("Node", "children").boxed);
    assert!(matches!(lowered.kind("Nested"), Kind::Wrapper(_)));
    let boxes = lowered.field("Pair", "left").boxed as usize
        + lowered.union("Either").branches.iter().filter(|branch| branch.boxed).count();
    assert_eq!(boxes, 1, "one link of the circle");
    lowered.emitted();
}

#[test]
fn null_belongs_to_the_use() {
    let lowered = lower(json!({
        "Maybe": {"type": "string", "nullable": true, "enum": ["a", null]},
        "Use": {"type": "object", "properties": {
            "plain": {"$ref": "#/components/schemas/Maybe"},
            "branch": {"oneOf": [{"type": "integer"}, {"type": "boolean", "nullable": true}]},
            "null": {"anyOf": [{"type": "integer"}, {"enum": [null]}]},
            "beside": {"nullable": true, "allOf": [{"$ref": "#/components/schemas/Other"}]},
        }},
        "Other": {"type": "object", "properties": {"x": {}}},
    }));
    for name in ["plain", "branch", "null", "beside"] {
        assert!(lowered.field("Use", name).schema.nullable, "{name}");
    }
    assert!(matches!(lowered.field("Use", "null").schema.shape, Shape::Integer(_)));
    assert_eq!(lowered.field("Use", "beside").schema.name(), Some("Other"));
}

#[test]
fn unions_know_how_they_are_told_apart() {
    let tagged = |value: &str| {
        json!({"type": "object", "required": ["kind"], "properties": {
        "kind": {"type": "string", "enum": [value]}, "n": {"type": "integer"}}})
    };
    let lowered = lower(json!({
        "Cat": tagged("cat"), "Dog": tagged("dog"),
        "Named": {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
            "discriminator": {"propertyName": "kind"}},
        "Constant": {"anyOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}]},
        "Mixed": {"oneOf": [{"type": "string"}, {"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}]},
        "Overlapping": {"anyOf": [
            {"type": "object", "properties": {"a": {"type": "string"}}},
            {"type": "object", "properties": {"b": {"type": "string"}}},
        ]},
        "Trial": {"oneOf": [{"type": "string", "format": "ipv4"}, {"type": "string", "format": "ipv6"}]},
    }));
    for name in ["Named", "Constant"] {
        let Discrimination::Discriminator { property, mapping } = &lowered.union(name).tell else { panic!("{name}") };
        assert_eq!((property.as_str(), mapping), ("kind", &vec![("cat".to_owned(), 0), ("dog".to_owned(), 1)]));
    }
    assert!(matches!(&lowered.union("Mixed").tell, Discrimination::JsonType(types) if types.len() == 2));
    assert!(matches!(lowered.union("MixedObject").tell, Discrimination::Discriminator { .. }));
    assert!(matches!(lowered.kind("Overlapping"), Kind::Verbatim(_)), "no branch may lose the fields of another");
    assert!(matches!(lowered.union("Trial").tell, Discrimination::Trial { exactly_one: true }));
    lowered.emitted();
}

#[test]
fn odd_names_become_identifiers_of_their_own() {
    let lowered = lower(json!({
        "a-b": {"type": "string", "enum": ["+1", "-1", "", " ", "a.b", "A", "a", "self", "日本", "🦀"]},
        "aB": {"type": "object", "properties": {
            "type": {}, "Type": {}, "$id": {}, "": {}, "1": {}, "self": {}, "_": {}, "x-y": {}, "x_y": {}}},
        "Option": {"type": "object", "properties": {"some": {"$ref": "#/components/schemas/Some"}}},
        "Some": {"type": "object", "properties": {"vec": {"type": "array", "items": {"type": "string"}}}},
    }));
    let Kind::Enumeration(enumeration) = lowered.kind("AB") else { panic!() };
    let names: Vec<_> = enumeration.variants.iter().map(|variant| variant.rust_name.as_str()).collect();
    assert_eq!(names, ["Plus1", "Minus1", "Empty", "Space", "AB", "A", "A2", "Self_", "日本", "U1f980"]);
    let names: Vec<_> = lowered.object("AB2").fields.iter().map(|field| field.rust_name.as_str()).collect();
    assert_eq!(names, ["empty", "id", "n1", "type_", "underscore", "self_", "type_2", "x_y", "x_y2"]);
    lowered.emitted();
}

#[test]
fn references_reach_into_schemas() {
    let lowered = lower(json!({
        "A": {"type": "object", "properties": {"b": {"type": "object", "properties": {"c": {"type": "boolean"}}}}},
        "B": {"type": "object", "properties": {"again": {"$ref": "#/components/schemas/A/properties/b"}}},
    }));
    assert_eq!(lowered.field("B", "again").schema.name(), lowered.field("A", "b").schema.name());
}

#[test]
fn a_default_is_used_only_when_it_fits() {
    let lowered = lower(json!({"A": {"type": "object", "properties": {
        "good": {"type": "array", "items": {"type": "integer", "format": "uint8"}, "default": [1, 255]},
        "bad": {"type": "integer", "format": "uint8", "default": 256},
    }}}));
    assert_eq!(lowered.field("A", "good").default, Some(json!([1, 255])));
    assert_eq!(lowered.field("A", "bad").default, None);
    assert_eq!(lowered.1.len(), 1);
    assert!(!lowered.1[0].is_error());
    assert!(lowered.emitted().contains("vec![1, 255]"));
}

#[test]
fn a_value_of_another_type_is_left_out_of_an_enum() {
    let lowered = lower(json!({"A": {"type": "object", "properties": {
        "level": {"type": "number", "enum": ["", 1, 2.5, "3"]},
    }}}));
    assert_eq!(lowered.field("A", "level").schema.limits.one_of, [json!(1), json!(2.5), json!(3)]);
    assert_eq!(
        lowered.faults(),
        [
            "/components/schemas/A/properties/level/enum/0: \"\" is no number, it can never be met and is left out; correct it",
            "/components/schemas/A/properties/level/enum/3: \"3\" is no number; it is taken as 3, write it so",
        ]
    );
    assert!(lowered.1.iter().all(|fault| !fault.is_error()));
    lowered.emitted();
}

#[test]
fn extensions_of_others_mean_nothing() {
    let lowered = lower(json!({
        "Path": {"type": "string", "maxLength": 3, "x-rust-type": "chrono::DateTime<Utc>", "x-verbatim": {"a": 1}},
        "Crate": {"type": "integer", "x-rust-type": {"crate": "newtype-uuid", "path": "a::B", "version": "*"}},
        "Use": {"type": "object", "properties": {
            "path": {"$ref": "#/components/schemas/Path"},
            "crate": {"$ref": "#/components/schemas/Crate"},
        }},
    }));
    assert_eq!(lowered.field("Use", "path").schema.shape, Shape::String);
    assert!(matches!(lowered.field("Use", "crate").schema.shape, Shape::Integer(_)));
    assert_eq!(lowered.faults(), Vec::<String>::new());
    lowered.emitted();
}

#[test]
fn a_default_may_fit_several_branches_of_any_of() {
    let lowered = lower(json!({
        "Model": {"anyOf": [{"type": "string"}, {"type": "string", "enum": ["small", "large"]}]},
        "One": {"oneOf": [{"type": "string"}, {"type": "string", "enum": ["small", "large"]}]},
        "Kept": {"x-verbatim": true, "type": "object", "additionalProperties": true},
        "A": {"type": "object", "properties": {
            "model": {"allOf": [{"$ref": "#/components/schemas/Model"}], "default": "small"},
            "one": {"allOf": [{"$ref": "#/components/schemas/One"}], "default": "small"},
            "kept": {"allOf": [{"$ref": "#/components/schemas/Kept"}], "default": {}},
            "single": {"type": "number", "format": "float", "default": 1e39},
        }},
    }));
    assert_eq!(lowered.field("A", "model").default, Some(json!("small")));
    for (field, reason) in [("one", "no value"), ("kept", "kept as text"), ("single", "no value")] {
        assert_eq!(lowered.field("A", field).default, None, "{field}");
        let at = format!("/A/properties/{field}");
        let faults = lowered.faults();
        assert!(faults.iter().any(|fault| fault.contains(&at) && fault.contains(reason)), "{field}: {faults:?}");
    }
    assert_eq!(lowered.1.len(), 3, "{:?}", lowered.faults());
    lowered.emitted();
}

#[test]
fn limits_beside_an_enum_of_strings_hold() {
    let lowered = lower(json!({
        "Long": {"type": "string", "enum": ["a", "bb"], "minLength": 2},
        "Day": {"type": "string", "enum": ["2024-02-29", "2023-02-29"], "format": "date"},
        "Letters": {"allOf": [{"type": "string", "enum": ["é", "1"]}, {"pattern": "^\\p{L}+$"}]},
        "Fine": {"type": "string", "enum": ["a", "b"], "maxLength": 1, "format": "password"},
    }));
    for (name, value) in [("Long", "bb"), ("Day", "2024-02-29"), ("Letters", "é")] {
        let Kind::Enumeration(enumeration) = lowered.kind(name) else { panic!("{name}") };
        let values: Vec<_> = enumeration.variants.iter().map(|variant| variant.wire_name.as_str()).collect();
        assert_eq!(values, [value], "{name}");
    }
    assert_eq!(lowered.1.len(), 3, "{:?}", lowered.faults());
    assert!(lowered.1.iter().all(|fault| !fault.is_error()), "{:?}", lowered.faults());
    let none = lower(json!({"A": {"type": "string", "enum": ["a"], "minLength": 2, "nullable": true}}));
    assert!(none.1.iter().any(Fault::is_error), "{:?}", none.faults());
}

#[test]
fn a_format_that_is_not_checked_is_told() {
    let lowered = lower(json!({
        "Two": {"allOf": [{"type": "string", "format": "uri"}, {"format": "hostname"}]},
        "Same": {"allOf": [{"type": "string", "format": "uri"}, {"format": "uri"}]},
        "Untyped": {"format": "date-time"},
        "Described": {"type": "string", "format": "password"},
        "Hour": {"type": "string", "format": "time"},
        "Span": {"allOf": [{"type": "string"}, {"format": "duration"}]},
        "Number": {"type": "integer", "format": "time"},
    }));
    let faults = lowered.faults();
    assert_eq!(faults.len(), 4, "{faults:?}");
    for place in
        ["/Hour/format: the format `time` is not checked", "/Span/allOf/1/format: the format `duration` is not"]
    {
        assert!(faults.iter().any(|fault| fault.contains(place)), "{faults:?}");
    }
    assert!(faults.iter().any(|fault| fault.contains("`uri` and as `hostname`")), "{faults:?}");
    assert!(
        faults.iter().any(|fault| fault.contains("/Untyped/format") && fault.contains("type: string")),
        "{faults:?}"
    );
}

#[test]
fn integers_beyond_their_type_are_told() {
    let lowered = lower(json!({
        "Signed": {"type": "integer", "minimum": -1, "maximum": 9_223_372_036_854_775_808_u64},
        "Unsigned": {"type": "integer", "minimum": 0, "maximum": 18_446_744_073_709_551_615_u64},
        "Large": {"type": "integer", "minimum": 0, "maximum": 1e30},
        "Small": {"type": "integer", "format": "int8", "minimum": -129},
        "Listed": {"type": "integer", "enum": [1, 10_000_000_000_000_000_000_u64]},
        "Fine": {"type": "integer", "minimum": i64::MIN, "maximum": i64::MAX},
    }));
    let faults = lowered.faults();
    assert_eq!(faults.len(), 4, "{faults:?}");
    for place in ["/Signed/maximum: 9223372036854775808 is beyond", "/Large/maximum", "/Small/minimum", "/Listed/enum"]
    {
        assert!(faults.iter().any(|fault| fault.contains(place)), "{place}: {faults:?}");
    }
}

/// Generates schemas of any shape. Names come from a short list, so that they collide.
fn schema() -> impl Strategy<Value = Value> {
    let names = || prop::sample::select(vec!["a", "A", "b-c", "", "type", "+1"]);
    let leaf = prop_oneof![
        Just(json!({})),
        prop::sample::select(vec!["A", "B", "C", "Missing"])
            .prop_map(|name| json!({"$ref": format!("#/components/schemas/{name}")})),
        (prop::sample::select(vec!["string", "integer", "number", "boolean", "object", "array"]), any::<bool>())
            .prop_map(|(name, nullable)| json!({"type": name, "nullable": nullable, "minimum": -1.5, "maxLength": 3,
                "uniqueItems": true, "multipleOf": 0.1, "minProperties": 1})),
        prop::sample::select(vec!["readOnly", "writeOnly"]).prop_map(|flag| json!({"type": "string", flag: true})),
        prop::collection::vec(
            prop_oneof![
                Just(json!(null)),
                Just(json!(1)),
                Just(json!(1.5)),
                Just(json!(true)),
                names().prop_map(|name| json!(name))
            ],
            0..4
        )
        .prop_map(|values| json!({"enum": values})),
        (names(), any::<i64>()).prop_map(|(name, number)| json!({"type": "integer", "format": name, "default": number,
            "enum": [number, 7]})),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let list = prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            (
                prop::collection::btree_map(names(), inner.clone(), 0..4),
                prop::collection::vec(names(), 0..3),
                inner.clone()
            )
                .prop_map(|(properties, required, extra)| json!({"properties": properties, "required": required,
                    "additionalProperties": extra})),
            inner.clone().prop_map(|items| json!({"type": "array", "items": items, "minItems": 1, "default": []})),
            (prop::sample::select(vec!["oneOf", "anyOf", "allOf"]), list.clone())
                .prop_map(|(key, list)| json!({key: list, "nullable": true})),
            (list.clone(), list).prop_map(|(one, all)| json!({"oneOf": one, "allOf": all, "discriminator":
                {"propertyName": "a"}, "properties": {"a": {"type": "string", "default": "x"}}})),
            inner.prop_map(|inner| json!({"x-verbatim": true, "allOf": [inner]})),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]
    #[test]
    fn any_schema_gives_faults_or_rust((a, b, c) in (schema(), schema(), schema())) {
        lower(json!({"A": a, "B": b, "C": c})).emitted();
    }
}
