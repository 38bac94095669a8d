//! W&B's client, by the queries that it sends.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest, Md5};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{
    Model, SEEDLING, TestService, adapter_of_rank, answer, documented, http, row, seedling_adapter, text,
};

const ADAPTER: [&str; 2] = ["adapter_config.json", "adapter_model.safetensors"];
const MEMBERSHIP: &str = "query ArtifactMembershipByName($entity: String, $project: String!, $name: String!) {
    project(name: $project, entityName: $entity) { artifactCollectionMembership(name: $name) { artifact { id } } }
}";
const FILES_MANIFEST: &str = "query ($id: ID!) { artifact(id: $id) { currentManifest { file { directUrl } } } }";
const FILE_URLS: &str = "query Any($entity: String!, $project: String!, $collection: String!, $alias: String!) {
    project(name: $project, entityName: $entity) { artifactCollection(name: $collection) {
        artifactMembership(aliasName: $alias) { files { edges { node { name directUrl } } } }
    } }
}";
const CREATE: &str = "mutation Any($input: CreateArtifactInput!) { createArtifact(input: $input) { artifact { id } } }";
const CREATE_MANIFEST: &str = "mutation ($id: ID!, $upload: Boolean!) {
    createArtifactManifest(input: {artifactID: $id, type: FULL}) {
        artifactManifest { id file { uploadUrl @include(if: $upload) } }
    }
}";
const CREATE_FILES: &str = "mutation Any($artifactFiles: [CreateArtifactFileSpecInput!]!) {
    createArtifactFiles(input: {artifactFiles: $artifactFiles, storageLayout: V2}) {
        files { edges { node { uploadUrl } } }
    }
}";
const COMMIT: &str = "mutation Any($id: ID!) { commitArtifact(input: {artifactID: $id}) { artifact { id } } }";
const UPDATE: &str = "mutation UpdateArtifact($input: UpdateArtifactInput!) {
    result: updateArtifact(input: $input) { artifact { id metadata } }
}";
const BY_ID: &str = "query($id: ID!) { artifact(id: $id) { ...F } } fragment F on Artifact { id metadata }";

/// Response to a query.
async fn ask_as(service: &TestService, key: &str, query: &str, variables: Value) -> Value {
    let body = json!({ "query": query, "variables": variables, "operationName": "" });
    let request = http().post(format!("{}/graphql", service.root)).basic_auth("api", Some(key));
    answer(request.json(&body)).await.ok()
}

/// The data that a query is answered with.
async fn ask(service: &TestService, query: &str, variables: Value) -> Value {
    let answer = ask_as(service, &service.key, query, variables).await;
    assert!(answer.get("errors").is_none(), "{query}: {answer}");
    answer["data"].clone()
}

/// Why a query is rejected.
async fn rejection(service: &TestService, query: &str, variables: Value) -> String {
    let answer = ask_as(service, &service.key, query, variables).await;
    assert!(answer.get("data").is_none(), "{query}: {answer}");
    text(&answer["errors"][0]["message"]).to_owned()
}

/// Sends to an address that is all the right it takes.
async fn put(url: &str, content: Vec<u8>) -> u16 {
    let request = http().put(url).header("content-type", "application/octet-stream").body(content);
    documented(request).await.0.as_u16()
}

fn new_artifact(name: &str, aliases: &[&str]) -> Value {
    let aliases: Vec<Value> = aliases.iter().map(|alias| json!({ "alias": alias })).collect();
    json!({
        "entityName": null, "projectName": "tests", "artifactCollectionName": name, "artifactTypeName": "lora",
        "aliases": aliases, "digest": "any", "description": null, "ttlDurationSeconds": null, "labels": [],
    })
}

/// A manifest that lists files.
fn manifest(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let entry = |(name, content): &(&str, Vec<u8>)| {
        ((*name).to_owned(), json!({ "digest": STANDARD.encode(Md5::digest(content)), "size": content.len() }))
    };
    let contents: serde_json::Map<String, Value> = files.iter().map(entry).collect();
    json!({ "version": 1, "contents": contents }).to_string().into_bytes()
}

