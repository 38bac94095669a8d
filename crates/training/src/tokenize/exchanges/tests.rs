use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::golden::Tiny;
use crate::tokenize::TokenizedSequence;

/// Token ids of a prompt, completions and the end of a turn, in the reference tokenizer.
const ASK: [u32; 3] = [1, 305, 67];
const YES: u32 = 269;
const NO: u32 = 267;
const MAYBE: u32 = 268;
const END: u32 = 2;
/// Text of the template between a completion and the next one.
const AGAIN: [u32; 4] = [201, 1, 305, 68];

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn said(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

fn choice(index: usize, prompt: &[u32], ids: &[u32], text: &str) -> Value {
    let entries: Vec<Value> =
        ids.iter().map(|id| json!({"token": format!("token_id:{id}"), "logprob": -0.5})).collect();
    json!({
        "index": index, "finish_reason": "stop", "message": {"role": "assistant", "content": text, "tool_calls": null},
        "logprobs": {"content": entries, "refusal": null}, "prompt_token_ids": prompt, "token_ids": ids,
    })
}

/// Returns a turn with its messages, its prompt and its completions.
fn turn(messages: Value, prompt: &[u32], completions: &[(&[u32], &str)]) -> Value {
    let choices: Vec<Value> =
        completions.iter().enumerate().map(|(index, (ids, text))| choice(index, prompt, ids, text)).collect();
    json!({"request": {"model": "trained", "messages": messages, "max_tokens": 6}, "response": {"choices": choices}})
}

fn at(second: usize, mut exchange: Value) -> Value {
    exchange["start_time"] = format!("2026-01-01T00:00:{second:02}+00:00").into();
    exchange["end_time"] = exchange["start_time"].clone();
    exchange
}

fn captured(chat_completions: Vec<Value>) -> Exchanges {
    let timed = chat_completions.into_iter().enumerate();
    let timed = timed.map(|(second, turn)| if turn.get("start_time").is_some() { turn } else { at(second, turn) });
    serde_json::from_value(json!({"chat_completions": timed.collect::<Vec<_>>()})).expect("exchanges")
}

fn tokenize(exchanges: &Exchanges) -> Result<TokenizedHistory, TokenizeError> {
    let named = |name: &str| name == "trained" || name.starts_with("trained:step");
    tokenize_exchanges(exchanges, &Tiny::new().model(), &named, false, 1000)
}

/// Prints a sequence: context as numbers, trained tokens in brackets.
fn shown(sequence: &TokenizedSequence) -> String {
    let tokens = sequence.tokens.iter().zip(&sequence.mask);
    let shown = tokens.map(|(token, trained)| if *trained { format!("[{token}]") } else { token.to_string() });
    shown.collect::<Vec<_>>().join(" ")
}

fn sequences(chat_completions: Vec<Value>) -> Vec<String> {
    tokenize(&captured(chat_completions)).expect("valid").sequences.iter().map(shown).collect()
}

fn rejected(exchange: Value) -> String {
    tokenize(&captured(vec![exchange])).expect_err("refused").to_string()
}

fn one() -> Value {
    turn(json!([user("?")]), &ASK, &[(&[YES, END], "yes")])
}

/// Returns the turn after [`one`], whose prompt begins with the tokens of [`one`].
fn two(completion: u32) -> Value {
    let prompt = [ASK.as_slice(), &[YES, END], &AGAIN].concat();
    turn(json!([user("?"), said("yes"), user("again?")]), &prompt, &[(&[completion, END], "x")])
}

const BOTH_TURNS: &str = "1 305 67 [269] [2] 201 1 305 68 [267] [2]";

#[test]
fn one_exchange_is_one_sequence() {
    assert_eq!(sequences(vec![one()]), ["1 305 67 [269] [2]"]);
    assert_eq!(sequences(vec![one(), one()]), ["1 305 67 [269] [2]"], "the same answer twice is trained once");
}

#[test]
fn turns_that_continue_share_a_sequence_whatever_the_order_of_the_list() {
    assert_eq!(sequences(vec![one(), two(NO)]), [BOTH_TURNS]);
    assert_eq!(sequences(vec![at(9, two(NO)), at(1, one())]), [BOTH_TURNS]);
}

#[test]
fn a_completion_that_was_sampled_again_branches() {
    let expected = [BOTH_TURNS, "1 305 67 269 2 201 1 305 68 [268] [2]"];
    assert_eq!(sequences(vec![one(), two(NO), two(MAYBE)]), expected);
    let common = [
        turn(json!([user("?")]), &ASK, &[(&[YES, 300, END], "a")]),
        turn(json!([user("?")]), &ASK, &[(&[YES, 301, END], "b")]),
    ];
    assert_eq!(sequences(common.to_vec()), ["1 305 67 [269] [300] [2]", "1 305 67 269 [301] [2]"]);
}

#[test]
fn each_choice_is_a_branch_and_one_may_be_continued() {
    let both = turn(json!([user("?")]), &ASK, &[(&[NO, END], "no"), (&[YES, END], "yes")]);
    assert_eq!(sequences(vec![both.clone()]), ["1 305 67 [267] [2]", "1 305 67 [269] [2]"]);
    assert_eq!(sequences(vec![both, two(NO)]), ["1 305 67 [267] [2]", BOTH_TURNS]);
}

#[test]
fn other_prompts_begin_sequences_of_their_own() {
    let stripped = [ASK.as_slice(), &[YES, END], &AGAIN].concat();
    let mut thought = turn(json!([user("?")]), &ASK, &[(&[300, YES, END], "yes")]);
    thought["response"]["choices"][0]["message"]["reasoning"] = "hm".into();
    let next = turn(json!([user("?"), said("yes"), user("again?")]), &stripped, &[(&[NO, END], "no")]);
    let split = ["1 305 67 [300] [269] [2]", "1 305 67 269 2 201 1 305 68 [267] [2]"];
    assert_eq!(sequences(vec![thought.clone(), next]), split, "a template that strips thoughts");
    let kept = [ASK.as_slice(), &[300, YES, END], &AGAIN].concat();
    let mut with_thought = said("yes");
    with_thought["reasoning_content"] = "hm".into();
    let messages = |completion: Value| json!([user("?"), completion, user("again?")]);
    let next = turn(messages(with_thought), &kept, &[(&[NO, END], "no")]);
    let whole = "1 305 67 [300] [269] [2] 201 1 305 68 [267] [2]";
    assert_eq!(sequences(vec![thought.clone(), next]), [whole], "a template that keeps them");
    let next = turn(messages(said("yes")), &kept, &[(&[NO, END], "no")]);
    let split = ["1 305 67 [300] [269] [2]", "1 305 67 300 269 2 201 1 305 68 [267] [2]"];
    assert_eq!(sequences(vec![thought, next]), split, "a message without its thoughts");
}

#[test]
fn tools_and_template_options_are_part_of_the_conversation() {
    let split = ["1 305 67 [269] [2]", "1 305 67 269 2 201 1 305 68 [267] [2]"];
    for (field, value) in [("tools", json!([{"type": "function"}])), ("chat_template_kwargs", json!({"a": 1}))] {
        let mut next = two(NO);
        next["request"][field] = value.clone();
        assert_eq!(sequences(vec![one(), next.clone()]), split);
        let mut first = one();
        first["request"][field] = value;
        assert_eq!(sequences(vec![first, next]), [BOTH_TURNS]);
    }
}

#[test]
fn tokens_that_the_template_added_are_context() {
    let cut = turn(json!([user("?")]), &ASK, &[(&[YES], "yes")]);
    assert_eq!(sequences(vec![cut, two(NO)]), ["1 305 67 [269] 2 201 1 305 68 [267] [2]"]);
    assert_eq!(sequences(vec![two(NO)]), ["1 305 67 269 2 201 1 305 68 [267] [2]"], "words that nobody sampled");
    let empty = turn(json!([user("?")]), &ASK, &[(&[], "")]);
    assert!(sequences(vec![empty]).is_empty());
}

#[test]
fn tool_calls_that_were_cut_off_are_not_continued() {
    let mut cut = one();
    cut["request"]["max_tokens"] = 2.into();
    cut["response"]["choices"][0]["finish_reason"] = "tool_calls".into();
    let call = json!([{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]);
    cut["response"]["choices"][0]["message"]["tool_calls"] = call.clone();
    let mut next = two(NO);
    next["request"]["messages"][1]["tool_calls"] = call;
    let split = ["1 305 67 [269] [2]", "1 305 67 269 2 201 1 305 68 [267] [2]"];
    assert_eq!(sequences(vec![cut.clone(), next.clone()]), split);
    cut["request"]["max_tokens"] = 3.into();
    assert_eq!(sequences(vec![cut, next]), [BOTH_TURNS]);
}

#[test]
fn other_models_are_not_read_and_steps_are_the_model() {
    let mut judge = json!({"request": {"model": "judge"}, "response": "no object of this kind"});
    judge["response"] = json!({"choices": "unread"});
    assert_eq!(sequences(vec![one(), judge.clone()]), ["1 305 67 [269] [2]"]);
    let error = tokenize(&captured(vec![judge])).expect_err("nothing to train");
    assert!(matches!(error, TokenizeError::OtherModelsOnly));
    let mut step = one();
    step["request"]["model"] = "trained:step3".into();
    assert_eq!(sequences(vec![step.clone()]), ["1 305 67 [269] [2]"]);
    let split = ["1 305 67 [269] [2]", "1 305 67 269 2 201 1 305 68 [267] [2]"];
    assert_eq!(sequences(vec![step, two(NO)]), split, "another step begins a sequence of its own");
}

#[test]
fn token_ids_and_logprobs_have_several_carriers() {
    let plain = ["1 305 67 [269] [2]"];
    let with = |change: fn(&mut Value)| {
        let mut exchange = one();
        change(&mut exchange["response"]);
        sequences(vec![exchange])
    };
    fn sole(response: &mut Value) -> &mut serde_json::Map<String, Value> {
        response["choices"][0].as_object_mut().expect("a choice")
    }
    assert_eq!(with(|response| drop(sole(response).remove("token_ids"))), plain);
    assert_eq!(with(|response| sole(response)["token_ids"] = json!(["token_id:269", 2])), plain);
    assert_eq!(
        with(|response| response["prompt_token_ids"] = sole(response).remove("prompt_token_ids").unwrap()),
        plain
    );
    for field in ["compact_logprobs", "art_completion_logprobs"] {
        let mut exchange = one();
        let choice = sole(&mut exchange["response"]);
        choice["logprobs"] = Value::Null;
        choice.insert(field.to_owned(), json!([-0.5, -0.25]));
        assert_eq!(sequences(vec![exchange]), plain);
    }
    let engine = with(|response| {
        let choice = sole(response);
        let ids = [choice.remove("prompt_token_ids").unwrap(), choice.remove("token_ids").unwrap()];
        choice["logprobs"] = Value::Null;
        response["nvext"] = json!({"engine_data": {
            "finished": true, "prompt_token_ids": ids[0], "completion_token_ids": ids[1], "completion_logprobs": [-1, -2],
        }});
    });
    assert_eq!(engine, plain);
}

#[test]
fn missing_token_ids_and_logprobs_are_never_guessed() {
    let without = |change: fn(&mut serde_json::Map<String, Value>)| {
        let mut exchange = one();
        change(exchange["response"]["choices"][0].as_object_mut().expect("a choice"));
        rejected(exchange)
    };
    let path = "exchanges.chat_completions[0].response.choices[0]";
    for (error, expected) in [
        (without(|choice| drop(choice.remove("prompt_token_ids"))), "the response has no prompt_token_ids"),
        (without(|choice| choice["prompt_token_ids"] = json!([])), "the response has no prompt_token_ids"),
        (without(|choice| choice["logprobs"] = Value::Null), "the response has no log-probabilities"),
        (without(|choice| choice["logprobs"]["content"][1]["logprob"] = Value::Null), "the response has no log-prob"),
        (without(|choice| choice["token_ids"] = json!([269, 3])), "token_ids: lists other tokens"),
        (without(|choice| choice["token_ids"] = json!([269])), "token_ids: lists other tokens"),
        (without(|choice| choice["token_ids"] = json!("269")), "token_ids: expected a list"),
        (without(|choice| choice["token_ids"] = json!([269, -2])), "token_ids: expected a list"),
        (without(|choice| choice["token_ids"] = json!([269, 99999])), "token_ids[1]: token 99999 is outside"),
        (
            without(|choice| {
                choice["token_ids"] = json!([]);
                choice["logprobs"] = Value::Null;
            }),
            "the response has no token_ids",
        ),
    ] {
        let shown = error.strip_prefix(path).unwrap_or_else(|| panic!("{error}"));
        assert!(shown.trim_start_matches([':', '.', ' ']).starts_with(expected), "{error}");
    }
    let mut exchange = one();
    exchange["response"]["choices"] = Value::Null;
    assert_eq!(rejected(exchange), "exchanges.chat_completions[0].response.choices: expected a list");
}

#[test]
fn tokens_without_logprobs_are_trained_on_demand() {
    let mut exchange = one();
    exchange["response"]["choices"][0]["logprobs"] = Value::Null;
    let model = Tiny::new();
    let tokenized =
        tokenize_exchanges(&captured(vec![exchange]), &model.model(), &|_| true, true, 1000).expect("valid");
    assert_eq!(shown(&tokenized.sequences[0]), "1 305 67 [269] [2]");
    assert!(tokenized.drift.iter().any(|drift| drift.kind == DriftKind::WithoutLogprobs));
}

#[test]
fn edited_text_is_told_and_the_tokens_are_trained() {
    let tiny = Tiny::new();
    let drift = |text: &str| {
        let exchange = turn(json!([user("?")]), &ASK, &[(&[YES, END], text)]);
        tokenize(&captured(vec![exchange])).expect("valid").drift
    };
    assert_eq!(drift(&tiny.decode(&[YES])), []);
    let [told] = drift("something else").try_into().expect("one place");
    assert_eq!(told.kind, DriftKind::Edited);
    assert_eq!(told.path.to_string(), "exchanges.chat_completions[0].response.choices[0]");
}

#[test]
fn a_sequence_that_is_too_long_leaves_shared_tokens_to_others() {
    let long = two(NO);
    let model = Tiny::new();
    let exchanges = captured(vec![one(), long, two(MAYBE)]);
    let read = |length| tokenize_exchanges(&exchanges, &model.model(), &|_| true, false, length).expect("valid");
    let trained = |length| read(length).sequences.iter().map(TokenizedSequence::trained_tokens).collect::<Vec<_>>();
    assert_eq!(trained(100), [4, 2]);
    assert_eq!(trained(8), [4, 4], "neither is trained, so neither takes the first turn from the other");
}

#[test]
fn other_protocols_are_read_by_their_own_fields() {
    let exchange = |request: Value, response: Value| {
        let mut exchange = at(1, json!({"request": request, "response": response}));
        exchange["request"]["model"] = "trained".into();
        exchange
    };
    let read = |list: &str, exchanges: Vec<Value>| {
        let exchanges = serde_json::from_value(json!({ list: exchanges })).expect("exchanges");
        tokenize(&exchanges).map(|tokenized| tokenized.sequences.iter().map(shown).collect::<Vec<_>>())
    };
    let choice = json!({"index": 0, "text": "x", "token_ids": [269, 2], "logprobs": {"token_logprobs": [-1, -2]}});
    let completion = exchange(json!({"prompt": ASK}), json!({"choices": [choice]}));
    assert_eq!(read("completions", vec![completion]).expect("valid"), ["1 305 67 [269] [2]"]);
    let generation = json!({"prompt_token_ids": ASK, "output_tokens": [
        {"token": "token_id:269", "logprob": -1}, {"token_id": 2, "logprob": -2},
    ]});
    let compact = json!({"prompt_token_ids": ASK, "token_ids": [269, 2], "compact_logprobs": [-1, -2]});
    for generation in [generation, compact] {
        let response = exchange(json!({"input": "?"}), json!({"token_generations": [generation]}));
        assert_eq!(read("responses", vec![response]).expect("valid"), ["1 305 67 [269] [2]"]);
    }
    let error = read("responses", vec![exchange(json!({}), json!({"output": []}))]).expect_err("refused");
    assert!(error.to_string().contains("token_generations"), "{error}");
    let message = json!({"prompt_token_ids": ASK, "token_ids": [269, 2], "logprobs": [-1, -2]});
    assert_eq!(read("messages", vec![exchange(json!({}), message)]).expect("valid"), ["1 305 67 [269] [2]"]);
}

proptest! {
    /// For any sampled rollout, each pair of a prefix and a sampled token is trained exactly once.
    #[test]
    fn every_sampled_token_is_trained_once_for_each_prefix(
        turns in prop::collection::vec((0_usize..4, prop::collection::vec(200_u32..203, 1..4)), 1..8),
    ) {
        let mut known: Vec<(Vec<Value>, Vec<u32>)> = vec![(vec![user("?")], ASK.to_vec())];
        let mut exchanges = Vec::new();
        let mut expected = std::collections::BTreeSet::new();
        for (from, ids) in turns {
            let (messages, prompt) = known[from % known.len()].clone();
            exchanges.push(turn(messages.clone().into(), &prompt, &[(&ids, &format!("{ids:?}"))]));
            for end in 0..ids.len() {
                expected.insert([prompt.as_slice(), &ids[..=end]].concat());
            }
            let messages = [messages, vec![said(&format!("{ids:?}")), user("again?")]].concat();
            known.push((messages, [prompt.as_slice(), &ids, &AGAIN].concat()));
        }
        let mut trained = Vec::new();
        for sequence in tokenize(&captured(exchanges)).expect("valid").sequences {
            let ends = sequence.mask.iter().enumerate().filter(|(_, trained)| **trained);
            trained.extend(ends.map(|(end, _)| sequence.tokens[..=end].to_vec()));
        }
        prop_assert_eq!(trained.len(), expected.len());
        prop_assert_eq!(trained.into_iter().collect::<std::collections::BTreeSet<_>>(), expected);
    }
}
