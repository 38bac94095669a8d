//! Bodies, targets and headers made to do harm, against the whole service: each is rejected as the document says, and the
//! service goes on.

use serde_json::Value;

use super::requests::{self, Things};
use super::specification::{Row, Seen, judge, rows};
use crate::raw::{Raw, RawAnswer};
use crate::support::TestService;

/// Levels of a nesting that no parser should follow, and digits that no number should have.
const MANY: usize = 1_000_000;

/// Sends bytes as they are; `headers` are lines.
async fn ask(service: &TestService, method: &str, target: &str, headers: &[u8], body: &[u8]) -> RawAnswer {
    let mut raw = Raw::connect(&service.root).await;
    let head = format!(
        "{method} {target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {}\r\nConnection: close\r\nContent-Length: {}\r\n",
        service.admin_key,
        body.len()
    );
    raw.send([head.as_bytes(), headers, b"\r\n", body].concat()).await;
    let answer = raw.answer().await.expect("an answer");
    let headers = answer.headers.clone();
    let seen = Seen { method, path: target, status: answer.status, headers, body: &answer.body };
    if let Err(fault) = judge(&seen) {
        panic!("{method} {target}: {fault}");
    }
    answer
}

/// An example with one more field, whose value is given as text.
fn with_field(body: &Value, value: &[u8]) -> Vec<u8> {
    let text = body.to_string();
    let rest = text.strip_prefix('{').expect("an object");
    [b"{\"from_the_future\":", value, b",", rest.as_bytes()].concat()
}

/// The places of a body where an object begins, after its brace.
fn objects(text: &str) -> Vec<usize> {
    let mut quoted = false;
    let mut escaped = false;
    let mut found = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' if !escaped => quoted = !quoted,
            b'{' if !quoted && text.as_bytes().get(at + 1) == Some(&b'"') => found.push(at + 1),
            _ => {}
        }
        escaped = quoted && byte == b'\\' && !escaped;
    }
    found
}

/// Invalid JSON, and JSON that no two parsers read alike.
fn broken(row: &Row, body: &Value) -> Vec<(String, Vec<u8>)> {
    let text = body.to_string();
    let open = |byte: &str| byte.repeat(MANY);
    let closed = [b"[".repeat(MANY), b"]".repeat(MANY)].concat();
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("nothing", Vec::new()),
        ("a byte order mark", [b"\xef\xbb\xbf", text.as_bytes()].concat()),
        ("UTF-16", text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("cut", text.as_bytes()[..text.len() - 1].to_vec()),
        ("two values", [text.as_bytes(), text.as_bytes()].concat()),
        ("a NUL behind", [text.as_bytes(), b"\0"].concat()),
        ("a million brackets", open("[").into_bytes()),
        ("a million braces", open("{\"a\":").into_bytes()),
        ("a million levels", closed.clone()),
        ("a million levels within", with_field(body, &closed)),
        ("NaN", with_field(body, b"NaN")),
        ("a number with a sign", with_field(body, b"+1")),
        ("a number in octal", with_field(body, b"01")),
        ("bytes that are not UTF-8", with_field(body, b"\"\xff\xfe\"")),
        ("an overlong NUL", with_field(body, b"\"\xc0\x80\"")),
        ("a surrogate in UTF-8", with_field(body, b"\"\xed\xa0\x80\"")),
        ("a raw NUL", with_field(body, b"\"\0\"")),
        ("a raw line break", with_field(body, b"\"\n\"")),
        ("a comment", with_field(body, b"1/* */")),
        ("a comma too many", with_field(body, b"[1,]")),
        ("single quotes", with_field(body, b"'x'")),
    ];
    let cases = cases.into_iter().map(|(name, bytes)| (format!("{name} to {}", row.id), bytes));
    cases.collect()
}

