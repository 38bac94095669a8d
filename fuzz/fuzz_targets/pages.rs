//! Cursors and paging, from the query of a request to the rows: every page is the right slice of the listing.

#![no_main]

use std::{sync::Arc, sync::LazyLock, time::Duration};

use axum::{Router, body::Body, http::Request};
use libfuzzer_sys::fuzz_target;
use tokio::{runtime::Runtime, sync::Notify};
use tower::ServiceExt;
use uuid::Uuid;

use trainyard::{
    api::{self, Api, QueueReading},
    auth,
    engine::TrainingMethod,
    generated::types::TrainingJobEventPage,
    metrics::Metrics,
    models::Catalog,
    store::{
        artifacts::Artifacts,
        metadata::Metadata,
        records::{JobInput, JobKind, ModelCreation, NewEvent, NewJob, NewModel},
        sqlite::SqliteMetadata,
    },
    training::DataSource,
    usage::UsageLog,
};

const ENTITY: &str = "fuzzing";
const EVENTS: i64 = 23;

/// A job with events, behind the whole router.
struct Listing {
    runtime: Runtime,
    router: Router,
    path: String,
    key: String,
    /// The ids, oldest first.
    ids: Vec<String>,
}

static LISTING: LazyLock<Listing> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let (router, path, key, ids) = runtime.block_on(prepare());
    Listing { runtime, router, path, key, ids }
});

async fn prepare() -> (Router, String, String, Vec<String>) {
    let directory = std::env::temp_dir().join(format!("trainyard-fuzz-pages-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let metadata = SqliteMetadata::open(&directory.join("trainyard.db")).await.expect("a store");
    let metadata: Arc<dyn Metadata> = Arc::new(metadata);
    let artifacts = Artifacts::open_directory(&directory.join("artifacts")).expect("artifacts");
    let (key, _) = auth::create_key(&*metadata, ENTITY, "fuzzing").await.expect("a key");
    let model = NewModel {
        id: Uuid::now_v7(),
        entity: ENTITY.to_owned(),
        project: "p".to_owned(),
        name: "n".to_owned(),
        base_model: "b".to_owned(),
        method: TrainingMethod::default(),
        run_id: None,
    };
    let ModelCreation::Created(model) = metadata.create_model(model).await.expect("a model") else { unreachable!() };
    let job = NewJob {
        id: Uuid::now_v7(),
        entity: ENTITY.to_owned(),
        model_id: model.id,
        kind: JobKind::Sft,
        config: "null".to_owned(),
        input: JobInput::Url("https://example.com/data.jsonl".to_owned()),
    };
    let job = metadata.create_job(job).await.expect("a job");
    let claim = metadata.claim_next("worker", Duration::from_secs(3600)).await.expect("a claim").expect("the job");
    let mut ids = Vec::new();
    for sequence in 1..=EVENTS {
        let event = NewEvent { kind: "gradient_step".to_owned(), data: "{}".to_owned() };
        ids.push(metadata.append_event(&claim.lease, sequence, event).await.expect("an event").id.to_string());
    }
    let metrics = Arc::new(Metrics::new(1));
    let (usage, _) = UsageLog::start(metadata.clone(), metrics.clone());
    let api = Api {
        metadata: metadata.clone(),
        artifacts: artifacts.clone(),
        catalog: Arc::new(Catalog::new(Vec::new(), metadata, artifacts)),
        data: Arc::new(DataSource::new::<&str>(&[]).expect("no prefixes")),
        wake: Arc::new(Notify::new()),
        usage,
        metrics,
        queue: QueueReading::default(),
        stop: tokio::sync::watch::channel(false).1,
    };
    let path = format!("/v1/preview/training-jobs/{}/events", job.id);
    (api::router(&Arc::new(api), true), path, key.reveal().to_owned(), ids)
}

// A query as it would be written; `{N}` stands for the id of event N, which chance would never find.
fuzz_target!(|query: &str| {
    let listing = &*LISTING;
    let mut query = query.to_owned();
    for (index, id) in listing.ids.iter().enumerate() {
        query = query.replace(&format!("{{{index}}}"), id);
    }
    let Ok(request) = Request::get(format!("{}?{query}", listing.path))
        .header("authorization", format!("Bearer {}", listing.key))
        .body(Body::empty())
    else {
        return;
    };
    listing.runtime.block_on(async {
        let Ok(response) = listing.router.clone().oneshot(request).await;
        let status = response.status().as_u16();
        assert!(matches!(status, 200 | 422), "{status} for {query:?}");
        if status == 200 {
            let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.expect("a bounded answer");
            check(listing, &query, &serde_json::from_slice(&bytes).expect("a page"));
        }
    });
});

/// Holds a page against the listing, as the first of each parameter of the query would have it.
fn check(listing: &Listing, query: &str, page: &TrainingJobEventPage) {
    let first = |name: &str| {
        let pairs = form_urlencoded::parse(query.as_bytes());
        pairs.into_iter().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    };
    let mut ids = listing.ids.clone();
    if first("order").as_deref() == Some("desc") {
        ids.reverse();
    }
    if let Some(after) = first("after") {
        let after: String = after.parse::<uuid::Uuid>().expect("an accepted cursor is an id").to_string();
        let place = ids.iter().position(|id| *id == after).expect("an accepted cursor is of the listing");
        ids.drain(..=place);
    }
    let limit = first("limit").map_or(20, |limit| limit.parse().expect("an accepted limit is a number"));
    assert!((1..=100).contains(&limit), "{limit}");
    assert_eq!(page.has_more, ids.len() > limit);
    ids.truncate(limit);
    assert!(page.data.iter().map(|event| &event.id).eq(&ids), "{query:?}");
    assert_eq!(page.first_id, ids.first().cloned().unwrap_or_default());
    assert_eq!(page.last_id, ids.last().cloned().unwrap_or_default());
}
