//! The list of models at the address that people configure, and what else clients of OpenAI ask there.

use reqwest::Method;
use serde_json::{Value, json};

use crate::contract::requests::database;
use crate::support::{SEEDLING, TestService, text};

fn ids(list: &Value) -> Vec<String> {
    list["data"].as_array().expect("a list").iter().map(|model| text(&model["id"]).to_owned()).collect()
}

/// A name as it stands in a path.
fn encoded(name: &str) -> String {
    name.replace('/', "%2F").replace(':', "%3A")
}

#[tokio::test]
async fn base_models_own_models_and_their_steps_are_listed_and_found() {
    let service = TestService::start().await;
    let (first, second) = (service.model("first").await, service.model("second").await);
    let job = service.start_sft(&first, &[crate::support::row("q", "a")], json!(null)).await;
    service.finished(&job).await;
    let list = service.get("/v1/models").await.ok();
    assert_eq!((text(&list["object"]), &list["has_more"]), ("list", &json!(false)));
    let expected = [SEEDLING, &first.name, &first.at(0), &first.at(1), &second.name, &second.at(0)].map(str::to_owned);
    assert_eq!(ids(&list), expected);
    for model in list["data"].as_array().expect("a list") {
        let name = text(&model["id"]);
        let is_base = name == SEEDLING;
        assert_eq!(text(&model["object"]), "model");
        assert_eq!(text(&model["owned_by"]), if is_base { "system" } else { "acme" });
        assert_eq!(model["created"].as_i64() == Some(0), is_base, "{model}");
        // However the client writes it, and without the scheme.
        let plain = name.trim_start_matches("wandb-artifact:///");
        for base in ["/v1/models", "/inference/v1/models"] {
            for path in [name.to_owned(), encoded(name), name.replace('/', "%2f")] {
                assert_eq!(service.get(&format!("{base}/{path}")).await.ok(), *model, "{path}");
            }
            for path in [plain.to_owned(), encoded(plain)] {
                let mut found = service.get(&format!("{base}/{path}")).await.ok();
                assert_eq!(text(&found["id"]), plain, "under the name that was asked for");
                found["id"] = json!(name);
                assert_eq!(found, *model);
            }
        }
    }
    // That of the seed has no steps, and nothing new.
    let seed = service.get("/inference/v1/models").await.ok();
    assert_eq!(ids(&seed), [SEEDLING, &first.name, &second.name]);
    assert_eq!(seed.as_object().expect("an object").keys().collect::<Vec<_>>(), ["data", "object"]);
    service.stop().await;
}

#[tokio::test]
async fn models_of_others_are_404_and_wrong_keys_401() {
    let service = TestService::start().await;
    let model = service.model("secret").await;
    let steps =
        [model.at(1), "acme/tests/absent".into(), "other/base".into(), "no-such-model".into(), "a/b/c/d".into()];
    for name in &steps {
        for path in [format!("/v1/models/{name}"), format!("/v1/models/{}", encoded(name))] {
            let error = service.get(&path).await.rejected(404);
            assert_eq!((text(&error["code"]), text(&error["param"])), ("model_not_found", "model"), "{path}");
            assert!(text(&error["message"]).contains(name.as_str()), "{error}");
        }
    }
    let rival = service.send_as(&service.rival_key, Method::GET, "/v1/models", None).await.ok();
    assert_eq!(ids(&rival), [SEEDLING]);
    let path = format!("/v1/models/{}", encoded(&model.name));
    let theirs = service.send_as(&service.rival_key, Method::GET, &path, None).await.rejected(404);
    let absent = service.get("/v1/models/acme/tests/absent").await.rejected(404);
    assert_eq!(
        text(&theirs["message"]).replace(&model.name, "NAME"),
        text(&absent["message"]).replace("acme/tests/absent", "NAME")
    );
    for path in ["/v1/models", "/v1/models/x", "/v1/models/x/y", &path] {
        service.send_as("ty_wrong", Method::GET, path, None).await.rejected(401);
    }
    service.stop().await;
}

#[tokio::test]
async fn the_list_is_bounded_and_says_so() {
    let service = TestService::start().await;
    let (long, short) = (service.model("long").await, service.model("short").await);
    let mut database = database(&service).await;
    let steps = "WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1500)
        INSERT INTO checkpoints (id, model_id, step, metrics, created_at)
        SELECT printf('00000000-0000-4000-8000-%012d', n), ?, n, '{}', 2000000000000 + n FROM number";
    sqlx::query(steps).bind(&long.id).execute(&mut database).await.expect("the steps are inserted");
    let list = service.get("/v1/models").await.ok();
    let listed = ids(&list);
    assert_eq!((&list["has_more"], listed.len()), (&json!(true), 1 + 1000));
    // The plain names come first, and the newest steps; the others are there all the same.
    assert!(listed.contains(&long.name) && listed.contains(&short.name));
    assert!(listed.contains(&long.at(1500)) && listed.contains(&long.at(503)) && !listed.contains(&long.at(502)));
    for step in [1, 1500] {
        assert_eq!(text(&service.get(&format!("/v1/models/{}", long.at(step))).await.ok()["id"]), long.at(step));
    }
    service.stop().await;
}

#[tokio::test]
async fn unsupported_openai_endpoints_are_404_with_one_sentence() {
    let service = TestService::start().await;
    for (path, about) in [
        ("/v1/embeddings", "embeddings"),
        ("/v1/images/generations", "images"),
        ("/v1/audio/speech", "speech"),
        ("/v1/audio/transcriptions", "transcription"),
        ("/v1/uploads", "uploads"),
        ("/v1/fine_tuning/checkpoints/x/permissions", "permissions"),
        ("/v1/moderations", "moderations"),
        ("/v1/assistants", "assistants"),
        ("/v1/threads/thread_1/runs", "assistants"),
        ("/v1/vector_stores", "vector stores"),
        ("/inference/v1/embeddings", "embeddings"),
    ] {
        for method in [Method::GET, Method::POST] {
            let error = service.send(method.clone(), path, Some(&json!({"input": "x"}))).await.rejected(404);
            assert_eq!((text(&error["type"]), text(&error["code"])), ("not_found_error", "unsupported_endpoint"));
            let message = text(&error["message"]);
            assert!(message.contains(about) && message.contains("chat/completions"), "{path}: {message}");
            service.send_as("ty_wrong", method, path, None).await.rejected(401);
        }
    }
    // So is the key of what nobody has, below the addresses that clients are configured with.
    for path in ["/v1", "/v1/", "/v1/nothing", "/inference/v1/nothing", "/v1/embeddingsx"] {
        assert_eq!(service.get(path).await.rejected(404)["code"], Value::Null, "{path}");
        service.send_as("ty_wrong", Method::GET, path, None).await.rejected(401);
    }
    service.send_as("ty_wrong", Method::GET, "/nothing", None).await.rejected(404);
    service.send_as("ty_wrong", Method::GET, "/v1x/nothing", None).await.rejected(404);
    service.stop().await;
}