fn adapter(seed: u64) -> Vec<(&'static str, Vec<u8>)> {
    let (config, weights) = seedling_adapter(seed);
    vec![(ADAPTER[0], config.to_string().into_bytes()), (ADAPTER[1], weights)]
}

/// Uploads files to an artifact that was created, with this manifest.
async fn send(service: &TestService, id: &str, files: &[(&str, Vec<u8>)], manifest: Vec<u8>) {
    let specs: Vec<Value> =
        files.iter().map(|(name, _)| json!({ "artifactID": id, "name": name, "md5": "" })).collect();
    let created = ask(service, CREATE_FILES, json!({ "artifactFiles": specs })).await;
    let edges = created["createArtifactFiles"]["files"]["edges"].as_array().expect("files").clone();
    for (edge, (_, content)) in edges.iter().zip(files) {
        assert_eq!(put(text(&edge["node"]["uploadUrl"]), content.clone()).await, 200);
    }
    let of = async |upload: bool| {
        let created = ask(service, CREATE_MANIFEST, json!({ "id": id, "upload": upload })).await;
        created["createArtifactManifest"]["artifactManifest"]["file"]["uploadUrl"].clone()
    };
    assert_eq!(of(false).await, Value::Null);
    assert_eq!(put(text(&of(true).await), manifest).await, 200);
}

/// Uploads an adapter up to where it is committed; returns its id.
async fn upload(service: &TestService, input: Value, files: &[(&str, Vec<u8>)]) -> String {
    let created = ask(service, CREATE, json!({ "input": input })).await;
    let id = text(&created["createArtifact"]["artifact"]["id"]).to_owned();
    send(service, &id, files, manifest(files)).await;
    id
}

async fn files(service: &TestService) -> Vec<Value> {
    service.get("/v1/files").await.ok()["data"].as_array().expect("a page").clone()
}

/// A model with one trained step.
async fn trained(service: &TestService, name: &str) -> Model {
    let model = service.model(name).await;
    let config = json!({ "batch_size": 1, "learning_rate": 5e-3 });
    let job = service.start_sft(&model, &[row("red?", "blue"), row("up?", "down")], config).await;
    service.finished(&job).await;
    model
}

#[tokio::test]
async fn root_fields_select_the_operation() {
    let service = TestService::start().await;
    for query in
        ["query { viewer { id } }", "{viewer{id}}", "query Anything { viewer { id } }", "#graphql\n{ viewer { id } }"]
    {
        assert_eq!(ask(&service, query, Value::Null).await["viewer"]["id"], "acme", "{query}");
    }
    let two = ask(&service, "{ me: viewer { id } serverInfo { features { name } } }", json!({})).await;
    assert_eq!((&two["me"]["entity"], &two["serverInfo"]["features"]), (&json!("acme"), &json!([])));
    let variables = json!({ "p": "tests", "e": null, "n": "run" });
    let run = "# a\nquery ($p: String!, $e: String, $n: String!) { project(name: $p, entityName: $e) { kept: run(name: $n) { id } } }";
    assert_eq!(ask(&service, run, variables.clone()).await["project"]["kept"], Value::Null);
    let resume = "query ($p: String, $e: String, $n: String!) { model(name: $p, entityName: $e) { entity { name } bucket(name: $n) { id } } }";
    let resumed = ask(&service, resume, variables.clone()).await;
    assert_eq!((&resumed["model"]["entity"]["name"], &resumed["model"]["bucket"]), (&json!("acme"), &Value::Null));
    let bucket = "mutation ($p: String, $e: String, $n: String) {
        upsertBucket(input: {name: $n, modelName: $p, entityName: $e}) { bucket { id project { name entity { name } } } inserted } }";
    let made = ask(&service, bucket, variables).await;
    assert_eq!(made["upsertBucket"]["bucket"]["project"]["entity"]["name"], "acme");
    // What is not answered is named.
    for (query, name) in [
        ("query Viewer { sweep(id: 1) { id } }", "query sweep"),
        (
            "mutation CommitArtifact { deleteArtifact(input: {artifactID: \"x\"}) { artifact { id } } }",
            "mutation deleteArtifact",
        ),
        ("{ project(name: \"tests\") { runs { edges { node { id } } } } }", "query project.runs"),
        ("{ project(name: \"tests\") { artifactType(name: \"dataset\") { id } } }", "artifactType of \"dataset\""),
        ("{ entity(name: \"acme\") { projects { edges { node { id } } } } }", "query entity.projects"),
        ("{ model(name: \"tests\") { buckets { edges { node { id } } } } }", "query model.buckets"),
        ("{ viewer { id } __schema { types { name } } }", "query __schema"),
        ("query { artifact(id: \"nothing\") { id } }", "no artifact \"nothing\""),
        ("query { artifact(id: 7) { id } }", "id of artifact must be a string"),
        ("query { artifact { id } }", "artifact needs id"),
        ("query { project(name: \"p\", entityName: \"rival\") { run(name: \"r\") { id } } }", "not for \"rival\""),
        (
            "mutation { a: commitArtifact(input: {artifactID: \"dataset:p/a\"}) { x } b: commitArtifact(input: {artifactID: \"dataset:p/a\"}) { x } }",
            "1 at a time",
        ),
        ("subscription { runs { id } }", "subscriptions"),
        ("query { viewer { id }", "byte 21"),
        ("query { viewer(x: \"", "a text that ends"),
        ("query { ...Gone }", "no fragment"),
        ("", "an operation"),
    ] {
        let rejected = rejection(&service, query, json!({})).await;
        assert!(rejected.contains(name), "{query}: {rejected}");
    }
    let deep = format!("{{ viewer {} }}", "{ a".repeat(20_000));
    let many = format!("{{ {} }}", "viewer { id } ".repeat(3_000));
    let long = format!("{{ viewer {{ id }} }} #{}", "x".repeat(3 << 20));
    for (query, why) in [(deep, "too deeply"), (many, "16 at a time"), (long, "are read at most")] {
        let rejected = rejection(&service, &query, json!({})).await;
        assert!(rejected.contains(why), "{rejected}");
    }
    service.stop().await;
}

