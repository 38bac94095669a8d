//! Parameters of every place and style, and segments with more than a parameter, of `telemetry`.

use std::sync::Arc;

use trainyard_runtime::http::ApiError;

use crate::fixture_servers::{Answered, ask, serve};
use crate::fixtures::telemetry::server::devices::*;
use crate::fixtures::telemetry::server::samples::*;
use crate::fixtures::telemetry::server::{devices, router, samples};
use crate::fixtures::telemetry::types;

struct Echo;

/// The status with which what arrived is told.
const TOLD: u16 = 299;

fn told(input: &impl std::fmt::Debug) -> types::PathLabelDefaultResponse {
    types::PathLabelDefaultResponse { code: 0, message: Some(format!("{input:?}")) }
}

macro_rules! echo {
    ($($name:ident: $input:ident -> $output:ident),* $(,)?) => {
        $(async fn $name(&self, input: $input) -> Result<$output, ApiError> {
            Ok($output::Default { status: TOLD, body: told(&input) })
        })*
    };
}

impl devices::Devices for Echo {
    echo! {
        path_label: PathLabelInput -> PathLabelOutput,
        path_matrix: PathMatrixInput -> PathMatrixOutput,
        path_simple: PathSimpleInput -> PathSimpleOutput,
        get_this_device: GetThisDeviceInput -> GetThisDeviceOutput,
        get_device: GetDeviceInput -> GetDeviceOutput,
        cancel_device: CancelDeviceInput -> CancelDeviceOutput,
        export_device: ExportDeviceInput -> ExportDeviceOutput,
    }
}

impl samples::Samples for Echo {
    echo! {
        window: WindowInput -> WindowOutput,
        match_: MatchInput -> MatchOutput,
        query_samples: QuerySamplesInput -> QuerySamplesOutput,
        exploded_object: ExplodedObjectInput -> ExplodedObjectOutput,
        free_query: FreeQueryInput -> FreeQueryOutput,
    }

    async fn send_samples(&self, input: SendSamplesInput) -> Result<SendSamplesOutput, ApiError> {
        if input.x_device == "rejecting" {
            let headers = SendSamplesAcceptedHeaders { x_accepted: u64::MAX, x_rejected: Some(vec![1, -2]) };
            return Ok(SendSamplesOutput::Accepted { headers });
        }
        Ok(SendSamplesOutput::Default { status: TOLD, body: told(&input) })
    }
}

async fn echo() -> String {
    serve(router(Arc::new(Echo))).await
}

const ID: &str = "0b2c6c2e-6d0c-4b8e-9d3e-0a4f0f2a9f11";

async fn tells(root: &str, line: &str, expected: &str) {
    let answer = ask(line).of(root).await;
    assert_eq!(answer.status, TOLD, "{line}: {}", answer.text());
    let told = answer.json()["message"].as_str().unwrap().to_owned();
    assert!(told.contains(expected), "{line}: {told} lacks {expected}");
}

async fn rejects(root: &str, line: &str, expected: (u16, &str)) {
    let answer = ask(line).of(root).await;
    let (status, param) = answer.rejection();
    assert_eq!((status, &*param), expected, "{line}: {}", answer.text());
}

