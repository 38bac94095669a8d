//! Listings of trajectory groups: order, filters, search and pages, before and after the job has prepared its data.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{TestService, row, text};

/// A trajectory of one answer, which training can use without log-probabilities.
fn member(question: &str, answer: &str, reward: f64) -> Value {
    json!({"messages_and_choices": [{"role": "user", "content": question}, {"role": "assistant", "content": answer}],
        "reward": reward})
}

/// Groups with the mean rewards 0.5, 3, 1 (equal) and none, then one whose message has quotes.
fn groups() -> Value {
    json!([
        {"trajectories": [member("yes?", "no", 0.0), member("yes?", "maybe", 1.0)]},
        {"trajectories": [member("one?", "two", 1.0), member("one?", "three", 1.0), member("one?", "four", 7.0)]},
        {"trajectories": [member("Größe?", "equal", 1.0), member("Größe?", "rewards", 1.0)]},
        {"trajectories": []},
        {"trajectories": [member("quoted?", "he said \"Hi\"\n", -2.0), member("quoted?", "silent", 2.0)]},
    ])
}

/// Ids of a page, and whether more follow.
async fn ids(service: &TestService, path: &str, query: &str) -> (Vec<String>, bool) {
    let page = service.get(&format!("{path}?{query}")).await.ok();
    let ids = page["data"].as_array().expect("groups").iter().map(|group| text(&group["id"]).to_owned());
    (ids.collect(), page["has_more"].as_bool().expect("a flag"))
}

/// Ids of all pages of a query, one by one.
async fn all_ids(service: &TestService, path: &str, query: &str) -> Vec<String> {
    let (mut all, mut after) = (Vec::new(), String::new());
    loop {
        let (page, has_more) = ids(service, path, &format!("{query}&limit=1{after}")).await;
        assert!(page.len() <= 1);
        after = page.last().map(|id| format!("&after={id}")).unwrap_or_default();
        all.extend(page);
        if !has_more {
            return all;
        }
    }
}

/// Checks every kind of query, page by page and at once.
async fn check_queries(service: &TestService, path: &str) {
    for (query, expected) in [
        ("", vec!["0", "1", "2", "3", "4"]),
        ("order=desc", vec!["4", "3", "2", "1", "0"]),
        ("sort=reward_mean", vec!["4", "0", "2", "1", "3"]),
        ("sort=reward_mean&order=desc", vec!["1", "2", "0", "4", "3"]),
        ("sort=reward_deviation&order=desc", vec!["1", "4", "0", "2", "3"]),
        ("sort=num_trajectories&order=desc", vec!["1", "0", "2", "4", "3"]),
        ("sort=completion_tokens", vec!["0", "1", "2", "3", "4"]),
        ("dropped=false", vec!["0", "1", "4"]),
        ("dropped=true&order=desc", vec!["3", "2"]),
        ("min_reward=0.5&max_reward=1", vec!["0", "2"]),
        ("q=MAYBE", vec!["0"]),
        ("q=gr%C3%B6%C3%9Fe", vec!["2"]),
        ("q=%22Hi%22%0A", vec!["4"]),
        ("q=e%3F&sort=reward_mean&order=desc", vec!["1", "2"]),
        ("q=messages_and_choices", vec![]),
        ("q=yes&dropped=true", vec![]),
    ] {
        let (once, has_more) = ids(service, path, query).await;
        assert_eq!(
            (once.as_slice(), has_more),
            (&expected.iter().map(ToString::to_string).collect::<Vec<_>>()[..], false),
            "{query}"
        );
        assert_eq!(all_ids(service, path, query).await, expected, "{query}, page by page");
    }
    let unknown = service.get(&format!("{path}?sort=reward_mean&after=77")).await;
    assert_eq!(unknown.rejected(422)["param"], "after");
    assert_eq!(service.get(&format!("{path}?after=77")).await.ok()["data"], json!([]));
}

