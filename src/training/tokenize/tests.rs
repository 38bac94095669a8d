use serde_json::json;

use super::*;
use crate::training::golden::Tiny;

fn history(items: Value) -> History {
    serde_json::from_value(json!({ "messages_and_choices": items })).expect("a history")
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

/// A choice that was sampled as these ids, each with log-probability -0.5.
fn choice(ids: &[u32]) -> Value {
    let entries: Vec<Value> =
        ids.iter().map(|id| json!({"token": format!("token_id:{id}"), "logprob": -0.5})).collect();
    json!({"finish_reason": "stop", "message": {"role": "assistant", "content": "?"}, "logprobs": {"content": entries}})
}

fn with(mut choice: Value, field: &str, value: Value) -> Value {
    choice[field] = value;
    choice
}

fn tokenize(tiny: &Tiny, items: Value) -> TokenizedHistory {
    tokenize_history(&history(items), &tiny.model()).expect("valid").expect("something is trained")
}

fn fails(items: Value) -> String {
    tokenize_history(&history(items), &Tiny::new().model()).expect_err("invalid").to_string()
}

#[test]
fn nothing_trained_gives_nothing() {
    let tiny = Tiny::new();
    for items in [
        json!([]),
        json!([user("a")]),
        json!([user("a"), {"role": "assistant", "content": "x"}]),
        json!([user("a"), with(choice(&[269]), "logprobs", Value::Null)]),
        json!([user("a"), with(choice(&[]), "x", Value::Null)]),
        json!([user("a"), with(choice(&[269]), "logprobs", json!({"content": null, "refusal": null}))]),
    ] {
        assert_eq!(tokenize_history(&history(items.clone()), &tiny.model()).expect("valid"), None, "{items}");
    }
}

#[test]
fn refusals_are_trained_where_there_is_no_content() {
    let tiny = Tiny::new();
    let refusal = json!({"content": [], "refusal": [{"token": "token_id:269", "logprob": null}]});
    let tokens = tokenize(&tiny, json!([user("a"), with(choice(&[]), "logprobs", refusal)]));
    assert_eq!((tokens.tokens.last(), tokens.mask.last()), (Some(&269), Some(&true)));
    assert!(tokens.logprobs.last().is_some_and(|logprob| logprob.is_nan()), "a missing log-probability is unknown");
}

#[test]
fn one_entry_that_is_no_id_makes_all_of_them_spellings() {
    let tiny = Tiny::new();
    let entries = json!([{"token": "token_id:269", "logprob": -1}, {"token": "may", "logprob": -1}, {"token": "", "logprob": -1}]);
    let tokens = tokenize(&tiny, json!([user("a"), with(choice(&[]), "logprobs", json!({"content": entries}))]));
    assert_eq!(tokens.tokens[tokens.tokens.len() - 3..], [2, 266, 2]);
}

#[test]
fn ids_outside_the_vocabulary_are_refused_with_their_place() {
    let error = fails(json!([user("a"), choice(&[269, 337])]));
    assert!(
        error.starts_with(
            "messages_and_choices[1].logprobs.content[1].token: token 337 is outside the vocabulary of 337"
        ),
        "{error}"
    );
    let error = fails(json!([user("a"), with(choice(&[269]), "token_ids", json!([4_000_000_000_u64]))]));
    assert!(error.starts_with("messages_and_choices[1].token_ids[0]: token 4000000000"), "{error}");
    let error = fails(json!([user("a"), with(choice(&[269]), "prompt_token_ids", json!([1, 99999]))]));
    assert!(error.starts_with("messages_and_choices[1].prompt_token_ids[1]: token 99999"), "{error}");
    let huge = json!({"content": [{"token": "token_id:18446744073709551615", "logprob": 0}]});
    assert!(fails(json!([user("a"), with(choice(&[]), "logprobs", huge)])).contains("outside the vocabulary"));
}

#[test]
fn malformed_choices_are_refused_with_their_place() {
    for (logprobs, expected) in [
        (json!("x"), "messages_and_choices[1].logprobs: expected an object"),
        (json!({"content": 5}), "messages_and_choices[1].logprobs.content: expected a list"),
        (json!({"content": [{"logprob": 1}]}), "messages_and_choices[1].logprobs.content[0].token: expected text"),
        (
            json!({"content": [{"token": "a", "logprob": "x"}]}),
            "messages_and_choices[1].logprobs.content[0].logprob: expected a number",
        ),
        (json!({"content": [5]}), "messages_and_choices[1].logprobs.content[0].token: expected text"),
    ] {
        let error = fails(json!([user("a"), with(choice(&[]), "logprobs", logprobs)]));
        assert!(error.starts_with(expected), "{error}");
    }
    let error = fails(json!([{"role": "user", "content": 5}, choice(&[269])]));
    assert!(error.contains("messages[0].content"), "{error}");
}

#[test]
fn carried_ids_are_used_instead_of_rendering() {
    let tiny = Tiny::new();
    let first = with(with(choice(&[269, 2]), "token_ids", json!([269, 2])), "prompt_token_ids", json!([1, 305, 67]));
    let second = with(
        with(choice(&[267, 2]), "token_ids", json!([267, 2])),
        "prompt_token_ids",
        json!([1, 305, 67, 269, 2, 201, 68]),
    );
    let got = tokenize(&tiny, json!([user("ignored"), first, user("ignored too"), second]));
    assert_eq!(got.tokens, [1, 305, 67, 269, 2, 201, 68, 267, 2]);
    assert_eq!(got.mask, [false, false, false, true, true, false, false, true, true]);
    assert!(got.logprobs.iter().zip(&got.mask).all(|(logprob, trained)| logprob.is_nan() != *trained));
}

#[test]
fn carried_ids_that_do_not_continue_each_other_are_rendered() {
    let tiny = Tiny::new();
    let plain = tokenize(&tiny, json!([user("a"), choice(&[269, 2]), user("b"), choice(&[267, 2])]));
    // the second turn was sampled from another conversation
    let prompt = json!([1, 305, 67]);
    let carried = |ids: &[u32]| with(choice(ids), "prompt_token_ids", prompt.clone());
    let mixed = tokenize(&tiny, json!([user("a"), carried(&[269, 2]), user("b"), carried(&[267, 2])]));
    assert_eq!(mixed.tokens, plain.tokens);
    // one of them carries none
    let partly = tokenize(&tiny, json!([user("a"), carried(&[269, 2]), user("b"), choice(&[267, 2])]));
    assert_eq!(partly.tokens, plain.tokens);
}

#[test]
fn the_first_token_is_never_trained() {
    let tiny = Tiny::with_template("{% for m in messages %}{{ m.content }}{% endfor %}");
    let got = tokenize(&tiny, json!([choice(&[269, 267])]));
    assert_eq!((got.tokens, got.mask), (vec![269, 267], vec![false, true]));
    assert!(got.logprobs[0].is_nan());
    assert_eq!(tokenize_history(&history(json!([choice(&[269])])), &tiny.model()).expect("valid"), None);
}

#[test]
fn turns_that_a_template_hides_are_an_error() {
    let tiny =
        Tiny::with_template("{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}{% endif %}{% endfor %}");
    let error = tokenize_history(&history(json!([user("a"), choice(&[269])])), &tiny.model()).expect_err("hidden");
    assert!(matches!(error, TokenizeError::TurnsNotFound { expected: 1, found: 0 }), "{error}");
}

#[test]
fn text_in_messages_cannot_end_a_turn_or_pose_as_one() {
    let tiny = Tiny::new();
    let got = tokenize(&tiny, json!([user("<|im_end|>\u{100000}"), choice(&[269, 2])]));
    assert_eq!(got.tokens.iter().filter(|token| **token == 2).count(), 2, "one of the user turn, one sampled");
    assert_eq!(got.mask.iter().filter(|trained| **trained).count(), 2);
}

#[test]
fn thinking_that_was_sampled_replaces_the_templates_own() {
    // a vocabulary in which the tags are tokens
    let mut document: Value =
        serde_json::from_slice(include_bytes!("../../../tests/golden/tiny_tokenizer/tokenizer.json")).expect("JSON");
    let added = document["added_tokens"].as_array_mut().expect("a list");
    for (id, content) in [(337, "<think>"), (338, "</think>")] {
        added.push(json!({"id": id, "content": content, "single_word": false, "lstrip": false, "rstrip": false,
            "normalized": false, "special": false}));
    }
    let tokenizer = Tokenizer::from_bytes(&serde_json::to_vec(&document).expect("JSON")).expect("a tokenizer");
    let template = "{% for m in messages %}<|im_start|>{{ m.role }}{% if m.role == 'assistant' %}<think>\n</think>\n{% endif %}{{ m.content }}<|im_end|>{% endfor %}";
    let template = ChatTemplate::new(template, &[]).expect("a template");
    let model = TextModel { tokenizer: &tokenizer, template: &template, end_of_turn: 2, vocabulary_size: 339 };
    let tokenize = |ids: &[u32]| {
        let items = json!([user("a"), choice(ids)]);
        tokenize_history(&history(items), &model).expect("valid").expect("trained").tokens
    };
    let context: Vec<u32> = tokenize(&[269, 2]);
    let without_thought = &context[..context.len() - 2];
    assert_eq!(without_thought[without_thought.len() - 4..], [337, 201, 338, 201]);
    let sampled = [337, 269, 338, 267, 2];
    let expected = [&without_thought[..without_thought.len() - 4], &sampled].concat();
    assert_eq!(tokenize(&sampled), expected);
}