#[tokio::test]
async fn invalid_json_is_rejected_as_such() {
    let service = TestService::start().await;
    let things = Things::of(&service, "hostile").await;
    for row in rows().iter().filter(|row| row.json_body().is_some()) {
        let asked = requests::about(row, &things);
        let body = asked.body.expect("a body");
        for (name, bytes) in broken(row, &body) {
            let answer = ask(&service, &row.method, &asked.path, b"", &bytes).await;
            // Where a field is unknown and skipped, its levels cost nothing.
            if answer.status == 200 && name.starts_with("a million levels within") {
                continue;
            }
            let error = answer.rejected(&name);
            // An array is rejected at its first bracket: it cannot become an object any more.
            let is_array = bytes.starts_with(b"[") && answer.status == 422;
            let is_told = answer.status == 400 && error["code"] == "invalid_json";
            let is_too_large = bytes.len() >= MANY && answer.status == 413;
            assert!(is_array || is_told || is_too_large, "{name}: {} {error}", answer.status);
            let message = error["message"].as_str().expect("a message");
            assert!(message.len() < 500, "{name}: {message}");
        }
    }
    service.stop().await;
}

/// Which of two equal names counts differs from parser to parser: what one checks the other might not use.
#[tokio::test]
async fn names_that_come_twice_are_rejected() {
    let service = TestService::start().await;
    let things = Things::of(&service, "twice").await;
    let mut accepted = Vec::new();
    for row in rows().iter().filter(|row| row.json_body().is_some()) {
        let asked = requests::about(row, &things);
        let text = asked.body.expect("a body").to_string();
        for at in objects(&text) {
            let end = at + 1 + text[at + 1..].find('"').expect("a name ends");
            let name = &text[at..=end];
            let body = format!("{}{name}:null,{}", &text[..at], &text[at..]);
            let answer = ask(&service, &row.method, &asked.path, b"", body.as_bytes()).await;
            if answer.status < 400 {
                accepted.push(format!("{} {name} at {at}", row.id));
                continue;
            }
            answer.rejected(&body);
            assert!([400, 422].contains(&answer.status), "{body}: {answer:?}");
        }
    }
    assert!(accepted.is_empty(), "accepted:\n{}", accepted.join("\n"));
    service.stop().await;
}

/// Values that are JSON, and that a database, a template or a log might take badly.
#[tokio::test]
async fn odd_values_never_make_the_service_fail() {
    let service = TestService::start().await;
    let things = Things::of(&service, "odd").await;
    let digits = "9".repeat(MANY);
    let long = format!("\"{}\"", "x".repeat(MANY));
    let values = [
        r#""a\u0000b""#,
        r#""\ud800""#,
        r#""\udc00\ud800""#,
        r#"{"\udfff":1}"#,
        "1e999",
        r#""\u0000""#,
        r#""\ud83d\ude00""#,
        r#""\u202e\u200b""#,
        r#""'; DROP TABLE models; --""#,
        r#""../../../etc/passwd""#,
        r#""{{7*7}}""#,
        r#""%00%ff""#,
        r#""\r\nx-request-id: forged""#,
        "-0",
        "1e308",
        "-1e308",
        "1e-400",
        "18446744073709551616",
        "-9223372036854775809",
        "9007199254740993",
        "0.1e1",
        "[]",
        "{}",
        "null",
        "true",
        digits.as_str(),
        long.as_str(),
    ];
    for row in rows().iter().filter(|row| row.json_body().is_some()) {
        let asked = requests::about(row, &things);
        let body = asked.body.expect("a body");
        let fields: Vec<String> = body.as_object().expect("an object").keys().cloned().collect();
        for value in values {
            let ask_with = |bytes: Vec<u8>| {
                let (service, method, path) = (&service, &row.method, &asked.path);
                async move { ask(service, method, path, b"", &bytes).await }
            };
            for field in fields.iter().map(String::as_str).chain(["from_the_future"]) {
                let mut body = body.clone();
                body[field] = Value::from("THE VALUE");
                let text = body.to_string().replace("\"THE VALUE\"", value);
                let shown: String = text.chars().take(200).collect();
                let answer = ask_with(text.into_bytes()).await;
                assert!(answer.status < 500, "{} {shown}: {answer:?}", row.id);
                assert!(answer.header("x-request-id").is_some_and(|id| id.starts_with("req_")), "{shown}: {answer:?}");
            }
        }
    }
    service.stop().await;
}