#[tokio::test]
async fn each_style_of_a_path_arrives() {
    let root = echo().await;
    let place = "map: Place { lat: 1.5, lon: -2.0, name: None }";
    for (path, list) in [
        ("/devices/simple/7/blue,black,brown/lat=1.5,lon=-2", r#"one: 7, list: ["blue", "black", "brown"]"#),
        ("/devices/simple/7/a%2Cb,c%2Fd/lat=1.5,lon=-2", r#"one: 7, list: ["a,b", "c/d"]"#),
        ("/devices/simple/7/a+b/lat=1.5,lon=-2", r#"one: 7, list: ["a+b"]"#),
        ("/devices/label/.blue/.3.4.5/.lat=1%2E5.lon=-2", r#"one: "blue", list: [3, 4, 5]"#),
        ("/devices/label/.b%20c/.3,4/.lat=1%2E5.lon=-2", r#"one: "b c", list: [3, 4]"#),
        (
            "/devices/matrix/;one=blue/;list=blue;list=black/;map=lat,1.5,lon,-2",
            r#"one: "blue", list: ["blue", "black"]"#,
        ),
        ("/devices/matrix/;one=bl%C3%BCe/;list=%3B/;map=lat,1.5,lon,-2", r#"one: "blüe", list: [";"]"#),
    ] {
        tells(&root, &format!("GET {path}"), &format!("{list}, {place}")).await;
    }
    for (path, rejection) in [
        ("/devices/simple/x/a/lat=1,lon=2", (422, "one")),
        ("/devices/simple/7/a/lat=1", (422, "map.lon")),
        ("/devices/simple/7/a/lat=91,lon=2", (422, "map.lat")),
        ("/devices/simple/7/a/lat,1,lon,2", (422, "map")),
        ("/devices/simple/7/%FF/lat=1,lon=2", (400, "")),
        ("/devices/simple/7/%zz/lat=1,lon=2", (400, "")),
        ("/devices/label/blue/.3/.lat=1.lon=2", (422, "one")),
        ("/devices/label/.a/.x/.lat=1.lon=2", (422, "list[0]")),
        ("/devices/matrix/;two=blue/;list=a/;map=lat,1,lon,2", (422, "one")),
        ("/devices/matrix/;one=a/;list=a/;map=lat,1,lon", (422, "map")),
    ] {
        rejects(&root, &format!("GET {path}"), rejection).await;
    }
}

#[tokio::test]
async fn segments_with_more_than_a_parameter_find_their_operation() {
    let root = echo().await;
    for (line, expected) in [
        ("GET /devices/pump.json", r#"ExportDeviceInput { name: "pump", format: Json"#.to_owned()),
        ("GET /devices/self", "GetThisDeviceInput".to_owned()),
        (&format!("GET /devices/{ID}"), format!("GetDeviceInput {{ id: {ID:?}, verbose: None }}")),
        (&format!("GET /devices/{ID}?verbose=3"), format!("GetDeviceInput {{ id: {ID:?}, verbose: Some(3) }}")),
        (&format!("POST /devices/{ID}:cancel"), format!("CancelDeviceInput {{ id: {ID:?} }}")),
        (
            &format!("GET /devices/{ID}/window/2024-02-28..2024-02-29"),
            format!("WindowInput {{ id: {ID:?}, from: \"2024-02-28\", to: \"2024-02-29\" }}"),
        ),
    ] {
        tells(&root, line, &expected).await;
    }
    for (line, rejection) in [
        ("GET /devices/a.b.json", (422, "name")),
        ("GET /devices/pump.xml", (422, "format")),
        ("GET /devices/pump", (422, "id")),
        ("POST /devices/pump:cancel", (422, "id")),
        (&format!("GET /devices/{ID}?verbose=4"), (422, "verbose")),
        (&format!("GET /devices/{ID}/window/2024-02-28"), (404, "")),
        (&format!("GET /devices/{ID}/window/2024-02-30..2024-02-29"), (422, "from")),
        ("GET /nothing", (404, "")),
    ] {
        rejects(&root, line, rejection).await;
    }
}

#[tokio::test]
async fn the_allow_header_has_the_methods_of_the_very_path() {
    let root = echo().await;
    for (line, allowed) in [
        ("DELETE /samples/batch".to_owned(), vec!["POST"]),
        ("PUT /samples".to_owned(), vec!["GET", "HEAD"]),
        (format!("POST /devices/{ID}"), vec!["GET", "HEAD"]),
        (format!("DELETE /devices/{ID}"), vec!["GET", "HEAD"]),
        (format!("DELETE /devices/{ID}:cancel"), vec!["GET", "HEAD", "POST"]),
        ("POST /devices/pump.json".to_owned(), vec!["GET", "HEAD"]),
        (format!("POST /devices/{ID}/window/a..b"), vec!["GET", "HEAD"]),
    ] {
        let answer = ask(&line).of(&root).await;
        assert_eq!(answer.rejection(), (405, String::new()), "{line}");
        let mut methods: Vec<_> = answer.header("allow").unwrap_or_default().split(',').map(str::trim).collect();
        methods.sort_unstable();
        assert_eq!(methods, allowed, "{line}");
    }
    rejects(&root, &format!("POST /devices/{ID}/window/a"), (404, "")).await;
}

#[tokio::test]
async fn each_style_of_a_query_arrives() {
    let root = echo().await;
    for (query, expected) in [
        ("form=blue&form=black&form=b%2Cc", r#"form: Some(["blue", "black", "b,c"])"#),
        ("form=a+b%2B", r#"form: Some(["a b+"])"#),
        ("form_flat=3,4,-5", "form_flat: Some([3, 4, -5])"),
        ("space=blue%20black+brown", r#"space: Some(["blue", "black", "brown"])"#),
        ("pipe=kelvin%7Cvolt", "pipe: Some([Kelvin, Volt])"),
        ("pipe=kelvin|volt", "pipe: Some([Kelvin, Volt])"),
        (
            "filter[unit]=volt&filter%5Bat_least%5D=2&filter[devices][]=a&filter[devices][]=b",
            r#"filter: Some(Filter { at_least: Some(2.0), devices: Some(["a", "b"]), since: None, unit: Some(Volt) })"#,
        ),
        ("place_flat=lat,1,lon,2,name,x%2Cy", r#"place_flat: Some(Place { lat: 1.0, lon: 2.0, name: Some("x,y") })"#),
        (
            "where=%7B%22unit%22:%22volt%22%7D",
            "where_query: Some(Filter { at_least: None, devices: None, since: None, unit: Some(Volt) })",
        ),
        (&format!("ids[]={ID}"), &format!("ids: Some([{ID:?}])")),
        (&format!("ids%5B%5D={ID}"), &format!("ids: Some([{ID:?}])")),
        ("", "top: 50"),
        ("$top=3", "top: 3"),
        ("%24top=3", "top: 3"),
        ("created.gte=2024-02-29T12:00:00Z", r#"created_gte: Some("2024-02-29T12:00:00Z")"#),
        ("created.gte=2024-02-29T12:00:00%2B01:00", r#"created_gte: Some("2024-02-29T12:00:00+01:00")"#),
        ("type=a&fn=b", r#"type_query: Some("a"), fn_query: Some("b")"#),
        ("empty=", r#"empty: Some("")"#),
        ("empty", r#"empty: Some("")"#),
        ("path=a/b?c:d@e", r#"path: Some("a/b?c:d@e")"#),
        ("precise=1.5&ratio=0.25", "precise: Some(1.5), ratio: Some(0.25)"),
        ("either=5", "either: Some(Integer(5))"),
        ("either=latest", "Latest"),
        ("unknown=1", r#"q: "x""#),
    ] {
        tells(&root, &format!("GET /samples?q=x&{query}"), expected).await;
    }
    for (query, rejection) in [
        ("", (422, "q")),
        ("q=", (422, "q")),
        ("q=x&q=y", (422, "q")),
        ("q=x&form_flat=3,b", (422, "form_flat[1]")),
        ("q=x&form_flat=99999999999", (422, "form_flat[0]")),
        ("q=x&pipe=kelvin%7Clitre", (422, "pipe[1]")),
        ("q=x&pipe=volt|volt|volt|volt", (422, "pipe")),
        ("q=x&filter[unit]=litre", (422, "filter.unit")),
        ("q=x&filter=5", (422, "filter")),
        ("q=x&where={", (422, "where")),
        ("q=x&where=%7B%22unit%22:5%7D", (422, "where.unit")),
        ("q=x&where=%7B%22unit%22:%22volt%22,%22unit%22:%22volt%22%7D", (422, "where")),
        (&format!("q=x&ids[]={ID}&ids[]={ID}"), (422, "ids[]")),
        ("q=x&$top=0", (422, "$top")),
        ("q=x&created.gte=yesterday", (422, "created.gte")),
        ("q=x&precise=1.3", (422, "precise")),
        ("q=x&ratio=1", (422, "ratio")),
        ("q=x&either=never", (422, "either")),
        ("q=x&form=%C3", (400, "")),
    ] {
        rejects(&root, &format!("GET /samples?{query}"), rejection).await;
    }
    tells(&root, "GET /samples/exploded?lat=1&lon=2&name=n", r#"Some(Place { lat: 1.0, lon: 2.0, name: Some("n") })"#)
        .await;
    tells(&root, "GET /samples/exploded", "place: None").await;
    rejects(&root, "GET /samples/exploded?lat=1", (422, "place.lon")).await;
    tells(&root, "GET /samples/free?a=1&b=%26", r#"labels: Some({"a": "1", "b": "&"})"#).await;
    rejects(&root, "GET /samples/free?a=1&a=2", (422, "labels.a")).await;
    tells(
        &root,
        "GET /names/a/b?type=c&body=d&request=e&caller=f",
        r#"type_path: "a", self_path: "b", type_query: Some("c"), type_header: None, body: Some("d"), request: Some("e"), caller: Some("f")"#,
    )
    .await;
}

#[tokio::test]
async fn headers_and_cookies_arrive() {
    let root = echo().await;
    let post = || ask("POST /samples/batch").body("application/json", "[]");
    let whole = post()
        .header("x-device", "d1")
        .header("x-tags", "a, b")
        .header("X-Tags", "c%20")
        .header("x-numbers", "1,-2")
        .header("x-place", "lat=1,lon=2")
        .header("x-filter", r#"{"at_least": 1, "unit": "volt"}"#)
        .header("x-request-id", ID)
        .header("cookie", "session=a%20b; theme=dark; flags=x,y%2Cz");
    let answer = whole.of(&root).await;
    let told = answer.json()["message"].as_str().unwrap_or_default().to_owned();
    for expected in [
        &format!("x_request_id: Some({ID:?})"),
        r#"x_device: "d1", x_tags: Some(["a", "b", "c%20"]), x_numbers: Some([1, -2])"#,
        "x_place: Some(Place { lat: 1.0, lon: 2.0, name: None }), x_attempt: 1",
        "x_filter: Some(Filter { at_least: Some(1.0), devices: None, since: None, unit: Some(Volt) })",
        r#"session: "a b", theme: Dark, flags: Some(["x", "y,z"]), body: Json([])"#,
    ] {
        assert!(told.contains(expected), "{told} lacks {expected}");
    }
    let session = || post().header("cookie", "session=s");
    let device = || session().header("x-device", "d");
    for (request, rejection) in [
        (session(), (422, "X-Device")),
        (post().header("x-device", "d"), (422, "session")),
        (device().header("x-device", "e"), (422, "X-Device")),
        (device().header("x-attempt", "256"), (422, "X-Attempt")),
        (device().header("x-numbers", "1,b"), (422, "X-Numbers[1]")),
        (device().header("x-place", "lat=100,lon=2"), (422, "X-Place.lat")),
        (device().header("x-filter", "{"), (422, "X-Filter")),
        (device().header("x-request-id", "1"), (422, "X-Request-Id")),
        (post().header("x-device", "d").header("cookie", "session=s; theme=blue"), (422, "theme")),
        (post().header("x-device", "d").header("cookie", "session=%zz"), (400, "")),
    ] {
        let line = format!("{:?}", request.headers);
        let answer = request.of(&root).await;
        let (status, param) = answer.rejection();
        assert_eq!((status, &*param), rejection, "{line}: {}", answer.text());
    }
    let answer = session().header("x-device", "rejecting").of(&root).await;
    assert_eq!(answer.status, 202);
    assert_eq!(
        (answer.header("x-accepted"), answer.header("x-rejected")),
        (Some("18446744073709551615"), Some("1,-2"))
    );
}

#[tokio::test]
async fn a_body_of_several_media_types_says_which_it_is() {
    let root = echo().await;
    let post = |media_type, body: &str| {
        ask("POST /samples/batch").header("x-device", "d").header("cookie", "session=s").body(media_type, body)
    };
    let sample = r#"{"at": "2024-02-29T12:00:00Z", "unit": "volt", "value": 1}"#;
    let answer = post("application/x-ndjson", sample).of(&root).await;
    assert!(answer.text().contains("Ndjson(b"), "{}", answer.text());
    let answer = post("application/json", &format!("[{sample}]")).of(&root).await;
    assert!(answer.text().contains("Json([Sample {"), "{}", answer.text());
    for (media_type, body, rejection) in [
        ("text/plain", "[]", (415, "")),
        ("application/json", "{}", (422, "")),
        ("application/json", "[", (400, "")),
        ("application/json", r#"[{"at": "now", "unit": "volt", "value": 1}]"#, (422, "[0].at")),
        ("application/json", r#"[{"at": "2024-02-29T12:00:00Z", "unit": "volt"}]"#, (422, "[0].value")),
    ] {
        let answer = post(media_type, body).of(&root).await;
        let (status, param) = answer.rejection();
        assert_eq!((status, &*param), rejection, "{media_type} {body}: {}", answer.text());
    }
}
