//! For any chat template, each turn is trained after exactly the prompt it was sampled from.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use proptest::prelude::*;
use serde_json::{Map, json};

use super::*;
use crate::golden::Tiny;
use trainyard_text::{RenderInput, TemplateError, render_prompt};

/// An assistant turn and the messages before it.
#[derive(Debug, Clone)]
struct Exchange {
    question: String,
    thoughts: Option<String>,
    completion: String,
    calls: bool,
}

fn exchange() -> impl Strategy<Value = Exchange> {
    let texts = ("[ -~é☃]{0,12}", prop::option::of("[a-z]([a-z ☃]{0,8}[a-z])?"), "[a-z☃]([a-z é☃]{0,10}[a-z☃])?");
    (texts, any::<bool>()).prop_map(|((question, thoughts, completion), calls)| Exchange {
        question,
        thoughts,
        completion,
        calls,
    })
}

impl Exchange {
    /// Returns the model's text and the resulting message.
    fn reply(&self) -> (String, Value) {
        let (mut text, mut message) = (String::new(), json!({"role": "assistant", "content": self.completion}));
        if let Some(thoughts) = &self.thoughts {
            text += &format!("<think>\n{thoughts}\n</think>\n\n");
            message["reasoning_content"] = thoughts.as_str().into();
        }
        text += &self.completion;
        if self.calls {
            let arguments = r#"{"city": "Rome ☃"}"#;
            text += &format!("\n<tool_call>\n{{\"name\": \"f\", \"arguments\": {arguments}}}\n</tool_call>");
            let function = json!({"name": "f", "arguments": arguments});
            message["tool_calls"] = json!([{"id": "a1b2c3d4e", "type": "function", "function": function}]);
        }
        (text, message)
    }
}

/// Returns the templates of the reference files.
fn templates() -> Vec<(String, Tiny)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/chat_templates/");
    let read = |file: &str| std::fs::read_to_string(format!("{folder}{file}"));
    let rendered: Map<String, Value> = serde_json::from_str(&read("rendered.json").expect("a file")).expect("JSON");
    let template = |(name, expected): (String, Value)| {
        let special: std::collections::BTreeMap<String, String> =
            serde_json::from_value(expected["special_tokens"].clone()).expect("spellings");
        let special: Vec<(String, String)> = special.into_iter().collect();
        let tool_use = read(&format!("{name}_tool_use.jinja")).ok();
        let source = read(&format!("{name}.jinja")).expect("a file");
        let clock = Arc::new(|| UNIX_EPOCH + Duration::from_secs(1_741_529_107));
        let template = ChatTemplate::with_clock(&source, tool_use.as_deref(), &special, clock).expect("a template");
        (name, Tiny::with(template))
    };
    rendered.into_iter().map(template).collect()
}

/// A turn: its prompt and its sampled tokens.
type Sampled = (Vec<u32>, Vec<u32>);

/// Samples the conversation turn by turn. `None` if the template rejects it.
fn sample(tiny: &Tiny, exchanges: &[Exchange], kwargs: &Map<String, Value>) -> Option<(History, Vec<Sampled>)> {
    let model = tiny.model();
    let tools = [
        json!({"type": "function", "function": {"name": "f", "description": "", "parameters": {"type": "object", "properties": {}}}}),
    ];
    let tools = if exchanges.iter().any(|exchange| exchange.calls) { tools.to_vec() } else { Vec::new() };
    let (mut messages, mut items, mut sampled) = (Vec::new(), Vec::new(), Vec::new());
    for exchange in exchanges {
        let question = json!({"role": "user", "content": exchange.question});
        messages.push(question.clone());
        items.push(question);
        let input = RenderInput {
            messages: messages.clone(),
            tools: tools.clone(),
            add_generation_prompt: true,
            continue_final_message: false,
            kwargs: kwargs.clone(),
        };
        let prompt = match render_prompt(model.template, model.tokenizer, input) {
            Ok(prompt) => prompt.encode().expect("tokens"),
            Err(TemplateError::Rejected(_)) => return None,
            Err(error) => panic!("{error}"),
        };
        let (text, message) = exchange.reply();
        let ids = [model.tokenizer.encode_ordinary(&text).expect("tokens"), vec![model.end_of_turn]].concat();
        let entries: Vec<Value> =
            ids.iter().map(|id| json!({"token": format!("token_id:{id}"), "logprob": -0.5})).collect();
        let finish = if exchange.calls { "tool_calls" } else { "stop" };
        items.push(json!({"finish_reason": finish, "message": message, "logprobs": {"content": entries},
            "token_ids": ids, "prompt_token_ids": prompt}));
        messages.push(message);
        if exchange.calls {
            let result = json!({"role": "tool", "tool_call_id": "a1b2c3d4e", "content": "sunny"});
            messages.push(result.clone());
            items.push(result);
        }
        sampled.push((prompt, ids));
    }
    let wire = json!({"messages_and_choices": items, "tools": tools}).to_string();
    Some((serde_json::from_str(&wire).expect("a history"), sampled))
}

