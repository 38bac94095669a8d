//! How much memory a large request takes of the process that stores it and trains on it.

use reqwest::multipart::{Form, Part};
use reqwest::{Body, Method};
use serde_json::{Value, json};

use crate::support::process::{Process, Site};
use crate::support::{Model, answer, row, text};

/// Bytes of the request.
const BODY: usize = 100_000_000;
/// Memory that it may take until it is stored: bodies are streamed to the store.
const STORING: usize = 64 << 20;

/// Memory beside four times the bytes of the data.
const CONSTANT: usize = 256 << 20;

/// Rollouts as they are sampled, with a logprob for each token, until the body has its size.
fn rollouts(model: &str) -> String {
    let token = |n: usize| {
        let logprob = -0.25 - (n % 7) as f64 / 8.0;
        json!({ "token": format!("token_id:{}", 269 + n % 200), "logprob": logprob, "bytes": [32, 97], "top_logprobs": [] })
    };
    let trajectory = |number: usize| {
        let tokens: Vec<Value> = (0..400).map(|n| token(number * 31 + n * 17)).collect();
        json!({ "messages_and_choices": [
                    { "role": "user", "content": format!("question {number}") },
                    { "finish_reason": "stop", "index": 0, "logprobs": { "content": tokens },
                      "message": { "role": "assistant", "content": "an answer" } }],
                "reward": (number % 2) as f64 })
    };
    let mut body = format!(r#"{{"model_id":"{model}","experimental_config":{{"packed_sequence_length":2048}},"#);
    body.push_str(r#""trajectory_groups":["#);
    for group in 0.. {
        let members: Vec<Value> = (0..8).map(|number| trajectory(8 * group + number)).collect();
        body.push_str(&json!({ "trajectories": members }).to_string());
        if body.len() >= BODY {
            break;
        }
        body.push(',');
    }
    body + "]}"
}

/// Most memory that the process had so far, in bytes.
pub(crate) fn peak_memory(process: &Process) -> usize {
    memory_of(process, "VmHWM:")
}

/// A size in the status of the process, in bytes.
pub(crate) fn memory_of(process: &Process, name: &str) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).expect("the process runs");
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a size");
    let kibibytes: usize = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kibibytes << 10
}

#[tokio::test]
async fn a_file_of_a_gigabyte_is_streamed_to_the_store_and_back() {
    const PIECE: usize = 1 << 20;
    const PIECES: usize = 1 << 10;
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    site.model(&server, "small").await;
    let idle = peak_memory(&server);
    let pieces = futures_util::stream::iter((0..PIECES).map(|n| Ok::<_, std::io::Error>(vec![(n % 251) as u8; PIECE])));
    let file = Part::stream_with_length(Body::wrap_stream(pieces), (PIECE * PIECES) as u64).file_name("large.jsonl");
    let form = Form::new().text("purpose", "fine-tune").part("file", file);
    let made = answer(site.request(&server, Method::POST, "/v1/files").multipart(form)).await.ok();
    assert_eq!(made["bytes"], PIECE * PIECES);
    let stored = peak_memory(&server) - idle;
    let path = format!("/v1/files/{}/content", text(&made["id"]));
    let mut content = site.request(&server, Method::GET, &path).send().await.expect("an answer");
    let mut received = 0;
    while let Some(chunk) = content.chunk().await.expect("a chunk") {
        let last = received + chunk.len() - 1;
        let right = |at: usize| (at / PIECE % 251) as u8;
        assert_eq!((chunk[0], chunk[chunk.len() - 1]), (right(received), right(last)));
        received += chunk.len();
    }
    assert_eq!(received, PIECE * PIECES);
    let sent = peak_memory(&server) - idle;
    println!(
        "a file of 1 GiB took {} KiB more than idle until it was stored, {} KiB until it was sent",
        stored >> 10,
        sent >> 10
    );
    assert!(sent <= STORING, "{stored} bytes to store it, {sent} to send it");
    server.kill();
}

#[tokio::test]
async fn a_hundred_megabytes_of_rollouts_are_streamed_to_the_store() {
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let model = site.model(&server, "large").await;
    let idle = peak_memory(&server);
    let body = rollouts(&model.id);
    let size = body.len();
    let request = site.request(&server, Method::POST, "/v1/preview/training-jobs");
    let job = answer(request.header("content-type", "application/json").body(body)).await.ok();
    let stored = peak_memory(&server) - idle;
    // The first event comes when everything is tokenised, the second when the first step is made.
    site.reaches(&server, text(&job["id"]), 2).await;
    let trained = peak_memory(&server) - idle;
    let megabytes = |bytes: usize| bytes as f64 / 1e6;
    println!(
        "a body of {:.0} MB took {:.0} MB more than idle until it was stored, {:.0} MB until the first step was made",
        megabytes(size),
        megabytes(stored),
        megabytes(trained)
    );
    assert!(stored <= STORING, "{stored} bytes to store a body of {size}");
    // The optimizer step's own memory is most of it.
    assert!(trained <= 3 * size, "{trained} bytes for a body of {size}");
    server.kill();
}

