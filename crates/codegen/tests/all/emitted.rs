//! Types, unions and validators of the fixtures do what their document says.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use trainyard_runtime::validation::{Faults, Location, Validate};

use crate::fixtures::{library, markets};

fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| trainyard_runtime::json::split_path("", &error.to_string()).1)
}

fn back<T: DeserializeOwned + Serialize>(value: Value) -> Value {
    let typed: T = serde_json::from_str(&value.to_string()).unwrap();
    serde_json::to_value(typed).unwrap()
}

fn faults(value: &impl Validate) -> Vec<String> {
    let mut faults = Faults::default();
    value.validate(&Location::BODY, &mut faults);
    faults.found().iter().map(|(place, message)| format!("{place} {message}")).collect()
}

fn order(extra: Value) -> markets::types::Order {
    let mut order = json!({"symbol": "ACME", "side": "buy", "quantity": 0.01});
    order.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    serde_json::from_value(order).unwrap()
}

#[test]
fn each_limit_is_checked_with_its_place() {
    for (extra, fault) in [
        (json!({"symbol": "acme"}), r"symbol must match the pattern ^[A-Z]{1,5}(\.[A-Z]{2})?$"),
        (json!({"quantity": 0}), "quantity must be above 0"),
        (json!({"quantity": 0.015}), "quantity must be a multiple of 0.01"),
        (json!({"limit": 1000000.5}), "limit must be at most 1000000"),
        (json!({"lots": 1000}), "lots must be at most 999"),
        (json!({"step": 7}), "step must be a multiple of 5"),
        (json!({"note": ""}), "note must not be empty"),
        (json!({"emoji": "🦀🦀"}), "emoji must have at most 1 characters"),
        (json!({"reference": "1"}), "reference must be a UUID"),
        (json!({"expires": "2024-01-01"}), "expires must be a time like 2024-02-29T12:00:00Z"),
        (json!({"settles": "2023-02-29"}), "settles must be a date like 2024-02-29"),
        (json!({"callback": "/relative"}), "callback must be an absolute URI"),
        (json!({"mail": "nobody"}), "mail must be an email address"),
        (json!({"signature": "a"}), "signature must have at least 4 characters"),
        (json!({"tags": ["a", "b", "a"]}), "tags must not have equal items; items 0 and 2 are"),
        (json!({"tags": ["a", ""]}), "tags[1] must not be empty"),
        (json!({"legs": [{"symbol": "A", "side": "buy", "quantity": 1}]}), "legs must have at least 2 items"),
        (json!({"attributes": {}}), "attributes must have at least 1 fields"),
        (json!({"attributes": {"k": "123456789012345678901"}}), "attributes.k must have at most 20 characters"),
        (json!({"matrix": [[1, 2], [3]]}), "matrix[1] must have at least 2 items"),
    ] {
        let found = faults(&order(extra.clone()));
        assert!(found.contains(&fault.to_owned()), "{extra}: {found:?}");
    }
    let fine = json!({
        "quantity": 0.29, "tick": 0.0003, "step": 15, "lots": 999, "emoji": "🦀", "tags": ["a", "b"],
        "matrix": [[1, 2]], "unknown_format": "no", "v6": "::1", "v4": "10.0.0.1", "host": "example.com",
        "legs": [{"symbol": "A", "side": "buy", "quantity": 1}, {"symbol": "B.CD", "side": "sell", "quantity": 2}],
        "price_or_market": "market",
    });
    assert_eq!(faults(&order(fine)), Vec::<String>::new());
}