#[tokio::test]
async fn targets_and_headers_are_decoded_or_rejected() {
    let service = TestService::start().await;
    let things = Things::of(&service, "decoded").await;
    let mut accepted = Vec::new();
    for row in rows() {
        let asked = requests::about(row, &things);
        let body = asked.body.as_ref().map(Value::to_string).unwrap_or_default();
        for parameter in row.of("path") {
            let name = parameter["name"].as_str().expect("a name");
            for bad in ["%", "%z", "%zz", "%ff", "%c0%80", "%ed%a0%80", "%00", "%2f..%2f..", "%0d%0ax:%20y", "%u0041"] {
                let target = row.filled(|_| bad.to_owned());
                let answer = ask(&service, &row.method, &target, b"", body.as_bytes()).await;
                answer.rejected(&format!("{name}={bad} of {}", row.id));
                // What is no number may be rejected before the names are looked up.
                let of_number = row.of("path").any(|it| it["schema"]["type"] == "integer") && answer.status == 422;
                assert!([400, 404].contains(&answer.status) || of_number, "{name}={bad} of {}: {answer:?}", row.id);
            }
        }
        for parameter in row.of("query") {
            let name = parameter["name"].as_str().expect("a name");
            for bad in ["%", "%z", "%zz", "%ff", "%c0%80", "%00", "1%", "%u0041"] {
                let target = format!("{}?{name}={bad}", asked.path);
                let answer = ask(&service, &row.method, &target, b"", b"").await;
                answer.rejected(&target);
                assert!([400, 422].contains(&answer.status), "{target}: {answer:?}");
            }
        }
        // A list is sent as several parameters of one name.
        if let Some(parameter) = row.of("query").find(|parameter| parameter["schema"]["type"] != "array") {
            let name = parameter["name"].as_str().expect("a name");
            for bad in [&format!("{name}=1&{name}=2"), "x=%zz", "%zz=1", "%ff"] {
                let answer = ask(&service, &row.method, &format!("{}?{bad}", asked.path), b"", b"").await;
                if answer.status < 400 {
                    accepted.push(format!("{} ?{bad}", row.id));
                }
            }
        }
        for parameter in row.of("header") {
            let name = parameter["name"].as_str().expect("a name");
            for bad in [b"\xff\xfe".as_slice(), b"\xc0\x80", b"\xed\xa0\x80"] {
                let header = [name.as_bytes(), b": ", bad, b"\r\n"].concat();
                let answer = ask(&service, &row.method, &asked.path, &header, body.as_bytes()).await;
                if answer.status < 400 {
                    accepted.push(format!("{} {name}: {bad:x?}", row.id));
                }
            }
        }
    }
    assert!(accepted.is_empty(), "accepted:\n{}", accepted.join("\n"));
    service.stop().await;
}

/// The id of a request comes back only where it can do no harm.
#[tokio::test]
async fn ids_that_are_no_words_are_replaced() {
    let service = TestService::start().await;
    let health = |headers: Vec<u8>| {
        let service = &service;
        async move { ask(service, "GET", "/health", &headers, b"").await.header("x-request-id").expect("an id").to_owned() }
    };
    for good in ["a", "A-Z_0.9", &"x".repeat(128)] {
        assert_eq!(health(format!("X-Request-Id: {good}\r\n").into_bytes()).await, good);
    }
    let long = "x".repeat(129);
    for bad in ["", " ", "a b", "a\tb", "a/b", "<b>", "\"", long.as_str(), "\u{e9}", "a\u{1b}[31m"] {
        let id = health(format!("X-Request-Id: {bad}\r\n").replace('\u{1b}', "%1b").into_bytes()).await;
        assert!(id.starts_with("req_"), "{bad:?}: {id}");
    }
    service.stop().await;
}
