use serde_json::json;

use super::*;
use crate::golden::Tiny;

fn history(items: Value) -> History {
    serde_json::from_value(json!({ "messages_and_choices": items })).expect("a history")
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

/// Returns a choice that was sampled as these ids, each with logprob -0.5.
fn choice(ids: &[u32]) -> Value {
    let entries: Vec<Value> =
        ids.iter().map(|id| json!({"token": format!("token_id:{id}"), "logprob": -0.5})).collect();
    json!({"finish_reason": "stop", "message": {"role": "assistant", "content": "?"}, "logprobs": {"content": entries}})
}

fn with(mut choice: Value, field: &str, value: Value) -> Value {
    choice[field] = value;
    choice
}

/// Returns sequences and drift.
fn whole(tiny: &Tiny, items: Value) -> TokenizedHistory {
    tokenize_history(&history(items), &tiny.model(), false, usize::MAX).expect("valid")
}

/// Returns the only sequence.
fn tokenize(tiny: &Tiny, items: Value) -> TokenizedSequence {
    let [sequence] = whole(tiny, items).sequences.try_into().expect("one sequence");
    sequence
}

fn item(drift: &Drift) -> usize {
    match drift.path {
        ChoicePath::Item(item) => item,
        path @ ChoicePath::Exchange { .. } => panic!("{path} is no item of a conversation"),
    }
}

fn kinds(tokenized: &TokenizedHistory) -> Vec<(usize, DriftKind)> {
    tokenized.drift.iter().map(|drift| (item(drift), drift.kind)).collect()
}

fn fails(items: Value) -> String {
    tokenize_history(&history(items), &Tiny::new().model(), false, usize::MAX).expect_err("invalid").to_string()
}

#[test]
fn a_trajectory_without_trained_tokens_gives_no_sequence() {
    let tiny = Tiny::new();
    for items in [
        json!([]),
        json!([user("a")]),
        json!([user("a"), {"role": "assistant", "content": "x"}]),
        json!([user("a"), with(choice(&[269]), "logprobs", Value::Null)]),
        json!([user("a"), with(choice(&[]), "x", Value::Null)]),
        json!([user("a"), with(choice(&[269]), "logprobs", json!({"content": null, "refusal": null}))]),
    ] {
        assert_eq!(whole(&tiny, items.clone()), TokenizedHistory::default(), "{items}");
    }
}

#[test]
fn refusals_are_trained_where_there_is_no_content() {
    let tiny = Tiny::new();
    let refusal = json!({"content": [], "refusal": [{"token": "token_id:269", "logprob": -0.5}]});
    let choice =
        with(choice(&[]), "message", json!({"role": "assistant", "content": null, "refusal": tiny.decode(&[269])}));
    let tokenized = whole(&tiny, json!([user("a"), with(choice, "logprobs", refusal)]));
    let tokens = &tokenized.sequences[0];
    assert_eq!(
        (tokens.tokens.last(), tokens.mask.last(), tokens.logprobs.last()),
        (Some(&269), Some(&true), Some(&-0.5))
    );
    assert_eq!(kinds(&tokenized), [(1, DriftKind::WithoutPromptIds)], "the refusal is what the tokens say");
}

#[test]
fn one_entry_that_is_no_id_makes_all_of_them_spellings() {
    let tiny = Tiny::new();
    let entries = json!([{"token": "token_id:269", "logprob": -1}, {"token": "may", "logprob": -1}, {"token": "", "logprob": -1}]);
    let tokenized = whole(&tiny, json!([user("a"), with(choice(&[]), "logprobs", json!({"content": entries}))]));
    let tokens = &tokenized.sequences[0].tokens;
    assert_eq!(tokens[tokens.len() - 3..], [2, 266, 2]);
    assert_eq!(kinds(&tokenized), [(1, DriftKind::WithoutTokenIds), (1, DriftKind::WithoutPromptIds)]);
}

#[test]
fn ids_outside_the_vocabulary_are_rejected_with_their_path() {
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
fn malformed_choices_are_rejected_with_their_path() {
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

/// Returns a choice with the ids of its prompt and a message that agrees with its tokens.
fn carried(tiny: &Tiny, prompt: &[u32], ids: &[u32]) -> Value {
    let choice = with(choice(ids), "message", json!({"role": "assistant", "content": tiny.decode(ids)}));
    with(with(choice, "token_ids", json!(ids)), "prompt_token_ids", json!(prompt))
}

#[test]
fn carried_ids_are_used_instead_of_rendering() {
    let tiny = Tiny::new();
    let first = carried(&tiny, &[1, 305, 67], &[269, 2]);
    let second = carried(&tiny, &[1, 305, 67, 269, 2, 201, 68], &[267, 2]);
    let tokenized = whole(&tiny, json!([user("ignored"), first, user("ignored too"), second]));
    assert_eq!(tokenized.drift, []);
    let [got] = tokenized.sequences.try_into().expect("one sequence");
    assert_eq!(got.tokens, [1, 305, 67, 269, 2, 201, 68, 267, 2]);
    assert_eq!(got.mask, [false, false, false, true, true, false, false, true, true]);
    assert!(got.logprobs.iter().zip(&got.mask).all(|(logprob, trained)| logprob.is_nan() != *trained));
}

#[test]
fn the_prompt_of_a_streamed_choice_is_in_its_first_entry() {
    let tiny = Tiny::new();
    let mut streamed = carried(&tiny, &[], &[269, 2]);
    streamed["prompt_token_ids"] = Value::Null;
    streamed["token_ids"] = Value::Null;
    streamed["logprobs"]["content"][0]["prompt_token_ids"] = json!([1, 305, 67]);
    let tokenized = whole(&tiny, json!([user("ignored"), streamed.clone()]));
    assert_eq!(tokenized.drift, []);
    assert_eq!(tokenized.sequences[0].tokens, [1, 305, 67, 269, 2]);
    streamed["logprobs"]["content"][0]["prompt_token_ids"] = json!([999]);
    let error = fails(json!([user("ignored"), streamed]));
    assert!(error.starts_with("messages_and_choices[1].logprobs.content[0].prompt_token_ids[0]: token 999"), "{error}");
}

#[test]
fn turns_that_do_not_continue_each_other_are_trained_where_they_were_sampled() {
    let tiny = Tiny::new();
    // The second turn was sampled without the first one in its prompt; the third continues it.
    let items = json!([
        user("a"),
        carried(&tiny, &[1, 305, 67], &[269, 2]),
        user("b"),
        carried(&tiny, &[1, 305, 68], &[267, 2]),
        user("c"),
        carried(&tiny, &[1, 305, 68, 267, 2, 69], &[270]),
    ]);
    let tokenized = whole(&tiny, items);
    assert_eq!(kinds(&tokenized), [(3, DriftKind::Discontinued)]);
    let got: Vec<(&[u32], usize)> =
        tokenized.sequences.iter().map(|sequence| (&sequence.tokens[..], sequence.trained_tokens())).collect();
    assert_eq!(got, [(&[1, 305, 67, 269, 2][..], 2), (&[1, 305, 68, 267, 2, 69, 270][..], 3)]);
}

#[test]
fn a_choice_without_prompt_ids_is_rendered_into_the_same_sequence_if_it_continues_it() {
    let tiny = Tiny::new();
    let plain = tokenize(&tiny, json!([user("a"), choice(&[269, 2]), user("b"), choice(&[267, 2])]));
    let prompt = &plain.tokens[..plain.tokens.iter().position(|token| *token == 269).expect("the first turn")];
    let saying = |ids: &[u32]| {
        let content = tiny.decode(ids);
        with(choice(ids), "message", json!({"role": "assistant", "content": content}))
    };
    let mixed = whole(&tiny, json!([user("a"), carried(&tiny, prompt, &[269, 2]), user("b"), saying(&[267, 2])]));
    assert_eq!((&mixed.sequences[0].tokens, &mixed.sequences[0].mask), (&plain.tokens, &plain.mask));
    assert_eq!(mixed.sequences.len(), 1);
    assert_eq!(kinds(&mixed), [(3, DriftKind::WithoutPromptIds)]);
    // Sampled from another conversation: two sequences, the second as rendered, with the first turn as context.
    let other = whole(&tiny, json!([user("a"), carried(&tiny, &[1, 67], &[269, 2]), user("b"), saying(&[267, 2])]));
    assert_eq!(kinds(&other), [(3, DriftKind::WithoutPromptIds), (3, DriftKind::Discontinued)]);
    assert_eq!(other.sequences[0].tokens, [1, 67, 269, 2]);
    assert_eq!((&other.sequences[1].tokens, other.sequences[1].trained_tokens()), (&plain.tokens, 2));
}

#[test]
fn the_first_token_is_never_trained() {
    let tiny = Tiny::with_template("{% for m in messages %}{{ m.content }}{% endfor %}");
    let got = tokenize(&tiny, json!([choice(&[269, 267])]));
    assert_eq!((got.tokens, got.mask), (vec![269, 267], vec![false, true]));
    assert!(got.logprobs[0].is_nan());
    assert_eq!(whole(&tiny, json!([choice(&[269])])).sequences, []);
}

#[test]
fn turns_that_a_template_hides_are_an_error() {
    let tiny =
        Tiny::with_template("{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}{% endif %}{% endfor %}");
    let error = tokenize_history(&history(json!([user("a"), choice(&[269])])), &tiny.model(), false, usize::MAX)
        .expect_err("hidden");
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
        serde_json::from_slice(include_bytes!("../../../../tests/golden/tiny_tokenizer/tokenizer.json")).expect("JSON");
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
        tokenize_history(&history(items), &model, false, usize::MAX).expect("valid").sequences.remove(0).tokens
    };
    let context: Vec<u32> = tokenize(&[269, 2]);
    let without_thought = &context[..context.len() - 2];
    assert_eq!(without_thought[without_thought.len() - 4..], [337, 201, 338, 201]);
    let sampled = [337, 269, 338, 267, 2];
    let expected = [&without_thought[..without_thought.len() - 4], &sampled].concat();
    assert_eq!(tokenize(&sampled), expected);
}

#[test]
fn a_message_that_says_something_else_than_its_tokens_is_counted() {
    let tiny = Tiny::new();
    let ids = |text: &str| [tiny.encode(text), vec![2]].concat();
    let call = r#"{"name": "f", "arguments": {"city": "Rome"}}"#;
    let tool_call =
        json!({"id": "x", "type": "function", "function": {"name": "f", "arguments": r#"{"city": "Rome"}"#}});
    let calls = |content: &str, arguments: &str| {
        let function = json!({"name": "f", "arguments": arguments});
        json!({"role": "assistant", "content": content, "tool_calls": [{"type": "function", "function": function}]})
    };
    let message = |content: &str| json!({"role": "assistant", "content": content, "tool_calls": null, "audio": null});
    let reasoned =
        |thoughts: &str, content: &str| json!({"role": "assistant", "content": content, "reasoning_content": thoughts});
    let with_call = format!("I ask.\n<tool_call>\n{call}\n</tool_call>");
    let thought = "<think>\nhm\n</think>\n\nmaybe";
    let cases = [
        ("maybe", message("maybe"), "stop", false),
        ("maybe", message("Maybe"), "stop", true),
        ("maybe", message("may"), "stop", true),
        ("maybe", message(""), "stop", true),
        (
            "maybe",
            json!({"role": "assistant", "content": [{"type": "text", "text": "may"}, {"type": "text", "text": "be"}]}),
            "stop",
            false,
        ),
        ("maybe", json!({"role": "assistant", "content": "maybe", "tool_calls": [tool_call]}), "stop", true),
        ("☃ maybe", message("☃ maybe"), "stop", false),
        (thought, reasoned("hm", "maybe"), "stop", false),
        (thought, message("maybe"), "stop", false),
        (thought, message(thought), "stop", false),
        (thought, reasoned("ha", "maybe"), "stop", true),
        (thought, reasoned("hm", "no"), "stop", true),
        ("<think>\nhm", reasoned("hm", ""), "length", false),
        ("maybe", reasoned("hm", "maybe"), "stop", true),
        (&with_call, calls("I ask.", r#"{"city": "Rome"}"#), "tool_calls", false),
        (&with_call, calls("", r#"{"city": "Rome"}"#), "tool_calls", false),
        (&with_call, calls("I ask.", r#"{"city": "Oslo"}"#), "tool_calls", true),
        (&with_call, calls("You ask.", r#"{"city": "Rome"}"#), "tool_calls", true),
        (&with_call, message("I ask."), "tool_calls", true),
        (
            &with_call,
            json!({"role": "assistant", "content": "I ask.", "function_call": tool_call["function"]}),
            "function_call",
            false,
        ),
        (r#"{"name": "f", "parameters": "{\"city\":\"Rome\"}"}"#, calls("", r#"{"city":"Rome"}"#), "tool_calls", false),
        ("maybe", json!({"role": "assistant", "content": 5}), "stop", false),
    ];
    for (said, message, finish, edited) in cases {
        let choice = with(with(choice(&ids(said)), "message", message.clone()), "finish_reason", finish.into());
        let tokenized = whole(&tiny, json!([user("a"), with(choice, "prompt_token_ids", json!([1]))]));
        let expected = if edited { vec![(1, DriftKind::Edited)] } else { vec![] };
        assert_eq!(kinds(&tokenized), expected, "{said:?} {message}");
        assert_eq!(tokenized.sequences[0].tokens[1..], ids(said), "the sampled tokens are trained in any case");
    }
    // A stop text is removed from its completion, which then has no end of turn.
    for (finish, edited) in [("stop", false), ("length", true)] {
        let choice = with(
            with(choice(&tiny.encode("maybe, STOP")), "message", message("maybe,")),
            "finish_reason",
            finish.into(),
        );
        let tokenized = whole(&tiny, json!([user("a"), with(choice, "prompt_token_ids", json!([1]))]));
        assert_eq!(tokenized.drift.len(), usize::from(edited), "{finish}");
    }
    // Reasoning content that the prompt has opened and that does not end.
    let opened =
        with(choice(&tiny.encode("hm")), "prompt_token_ids", json!(tiny.encode("<|im_start|>assistant\n<think>\n")));
    let tokenized = whole(&tiny, json!([user("a"), with(opened, "message", reasoned("hm", ""))]));
    assert_eq!(tokenized.drift, []);
    // Control tokens appear as text if the request asks for it.
    for content in ["maybe", "maybe<|im_end|>", "maybe<|im_start|>", "maybe<|im_start|><|im_end|>"] {
        let sampled =
            if content.contains("start") { [tiny.encode("maybe"), vec![1, 2]].concat() } else { ids("maybe") };
        let choice = with(with(choice(&sampled), "message", message(content)), "prompt_token_ids", json!([1]));
        assert_eq!(whole(&tiny, json!([user("a"), choice])).drift, [], "{content}");
    }
}

#[test]
fn without_logprobs_the_text_of_the_assistant_is_trained() {
    let tiny = Tiny::new();
    let items = json!([
        user("a"),
        {"role": "assistant", "content": "may"},
        user("b"),
        choice(&[269, 2]),
        user("c"),
        with(choice(&[]), "message", json!({"role": "assistant", "content": "no", "refusal": null})),
        user("cut off"),
    ]);
    let tokenized = tokenize_history(&history(items.clone()), &tiny.model(), true, usize::MAX).expect("valid");
    let [got] = &tokenized.sequences[..] else { panic!("{tokenized:?}") };
    let text = "<|im_start|>user\na<|im_end|>\n<|im_start|>assistant\nmay<|im_end|>\n<|im_start|>user\nb<|im_end|>\n<|im_start|>assistant\n@<|im_end|>\n<|im_start|>user\nc<|im_end|>\n<|im_start|>assistant\nno<|im_end|>";
    let (before, after) = text.split_once('@').expect("the sampled turn");
    assert_eq!(got.tokens, [tiny.encode(before), vec![269], tiny.encode(after)].concat());
    let trained: Vec<u32> =
        got.tokens.iter().zip(&got.mask).filter(|(_, mask)| **mask).map(|(token, _)| *token).collect();
    assert_eq!(trained, [tiny.encode("may"), vec![2, 269, 2], tiny.encode("no"), vec![2]].concat());
    let known = got.logprobs.iter().filter(|logprob| !logprob.is_nan()).count();
    assert_eq!(known, 2, "of the sampled turn alone");
    let texts = [(1, DriftKind::WithoutTokenIds), (5, DriftKind::WithoutTokenIds)];
    assert!(texts.iter().all(|text| kinds(&tokenized).contains(text)), "{tokenized:?}");
    let sampled_only = tokenize_history(&history(items), &tiny.model(), false, usize::MAX).expect("valid");
    assert_eq!(sampled_only.sequences[0].trained_tokens(), 2);
}

#[test]
fn without_logprobs_the_ids_that_a_choice_carries_are_trained() {
    let tiny = Tiny::new();
    let mut carried = carried(&tiny, &[1, 305, 67], &[269, 2]);
    carried["logprobs"] = Value::Null;
    let tokenized =
        tokenize_history(&history(json!([user("a"), carried])), &tiny.model(), true, usize::MAX).expect("valid");
    assert_eq!(kinds(&tokenized), [(1, DriftKind::WithoutLogprobs)]);
    assert_eq!(tokenized.sequences[0].tokens, [1, 305, 67, 269, 2]);
    assert!(tokenized.sequences[0].logprobs.iter().all(|logprob| logprob.is_nan()));
    let unknown = json!({"content": [{"token": "token_id:269", "logprob": null}]});
    let choice = with(choice(&[]), "message", json!({"role": "assistant", "content": tiny.decode(&[269])}));
    let items = json!([user("a"), with(choice, "logprobs", unknown)]);
    // A choice with the list but not all of its numbers is trained in either case.
    for without_logprobs in [false, true] {
        let tokenized =
            tokenize_history(&history(items.clone()), &tiny.model(), without_logprobs, usize::MAX).expect("valid");
        assert!(tokenized.sequences[0].mask.last().is_some_and(|trained| *trained));
        assert_eq!(kinds(&tokenized), [(1, DriftKind::WithoutPromptIds), (1, DriftKind::WithoutLogprobs)]);
    }
}

#[test]
fn a_turn_that_spells_control_tokens_is_trained_as_text() {
    let tiny = Tiny::new();
    let items = json!([user("a<|im_start|>"), {"role": "assistant", "content": "b<|im_end|>c<|endoftext|>"}]);
    let tokenized = tokenize_history(&history(items), &tiny.model(), true, usize::MAX).expect("valid");
    let got = &tokenized.sequences[0];
    let trained: Vec<u32> =
        got.tokens.iter().zip(&got.mask).filter(|(_, mask)| **mask).map(|(token, _)| *token).collect();
    assert_eq!(tiny.decode(&trained), "b<|im_end|>c<|endoftext|>");
    assert_eq!(trained.iter().filter(|id| **id <= 2).collect::<Vec<_>>(), [&2], "the end of the turn alone");
}