#[test]
fn objects_are_objects_and_keys_come_once() {
    type Order = markets::types::Order;
    assert!(read::<Order>(r#"["ACME","buy",1]"#).unwrap_err().contains("expected an object"));
    let twice = r#"{"symbol":"A","side":"buy","symbol":"B","quantity":1}"#;
    assert_eq!(read::<Order>(twice).unwrap_err(), "duplicate field `symbol`");
    let twice = r#"{"symbol":"A","side":"buy","quantity":1,"attributes":{"k":"1","k":"2"}}"#;
    assert_eq!(read::<Order>(twice).unwrap_err(), "duplicate field `k`");
    assert_eq!(read::<Order>(r#"{"symbol":"A","side":"buy"}"#).unwrap_err(), "missing field `quantity`");
    let side = read::<Order>(r#"{"symbol":"A","side":"up","quantity":1}"#).unwrap_err();
    assert_eq!(side, "unknown variant `up`, expected `buy` or `sell`");
    // Null only where the document allows it.
    assert_eq!(order(json!({"limit": null})).limit, None);
    assert!(read::<Order>(r#"{"symbol":"A","side":"buy","quantity":1,"note":null}"#).is_err());
    // An integer may be written as a float, of a width that holds it.
    assert_eq!(order(json!({"lots": 3.0})).lots, Some(3));
    assert!(read::<Order>(r#"{"symbol":"A","side":"buy","quantity":1,"lots":3.5}"#).is_err());
    let level = |text: &str| read::<markets::types::Level>(&format!(r#"{{"bid":1,"ask":2,{text}}}"#));
    assert_eq!(level(r#""depth_u64":18446744073709551615"#).unwrap().depth_u64, Some(u64::MAX));
    for bad in [r#""depth_i8":128"#, r#""depth_u8":-1"#, r#""depth_i64":9223372036854775808"#] {
        assert!(level(bad).is_err(), "{bad}");
    }
}

#[test]
fn unions_are_told_apart_by_fields_and_types() {
    use markets::types::{Event, OrderPriceOrMarket};
    let halt: Event = read(r#"{"symbol":"A","reason":"late"}"#).unwrap();
    assert!(matches!(halt, Event::Halt(_)));
    assert!(matches!(read(r#"{"symbol":"A","at":1,"value":2}"#).unwrap(), Event::Price(_)));
    assert_eq!(
        read::<Event>(r#"{"symbol":"A"}"#).unwrap_err(),
        "must have one of `at` or `value` (Price), `reason` (Halt)"
    );
    assert!(matches!(order(json!({"price_or_market": 2.5})).price_or_market, Some(OrderPriceOrMarket::Amount(_))));
    let wrong = read::<OrderPriceOrMarket>("true").unwrap_err();
    assert!(wrong.contains(r#"must be a number or one of "market", not a boolean"#), "{wrong}");
    // A limit inside a branch keeps its place.
    assert_eq!(faults(&order(json!({"price_or_market": 0}))), ["price_or_market must be above 0"]);
}

#[test]
fn presence_defaults_and_kept_fields() {
    use library::types::{Delivery, Settings};
    assert!(read::<Delivery>(r#"{"street":"a","town":"b"}"#).is_ok());
    assert_eq!(
        read::<Delivery>(r#"{"street":"a"}"#).unwrap_err(),
        "must have exactly one of `street, town` or `post_box`"
    );
    assert!(read::<Delivery>(r#"{"street":"a","town":"b","post_box":"c"}"#).is_err());
    let loan: library::types::LoanRequest = read(r#"{"item":"b-1","borrower":{"member_number":7}}"#).unwrap();
    assert_eq!((loan.weeks, loan.reminders), (2, vec![7, 1]));
    let odd = json!({
        "type": "t", "self": true, "Self": false, "@context": "c", "$id": "i", "x-y": 1, "x_y": 2, "2fa": true, "": "e",
        "naïve": "n", "with space": "s", "日本": "j", "camelCase": "c", "any": [null, 1.5], "any_object": {"b": 1, "a": {}},
        "open": {"known": "k", "more": {"x": [1]}}, "closed": {"known": "k"}, "typed": {"known": "k", "n": 5},
        "odd_enum": "+1", "mixed_enum": "one", "nullable_enum": "off", "matrix": [[1.0], []],
    });
    assert_eq!(back::<Settings>(odd.clone()), odd);
    assert!(read::<Settings>(r#"{"closed":{"unknown":1}}"#).unwrap_err().contains("unknown field `unknown`"));
    assert!(read::<Settings>(r#"{"typed":{"n":"x"}}"#).is_err());
    assert!(read::<Settings>(r#"{"open":{"a":1,"a":2}}"#).is_err());
    let mixed: Settings = read(r#"{"mixed_enum":2}"#).unwrap();
    assert_eq!(faults(&mixed), [r#"mixed_enum must be one of 1, "one", true, null"#]);
}

#[test]
fn null_and_absence_are_two_values_where_the_document_tells_them_apart() {
    use library::types::UpdateItemRequest;
    let cleared: UpdateItemRequest = read(r#"{"subtitle":null,"labels":["a",null]}"#).unwrap();
    assert_eq!((&cleared.subtitle, &cleared.shelf), (&Some(None), &None));
    assert_eq!(cleared.labels, Some(Some(vec![Some("a".to_owned()), None])));
    for change in [json!({"subtitle": null}), json!({"shelf": null, "title": "t"}), json!({"subtitle": "s"})] {
        assert_eq!(back::<UpdateItemRequest>(change.clone()), change);
    }
    let long = json!({"subtitle": "s".repeat(81)});
    let long: UpdateItemRequest = read(&long.to_string()).unwrap();
    assert_eq!(faults(&long), ["subtitle must have at most 80 characters"]);
    assert!(read::<UpdateItemRequest>(r#"{"title":null}"#).is_err());
    assert_eq!(read::<UpdateItemRequest>("{}").unwrap_err(), "must have at least 1 fields, not 0");
}

#[test]
fn verbatim_values_are_checked_and_kept() {
    let text = r#"{"z":null,"version":1.0,"payload":[{"b":1,"a":2}]}"#;
    let raw: markets::types::Raw = read(text).unwrap();
    assert_eq!(serde_json::to_string(&raw).unwrap(), text);
    assert!(read::<markets::types::Raw>(r#"{"version":"1"}"#).is_err());
    assert!(read::<markets::types::Raw>(r#"{"version":1,"x":{"a":1,"a":2}}"#).is_err());
    let zero: markets::types::Raw = read(r#"{"version":0}"#).unwrap();
    assert_eq!(faults(&zero), ["version must be at least 1"]);
}