#[tokio::test]
async fn a_row_of_fifteen_megabytes_takes_few_times_its_size() {
    const ROW: usize = 15_000_000;
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let model = site.model(&server, "long").await;
    let idle = peak_memory(&server);
    let long = "hello ".repeat(ROW / "hello ".len());
    let job = site.start_sft(&server, &model, &[row(&long, "yes"), row("a", "b")]).await;
    site.finished(&server, &job).await;
    let taken = peak_memory(&server) - idle;
    println!("a row of {} MB took {} MB more than idle", ROW / 1_000_000, taken / 1_000_000);
    // Tokenised at once it took 95 times its size.
    assert!(taken <= 32 * ROW, "{taken} bytes");
    server.kill();
}

/// A text whose tokens have about one byte each.
fn incompressible(bytes: usize) -> String {
    const CHARACTERS: &[u8] = b"!#$%&()*+-./0123456789:;<=>?@QXZ[]^_`qxz{|}~";
    let mut state = 1_u32;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(CHARACTERS[(state >> 16) as usize % CHARACTERS.len()])
    };
    std::iter::repeat_with(next).take(bytes).collect()
}

/// Runs two jobs at once, each with a text of 15 MB and a token for each byte, and compares the memory with its bound.
async fn jobs_with_long_texts(start: impl AsyncFn(&Site, &Process, &Model, &str) -> String) {
    const TEXT: usize = 15_000_000;
    let site = Site::new();
    let server = Process::serve(site.path(), &[]);
    let models = [site.model(&server, "one").await, site.model(&server, "two").await];
    let idle = peak_memory(&server);
    let long = incompressible(TEXT);
    let mut jobs = Vec::new();
    for model in &models {
        jobs.push(start(&site, &server, model, &long).await);
    }
    for job in &jobs {
        site.finished(&server, job).await;
    }
    let taken = peak_memory(&server) - idle;
    println!("{} jobs with {} MB each took {} MB more than idle", jobs.len(), TEXT / 1_000_000, taken / 1_000_000);
    assert!(taken <= 4 * jobs.len() * TEXT + CONSTANT, "{taken} bytes");
    server.kill();
}

#[tokio::test]
async fn supervised_jobs_at_once_with_long_rows_take_bounded_memory() {
    jobs_with_long_texts(async |site, server, model, long| {
        site.start_sft(server, model, &[row(long, "yes"), row("a", "b")]).await
    })
    .await;
}

/// Starts a reinforcement learning job on a group of these two conversations.
async fn start_rl(site: &Site, server: &Process, model: &Model, conversations: [Value; 2]) -> String {
    let [one, two] = conversations;
    let group = json!({ "trajectories": [{ "messages_and_choices": one, "reward": 0.0 },
                                         { "messages_and_choices": two, "reward": 1.0 }] });
    let body = json!({ "model_id": model.id, "trajectory_groups": [group],
                       "experimental_config": { "allow_training_without_logprobs": true } });
    let job = site.call(server, Method::POST, "/v1/preview/training-jobs", Some(body)).await.ok();
    text(&job["id"]).to_owned()
}

#[tokio::test]
async fn reinforcement_learning_at_once_with_long_prompts_takes_bounded_memory() {
    jobs_with_long_texts(async |site, server, model, long| {
        let sampled = |question: &str| {
            let token = json!({ "token": "token_id:269", "logprob": -0.5, "bytes": [32], "top_logprobs": [] });
            json!([{ "role": "user", "content": question },
                   { "finish_reason": "stop", "index": 0, "logprobs": { "content": [token] },
                     "message": { "role": "assistant", "content": "an answer" } }])
        };
        start_rl(site, server, model, [sampled(long), sampled("a?")]).await
    })
    .await;
}

#[tokio::test]
async fn reinforcement_learning_at_once_with_long_answers_takes_bounded_memory() {
    jobs_with_long_texts(async |site, server, model, long| {
        let written = |answer: &str| row("a?", answer)["messages"].clone();
        start_rl(site, server, model, [written(long), written("yes")]).await
    })
    .await;
}