#[tokio::test]
async fn links_of_a_checkpoint_are_for_its_owner_alone() {
    let service = TestService::start().await;
    let model = trained(&service, "pulled").await.id;
    let of = |entity: &str, name: &str| json!({ "entity": entity, "project": "tests", "name": name });
    let found = ask(&service, MEMBERSHIP, of("acme", "pulled:step1")).await;
    let artifact = found["project"]["artifactCollectionMembership"]["artifact"].clone();
    assert_eq!((&artifact["versionIndex"], &artifact["fileCount"]), (&json!(1), &json!(2)), "{found}");
    // The same by the query of older clients, with the caller's entity unless another is named.
    let by_name = "query Q($entity: String, $project: String!, $name: String!) {
        project(name: $project, entityName: $entity) { artifact(name: $name, enableTracking: true) { id } } }";
    for name in ["pulled:step1", "pulled:v1", "pulled:latest", "pulled"] {
        let found = ask(&service, by_name, json!({ "project": "tests", "name": name })).await;
        assert_eq!(found["project"]["artifact"], artifact, "{name}");
    }
    for absent in ["pulled:step9", "pulled:v9", "pulled:best", "nobody:latest", "nobody"] {
        let found = ask(&service, by_name, of("acme", absent)).await;
        assert_eq!(found["project"]["artifact"], Value::Null, "{absent}");
        let found = ask(&service, MEMBERSHIP, of("acme", absent)).await;
        assert_eq!(found["project"]["artifactCollectionMembership"], Value::Null, "{absent}");
    }
    let id = json!({ "id": artifact["id"] });
    let manifest = ask(&service, FILES_MANIFEST, id.clone()).await;
    let link = text(&manifest["artifact"]["currentManifest"]["file"]["directUrl"]).to_owned();
    let plain = http();
    let manifest = answer(plain.get(&link)).await.ok();
    assert_eq!(manifest["contents"].as_object().map(serde_json::Map::len), Some(2), "{manifest}");
    let listing = json!({ "entity": "acme", "project": "tests", "collection": "pulled", "alias": "v1" });
    let files = ask(&service, FILE_URLS, listing.clone()).await;
    let names = |files: &Value| -> Vec<String> {
        files["edges"].as_array().expect("files").iter().map(|edge| text(&edge["node"]["name"]).to_owned()).collect()
    };
    let files = files["project"]["artifactCollection"]["artifactMembership"]["files"].clone();
    let by_id = "query ($id: ID!) { artifact(id: $id) { f: files(first: 5000) { edges { node { directUrl } } } } }";
    let same = ask(&service, by_id, id.clone()).await;
    assert_eq!((names(&same["artifact"]["f"]), names(&files)), (ADAPTER.map(str::to_owned).to_vec(), names(&files)));
    let links: Vec<&str> =
        files["edges"].as_array().expect("files").iter().map(|edge| text(&edge["node"]["directUrl"])).collect();
    for (link, name) in links.iter().zip(ADAPTER) {
        let (status, _) = documented(plain.get(*link)).await;
        assert!(status.is_success() && link.contains(name), "{status} {link}");
    }
    // Without its token, with another one, or at another operation a link is worth nothing.
    let (address, token) = links[0].split_once("?token=").expect("a token");
    for forged in [
        address.to_owned(),
        format!("{address}?token={}", &token[1..]),
        format!("{}/v1/preview/models?token={token}", service.root),
    ] {
        assert_eq!(documented(plain.get(&forged)).await.0.as_u16(), 401, "{forged}");
    }
    // What is good to fetch is no good to send, and the other way round.
    let place = format!("{}/wandb/files/tests/data/train.jsonl", service.root);
    for wrong in [format!("{place}?token={token}"), format!("{place}?upload_token={token}"), place.clone()] {
        assert_eq!(put(&wrong, b"x".to_vec()).await, 401, "{wrong}");
    }
    let data = json!({ "artifactFiles": [{ "artifactID": "dataset:tests/data", "name": "train.jsonl" }] });
    let whole =
        "mutation ($input: X) { createArtifactFiles(input: $input) { files { edges { node { uploadUrl } } } } }";
    let sent = ask(&service, CREATE_FILES, data.clone()).await;
    assert_eq!(
        ask(&service, whole, json!({ "input": data })).await["createArtifactFiles"]["files"]["edges"]
            .as_array()
            .map(Vec::len),
        Some(1)
    );
    let link = text(&sent["createArtifactFiles"]["files"]["edges"][0]["node"]["uploadUrl"]).to_owned();
    for content in ["first", "second"] {
        assert_eq!(put(&link, content.into()).await, 200);
    }
    let (_, upload_token) = link.split_once("?upload_token=").expect("a token");
    assert_eq!(documented(plain.get(format!("{address}?token={upload_token}"))).await.0.as_u16(), 401);
    // Versions stay what they are when one of them goes.
    let files = service.get("/v1/files?order=asc").await.ok();
    let first = text(&files["data"][0]["id"]).to_owned();
    let train = |version: &str| json!({ "model_id": model, "training_data_url": format!("wandb-artifact:///acme/tests/data:{version}") });
    let path = "/v1/preview/sft-training-jobs";
    service.send(Method::DELETE, &format!("/v1/files/{first}"), None).await.ok();
    service.post(path, &train("v0")).await.rejected(422);
    for version in ["v1", "latest"] {
        service.post(path, &train(version)).await.ok();
    }
    // Nobody else gets one.
    let rival = &service.rival_key;
    for (query, variables) in [
        (MEMBERSHIP, of("acme", "pulled:step1")),
        (FILES_MANIFEST, id.clone()),
        (BY_ID, id.clone()),
        (FILE_URLS, listing),
    ] {
        let rejected = ask_as(&service, rival, query, variables).await;
        assert!(rejected.get("data").is_none() && rejected["errors"][0]["message"].is_string(), "{rejected}");
    }
    let absent = ask_as(&service, rival, MEMBERSHIP, json!({ "project": "tests", "name": "pulled:step1" })).await;
    assert_eq!(absent["data"]["project"]["artifactCollectionMembership"], Value::Null);
    service.stop().await;
}

