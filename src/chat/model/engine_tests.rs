//! Chat with the built-in model and the real engine.

use std::sync::OnceLock;

use serde_json::{Value, json};

use super::*;
use crate::chat::{ChatFinish, ChatOutcome};
use crate::engine::Adapter;
use crate::engine::sampler::{AdapterHash, AdapterRef};
use crate::engine::scheduler::{EngineSampler, SamplerLimits};
use crate::engine::{
    AdamHyper, AdamState, BaseModel, ComputePool, LoraOptions, SequenceInput, TrainSession, WeightFormat,
};

struct World {
    pool: Arc<ComputePool>,
    base: Arc<BaseModel>,
    files: ModelFiles,
}

fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| {
        let files = ModelFiles::seedling().unwrap();
        let pool = ComputePool::new(2);
        let shards: Vec<(&str, &[u8])> =
            files.weights.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
        let base = BaseModel::load(&files.config_json, &shards, WeightFormat::F32, &pool).unwrap();
        World { pool, base, files }
    })
}

pub(super) fn served(limits: SamplerLimits) -> Arc<ServedModel> {
    let world = world();
    let sampler = EngineSampler::start(world.pool.clone(), world.base.clone(), limits).unwrap();
    Arc::new(ServedModel::new(&world.files, Arc::new(sampler)).unwrap())
}

/// Returns an adapter after one large training step from its initial state.
fn adapter(seed: u64) -> Arc<Adapter> {
    let world = world();
    let fresh = Adapter::new(&world.base.config, &LoraOptions::default(), seed);
    let adam = AdamState::new(&fresh);
    let mut session = TrainSession::new(world.pool.clone(), world.base.clone(), fresh, adam);
    let tokens: Vec<u32> = (0..20).map(|i| (i * 37 + seed as u32) % 1000 + 3).collect();
    let scored: Vec<bool> = (0..20).map(|i| i > 0).collect();
    let sequence = SequenceInput { tokens: &tokens, scored: &scored };
    session.forward_backward(&[sequence], &mut |scores| vec![vec![-1.0; scores[0].logprobs.len()]]).unwrap();
    let hyper = AdamHyper { lr: 0.01, beta1: 0.9, beta2: 0.99, eps: 1e-8, weight_decay: 0.0, clip_norm: 1.0 };
    session.step(&hyper).unwrap();
    Arc::new(session.into_parts().0)
}

async fn ask(model: &Arc<ServedModel>, adapter: Option<Arc<Adapter>>, mut body: Value) -> (Vec<u32>, ChatOutcome) {
    if body.get("messages").is_none() {
        body["messages"] = json!([{"role": "user", "content": "Tell me something."}]);
    }
    let refer = |adapter| AdapterRef::in_memory(AdapterHash { config: [0; 32], weights: [0; 32] }, adapter);
    let adapter = adapter.map(refer);
    let mut stream = model.chat(adapter, ChatRequest::from_json(body.as_object().unwrap()).unwrap()).await.unwrap();
    let prompt = stream.prompt().to_vec();
    (prompt, stream.collect().await.unwrap())
}

/// Checks the condition for an importance ratio of exactly 1 for a fresh rollout.
#[tokio::test]
async fn sampled_logprobs_are_those_of_the_trainer_bit_for_bit() {
    let model = served(SamplerLimits { rows_per_step: 7, ..SamplerLimits::default() });
    let world = world();
    for adapter in [None, Some(adapter(1)), Some(adapter(2))] {
        let (prompt, outcome) =
            ask(&model, adapter.clone(), json!({"n": 3, "max_tokens": 40, "seed": 3, "stop": ["\u{2603}"]})).await;
        let trained =
            adapter.as_deref().cloned().unwrap_or_else(|| Adapter::new(&world.base.config, &LoraOptions::default(), 0));
        let adam = AdamState::new(&trained);
        let mut session = TrainSession::new(world.pool.clone(), world.base.clone(), trained, adam);
        for choice in outcome.choices {
            let tokens: Vec<u32> = prompt.iter().copied().chain(choice.tokens.iter().map(|token| token.id)).collect();
            let scored: Vec<bool> = (0..tokens.len()).map(|place| place >= prompt.len()).collect();
            let scores = session.score(&[SequenceInput { tokens: &tokens, scored: &scored }]).unwrap().remove(0);
            let sampled: Vec<u32> = choice.tokens.iter().map(|token| token.logprob.to_bits()).collect();
            let trainer: Vec<u32> = scores.logprobs.iter().map(|logprob| logprob.to_bits()).collect();
            assert_eq!(sampled, trainer);
        }
    }
}

