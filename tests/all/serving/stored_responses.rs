//! Stored responses: continued, read again, listed, deleted, and sampled in the background.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{SEEDLING, TestService, text};

const PATH: &str = "/v1/responses";

fn body(more: Value) -> Value {
    let mut body = json!({"model": SEEDLING, "input": "Say something.", "max_output_tokens": 8, "seed": 3});
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    body
}

fn of(id: &Value) -> String {
    format!("{PATH}/{}", text(id))
}

/// The events of a response that is sent again.
async fn events(service: &TestService, path: &str) -> Vec<Value> {
    let response = service.request(Method::GET, path).send().await.expect("a response");
    assert!(response.status().is_success(), "{}", response.status());
    read(&response.text().await.expect("a text"))
}

fn read(stream: &str) -> Vec<Value> {
    let data = |event: &str| serde_json::from_str(event.split_once("data: ").expect("data").1).expect("JSON");
    stream.split_terminator("\n\n").map(data).collect()
}

/// A response as it is when it has ended.
async fn ended(service: &TestService, id: &Value) -> Value {
    for _ in 0..600 {
        let response = service.get(&of(id)).await.ok();
        if response["status"] != "in_progress" {
            return response;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the response does not end")
}

fn prompt(response: &Value) -> &Value {
    &response["token_generations"][0]["prompt_token_ids"]
}

#[tokio::test]
async fn a_conversation_is_continued_from_what_is_stored() {
    let service = TestService::start().await;
    let first = service.post(PATH, &body(json!({"instructions": "Be brief."}))).await.ok();
    assert_eq!(first["store"], true);
    assert_eq!(service.get(&of(&first["id"])).await.ok(), first);
    let included =
        of(&first["id"]) + "?include[]=message.output_text.logprobs&include%5B%5D=reasoning.encrypted_content";
    assert_eq!(service.get(&included).await.ok(), first);
    let error = service.get(&(of(&first["id"]) + "?include[]=everything")).await.rejected(422);
    assert!(text(&error["param"]).starts_with("include"), "{error}");
    let next = |more: Value| {
        let mut next = body(json!({"input": "And now?"}));
        next.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        next
    };
    let second = service.post(PATH, &next(json!({"previous_response_id": first["id"]}))).await.ok();
    assert_eq!(second["previous_response_id"], first["id"]);
    // The same as with all of the conversation, or with a reference to its part. Instructions are not carried over.
    let mut input = vec![json!({"role": "user", "content": "Say something."})];
    input.extend(first["output"].as_array().expect("items").clone());
    input.push(json!({"role": "user", "content": "And now?"}));
    let whole = service.post(PATH, &body(json!({"input": input, "store": false}))).await.ok();
    assert_eq!(prompt(&whole), prompt(&second));
    assert_eq!((&whole["store"], &whole["output"][0]["content"]), (&json!(false), &second["output"][0]["content"]));
    input[1] = json!({"type": "item_reference", "id": first["output"][0]["id"]});
    let referred = service.post(PATH, &body(json!({"input": input}))).await.ok();
    assert_eq!(prompt(&referred), prompt(&second));
    // A third turn reads two stored ones.
    let third = service.post(PATH, &next(json!({"previous_response_id": second["id"]}))).await.ok();
    let count =
        service.post("/v1/responses/input_tokens", &next(json!({"previous_response_id": second["id"]}))).await.ok();
    assert_eq!(
        (&count["object"], &count["input_tokens"]),
        (&json!("response.input_tokens"), &third["usage"]["input_tokens"])
    );
    assert!(third["usage"]["input_tokens"].as_u64() > second["usage"]["input_tokens"].as_u64());
    // What is not stored is not there.
    service.get(&of(&whole["id"])).await.rejected(404);
    let error = service.post(PATH, &next(json!({"previous_response_id": whole["id"]}))).await.rejected(404);
    assert_eq!(
        (&error["param"], &error["code"]),
        (&json!("previous_response_id"), &json!("previous_response_not_found"))
    );
    let lost = json!({"input": [{"type": "item_reference", "id": whole["output"][0]["id"]}]});
    let error = service.post(PATH, &body(lost)).await.rejected(404);
    assert_eq!((&error["param"], &error["code"]), (&json!("input[0].id"), &json!("item_not_found")));

    // A deleted part ends the conversation, and takes its text away.
    let deleted = service.send(Method::DELETE, &of(&first["id"]), None).await.ok();
    assert_eq!(deleted, json!({"id": first["id"], "object": "response", "deleted": true}));
    for path in [of(&first["id"]), of(&first["id"]) + "/input_items"] {
        service.get(&path).await.rejected(404);
    }
    service.send(Method::DELETE, &of(&first["id"]), None).await.rejected(404);
    let error = service.post(PATH, &next(json!({"previous_response_id": second["id"]}))).await.rejected(404);
    assert!(text(&error["message"]).contains(text(&first["id"])), "{error}");
    assert_eq!(service.get(&of(&second["id"])).await.ok(), second);
    service.stop().await;
}

#[tokio::test]
async fn a_streamed_response_is_stored_before_its_last_event() {
    let service = TestService::start().await;
    let request = body(json!({"stream": true}));
    let stream = service.request(Method::POST, PATH).json(&request).send().await.expect("a response");
    let events = read(&stream.text().await.expect("a text"));
    let last = &events[events.len() - 1]["response"];
    assert_eq!(service.get(&of(&last["id"])).await.ok(), *last);
    let error = service.get(&(of(&last["id"]) + "?stream=true")).await.rejected(422);
    assert_eq!(error["param"], "stream");
    let error = service.post(&(of(&last["id"]) + "/cancel"), &json!({})).await.rejected(409);
    assert!(text(&error["message"]).contains("background"), "{error}");
    service.stop().await;
}

#[tokio::test]
async fn input_items_are_listed_in_pages() {
    let service = TestService::start().await;
    let input: Vec<Value> = (0..5).map(|turn| json!({"role": "user", "content": format!("turn {turn}")})).collect();
    let response = service.post(PATH, &body(json!({"input": input}))).await.ok();
    let items = of(&response["id"]) + "/input_items";
    let texts = |page: &Value| -> Vec<String> {
        let items = page["data"].as_array().expect("items").iter();
        items.map(|item| text(&item["content"][0]["text"]).to_owned()).collect()
    };
    let page = service.get(&items).await.ok();
    assert_eq!(texts(&page), ["turn 4", "turn 3", "turn 2", "turn 1", "turn 0"]);
    assert_eq!((&page["object"], &page["has_more"]), (&json!("list"), &json!(false)));
    let first = service.get(&format!("{items}?order=asc&limit=2")).await.ok();
    assert_eq!((texts(&first), &first["has_more"]), (vec!["turn 0".to_owned(), "turn 1".to_owned()], &json!(true)));
    let rest = service.get(&format!("{items}?order=asc&after={}", text(&first["last_id"]))).await.ok();
    assert_eq!(texts(&rest), ["turn 2", "turn 3", "turn 4"]);
    assert_eq!(service.get(&format!("{items}?after=msg_none")).await.rejected(422)["param"], "after");
    // An id that the client has chosen stays, and a reference is what it stands for.
    let input =
        json!([{"type": "item_reference", "id": first["first_id"]}, {"id": "mine", "role": "user", "content": "x"}]);
    let next = service.post(PATH, &body(json!({"input": input}))).await.ok();
    let page = service.get(&(of(&next["id"]) + "/input_items?order=asc")).await.ok();
    assert_eq!((texts(&page), &page["data"][1]["id"]), (vec!["turn 0".to_owned(), "x".to_owned()], &json!("mine")));
    service.stop().await;
}

#[tokio::test]
async fn responses_belong_to_their_entity() {
    let service = TestService::start().await;
    let ours = service.post(PATH, &body(json!({}))).await.ok();
    let rival = async |method: Method, path: &str, body: Option<&Value>| {
        service.send_as(&service.rival_key, method, path, body).await.rejected(404)
    };
    let path = of(&ours["id"]);
    rival(Method::GET, &path, None).await;
    rival(Method::GET, &format!("{path}/input_items"), None).await;
    rival(Method::POST, &format!("{path}/cancel"), None).await;
    rival(Method::DELETE, &path, None).await;
    rival(Method::POST, PATH, Some(&body(json!({"previous_response_id": ours["id"]})))).await;
    let reference = json!([{"type": "item_reference", "id": ours["output"][0]["id"]}]);
    rival(Method::POST, PATH, Some(&body(json!({"input": reference})))).await;
    rival(Method::POST, "/v1/responses/input_tokens", Some(&body(json!({"previous_response_id": ours["id"]})))).await;
    for odd in ["resp_1", "x", "resp_..", "resp_00000000000000000000000000000000"] {
        service.get(&format!("{PATH}/{odd}")).await.rejected(404);
        service.post(PATH, &body(json!({"previous_response_id": odd}))).await.rejected(404);
    }
    assert_eq!(service.get(&path).await.ok(), ours);
    service.stop().await;
}

#[tokio::test]
async fn a_server_may_store_nothing() {
    let service = TestService::start_with(|settings| settings.response_life = Duration::ZERO).await;
    let plain = service.post(PATH, &body(json!({}))).await.ok();
    assert_eq!(plain["store"], false);
    service.get(&of(&plain["id"])).await.rejected(404);
    for field in ["store", "background"] {
        let error = service.post(PATH, &body(json!({field: true}))).await.rejected(422);
        assert_eq!(error["param"], field);
    }
    service.stop().await;
}

#[tokio::test]
async fn a_response_in_the_background_is_polled_and_read_again() {
    let service = TestService::start().await;
    let request = body(json!({"background": true, "max_output_tokens": 16, "top_logprobs": 1, "temperature": 0}));
    let begun = service.post(PATH, &request).await.ok();
    assert_eq!(
        (&begun["status"], &begun["background"], &begun["output"]),
        (&json!("in_progress"), &json!(true), &json!([]))
    );
    let response = ended(&service, &begun["id"]).await;
    let plain =
        service.post(PATH, &body(json!({"max_output_tokens": 16, "top_logprobs": 1, "temperature": 0}))).await.ok();
    assert_eq!(response["output"][0]["content"], plain["output"][0]["content"]);
    assert_eq!(response["token_generations"], plain["token_generations"]);
    // Its events are those of a stream, from any of them on.
    let path = of(&begun["id"]);
    let all = events(&service, &format!("{path}?stream=true")).await;
    for (number, event) in all.iter().enumerate() {
        assert_eq!(event["sequence_number"], number, "{event}");
    }
    let deltas: String = all.iter().filter_map(|event| event["delta"].as_str()).collect();
    assert_eq!(deltas, text(&response["output"][0]["content"][0]["text"]));
    assert_eq!(all[all.len() - 1]["response"], response);
    for first in [0, 3, all.len() - 2] {
        let rest = events(&service, &format!("{path}?stream=true&starting_after={first}")).await;
        assert_eq!(rest, all[first + 1..]);
    }
    assert_eq!(events(&service, &format!("{path}?stream=true&starting_after={}", all.len())).await, [] as [Value; 0]);
    // A stream of it is the same, and it can be continued.
    let streamed = service.request(Method::POST, PATH).json(&body(json!({
        "background": true, "stream": true, "max_output_tokens": 16, "top_logprobs": 1, "temperature": 0,
    })));
    let streamed = read(&streamed.send().await.expect("a response").text().await.expect("a text"));
    let kinds = |events: &[Value]| -> Vec<Value> { events.iter().map(|event| event["type"].clone()).collect() };
    assert_eq!(kinds(&streamed), kinds(&all));
    let next = body(json!({"previous_response_id": begun["id"], "input": "And now?"}));
    assert_eq!(service.post(PATH, &next).await.ok()["previous_response_id"], begun["id"]);
    assert_eq!(service.post(&format!("{path}/cancel"), &json!({})).await.ok(), response, "it has ended");
    service.stop().await;
}

#[tokio::test]
async fn a_response_in_the_background_is_cancelled_or_deleted() {
    let service = TestService::start().await;
    let numbers = json!({"type": "array", "minItems": 1500, "items": {"type": "integer"}});
    let format = json!({"type": "json_schema", "name": "n", "schema": numbers});
    let long = body(json!({"background": true, "max_output_tokens": 4000, "text": {"format": format}}));
    let begun = service.post(PATH, &long).await.ok();
    let error = service.post(PATH, &body(json!({"previous_response_id": begun["id"]}))).await.rejected(422);
    assert!(text(&error["message"]).contains("in_progress"), "{error}");
    let path = of(&begun["id"]);
    let follower = format!("{path}?stream=true");
    let (followed, cancelled) = tokio::join!(events(&service, &follower), async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        service.post(&format!("{path}/cancel"), &json!({})).await.ok()
    });
    assert_eq!(cancelled["status"], "cancelled");
    let last = &followed[followed.len() - 1];
    assert_eq!((&last["type"], &last["response"]["status"]), (&json!("response.failed"), &json!("cancelled")));
    assert_eq!(last["sequence_number"], followed.len() - 1);
    assert_eq!(service.get(&path).await.ok()["status"], "cancelled");
    assert_eq!(service.post(&format!("{path}/cancel"), &json!({})).await.ok()["status"], "cancelled");
    let begun = service.post(PATH, &long).await.ok();
    service.send(Method::DELETE, &of(&begun["id"]), None).await.ok();
    service.get(&of(&begun["id"])).await.rejected(404);
    service.stop().await;
}