/// Returns the trained turns of all sequences: the tokens before each, and its own tokens.
fn trained(tokenized: &TokenizedHistory) -> Vec<Sampled> {
    let mut turns = Vec::new();
    for TokenizedSequence { tokens, mask, .. } in &tokenized.sequences {
        let starts = (1..mask.len()).filter(|position| mask[*position] && !mask[position - 1]);
        turns.extend(starts.map(|start| {
            let end = mask[start..].iter().position(|trained| !trained).map_or(mask.len(), |length| start + length);
            (tokens[..start].to_vec(), tokens[start..end].to_vec())
        }));
    }
    turns
}

fn kinds(tokenized: &TokenizedHistory) -> Vec<DriftKind> {
    tokenized.drift.iter().map(|drift| drift.kind).collect()
}

#[test]
fn a_template_that_takes_thoughts_away_gives_each_turn_a_sequence_of_its_own() {
    let exchange = |question: &str| Exchange {
        question: question.to_owned(),
        thoughts: Some("hm".to_owned()),
        completion: "maybe".to_owned(),
        calls: false,
    };
    let (_, tiny) = templates().into_iter().find(|(name, _)| name == "qwen3").expect("the template");
    let kwargs: Map<String, Value> = [("enable_thinking".to_owned(), true.into())].into_iter().collect();
    let (history, sampled) = sample(&tiny, &[exchange("a"), exchange("b")], &kwargs).expect("not refused");
    let tokenized = tokenize_history(&history, &tiny.model(), false, usize::MAX).expect("valid");
    assert_eq!(kinds(&tokenized), [DriftKind::Discontinued]);
    assert_eq!(tokenized.sequences.len(), 2);
    assert_eq!(trained(&tokenized), sampled);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn turns_are_trained_after_the_prompts_they_were_sampled_from(exchanges in prop::collection::vec(exchange(), 1..4), thinking in any::<bool>()) {
        let kwargs: Map<String, Value> = [("enable_thinking".to_owned(), thinking.into())].into_iter().collect();
        let mut seen = 0;
        for (name, tiny) in templates() {
            let Some((mut history, sampled)) = sample(&tiny, &exchanges, &kwargs) else { continue };
            seen += 1;
            let tokenized = tokenize_history(&history, &tiny.model(), false, usize::MAX).expect("valid");
            prop_assert_eq!(trained(&tokenized), sampled.clone(), "{}", name);
            let broken = vec![DriftKind::Discontinued; tokenized.sequences.len() - 1];
            prop_assert_eq!(kinds(&tokenized), broken, "{}", name);
            for item in &mut history.messages_and_choices {
                item.shift_remove("prompt_token_ids");
            }
            let Ok(rendered) = tokenize_history(&history, &tiny.model(), false, usize::MAX) else { continue };
            let ids = |turns: Vec<Sampled>| turns.into_iter().map(|(_, ids)| ids).collect::<Vec<_>>();
            prop_assert_eq!(ids(trained(&rendered)), ids(sampled), "{}", name);
            prop_assert_eq!(rendered.sequences.len(), 1);
        }
        prop_assert!(seen > 3, "{} templates take this conversation", seen);
    }
}