#[tokio::test]
async fn groups_are_sorted_filtered_and_searched_before_and_after_their_preparation() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    // Jobs of a model run one after the other, so the second is not prepared while the first runs.
    let rows = vec![row("hello", "world"); 40];
    let first = service.start_sft(&model, &rows, json!({ "epochs": 1000, "batch_size": 1 })).await;
    let config = json!({ "allow_training_without_logprobs": true });
    let job = service.start_rl(&model, groups(), config).await;
    let path = format!("/v1/preview/training-jobs/{job}/groups");
    assert_eq!(service.get(&format!("/v1/preview/training-jobs/{job}")).await.ok()["status"], "queued");
    check_queries(&service, &path).await;
    let drops = format!("/v1/preview/training-jobs/{job}/drops");
    assert_eq!(service.get(&drops).await.ok()["data"], json!([]), "nothing is prepared");
    service.post(&format!("/v1/preview/training-jobs/{first}/cancel"), &json!({})).await.ok();
    let events = service.finished(&job).await;
    check_queries(&service, &path).await;

    let started = &events[0]["data"];
    assert_eq!(started["rewards"]["mean"].as_f64().map(|mean| (mean * 9.0).round()), Some(12.0), "{started}");
    assert_eq!(started["rewards"]["quantiles"].as_array().map(Vec::len), Some(11));
    assert_eq!(
        (&started["rewards"]["quantiles"][0], &started["rewards"]["quantiles"][10]),
        (&json!(-2.0), &json!(7.0))
    );
    assert_eq!(started["share_without_signal"], 0.4);
    assert_eq!(started.get("completion_tokens"), None, "no choice tells it");
    let listed = service.get(&format!("{drops}?drift=false")).await.ok();
    let places: Vec<&str> = listed["data"].as_array().expect("places").iter().map(|it| text(&it["place"])).collect();
    assert_eq!(places, ["trajectory_groups[2]", "trajectory_groups[3]"]);
    assert_eq!((&listed["data"][0]["code"], &listed["data"][1]["group_id"]), (&json!("equal_rewards"), &json!("3")));

    // A log of the same groups is read in the same way.
    let log = json!({ "split": "val", "trajectory_groups": groups() });
    service.post(&format!("/v1/preview/models/{}/log", model.id), &log).await.ok();
    let logs = service.get(&format!("/v1/preview/models/{}/log?split=val", model.id)).await.ok();
    assert_eq!((&logs["data"][0]["num_groups"], &logs["data"][0]["split"]), (&json!(5), &json!("val")));
    let log = format!("/v1/preview/models/{}/log/{}/groups", model.id, text(&logs["first_id"]));
    check_queries(&service, &log).await;
    let logged = service.get(&format!("{log}/4/trajectories")).await.ok();
    assert_eq!(logged["data"][0]["items"][1]["content"], "he said \"Hi\"\n");
    assert_eq!(logged["data"][0]["dropped"][0]["code"], "nothing_trained", "there are no log-probabilities");
    let none = service.get(&format!("/v1/preview/models/{}/log?split=train", model.id)).await.ok();
    assert_eq!(none["data"], json!([]));
    service.stop().await;
}