#[tokio::test]
async fn requests_in_one_batch_do_not_change_one_another() {
    let bodies: Vec<Value> = (0..6)
        .map(|i| json!({"messages": [{"role": "user", "content": "word ".repeat(i * 9 + 1)}], "max_tokens": 20, "seed": i, "top_logprobs": 2}))
        .collect();
    let adapters = [None, Some(adapter(1)), Some(adapter(2))];
    let alone = served(SamplerLimits { max_running: 1, rows_per_step: 500, ..SamplerLimits::default() });
    let mut expected = Vec::new();
    for (i, body) in bodies.iter().enumerate() {
        expected.push(ask(&alone, adapters[i % 3].clone(), body.clone()).await.1);
    }
    // A cache of 256 tokens: samples are suspended and recomputed.
    let together = served(SamplerLimits { cache_tokens: 256, rows_per_step: 5, ..SamplerLimits::default() });
    let tasks: Vec<_> = bodies
        .into_iter()
        .enumerate()
        .map(|(i, body)| {
            let (model, adapter) = (together.clone(), adapters[i % 3].clone());
            tokio::spawn(async move { ask(&model, adapter, body).await.1 })
        })
        .collect();
    for (task, expected) in tasks.into_iter().zip(expected) {
        assert_eq!(task.await.unwrap(), expected);
    }
}

#[tokio::test]
async fn structured_output_holds_on_a_real_model() {
    let model = served(SamplerLimits::default());
    let parameters = json!({"type": "object", "properties": {"city": {"type": "string", "enum": ["Rome", "Oslo"]}, "metric": {"type": "boolean"}},
        "required": ["city", "metric"], "additionalProperties": false});
    let tools = json!([{"type": "function", "function": {"name": "get_weather", "parameters": parameters}}, {"type": "function", "function": {"name": "now"}}]);
    let named = json!({"type": "function", "function": {"name": "get_weather"}});
    for (choice, temperature) in [(json!("required"), 0.0), (json!("required"), 1.0), (named, 1.0)] {
        let body = json!({"tools": tools, "tool_choice": choice, "max_tokens": 200, "seed": 1, "n": 2, "temperature": temperature});
        for choice in ask(&model, None, body).await.1.choices {
            assert_eq!(choice.finish, ChatFinish::ToolCalls);
            assert_eq!((choice.content, choice.tool_calls.len()), (None, 1));
            assert!(model.end_of_turn().contains(&choice.tokens.last().unwrap().id));
            let call = &choice.tool_calls[0];
            let arguments = serde_json::from_str(&call.arguments).unwrap();
            match call.name.as_str() {
                "get_weather" => assert!(jsonschema::is_valid(&parameters, &arguments), "{arguments}"),
                name => assert_eq!((name, arguments), ("now", json!({}))),
            }
        }
    }
    let format = json!({"type": "json_schema", "json_schema": {"name": "x", "schema": parameters}});
    for seed in 0..3 {
        let body = json!({"response_format": format, "max_tokens": 200, "seed": seed});
        let choice = ask(&model, None, body).await.1.choices.remove(0);
        assert_eq!(choice.finish, ChatFinish::Stop);
        let value = serde_json::from_str(choice.content.as_deref().unwrap()).unwrap();
        assert!(jsonschema::is_valid(&parameters, &value), "{value}");
    }
}

