//! Memory of answers. Queries that weigh little may ask for much: what an answer holds is reserved before it is read, so that
//! the service rejects it, takes bounded memory, and answers everybody else.

use std::collections::BTreeMap;
use std::fmt::Write;

use futures_util::future::join_all;
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::{Value, json};

use crate::jobs::memory::{memory_of, peak_memory};
use crate::support::process::{Process, Site};
use crate::support::{JsonResponse, answer, http, seedling_adapter, text};

/// Steps of the model.
const STEPS: usize = 60;
/// Metadata of each step, in bytes.
const METADATA: usize = 60_000;
/// Queries at once.
const AT_ONCE: usize = 40;
/// Memory beside that of the idle service: the budget of the values of answers, the texts that are sent and are copied from,
/// threads and the allocator's reserve.
const MEMORY: usize = (256 + 640) << 20;
/// Address space beside the idle one, so that an allocation without limit ends the service.
const ADDRESS_SPACE: u64 = 4 << 30;
const NOTE: &str =
    "mutation($input: UpdateArtifactInput!) { updateArtifact(input: $input) { artifact { id metadata } } }";

async fn ask(site: &Site, server: &Process, query: &str, variables: Value) -> JsonResponse {
    let body = json!({ "query": query, "variables": variables });
    let request = http().post(format!("{}/graphql", server.root)).basic_auth("api", Some(&site.key));
    answer(request.json(&body)).await
}

/// A field of a project that lists all steps of the model.
fn listing(alias: &str) -> String {
    format!(r#"{alias}:artifactType(name:"lora"){{artifactCollection(name:"m"){{artifacts{{a}}}}}}"#)
}

fn of_project(fields: &str) -> String {
    format!(r#"{{project(entityName:"acme",name:"p"){{{fields}}}}}"#)
}

/// Gives a model steps with large metadata.
async fn large_model(site: &Site, server: &Process) {
    let model = site.model(server, "m").await;
    let (config, weights) = seedling_adapter(1);
    let form = Form::new().text("purpose", "user_data").part("file", Part::bytes(weights).file_name("weights"));
    let file = answer(site.request(server, Method::POST, "/v1/files").multipart(form)).await.ok();
    let import = json!({ "type": "import", "adapter_config": config, "weights_file_id": file["id"] });
    let metadata = json!({ "text": "\"".repeat(METADATA / 2 - 10) }).to_string();
    for _ in 0..STEPS {
        let path = format!("/v1/preview/models/{}/add-checkpoint", model.id);
        let made = site.call(server, Method::POST, &path, Some(import.clone())).await.ok();
        let id = format!("checkpoint:{}:{}", model.id, made["step"]);
        let noted = ask(site, server, NOTE, json!({ "input": { "artifactID": id, "metadata": metadata } })).await.ok();
        assert!(noted.get("errors").is_none(), "{noted}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_query_that_repeats_a_long_answer_is_rejected_and_takes_bounded_memory() {
    let site = Site::new();
    let server = Process::serve(site.path(), &["--no-worker"]);
    large_model(&site, &server).await;
    let pid = Pid::from_raw(server.id().try_into().expect("a process id"));
    let space = memory_of(&server, "VmSize:") as u64 + ADDRESS_SPACE;
    prlimit(pid, Resource::As, Rlimit { current: Some(space), maximum: Some(space) }).expect("a limit can be set");
    let idle = peak_memory(&server);
    let bounded = || {
        let taken = peak_memory(&server).saturating_sub(idle);
        assert!(taken <= MEMORY, "{} MiB", taken >> 20);
        println!("{} MiB", taken >> 20);
    };
    let rejected = async |query: String, reason: &str| {
        let rejected = ask(&site, &server, &query, Value::Null).await.ok();
        assert!(text(&rejected["errors"][0]["message"]).contains(reason), "{rejected}");
    };
    // As many aliases as fit, and fewer than the fields that are allowed.
    let repeated = |count: usize| {
        let fields = (0..count).fold(String::new(), |mut fields, number| {
            write!(fields, "{} ", listing(&format!("a{number}"))).expect("a string");
            fields
        });
        of_project(&fields)
    };
    rejected(repeated(800), "more than 1000 fields").await;
    rejected(repeated(240), "the answer takes more than 64 MiB").await;
    let nested = format!("query{{...F}} fragment F on Query {}", of_project("...F").replace("...F", "project{...F}"));
    rejected(nested, "more than 1000 fields").await;
    // Steps by their names, one read each.
    let members = (0..900).fold(String::new(), |mut fields, number| {
        write!(fields, r#"a{number}:artifact(name:"m:v1") "#).expect("a string");
        fields
    });
    rejected(of_project(&members), "the answer takes more than 64 MiB").await;
    bounded();

    // Each is allowed, and not all of them at once.
    let query = of_project(&listing("a"));
    let answers = join_all((0..AT_ONCE).map(|_| ask(&site, &server, &query, Value::Null))).await;
    let mut statuses = BTreeMap::<u16, usize>::new();
    for answer in answers {
        *statuses.entry(answer.status.as_u16()).or_default() += 1;
        if answer.status.is_success() {
            let listed = &answer.body["data"]["project"]["a"]["artifactCollection"]["artifacts"]["edges"];
            assert_eq!(listed.as_array().map(Vec::len), Some(STEPS), "{:.300}", answer.body.to_string());
        } else {
            answer.rejected(503);
        }
    }
    println!("{statuses:?}");
    assert!(statuses.contains_key(&200), "{statuses:?}");
    bounded();
    site.call(&server, Method::GET, "/v1/files", None).await.ok();
    server.stop();
}
