//! Requests that are made to cost much more than they weigh: each is rejected, and takes no memory to speak of.

use reqwest::Method;
use serde_json::{Value, json};

use crate::jobs::memory::peak_memory;
use crate::support::process::{Process, Site};
use crate::support::{SEEDLING, answer};

/// Memory that all of them together may take, beside the bytes of the largest.
const MEMORY: usize = 64 << 20;
const CHAT: &str = "/inference/v1/chat/completions";

/// A chat request with this text as the value of a field.
fn chat(field: &str, value: &str) -> String {
    let messages = if field == "messages" { "" } else { r#""messages":[{"role":"user","content":"hello"}],"# };
    format!(r#"{{"model":"{SEEDLING}",{messages}"{field}":{value}}}"#)
}

/// A name, the content coding, the bytes and the expected statuses.
type HostileBody = (String, Option<&'static str>, Vec<u8>, &'static [u16]);

fn hostile_bodies() -> Vec<HostileBody> {
    let deep = |open: &str, close: &str, times: usize| format!("{}0{}", open.repeat(times), close.repeat(times));
    let mut bodies = Vec::new();
    let mut add = |what: &str, body: String, statuses: &'static [u16]| {
        bodies.push((what.to_owned(), None, body.into_bytes(), statuses))
    };
    // Depth, anywhere and where any JSON is taken.
    for (what, value) in [("lists", deep("[", "]", 1_000_000)), ("objects", deep("{\"a\":", "}", 1_000_000))] {
        for field in ["messages", "metadata", "tools", "response_format", "chat_template_kwargs", "unknown"] {
            add(&format!("{what} in {field}"), chat(field, &value), &[400, 413, 422]);
        }
    }
    // Many items that weigh nothing.
    for (what, item) in [("empty objects", "{}"), ("zeros", "0"), ("empty texts", "\"\"")] {
        let list = format!("[{}{item}]", format!("{item},").repeat(3_000_000));
        for field in ["messages", "stop", "tools", "stop_token_ids"] {
            add(&format!("{what} as {field}"), chat(field, &list), &[400, 413, 422]);
        }
    }
    let keys: String = (0..1_000_000).map(|number| format!("\"{number}\":1,")).collect();
    add("many keys", chat("logit_bias", &format!("{{{keys}\"0\":1}}")), &[400, 413, 422]);
    // Counts that would be allocated for.
    for field in
        ["n", "max_tokens", "max_completion_tokens", "top_logprobs", "min_tokens", "top_k", "seed", "prompt_logprobs"]
    {
        for value in ["9223372036854775808", "-9223372036854775809", "1e308", "1e400", "NaN", "1.5"] {
            add(&format!("{field} of {value}"), chat(field, value), &[400, 422]);
        }
    }
    for (field, value) in
        [("n", "9223372036854775807"), ("top_logprobs", "9223372036854775807"), ("best_of", "1000000")]
    {
        add(&format!("{field} of {value}"), chat(field, value), &[400, 422]);
    }
    // What unpacks to much more.
    let packed = [b"\x1f\x8b\x08".as_slice(), &[0; 1 << 10]].concat();
    for coding in ["gzip", "deflate", "br", "zstd", "gzip, gzip"] {
        bodies.push((format!("packed by {coding}"), Some(coding), packed.clone(), &[415]));
    }
    bodies
}

#[tokio::test]
async fn hostile_bodies_are_rejected_and_take_no_memory() {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let ask = async |body: Value| answer(site.request(&server, Method::POST, CHAT).json(&body)).await.ok();
    let question = json!({ "model": SEEDLING, "messages": [{ "role": "user", "content": "hello" }], "max_tokens": 1 });
    ask(question.clone()).await;
    let bodies = hostile_bodies();
    let largest = bodies.iter().map(|(_, _, body, _)| body.len()).max().expect("some");
    let idle = peak_memory(&server);
    for (what, coding, body, statuses) in bodies {
        let mut request = site.request(&server, Method::POST, CHAT).header("content-type", "application/json");
        // A body that is rejected is not read to its end, so its connection is of no further use.
        request = request.header("connection", "close");
        if let Some(coding) = coding {
            request = request.header("content-encoding", coding);
        }
        let rejected = answer(request.body(body)).await;
        let status = rejected.status.as_u16();
        assert!(statuses.contains(&status), "{what}: {status} {}", rejected.body);
        assert!(rejected.body["error"]["message"].is_string(), "{what}: {}", rejected.body);
    }
    let taken = peak_memory(&server) - idle;
    println!("the bodies took {} KiB more than idle; the largest has {} KiB", taken >> 10, largest >> 10);
    assert!(taken <= MEMORY + largest, "{taken} bytes more than idle");
    ask(question).await;
    server.kill();
}