/// Returns the body of a request for a call with many forced tokens, and that of one for a JSON completion.
fn structured_bodies() -> [Value; 2] {
    let parameters = json!({"type": "object", "properties": {
        "destination_city": {"type": "string", "enum": ["Rome", "Oslo", "Lisbon"]},
        "return_in_metric_units": {"type": "boolean"},
        "number_of_travellers": {"type": "integer", "minimum": 1, "maximum": 9}},
        "required": ["destination_city", "return_in_metric_units", "number_of_travellers"],
        "additionalProperties": false});
    let tools = json!([{"type": "function", "function": {"name": "search_for_connections", "parameters": parameters}}]);
    [
        json!({"tools": tools, "tool_choice": "required", "max_tokens": 200}),
        json!({"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": parameters}},
            "max_tokens": 200}),
    ]
}

#[tokio::test]
async fn forced_and_drafted_tokens_take_no_step_and_change_no_bit() {
    let quick = served(SamplerLimits::default());
    let plain = served(SamplerLimits { forced_rows: 0, draft_rows: 0, ..SamplerLimits::default() });
    let sampling = [
        json!({"temperature": 0}),
        json!({"seed": 5, "n": 2, "top_logprobs": 3}),
        json!({"seed": 6, "top_p": 0.8, "frequency_penalty": 0.5, "repetition_penalty": 1.2, "logit_bias": {"40": 3}}),
    ];
    let (mut tokens, mut before) = (0, (0, 0));
    for body in structured_bodies() {
        for (sampling, adapter) in sampling.iter().zip([None, Some(adapter(1)), None]) {
            let mut body = body.clone();
            body.as_object_mut().unwrap().extend(sampling.as_object().unwrap().clone());
            let (_, expected) = ask(&plain, adapter.clone(), body.clone()).await;
            let (_, outcome) = ask(&quick, adapter, body.clone()).await;
            for (choice, expected) in outcome.choices.iter().zip(&expected.choices) {
                assert_eq!((&choice.tokens, choice.finish), (&expected.tokens, expected.finish), "{body}");
            }
            let bits = |outcome: &ChatOutcome| -> Vec<(u32, u32)> {
                let tokens = outcome.choices.iter().flat_map(|choice| &choice.tokens);
                tokens.map(|token| (token.id, token.logprob.to_bits())).collect()
            };
            assert_eq!(bits(&outcome), bits(&expected), "{body}");
            tokens += bits(&outcome).len() as u64;
            let (quick, plain) = (quick.sampler().load(), plain.sampler().load());
            println!(
                "{body}: {} steps, {} without forced and drafted tokens",
                quick.steps - before.0,
                plain.steps - before.1
            );
            before = (quick.steps, plain.steps);
        }
    }
    let (quick, plain) = (quick.sampler().load(), plain.sampler().load());
    assert_eq!((plain.forced_tokens, plain.drafted_tokens), (0, 0));
    assert!(quick.forced_tokens > 0 && quick.accepted_tokens > 0, "{quick:?}");
    assert!((quick.forced_tokens + quick.accepted_tokens) * 2 > tokens, "of {tokens} tokens: {quick:?}");
    assert!(quick.steps * 2 < plain.steps, "{} steps, {} with a step for each token", quick.steps, plain.steps);
}

#[tokio::test]
async fn zero_temperature_takes_the_likeliest_token_and_ends_in_time() {
    let model = served(SamplerLimits::default());
    let (prompt, outcome) = ask(&model, None, json!({"temperature": 0, "top_logprobs": 3, "max_tokens": 12})).await;
    for token in &outcome.choices[0].tokens {
        assert_eq!((token.id, token.logprob), (token.top[0].id, token.top[0].logprob));
        assert!(token.top.is_sorted_by(|left, right| left.logprob >= right.logprob));
    }
    let (_, unbounded) = ask(&model, None, json!({"seed": 1})).await;
    let tokens = unbounded.choices[0].tokens.len();
    assert!(prompt.len() + tokens <= model.context_length());
    assert_eq!(unbounded.choices[0].finish == ChatFinish::Length, prompt.len() + tokens == model.context_length());
}

