//! Operations for operators, and the key and server of a request.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{TestService, row, text};

const KEYS: &str = "/v1/preview/admin/keys";

/// Sends a request with the key of an operator.
async fn operate(service: &TestService, method: Method, path: &str, body: Option<&Value>) -> Value {
    service.send_as(&service.admin_key, method, path, body).await.ok()
}

#[tokio::test]
async fn an_operator_creates_limits_and_revokes_keys() {
    let service = TestService::start().await;
    let wanted = json!({ "entity": "guests", "name": "laptop", "limits": { "requests_per_minute": 3 } });
    let created = operate(&service, Method::POST, KEYS, Some(&wanted)).await;
    let (secret, id) = (text(&created["api_key"]).to_owned(), text(&created["key"]["id"]).to_owned());
    assert_eq!(created["key"]["admin"], false);
    assert!(secret.ends_with(text(&created["key"]["suffix"])), "{created}");

    let own = service.send_as(&secret, Method::GET, "/v1/preview/key", None).await.ok();
    assert_eq!((&own["entity"], &own["name"], &own["id"]), (&json!("guests"), &json!("laptop"), &json!(id)));
    assert_eq!(own["limits"], json!({ "requests_per_minute": 3 }));
    assert_eq!(own["use"]["requests_left"], 2, "this request counts: {own}");
    assert!(!own.to_string().contains(&secret));

    let listed = operate(&service, Method::GET, &format!("{KEYS}?entity=guests"), None).await;
    assert_eq!(listed["data"].as_array().map(Vec::len), Some(1), "{listed}");
    assert!(!listed.to_string().contains(&secret));
    let names = async |query: &str| -> Vec<Value> {
        let page = operate(&service, Method::GET, &format!("{KEYS}{query}"), None).await;
        page["data"].as_array().expect("keys").iter().map(|key| key["id"].clone()).collect()
    };
    let (all, newest) = (names("").await, names("?order=desc&limit=1").await);
    assert_eq!((all.len(), newest.as_slice()), (4, &all[3..]));
    assert_eq!(names(&format!("?limit=2&after={}", text(&all[1]))).await, &all[2..]);
    let unknown = format!("{KEYS}?after={}", uuid::Uuid::nil());
    service.send_as(&service.admin_key, Method::GET, &unknown, None).await.rejected(422);

    let limits = json!({ "queued_jobs": 7, "streams": null });
    let limited = operate(&service, Method::PUT, &format!("{KEYS}/{id}/limits"), Some(&limits)).await;
    assert_eq!(limited["limits"], json!({ "queued_jobs": 7 }));
    let slip = json!({ "request_per_minute": 7 });
    let rejected = service.send_as(&service.admin_key, Method::PUT, &format!("{KEYS}/{id}/limits"), Some(&slip)).await;
    assert!(text(&rejected.rejected(422)["message"]).contains("requests_per_minute"), "the slip is named");

    let revoked = operate(&service, Method::POST, &format!("{KEYS}/{id}/revoke"), None).await;
    assert!(revoked["revoked_at"].is_i64(), "{revoked}");
    tokio::time::sleep(Duration::from_secs(1)).await;
    service.send_as(&secret, Method::GET, "/v1/preview/key", None).await.rejected(401);
    service.stop().await;
}

#[tokio::test]
async fn the_use_of_a_key_is_told() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    service.finished(&service.start_sft(&model, &[row("hello", "world")], Value::Null).await).await;
    service.upload("fine-tune", "train.jsonl", "{}\n").await;
    let key = service.get("/v1/preview/key").await.ok();
    assert_eq!((&key["admin"], &key["limits"]), (&json!(false), &json!({})), "{key}");
    let used = &key["use"];
    assert_eq!((&used["queued_jobs"], &used["stored_bytes"], &used["streams"]), (&json!(0), &json!(3), &json!(0)));
    assert!(used["tokens_this_month"].as_u64() > Some(0) && used.get("requests_left").is_none(), "{key}");
    let server = service.get("/v1/preview/server").await.ok();
    assert_eq!(server["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((&server["database"], &server["artifacts"]), (&json!("sqlite"), &json!("directory")));
    assert_eq!((&server["trains"], &server["threads"]), (&json!(true), &json!(1)));
    service.stop().await;
}

#[tokio::test]
async fn an_operator_sees_the_workers_and_the_jobs_of_everybody() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let rows = vec![row("hello", "world"); 40];
    let job = service.start_sft(&model, &rows, json!({ "epochs": 100, "batch_size": 1 })).await;
    let worker = loop {
        let workers = operate(&service, Method::GET, "/v1/preview/admin/workers", None).await;
        let workers = workers["data"].as_array().expect("workers").clone();
        assert_eq!(workers.len(), 1, "{workers:?}");
        if workers[0]["jobs"] != json!([]) {
            break workers[0].clone();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert_eq!(worker["jobs"], json!([{ "id": job, "entity": "acme" }]));
    let trainers = json!({ crate::support::SEEDLING: "f32" });
    assert_eq!((&worker["alive"], &worker["trainers"]), (&json!(true), &trainers));
    let jobs = operate(&service, Method::GET, "/v1/preview/admin/training-jobs?status=running&kind=sft", None).await;
    assert_eq!((&jobs["data"][0]["id"], &jobs["data"][0]["entity"]), (&json!(job), &json!("acme")), "{jobs}");
    let none = operate(&service, Method::GET, "/v1/preview/admin/training-jobs?kind=rl", None).await;
    assert_eq!(none["data"], json!([]));
    assert!(service.get("/v1/preview/training-jobs").await.ok()["data"][0].get("entity").is_none());
    service.post(&format!("/v1/preview/training-jobs/{job}/cancel"), &json!({})).await.ok();
    service.stop().await;
}

#[tokio::test]
async fn other_keys_may_do_none_of_it() {
    let service = TestService::start().await;
    let id = uuid::Uuid::nil();
    for (method, path, body) in [
        (Method::GET, KEYS.to_owned(), None),
        (Method::POST, KEYS.to_owned(), Some(json!({ "entity": "acme", "admin": true }))),
        (Method::PUT, format!("{KEYS}/{id}/limits"), Some(json!({}))),
        (Method::POST, format!("{KEYS}/{id}/revoke"), None),
        (Method::GET, "/v1/preview/admin/workers".to_owned(), None),
        (Method::GET, "/v1/preview/admin/training-jobs".to_owned(), None),
    ] {
        let rejected = service.send(method, &path, body.as_ref()).await.rejected(403);
        assert_eq!(rejected["code"], "admin_key_required", "{path}");
    }
    let keys = operate(&service, Method::GET, KEYS, None).await;
    assert_eq!(keys["data"].as_array().map(Vec::len), Some(3), "nothing was created: {keys}");
    service.stop().await;
}