#[tokio::test]
async fn every_dropped_place_is_listed() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let mut groups = vec![json!({"trajectories": [member("a", "b", 1.0)]}); 25];
    let rollouts = service.rollouts(&model.name, "yes, no or maybe?", &[0.0, 1.0, 2.0, 6.0]).await;
    groups.push(rollouts);
    // The message of this turn is not that of its tokens.
    *groups[25].pointer_mut("/trajectories/3/messages_and_choices/1/message/content").expect("a text") =
        json!("edited");
    let job = service.start_rl(&model, json!(groups), json!({})).await;
    let events = service.finished(&job).await;
    assert_eq!(events[0]["data"]["dropped_places"].as_array().map(Vec::len), Some(20), "the event has the first ones");
    let path = format!("/v1/preview/training-jobs/{job}/drops");
    let (mut all, mut after) = (Vec::new(), String::new());
    loop {
        let page = service.get(&format!("{path}?limit=10{after}")).await.ok();
        all.extend(page["data"].as_array().expect("places").clone());
        after = format!("&after={}", text(&page["last_id"]));
        if page["has_more"] == false {
            break;
        }
    }
    assert_eq!(all.len(), 26, "{all:?}");
    assert!(all[..25].iter().all(|place| place["code"] == "too_few_trajectories" && place["drift"] == false));
    assert_eq!(
        (&all[25]["code"], &all[25]["drift"], &all[25]["group_id"]),
        (&json!("edited_turns"), &json!(true), &json!("25"))
    );
    let drift = service.get(&format!("{path}?drift=true")).await.ok();
    assert_eq!(drift["data"], json!([all[25]]));
    assert_eq!(
        service.get(&format!("{path}?drift=false&limit=100")).await.ok()["data"].as_array().map(Vec::len),
        Some(25)
    );
    service.stop().await;
}

#[tokio::test]
async fn tokens_have_what_sampling_and_training_computed_of_them() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let groups = vec![service.rollouts(&model.name, "yes, no or maybe?", &[0.0, 1.0, 2.0, 6.0]).await];
    let job = service.start_rl(&model, json!(groups), json!({ "learning_rate": 0.01 })).await;
    service.finished(&job).await;
    let path = format!("/v1/preview/training-jobs/{job}/groups/0/trajectories");
    let page = service.get(&path).await.ok();
    let sequences: Vec<&Value> =
        page["data"].as_array().expect("trajectories").iter().map(|it| &it["sequences"][0]).collect();
    assert_eq!(sequences.len(), 4);
    let (mut scale, mut weights, mut count) = (0.0, 0.0, 0);
    let numbers = |sequence: &Value, name: &str| -> Vec<f64> {
        sequence[name].as_array().expect("a column").iter().filter_map(Value::as_f64).collect()
    };
    for (number, sequence) in sequences.iter().enumerate() {
        let (sampled, trained) = (numbers(sequence, "logprobs"), numbers(sequence, "trained_logprobs"));
        assert_eq!(sampled.len(), trained.len(), "{sequence}");
        // The first step is made with the weights that sampled; the later ones are not.
        assert_eq!(sampled == trained, number == 0, "{sampled:?} {trained:?}");
        let (advantage, weight) =
            (sequence["advantage"].as_f64().expect("one"), sequence["weight"].as_f64().expect("one"));
        count += trained.len();
        scale += trained.len() as f64 * advantage.abs() * weight;
        weights += trained.len() as f64 * weight;
    }
    assert!((scale / count as f64 - 1.0).abs() < 1e-9 && (weights / count as f64 - 1.0).abs() < 1e-9);
    // Trajectories are read from their own places.
    let last = service.get(&format!("{path}?after=2")).await.ok();
    assert_eq!(last["data"], json!([page["data"][3]]));
    service.stop().await;
}

#[tokio::test]
async fn rollouts_stay_with_their_checkpoint_and_are_missed_in_words_afterwards() {
    let service = TestService::start().await;
    let model = service.model("agent").await;
    let config = json!({ "allow_training_without_logprobs": true });
    let job = service.start_rl(&model, groups(), config).await;
    service.finished(&job).await;
    let path = format!("/v1/preview/training-jobs/{job}");
    assert_eq!(ids(&service, &format!("{path}/groups"), "").await.0.len(), 5);
    let body = json!({ "steps": [1], "allow_latest": true });
    service.send(Method::DELETE, &format!("/v1/preview/models/{}/checkpoints", model.id), Some(&body)).await.ok();
    for what in ["groups", "groups/0/trajectories", "drops"] {
        let gone = loop {
            let answer = service.get(&format!("{path}/{what}")).await;
            if answer.status == 404 {
                break answer.rejected(404);
            }
            // The files are removed after the response.
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        };
        assert!(text(&gone["message"]).contains("no longer stored"), "{gone}");
    }
    service.stop().await;
}