#[tokio::test]
async fn an_uploaded_adapter_becomes_a_step_once() {
    let service = TestService::start().await;
    let fork = service.model("fork").await;
    let mut input = new_artifact("fork", &["latest", "step5"]);
    input["metadata"] = json!(r#"{"wandb.provenance":["serverless-rl"],"from":"elsewhere"}"#);
    let id = upload(&service, input, &adapter(3)).await;
    assert_eq!(service.steps(&fork).await, [0], "not before it is committed");
    assert!(rejection(&service, BY_ID, json!({ "id": id })).await.contains("there is no artifact"));
    let commits = futures_util::future::join_all((0..20).map(|_| ask(&service, COMMIT, json!({ "id": id })))).await;
    let artifact = commits[0]["commitArtifact"]["artifact"].clone();
    assert!(commits.iter().all(|commit| commit["commitArtifact"]["artifact"] == artifact), "{commits:?}");
    assert_eq!((service.steps(&fork).await, files(&service).await), (vec![0, 5], vec![]));
    let model = service.get(&format!("/v1/preview/models/{}", fork.id)).await.ok();
    assert_eq!(model["latest_step"], 5);
    for (of, sent) in ADAPTER.iter().zip(adapter(3)) {
        let path = format!("/v1/preview/models/{}/checkpoints/5/files/{of}", fork.id);
        let served = service.request(Method::GET, &path).send().await.expect("an answer").bytes().await.expect("bytes");
        assert_eq!(served, sent.1, "{of}");
    }
    let tokens = async |name: String| service.first_tokens(&name, "red?").await;
    assert_eq!(tokens(fork.name.clone()).await, tokens(fork.at(5)).await);
    // The id of the upload is that of the step from now on, also after a restart.
    let service = service.restart().await;
    let found = ask(&service, BY_ID, json!({ "id": id })).await["artifact"].clone();
    assert_eq!(found, artifact);
    assert_eq!(found["metadata"], r#"{"wandb.provenance":["serverless-rl"],"from":"elsewhere"}"#);
    assert_eq!(found["aliases"][0]["alias"], "step5");
    assert_eq!(ask(&service, COMMIT, json!({ "id": id })).await["commitArtifact"]["artifact"], artifact);
    // Training goes on from it, and inherits how it was made.
    let job = service.start_sft(&fork, &[row("one?", "two")], json!({ "learning_rate": 1e-3 })).await;
    service.finished(&job).await;
    assert_eq!(service.steps(&fork).await, [0, 5, 6]);
    let newest = ask(&service, MEMBERSHIP, json!({ "project": "tests", "name": "fork:latest" })).await;
    let newest = &newest["project"]["artifactCollectionMembership"]["artifact"];
    assert_eq!(
        (&newest["versionIndex"], &newest["metadata"]),
        (&json!(6), &json!(r#"{"wandb.provenance":["serverless-rl"]}"#))
    );
    // A step that is taken, or none: the next one.
    for (aliases, step) in [(vec!["step2"], 7), (vec!["latest"], 8), (vec!["step8", "step8"], 9), (vec!["step12"], 12)]
    {
        let id = upload(&service, new_artifact("fork", &aliases), &adapter(4)).await;
        let made = ask(&service, COMMIT, json!({ "id": id })).await["commitArtifact"]["artifact"].clone();
        assert_eq!((&made["versionIndex"], &made["metadata"]), (&json!(step), &Value::Null), "{aliases:?}");
    }
    assert_eq!(service.steps(&fork).await, [0, 5, 6, 7, 8, 9, 12]);
    assert_eq!(files(&service).await, Vec::<Value>::new());
    // One that was deleted is not made again.
    service
        .send(Method::DELETE, &format!("/v1/preview/models/{}/checkpoints", fork.id), Some(&json!({ "steps": [5] })))
        .await
        .ok();
    assert!(rejection(&service, COMMIT, json!({ "id": id })).await.contains("no such checkpoint"));
    service.stop().await;
}

#[tokio::test]
async fn an_adapter_that_does_not_fit_is_rejected_and_leaves_nothing() {
    let service = TestService::start().await;
    let fork = service.model("fork").await;
    let full = json!({ "project": "tests", "name": "whole", "base_model": SEEDLING, "training_method": "full" });
    service.post("/v1/preview/models", &full).await.ok();
    // What is rejected before anything is sent.
    let with = |key: &str, value: Value| {
        let mut input = new_artifact("fork", &["step1"]);
        input[key] = value;
        input
    };
    for (input, why) in [
        (new_artifact("nobody", &[]), "no model \"nobody\""),
        (new_artifact("whole", &[]), "trained as a whole"),
        (new_artifact("fork", &["best"]), "the alias \"best\""),
        (new_artifact("fork", &["step1", "step2"]), "the alias \"step2\""),
        (new_artifact("fork", &["step-1"]), "the alias \"step-1\""),
        (new_artifact("fork", &["step9223372036854775807"]), "N at most"),
        (with("artifactTypeName", json!("model")), "type \"model\""),
        (with("artifactTypeName", Value::Null), "needs input.artifactTypeName"),
        (with("entityName", json!("rival")), "not for \"rival\""),
        (with("artifactCollectionName", json!("a:b")), "no `:`"),
        (with("description", json!("mine")), "with description"),
        (with("ttlDurationSeconds", json!(60)), "with ttlDurationSeconds"),
        (with("metadata", json!("[1]")), "JSON object"),
        (with("metadata", json!(format!("{{\"a\":\"{}\"}}", "x".repeat(70_000)))), "kept at most"),
    ] {
        let rejected = rejection(&service, CREATE, json!({ "input": input })).await;
        assert!(rejected.contains(why), "{input}: {rejected}");
    }
    let created = ask(&service, CREATE, json!({ "input": new_artifact("fork", &["step1"]) })).await;
    let id = text(&created["createArtifact"]["artifact"]["id"]).to_owned();
    let readme = json!({ "artifactFiles": [{ "artifactID": id, "name": "README.md" }] });
    assert!(rejection(&service, CREATE_FILES, readme).await.contains("\"README.md\" is not kept"));
    // What is rejected when it is committed.
    let (config, weights) = seedling_adapter(1);
    let mut dora = config.clone();
    dora["use_dora"] = json!(true);
    let (config, dora) = (config.to_string().into_bytes(), dora.to_string().into_bytes());
    let listed =
        |extra: &str| manifest(&[(ADAPTER[0], config.clone()), (ADAPTER[1], weights.clone()), (extra, vec![])]);
    let both = |config: &[u8], weights: &[u8]| vec![(ADAPTER[0], config.to_vec()), (ADAPTER[1], weights.to_vec())];
    type Case<'a> = (Vec<(&'a str, Vec<u8>)>, Option<Vec<u8>>, &'a str);
    let cases: Vec<Case<'_>> = vec![
        (both(&config, &adapter_of_rank(4)), None, "adapter_model.safetensors: "),
        (both(&config, b"hello"), None, "adapter_model.safetensors: "),
        (both(&config, &vec![0; 16 << 20]), None, "bytes at most"),
        (both(&dora, &weights), None, "adapter_config.json: "),
        (both(b"{", &weights), None, "adapter_config.json: "),
        (both(&vec![b' '; 2 << 20], &weights), None, "are read at most"),
        (vec![(ADAPTER[0], config.clone())], None, "adapter_model.safetensors was not uploaded"),
        (vec![(ADAPTER[1], weights.clone())], None, "adapter_config.json was not uploaded"),
        (both(&config, &weights), Some(b"{}".to_vec()), "wandb_manifest.json cannot be read"),
        (both(&config, &weights), Some(manifest(&both(&dora, &weights))), "adapter_config.json is not the file"),
        (both(&config, &weights), Some(manifest(&[])), "adapter_config.json is not the file"),
        (both(&config, &weights), Some(listed("reference.bin")), "\"reference.bin\" is not kept"),
    ];
    for (sent, other_manifest, why) in cases {
        let mut input = new_artifact("fork", &["step1"]);
        input["metadata"] = json!(r#"{"a":1}"#);
        let id = upload(&service, input, &sent).await;
        if let Some(other) = other_manifest {
            send(&service, &id, &[], other).await;
        }
        assert!(!files(&service).await.is_empty());
        let rejected = rejection(&service, COMMIT, json!({ "id": id })).await;
        assert!(rejected.contains(why), "{why}: {rejected}");
        assert_eq!(files(&service).await, Vec::<Value>::new(), "{why}");
        assert!(rejection(&service, COMMIT, json!({ "id": id })).await.contains("was not uploaded"));
    }
    assert_eq!(service.steps(&fork).await, [0], "a refusal takes no step");
    // Not by another address either.
    let place = format!("{}/wandb/files/tests/fork:step1:{}", service.root, "0".repeat(32));
    for (path, status) in [("README.md", 400), (ADAPTER[0], 200)] {
        let request = http().put(format!("{place}/{path}")).bearer_auth(&service.key);
        let request = request.header("content-type", "application/octet-stream").body("x");
        assert_eq!(documented(request).await.0.as_u16(), status, "{path}");
    }
    for forged in ["lora:tests/fork:step1:0", "lora:tests/fork", "lora:", "checkpoint:x:1", "checkpoint:x", "run:1", ""]
    {
        for query in [COMMIT, BY_ID] {
            rejection(&service, query, json!({ "id": forged })).await;
        }
    }
    service.stop().await;
}

#[tokio::test]
async fn uploads_and_notes_are_their_owners_alone() {
    let service = TestService::start().await;
    let (mine, rival) = (trained(&service, "shared").await, service.rival_key.clone());
    let theirs = json!({ "project": "tests", "name": "shared", "base_model": SEEDLING });
    service.send_as(&rival, Method::POST, "/v1/preview/models", Some(&theirs)).await.ok();
    let id = upload(&service, new_artifact("shared", &["step3"]), &adapter(2)).await;
    let rejected = async |query: &str, variables: Value| {
        let answer = ask_as(&service, &rival, query, variables).await;
        text(&answer["errors"][0]["message"]).to_owned()
    };
    // They have a model of the name, and no files.
    assert!(rejected(COMMIT, json!({ "id": id })).await.contains("was not uploaded"));
    assert_eq!(files(&service).await.len(), 3);
    let made = ask(&service, COMMIT, json!({ "id": id })).await["commitArtifact"]["artifact"].clone();
    assert_eq!(service.steps(&mine).await, [0, 1, 3]);
    rejected(BY_ID, json!({ "id": id })).await;
    let note =
        |id: &Value, metadata: &str| json!({ "input": { "artifactID": id, "metadata": metadata, "tagsToAdd": [] } });
    for id in [&made["id"], &json!(id)] {
        rejected(UPDATE, note(id, "{}")).await;
        let metadata = format!(r#"{{"wandb.provenance":["serverless-sft"],"id":{id}}}"#);
        let updated = ask(&service, UPDATE, note(id, &metadata)).await;
        assert_eq!(updated["result"]["artifact"]["metadata"], json!(metadata), "{updated}");
        let found = ask(&service, BY_ID, json!({ "id": made["id"] })).await;
        assert_eq!(found["artifact"], updated["result"]["artifact"]);
    }
    // What is not kept of an artifact is rejected by name, and nothing of it is kept then.
    let kept = ask(&service, BY_ID, json!({ "id": made["id"] })).await;
    for (key, value, why) in [
        ("tagsToAdd", json!([{ "tagName": "best" }]), "with tagsToAdd"),
        ("description", json!("mine"), "with description"),
        ("aliases", json!([{ "alias": "best" }]), "with aliases"),
        ("metadata", json!("nothing"), "JSON object"),
        ("metadata", json!({}), "must be a string"),
        ("artifactID", json!("dataset:tests/data"), "of a data set"),
        ("artifactID", json!("checkpoint:x:9"), "there is no"),
    ] {
        let mut input = json!({ "artifactID": made["id"], "metadata": "{}" });
        input[key] = value;
        let rejected = rejection(&service, UPDATE, json!({ "input": input })).await;
        assert!(rejected.contains(why), "{key}: {rejected}");
    }
    assert_eq!(ask(&service, BY_ID, json!({ "id": made["id"] })).await, kept);
    let unchanged = ask(&service, UPDATE, json!({ "input": { "artifactID": made["id"] } })).await;
    assert_eq!(unchanged["result"], kept);
    service.stop().await;
}
