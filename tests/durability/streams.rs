//! Clients that follow jobs or chat notice nothing when a worker is killed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use tokio::task::JoinSet;
use trainyard::client::{Client, ClientBuilder, from_json};
use trainyard::store::metadata::Jobs;
use trainyard::store::records::{Order, PageRequest};
use trainyard::store::sqlite::SqliteMetadata;

use crate::job::{self, ENTITY, Kind, end_of, ended, template};
use crate::scale;
use crate::server::{Server, Start, Task};

/// Streams of chat completions at any time.
const CHATS: usize = 100;
/// Longest time for all of it.
const TIME: Duration = Duration::from_secs(600);

/// Clients that follow a job.
fn followers() -> usize {
    if scale() >= 10 { 1000 } else { 200 }
}

/// Lets this process and those that it starts have as many connections as the system allows.
fn raise_file_limit() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).expect("a soft limit can be raised");
}

/// A client with connections of its own.
fn client(root: &str, key: &str) -> Client {
    ClientBuilder::default().base_url(root).api_key(key).build().expect("a client")
}

/// Follows a job to its end: the ids of its events as they came.
async fn follow(client: Client, job: String) -> Result<Vec<String>, String> {
    let mut events = client.watch_training_job(&job);
    let mut ids = Vec::new();
    while let Some(event) = events.try_next().await.map_err(|error| format!("{error:?} after {}", ids.len()))? {
        ids.push(event.id);
    }
    Ok(ids)
}

/// Reads one completion to its `[DONE]`, without which the client reports an error; the number of its chunks.
async fn chat(client: &Client, model: &str, number: usize) -> Result<usize, String> {
    let messages = json!([{ "role": "user", "content": format!("tell me {number}") }]);
    let request = json!({ "model": model, "messages": messages, "temperature": 1, "max_tokens": 24 });
    let request = from_json(request).map_err(|error| error.to_string())?;
    let mut stream = client.stream_chat_completion(&request).await.map_err(|error| format!("refused: {error:?}"))?;
    let (mut chunks, mut finished) = (0, false);
    while let Some(chunk) = stream.try_next().await.map_err(|error| format!("{error:?} after {chunks} chunks"))? {
        chunks += 1;
        finished |= chunk.choices.iter().any(|choice| choice.finish_reason.is_some());
    }
    if finished { Ok(chunks) } else { Err(format!("no finish_reason in {chunks} chunks")) }
}

/// Asks one question after the other until the end is told; how many streams and chunks there were.
async fn keep_chatting(client: Client, model: String, over: Arc<AtomicBool>) -> Result<(usize, usize), String> {
    let (mut streams, mut chunks) = (0, 0);
    while streams == 0 || !over.load(Ordering::Relaxed) {
        chunks += chat(&client, &model, streams).await?;
        streams += 1;
    }
    Ok((streams, chunks))
}

