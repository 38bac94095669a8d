use std::convert::Infallible;

use axum::http::header;
use futures_util::stream;
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

use super::*;
use crate::http::ErrorStatus;

#[derive(Debug, PartialEq, Deserialize)]
struct Order {
    name: String,
    items: Vec<Value>,
    #[serde(default)]
    more: Value,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Item {
    n: u32,
}

fn pieces(text: &[u8], size: usize) -> Body {
    let chunks: Vec<_> = text.chunks(size.max(1)).map(<[u8]>::to_vec).map(Ok::<_, Infallible>).collect();
    Body::from_stream(stream::iter(chunks))
}

fn items_of(text: &[u8], size: usize) -> JsonItems<Order, Item> {
    let checks: (Check<Order>, Check<Item>) = (
        |order, at, faults| faults.max_length(&at.field("name"), &order.name, 5),
        |item, at, faults| faults.maximum(&at.field("n"), item.n, 9),
    );
    JsonItems::of(&HeaderMap::new(), pieces(text, size), 1 << 20, "items", checks).unwrap()
}

async fn read(text: &[u8], size: usize) -> Result<(Order, Vec<u32>), ApiError> {
    let mut body = items_of(text, size);
    let mut numbers = Vec::new();
    while let Some(items) = body.next().await? {
        numbers.extend(items.into_iter().map(|item| item.n));
    }
    Ok((body.rest().await?, numbers))
}

fn rejection(failure: &ApiError) -> (u16, Option<&str>) {
    (failure.status().code().as_u16(), failure.param())
}

#[tokio::test]
async fn items_and_the_rest_come_apart_however_the_body_is_cut() {
    let cases: [(&str, &[u32]); 7] = [
        (r#"{"name":"a","items":[{"n":1},{"n":2}]}"#, &[1, 2]),
        (r#"{"items":[{"n":1}],"name":"a"}"#, &[1]),
        (" {\n\"items\" :\r\t[ {\"n\" : 1} , {\"n\":2 }\n] , \"name\":\"a\" } \n", &[1, 2]),
        (r#"{"name":"a","items":[]}"#, &[]),
        // Only the object's own key counts, and brackets in strings are not structure.
        (r#"{"name":"a","more":{"items":[{"n":7}]},"x":"\"items\":[{\\","items":[{"n":3,"x":"]},{\""}]}"#, &[3]),
        (r#"{"name":"a","items":[{"n":1,"x":[[{"y":[]}],{}]}]}"#, &[1]),
        (r#"{"name":"a","\u0069tems":[{"n":1}]}"#, &[1]),
    ];
    for (text, expected) in cases {
        for size in [1, 2, 3, 7, 1000] {
            let (order, numbers) =
                read(text.as_bytes(), size).await.unwrap_or_else(|failure| panic!("{text}: {failure}"));
            assert_eq!((&*order.name, &*numbers, order.items.len()), ("a", expected, 0), "{text} by {size}");
        }
    }
}

#[tokio::test]
async fn invalid_json_is_400_at_any_place() {
    for bad in [
        "",
        "{",
        "hello",
        r#"{"name":"a","items":["#,
        r#"{"name":"a","items":[{"n":1}"#,
        r#"{"name":"a","items":[{"n":1}}"#,
        r#"{"name":"a","items":[,{"n":1}]}"#,
        r#"{"name":"a","items":[{"n":1},]}"#,
        r#"{"name":"a","items":[{"n":1} {"n":2}]}"#,
        r#"{"name":"a","items":[{"n":1}],,}"#,
        r#"{"name":"a","items":[{"n":1}]} {}"#,
        r#"{"name":"a","items":[{"n":1]]}"#,
        r#"{"name":"a" "items":[{"n":1}]}"#,
        r#"{"name":"a","items":[{"n":NaN}]}"#,
    ] {
        for size in [1, 5, 1000] {
            let failure = read(bad.as_bytes(), size).await.expect_err(bad);
            assert_eq!(failure.status(), ErrorStatus::BAD_REQUEST, "{bad}: {failure}");
            assert_eq!(failure.code(), Some(INVALID_JSON), "{bad}: {failure}");
        }
    }
    for bad in [&b"{\"name\":\"\xff\",\"items\":[]}"[..], b"{\"name\":\"a\",\"items\":[{\"n\":1,\"x\":\"\xff\"}]}"] {
        let failure = read(bad, 4).await.unwrap_err();
        assert!(failure.status() == ErrorStatus::BAD_REQUEST && failure.message().contains("UTF-8"), "{failure}");
    }
    let deep = format!(r#"{{"name":"a","items":[{}"#, "[".repeat(1000));
    let failure = read(deep.as_bytes(), 100).await.unwrap_err();
    assert!(failure.message().contains("nested deeper"), "{failure}");
}

#[tokio::test]
async fn values_of_another_type_are_422_with_their_places() {
    for (bad, path) in [
        (r#"{"name":"a","items":[{"n":1},{"n":-1}]}"#, "items[1].n"),
        (r#"{"name":"a","items":[{"n":1},{}]}"#, "items[1].n"),
        (r#"{"name":"a","items":[5]}"#, "items[0]"),
        (r#"{"name":"a","items":[null]}"#, "items[0]"),
        (r#"{"name":"a","items":[{"n":1},{"n":10}]}"#, "items[1].n"),
        (r#"{"name":5,"items":[{"n":1}]}"#, "name"),
        (r#"{"name":"abcdef","items":[{"n":1}]}"#, "name"),
        (r#"{"items":[{"n":1}]}"#, "name"),
        (r#"{"name":"a"}"#, "items"),
        (r#"{"name":"a","items":{"0":{"n":1}}}"#, "items"),
        (r#"{"name":"a","items":null}"#, "items"),
        (r#"[{"n":1}]"#, ""),
        ("null", ""),
    ] {
        for size in [1, 1000] {
            let failure = read(bad.as_bytes(), size).await.expect_err(bad);
            assert_eq!(rejection(&failure), (422, (!path.is_empty()).then_some(path)), "{bad}: {failure}");
        }
    }
    let twice = read(br#"{"name":"a","items":[{"n":1}],"items":[{"n":2}]}"#, 9).await.unwrap_err();
    assert!(twice.message().contains("duplicate field"), "{twice}");
}

#[tokio::test]
async fn whoever_is_rejected_has_been_heard_out() {
    let heard = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = heard.clone();
    let chunks = [r#"{"items":[{"n":"#, r#""x"}"#, r#",{"n":1}"#, "]}"].map(Ok::<_, Infallible>);
    let body = Body::from_stream(futures_util::StreamExt::inspect(stream::iter(chunks), move |_| {
        count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }));
    let mut items: JsonItems<Order, Item> =
        JsonItems::of(&HeaderMap::new(), body, 1 << 20, "items", (|_, _, _| {}, |_, _, _| {})).unwrap();
    assert_eq!(rejection(&items.next().await.unwrap_err()), (422, Some("items[0].n")));
    assert_eq!(heard.load(std::sync::atomic::Ordering::Relaxed), 4);
}

#[tokio::test]
async fn more_than_the_limit_is_413() {
    let declared = [(header::CONTENT_LENGTH, 100.into())].into_iter().collect();
    let none: (Check<Order>, Check<Item>) = (|_, _, _| {}, |_, _, _| {});
    let rejected = JsonItems::of(&declared, Body::empty(), 99, "items", none).unwrap_err();
    assert_eq!(rejected.status(), ErrorStatus::CONTENT_TOO_LARGE);
    let text = json!({ "name": "a", "items": [{ "n": 1 }, { "n": 2 }] }).to_string();
    let mut undeclared = JsonItems::of(&HeaderMap::new(), pieces(text.as_bytes(), 8), 20, "items", none).unwrap();
    let failure = loop {
        match undeclared.next().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the limit is smaller"),
            Err(failure) => break failure,
        }
    };
    assert_eq!(failure.status(), ErrorStatus::CONTENT_TOO_LARGE);
}

/// Generates JSON values of any kind.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        r#"[\[\]{},:"\\ a-c\u{e9}]{0,6}"#.prop_map(Value::from),
    ];
    let key = prop_oneof![Just("items".to_owned()), r#"["\\:a-c]{0,3}"#.prop_map(String::from)];
    leaf.prop_recursive(4, 32, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key.clone(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn the_parts_are_those_of_the_whole(object in value(), pretty: bool, cuts in prop::collection::vec(1..20_usize, 1..8)) {
        let object = json!({ "before": object.clone(), "items": [object.clone(), [], object.clone()], "behind": object });
        let text = if pretty { serde_json::to_string_pretty(&object) } else { serde_json::to_string(&object) }.unwrap();
        let (mut splitter, mut items) = (Splitter::new("items"), Vec::new());
        let (mut left, mut cuts) = (text.as_bytes(), cuts.into_iter().cycle());
        while !left.is_empty() {
            let (now, later) = left.split_at(left.len().min(cuts.next().unwrap()));
            splitter.feed(now, &mut items).unwrap();
            left = later;
        }
        let parse = |text: &[u8]| serde_json::from_slice::<Value>(text).unwrap();
        let items: Vec<Value> = items.iter().map(|item| parse(item)).collect();
        prop_assert_eq!(&json!(items), &object["items"]);
        let mut rest = object.clone();
        rest["items"] = json!([]);
        prop_assert_eq!(parse(&splitter.rest), rest);
    }

    /// For any bytes, the parts are JSON exactly if the whole is.
    #[test]
    fn splitting_a_body_makes_no_invalid_json_valid(
        tokens in prop::collection::vec(prop::sample::select(vec!["{", "}", "[", "]", ",", ":", "\"items\"", "\"a\"", "1", " ", "\"", "\\"]), 0..14),
    ) {
        let text = format!("{{\"items\":[{}", tokens.concat());
        let (mut splitter, mut items) = (Splitter::new("items"), Vec::new());
        let fed = splitter.feed(text.as_bytes(), &mut items);
        let is_json = |text: &[u8]| serde_json::from_slice::<Value>(text).is_ok();
        let parts = fed.is_ok() && is_json(&splitter.rest) && items.iter().all(|item| is_json(item));
        prop_assert_eq!(parts, is_json(text.as_bytes()), "{}", text);
    }
}