#[tokio::test]
async fn an_answer_can_be_continued_and_its_prompt_looked_at() {
    let model = served(SamplerLimits::default());
    let user = json!({"role": "user", "content": "yes, no or maybe?"});
    let greedy = json!({"messages": [user], "temperature": 0, "max_tokens": 8});
    let (prompt, whole) = ask(&model, None, greedy.clone()).await;
    let whole = &whole.choices[0];
    let text = whole.content.clone().unwrap();
    let (begun, rest) = text.split_at(text.char_indices().nth(2).map_or(text.len(), |(index, _)| index));
    let begun_messages = json!([user, {"role": "assistant", "content": begun}]);
    let body =
        json!({"messages": begun_messages, "continue_final_message": true, "max_tokens": 8, "prompt_logprobs": 2});
    let mut stream = model.chat(None, ChatRequest::from_json(body.as_object().unwrap()).unwrap()).await.unwrap();
    let continued = stream.prompt().to_vec();
    assert_eq!(continued[..prompt.len()], prompt, "the turn that was opened is the one that is continued");
    let tokenizer = model.tokenizer();
    assert_eq!(tokenizer.decode(&continued[prompt.len()..]), begun, "{rest:?} follows");
    stream.collect().await.unwrap();
    let logprobs = stream.take_prompt_logprobs(tokenizer).expect("they were asked for");
    assert!(stream.take_prompt_logprobs(tokenizer).is_none(), "they are given out once");
    assert_eq!(logprobs.len(), continued.len());
    assert!(logprobs[0].is_empty());
    // The trainer's logprobs of the same tokens match bit for bit.
    let world = world();
    let fresh = Adapter::new(&world.base.config, &LoraOptions::default(), 0);
    let adam = AdamState::new(&fresh);
    let mut session = TrainSession::new(world.pool.clone(), world.base.clone(), fresh, adam);
    let scored: Vec<bool> = (0..continued.len()).map(|place| place > 0).collect();
    let scores = session.score(&[SequenceInput { tokens: &continued, scored: &scored }]).unwrap().remove(0);
    for ((place, token), expected) in logprobs[1..].iter().zip(&continued[1..]).zip(scores.logprobs.iter()) {
        let own = place.iter().find(|entry| entry.id == *token).expect("the token itself");
        assert_eq!(own.logprob.to_bits(), expected.to_bits());
        assert_eq!(place.iter().filter(|entry| entry.rank.is_some()).count(), 2);
    }
}

#[tokio::test]
async fn an_answer_may_be_held_open() {
    let model = served(SamplerLimits::default());
    let end = model.end_of_turn().to_vec();
    let ids = |outcome: ChatOutcome| outcome.choices[0].tokens.iter().map(|token| token.id).collect::<Vec<_>>();
    let body = |more: Value| {
        let mut body = json!({"seed": 4, "max_tokens": 40, "logit_bias": {end[0].to_string(): 100}});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    assert_eq!(ids(ask(&model, None, body(json!({}))).await.1), [end[0]], "the bias ends it at once");
    let held = ids(ask(&model, None, body(json!({"min_tokens": 6}))).await.1);
    assert_eq!((held.len(), held.iter().position(|id| end.contains(id))), (7, Some(6)));
    assert_eq!(ids(ask(&model, None, body(json!({"ignore_eos": true}))).await.1), [end[0]; 40]);
    let stopped = ids(ask(
        &model,
        None,
        body(json!({"min_tokens": 2, "stop_token_ids": [7], "ignore_eos": true, "logit_bias": {"7": 100}})),
    )
    .await
    .1);
    assert_eq!((stopped.len(), stopped[2]), (3, 7));
}