/// Results of all tasks.
async fn all<T: 'static>(tasks: JoinSet<T>) -> Vec<T> {
    tokio::time::timeout(TIME, tasks.join_all()).await.expect("everybody comes to an end")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_of_events_and_chats_survive_a_kill_of_a_worker() {
    raise_file_limit();
    let template = template().await;
    let directory = template.copy();
    let data = directory.path().join("data");
    let start = |task| Server::ready(&data, &template.directory, &Start { task, ..Default::default() });
    let server = start(Task::Serve);
    let mut workers = vec![start(Task::Work), start(Task::Work)];
    let http = job::Client::new(&template.key);
    let create = async |kind, model: usize| {
        let (path, body) = template.request(kind, &template.models[model]);
        let (status, job) = http.call("POST", &format!("{}{path}", server.root), Some(&body)).await.expect("an answer");
        assert!(status < 300, "{status} {job}");
        job["id"].as_str().expect("an id").to_owned()
    };
    let events = async |job: &str| http.events(&server.root, job).await.expect("events");
    let begun = Instant::now();
    // The adapters that are chatted with beside their base.
    let trained = [create(Kind::Sft, 0).await, create(Kind::Rl, 1).await];
    for job in &trained {
        while end_of(&events(job).await).is_none() {
            assert!(begun.elapsed() < TIME, "{}", workers[0].log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    let models = ["trainyard/seedling", "wandb-artifact:///acme/p/model-0", "wandb-artifact:///acme/p/model-1"];
    // A thousand of them take longer than the jobs would.
    let clients: Vec<Client> = (0..followers()).map(|_| client(&server.root, &template.key)).collect();
    let chatters: Vec<Client> = (0..CHATS).map(|_| client(&server.root, &template.key)).collect();
    let jobs = [create(Kind::Long, 2).await, create(Kind::Long, 3).await];
    let mut following = JoinSet::new();
    for (number, client) in clients.into_iter().enumerate() {
        let job = jobs[number % 2].clone();
        following.spawn(async move { (number % 2, follow(client, job).await) });
    }
    let over = Arc::new(AtomicBool::new(false));
    let mut chatting = JoinSet::new();
    for (number, client) in chatters.into_iter().enumerate() {
        chatting.spawn(keep_chatting(client, models[number % models.len()].to_owned(), over.clone()));
    }

    while events(&jobs[0]).await.len() < 10 || events(&jobs[1]).await.len() < 10 {
        assert!(begun.elapsed() < TIME, "the jobs do not begin: {}", server.log());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let killed = Instant::now();
    workers.remove(0).kill();
    let before = [events(&jobs[0]).await.len(), events(&jobs[1]).await.len()];
    workers.push(start(Task::Work));
    assert!(before.iter().any(|events| *events < job::LONG_STEPS), "the worker was killed too late");
    // Until both have gone on, the one whose worker is gone with another.
    let mut waited = Duration::ZERO;
    for (job, before) in jobs.iter().zip(before) {
        while events(job).await.len() <= before && end_of(&events(job).await).is_none() {
            assert!(killed.elapsed() < TIME, "nobody takes the job over");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        waited = waited.max(killed.elapsed());
    }
    over.store(true, Ordering::Relaxed);
    let chats = all(chatting).await;
    let broken: Vec<&String> = chats.iter().filter_map(|outcome| outcome.as_ref().err()).collect();
    assert!(broken.is_empty(), "{} of {CHATS}, first {}", broken.len(), broken[0]);
    let (streams, chunks) =
        chats.iter().flatten().fold((0, 0), |(streams, chunks), more| (streams + more.0, chunks + more.1));
    let followed = all(following).await;

    let log: String = workers.iter().chain([&server]).map(Server::log).collect();
    assert!(!log.contains("panicked"), "{log}");
    for process in workers.into_iter().chain([server]) {
        assert!(process.stop().success(), "{log}");
    }
    let metadata = SqliteMetadata::open(&data.join("trainyard.db")).await.expect("the database opens");
    let mut stored = Vec::new();
    let mut attempts = 0;
    for job in &jobs {
        let (record, outcome) = ended(&metadata, job).await;
        assert_eq!(&outcome, template.expected(Kind::Long));
        attempts += record.attempts;
        let page = PageRequest { after: None, limit: 10_000, order: Order::Ascending };
        let events = metadata.list_events(ENTITY, record.id, page).await.expect("events").items;
        stored.push(events.iter().map(|event| event.id.to_string()).collect::<Vec<_>>());
    }
    metadata.close().await;
    assert_eq!(attempts, 3, "one job was taken from the worker that was killed");
    let mut count = 0;
    for (job, events) in followed {
        let events = events.unwrap_or_else(|error| panic!("a client that followed a job got {error}"));
        assert_eq!(events, stored[job], "a client missed events, or saw them twice or in another order");
        count += events.len();
    }
    println!(
        "{} clients were told {count} events, {CHATS} others read {streams} completions in {chunks} chunks: none broken; \
         the job went on {waited:?} after the kill of its worker",
        followers()
    );
}
