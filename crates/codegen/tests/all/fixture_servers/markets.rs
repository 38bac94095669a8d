//! Limits with their places, and bodies that would harm, of `markets`.

use std::sync::Arc;

use axum::http::HeaderMap;
use futures_util::stream;
use trainyard_runtime::http::{ApiError, Authenticate, Credentials, Download, EventStream, Secret};

use crate::fixture_servers::{Answered, Ask, ask, serve};
use crate::fixtures::markets::server::orders::*;
use crate::fixtures::markets::server::prices::*;
use crate::fixtures::markets::server::{orders, prices, router};
use crate::fixtures::markets::types;

struct Market;

impl Authenticate for Market {
    type Caller = String;

    async fn authenticate(&self, credentials: &Credentials<'_>, _: &HeaderMap) -> Result<String, ApiError> {
        match credentials.presented.first().map(|presented| &presented.secret) {
            Some(Secret::Key(key)) => Ok(key.to_string()),
            _ => Err(ApiError::unauthorized("a key is asked for")),
        }
    }
}

fn price(value: f64) -> types::Price {
    types::Price { at: 1, change: None, symbol: "ACME".to_owned(), value }
}

impl orders::Orders for Market {
    async fn place_order(&self, _: String, input: PlaceOrderInput) -> Result<PlaceOrderOutput, ApiError> {
        let headers =
            PlaceOrderStatus402Headers { retry_after: Some(5), x_rate_limit: Some([("left".to_owned(), 0)].into()) };
        assert!(input.body.quantity > 0.0, "the document says so");
        Ok(PlaceOrderOutput::Status402 {
            headers,
            body: types::Refusal { code: types::RefusalCode::Funds, retry: false },
        })
    }

    async fn place_orders(&self, _: String, _: PlaceOrdersInput) -> Result<PlaceOrdersOutput, ApiError> {
        Ok(PlaceOrdersOutput::Ok(std::collections::BTreeMap::new()))
    }
}

impl prices::Prices for Market {
    async fn raw_log(&self, _: RawLogInput) -> Result<RawLogOutput, ApiError> {
        Ok(RawLogOutput::OkNdjson(Download::bytes(&b"{}\n"[..])))
    }

    async fn watch_prices(&self, _: String, input: WatchPricesInput) -> Result<WatchPricesOutput, ApiError> {
        let halt = types::Halt { symbol: input.symbol.concat(), reason: "a\n\nb".to_owned() };
        let mut events = vec![Ok(types::Event::Price(price(1.5))), Ok(types::Event::Halt(halt))];
        let fails = input.last_event_id.as_deref() == Some("fail");
        let panics = input.last_event_id.as_deref() == Some("panic");
        if fails {
            events.insert(1, Err(ApiError::internal("the feed is gone")));
        }
        let events = stream::iter(events).inspect_item(panics);
        Ok(WatchPricesOutput::OkEventStream(EventStream::new(events)))
    }

    async fn get_price(&self, _: String, input: GetPriceInput) -> Result<GetPriceOutput, ApiError> {
        if input.stream {
            let events = stream::iter([Ok(price(1.0)), Ok(price(2.0))]);
            return Ok(GetPriceOutput::OkEventStream(EventStream::new(events).without_done()));
        }
        Ok(GetPriceOutput::Ok(price(1.0)))
    }
}

/// Lets a stream panic at its second item.
trait InspectItem: Sized {
    fn inspect_item(self, panics: bool) -> impl futures_util::Stream<Item = Result<types::Event, ApiError>> + Send;
}

impl<S: futures_util::Stream<Item = Result<types::Event, ApiError>> + Send> InspectItem for S {
    fn inspect_item(self, panics: bool) -> impl futures_util::Stream<Item = Result<types::Event, ApiError>> + Send {
        futures_util::StreamExt::map(self, move |item| {
            assert!(!(panics && matches!(item, Ok(types::Event::Halt(_)))), "a fault of the handler");
            item
        })
    }
}

pub(super) async fn market() -> String {
    serve(router(Arc::new(Market))).await
}

fn order(body: &str) -> Ask<'static> {
    ask("POST /orders").header("x-key", "k").body("application/json", body)
}

#[tokio::test]
async fn a_limit_is_rejected_at_its_place() {
    let root = market().await;
    let base = r#""symbol": "ACME", "side": "buy", "quantity": 0.5"#;
    for (extra, param) in [
        (r#""lots": 1000"#, "lots"),
        (r#""legs": [{"symbol": "A", "side": "buy", "quantity": 1}]"#, "legs"),
        (
            r#""legs": [{"symbol": "A", "side": "buy", "quantity": 1}, {"symbol": "a", "side": "buy", "quantity": 1}]"#,
            "legs[1].symbol",
        ),
        (r#""legs": [{"symbol": "A", "side": "buy"}]"#, "legs[0].quantity"),
        (r#""attributes": {"k": 5}"#, "attributes.k"),
        (r#""attributes": {"k": "123456789012345678901"}"#, "attributes.k"),
        (r#""matrix": [[1, 2], [3]]"#, "matrix[1]"),
        (r#""matrix": [[1, "x"]]"#, "matrix[0][1]"),
        (r#""books": {"a": {"b": {"bid": 1, "ask": 2, "depth_u8": 256}}}"#, "books.a.b.depth_u8"),
        (r#""tags": ["a", "a"]"#, "tags"),
        (r#""side": "sell""#, ""),
    ] {
        let answer = order(&format!("{{{base}, {extra}}}")).of(&root).await;
        assert_eq!(answer.rejection(), (422, param.to_owned()), "{extra}: {}", answer.text());
    }
    let answer = order(&format!("{{{base}}}")).of(&root).await;
    assert_eq!((answer.status, answer.header("retry-after")), (402, Some("5")));
    assert_eq!((answer.header("x-ratelimit"), answer.json()["code"].as_str()), (Some(r#"{"left":0}"#), Some("funds")));
    let batch = ask("POST /orders/batch").header("x-key", "k").body("application/json", r#"{"orders": []}"#);
    assert_eq!(batch.of(&root).await.rejection(), (422, "orders".to_owned()));
}

#[tokio::test]
async fn bodies_that_would_harm_are_rejected() {
    let root = market().await;
    let base = r#""symbol": "ACME", "side": "buy", "quantity": 0.5"#;
    let large = order(&format!("{{{base}, \"note\": \"{}\"}}", "x".repeat(65536)));
    assert_eq!(large.of(&root).await.rejection().0, 413);
    let bomb = |levels: usize| format!("{{{base}, \"unknown\": {}{}}}", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(order(&bomb(30_000)).of(&root).await.rejection().0, 400);
    assert_eq!(order(&bomb(100)).of(&root).await.status, 402, "unknown fields are passed over");
    let batch = |body: String| ask("POST /orders/batch").header("x-key", "k").body("application/json", body);
    assert_eq!(batch(bomb(1_000_000)).of(&root).await.rejection().0, 400);
    let brackets = format!("{{{base}, \"note\": \"{}\\\"{}\"}}", "[".repeat(60), "{".repeat(60));
    assert_eq!(order(&brackets).of(&root).await.status, 402, "within a string they are text");
}
