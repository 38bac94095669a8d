//! Chat with a sampler that returns scripted tokens.

use std::sync::Mutex;

use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::*;
use crate::budget::Budget;
use crate::chat::completion_memory::ENTRY_BYTES;
use crate::chat::{ChatDelta, ChatFinish, ChatOutcome, CompletionPrompt, CompletionRequest, ToolCall};
use crate::engine::sampler::{FinishReason, GenerateEvent, SampleError, SamplerError, SamplerLoad};
use crate::engine::sampling::SamplingParameters;
use crate::text::testing::tiny_tokenizer as tiny;

const END: u32 = 2;

/// Returns the scripted tokens; a constraint checks them.
#[derive(Default)]
struct Script {
    tokens: Vec<u32>,
    stop_tokens: Mutex<Vec<u32>>,
    finish: Option<FinishReason>,
    /// Error in place of an end.
    failure: Option<SampleError>,
    requests: Mutex<Vec<(Arc<[u32]>, SamplingParameters)>>,
    receivers_dropped: Arc<Mutex<usize>>,
}

impl Sampler for Script {
    fn generate(&self, requests: Vec<GenerateRequest>) -> Result<Vec<mpsc::Receiver<GenerateEvent>>, SamplerError> {
        let mut receivers = Vec::new();
        for request in requests {
            let (sender, receiver) = mpsc::channel(self.tokens.len() + 1);
            for &id in &self.tokens {
                let top = vec![(id, -0.5); request.sampling.top_logprobs];
                sender.try_send(GenerateEvent::Token { id, logprob: -0.5, top }).unwrap();
            }
            match (self.finish, &self.failure) {
                (_, Some(error)) => sender.try_send(GenerateEvent::Failed(error.clone())).unwrap(),
                (Some(reason), None) => sender.try_send(GenerateEvent::Finished(reason)).unwrap(),
                (None, None) => {
                    let dropped = self.receivers_dropped.clone();
                    tokio::spawn(async move {
                        sender.closed().await;
                        *dropped.lock().unwrap() += 1;
                    });
                }
            }
            *self.stop_tokens.lock().unwrap() = request.stop_tokens;
            self.requests.lock().unwrap().push((request.prompt, request.sampling));
            receivers.push(receiver);
        }
        Ok(receivers)
    }

    fn context_length(&self) -> usize {
        100
    }

    fn load(&self) -> SamplerLoad {
        SamplerLoad::default()
    }
}

fn model(text: &str, ends: bool) -> (Arc<ServedModel>, Arc<Script>) {
    let mut tokens = tiny().encode_ordinary(text).unwrap();
    if ends {
        tokens.push(END);
    }
    scripted(tokens, Some(if ends { FinishReason::Stop } else { FinishReason::Length }))
}

fn scripted(tokens: Vec<u32>, finish: Option<FinishReason>) -> (Arc<ServedModel>, Arc<Script>) {
    let script = Arc::new(Script { tokens, finish, ..Script::default() });
    let directory = tempfile::tempdir().unwrap();
    crate::model_files::tests::write_model(directory.path());
    let files = ModelFiles::from_path("tiny/model", directory.path()).unwrap();
    (Arc::new(ServedModel::new(&files, script.clone()).unwrap()), script)
}

/// Returns the built-in model with a sampler that returns no tokens.
pub(super) fn silent() -> Arc<ServedModel> {
    Arc::new(ServedModel::new(&ModelFiles::seedling().unwrap(), Arc::new(Script::default())).unwrap())
}

fn request(body: Value) -> ChatRequest {
    let mut body = body;
    if body.get("messages").is_none() {
        body["messages"] = json!([{"role": "user", "content": "a"}]);
    }
    ChatRequest::from_json(body.as_object().unwrap()).unwrap()
}

async fn deltas(model: &Arc<ServedModel>, body: Value) -> Vec<ChatDelta> {
    let mut stream = model.chat(None, request(body)).await.unwrap();
    let mut deltas = Vec::new();
    while let Some(delta) = stream.next().await {
        deltas.push(delta.unwrap());
    }
    deltas
}

async fn outcome(model: &Arc<ServedModel>, body: Value) -> ChatOutcome {
    model.chat(None, request(body)).await.unwrap().collect().await.unwrap()
}

#[tokio::test]
async fn answers_that_are_collected_take_limited_memory() {
    let (model, script) = model("yes yes yes", true);
    let body = json!({"n": 2, "top_logprobs": 4});
    let budget = Box::leak(Box::new(Budget::new(3 * script.tokens.len() * 5 * ENTRY_BYTES)));
    let begin = async || model.chat(None, request(body.clone())).await.unwrap().kept_in(budget);
    let (mut first, mut second) = (begin().await, begin().await);
    first.collect().await.unwrap();
    let error = second.collect().await.unwrap_err();
    assert!(matches!(&error, ChatError::Unavailable(message) if message.contains("`top_logprobs`")), "{error}");
    // A request gives back what it took, failed or not.
    drop((first, second));
    begin().await.collect().await.unwrap();
}

#[tokio::test]
async fn a_base_model_without_finite_logits_is_named() {
    let script = Arc::new(Script { failure: Some(SampleError::NotFinite), ..Script::default() });
    let served = ServedModel::new(&ModelFiles::seedling().unwrap(), script).unwrap();
    let error = Arc::new(served).chat(None, request(json!({}))).await.unwrap().collect().await.unwrap_err();
    assert!(matches!(&error, ChatError::BaseNotFinite(name) if name == "trainyard/seedling"), "{error}");
    assert!(error.to_string().contains("base model trainyard/seedling"), "{error}");
}

#[tokio::test]
async fn an_answer_has_text_tokens_and_an_end() {
    let (model, script) = model("yes ☃", true);
    let outcome = outcome(&model, json!({"n": 2, "seed": 7, "top_logprobs": 1, "max_tokens": i64::MAX})).await;
    assert_eq!(outcome.usage.prompt_tokens, 10, "user turn and the opening of the answer");
    assert_eq!(outcome.usage.completion_tokens, 2 * script.tokens.len() as u64);
    for (index, choice) in outcome.choices.iter().enumerate() {
        assert_eq!(choice.index as usize, index);
        assert_eq!(choice.content.as_deref(), Some("yes ☃"));
        assert_eq!(choice.finish, ChatFinish::Stop);
        let bytes: Vec<u8> = choice.tokens.iter().flat_map(|token| token.bytes.clone()).collect();
        assert_eq!(bytes, "yes ☃".as_bytes());
        let last = choice.tokens.last().unwrap();
        assert_eq!((last.id, last.bytes.len(), last.top.len()), (END, 0, 1));
    }
    let requests = script.requests.lock().unwrap();
    assert!(Arc::ptr_eq(&requests[0].0, &requests[1].0), "choices share the prompt");
    assert_eq!(*requests[0].0, [1, 305, 201, 67, 2, 201, 1, 263, 327, 201]);
    assert_eq!(requests.iter().map(|(_, s)| (s.seed, s.sample_index)).collect::<Vec<_>>(), [(7, 0), (7, 1)]);
}

#[tokio::test]
async fn streamed_and_collected_are_the_same() {
    for (text, ends, body) in [
        ("hello é☃ END more", true, json!({"stop": ["END"]})),
        ("hello EN", false, json!({"stop": "END"})),
        (
            "x <tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>",
            true,
            json!({"tools": [{"type": "function", "function": {"name": "f"}}]}),
        ),
    ] {
        let (model, _) = model(text, ends);
        let choice = outcome(&model, body.clone()).await.choices.remove(0);
        let deltas = deltas(&model, body).await;
        assert_eq!(
            deltas.iter().map(|delta| delta.content.as_str()).collect::<String>(),
            choice.content.unwrap_or_default()
        );
        assert_eq!(deltas.iter().flat_map(|delta| delta.tokens.clone()).collect::<Vec<_>>(), choice.tokens);
        let mut calls = Vec::new();
        deltas.iter().flat_map(|delta| delta.tool_calls.clone()).for_each(|call| call.apply(&mut calls));
        let plain = |calls: &[ToolCall]| -> Vec<_> {
            calls.iter().map(|call| (call.name.clone(), call.arguments.clone())).collect()
        };
        assert_eq!(plain(&calls), plain(&choice.tool_calls));
        let reasoning: String = deltas.iter().map(|delta| delta.reasoning.as_str()).collect();
        assert_eq!(reasoning, choice.reasoning.unwrap_or_default());
        let ends: Vec<_> = deltas.iter().filter_map(|delta| delta.finish).collect();
        assert_eq!(ends, [choice.finish]);
        assert!(deltas.last().unwrap().finish.is_some());
    }
}

#[tokio::test]
async fn a_stop_text_ends_the_answer_and_cancels_the_sample() {
    let (model, script) = scripted(tiny().encode_ordinary("abc END tail").unwrap(), None);
    let choice = outcome(&model, json!({"stop": "c EN"})).await.choices.remove(0);
    assert_eq!((choice.content.as_deref(), choice.finish), (Some("ab"), ChatFinish::StopText(0)));
    assert!(choice.tokens.len() < script.tokens.len());
    tokio::time::timeout(std::time::Duration::from_secs(10), async {
        while *script.receivers_dropped.lock().unwrap() == 0 {
            tokio::task::yield_now().await;
        }
    })
    .await
    .unwrap();
}

#[tokio::test]
async fn half_a_character_at_the_end_becomes_one_sign() {
    let snowman = tiny().encode_ordinary("☃").unwrap();
    let (model, _) = scripted(snowman[..snowman.len() - 1].to_vec(), Some(FinishReason::Length));
    let choice = outcome(&model, json!({})).await.choices.remove(0);
    assert_eq!((choice.content.as_deref(), choice.finish), (Some("\u{fffd}"), ChatFinish::Length));
}

#[tokio::test]
async fn tool_calls_are_taken_out_of_the_text() {
    let text = "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"b\": true}}\n</tool_call>";
    let tools = json!([{"type": "function", "function": {"name": "f"}}]);
    let (model, _) = model(text, true);
    let choice = outcome(&model, json!({"tools": tools})).await.choices.remove(0);
    assert_eq!((choice.content, choice.finish), (None, ChatFinish::ToolCalls));
    assert_eq!((choice.tool_calls[0].name.as_str(), choice.tool_calls[0].arguments.as_str()), ("f", "{\"b\": true}"));
    assert!(choice.tool_calls[0].id.starts_with("call_"));
    for body in [json!({}), json!({"tools": tools, "tool_choice": "none"})] {
        let choice = outcome(&model, body).await.choices.remove(0);
        assert_eq!((choice.content.as_deref(), choice.finish), (Some(text), ChatFinish::Stop));
    }
}

#[tokio::test]
async fn an_answer_may_be_limited_to_one_call() {
    let call = "<tool_call>\n{\"name\": \"f\"}\n</tool_call>";
    let (model, _) = model(&format!("{call}\n{call}"), true);
    for (parallel, count) in [(true, 2), (false, 1)] {
        let tools = json!([{"type": "function", "function": {"name": "f"}}]);
        let choice = outcome(&model, json!({"tools": tools, "parallel_tool_calls": parallel})).await.choices.remove(0);
        assert_eq!((choice.content, choice.finish, choice.tool_calls.len()), (None, ChatFinish::ToolCalls, count));
        let ids: std::collections::HashSet<_> = choice.tool_calls.iter().map(|call| &call.id).collect();
        assert_eq!(ids.len(), count);
    }
}

#[tokio::test]
async fn requests_that_cannot_be_answered_are_rejected() {
    let (model, _) = model("a", true);
    let reject = async |body| model.chat(None, request(body)).await.err().unwrap();
    let long = json!({"messages": [{"role": "user", "content": "long text ".repeat(100)}]});
    assert!(matches!(reject(long).await, ChatError::PromptTooLong { limit: 100, .. }));
    // A prompt far over the limit is not counted to its end.
    let endless = json!({"messages": [{"role": "user", "content": "long text ".repeat(1_000_000)}]});
    let rejected = reject(endless).await;
    assert!(matches!(rejected, ChatError::PromptTooLong { prompt: 200..10_000, limit: 100 }), "{rejected:?}");
    for messages in [
        json!(["hi"]),
        json!([{}]),
        json!([{"role": 5, "content": "x"}]),
        json!([{"role": "user", "content": 5}]),
        json!([{"role": "user", "content": ["x"]}]),
    ] {
        let messages = messages.as_array().unwrap().clone();
        let error = model.chat(None, ChatRequest::new(messages)).await.err().unwrap();
        assert!(matches!(&error, ChatError::Invalid { param, .. } if param.starts_with("messages[0]")), "{error:?}");
    }
    let format = json!({"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "nonsense"}}});
    assert!(matches!(reject(json!({"response_format": format})).await, ChatError::Invalid { .. }));
}

#[tokio::test]
async fn a_failed_sample_fails_the_request() {
    let (model, _) = scripted(vec![5], None);
    let mut stream = model.chat(None, request(json!({"n": 2}))).await.unwrap();
    assert!(stream.next().await.unwrap().is_ok());
    let (sender, receiver) = mpsc::channel(1);
    sender.try_send(GenerateEvent::Failed(SampleError::Failed("broken".to_owned()))).unwrap();
    let assembler =
        ChoiceAssembler::new(0, model.tokenizer().clone(), TextOptions::default(), CompletionForm::default());
    let mut stream = ChatStream::new(vec![Arc::from([1])], [(assembler, receiver)], None);
    assert_eq!(stream.next().await, Some(Err(ChatError::Failed("broken".to_owned()))));
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn stop_texts_may_be_included() {
    let tokens = tiny().encode_ordinary("abc END tail").unwrap();
    for (body, content) in [
        (json!({"stop": "END"}), "abc "),
        (json!({"stop": "END", "include_stop_str_in_output": true}), "abc END"),
        (json!({"stop": "b", "min_tokens": tokens.len() - 1}), "abc END tail"),
    ] {
        let (model, _) = scripted(tokens.clone(), Some(FinishReason::Length));
        assert_eq!(outcome(&model, body.clone()).await.choices.remove(0).content.as_deref(), Some(content), "{body}");
    }
    let x = tiny().encode_ordinary("x").unwrap()[0];
    let script = [tiny().encode_ordinary("ab").unwrap(), vec![x]].concat();
    for (include, content) in [(false, "ab"), (true, "abx")] {
        let (model, sampler) = scripted(script.clone(), Some(FinishReason::Stop));
        let body = json!({"stop_token_ids": [x], "include_stop_str_in_output": include, "ignore_eos": true});
        let choice = outcome(&model, body).await.choices.remove(0);
        assert_eq!((choice.content.as_deref(), choice.tokens.len()), (Some(content), script.len()));
        assert_eq!(*sampler.stop_tokens.lock().unwrap(), [x]);
    }
}

#[tokio::test]
async fn control_tokens_are_spelled_when_asked_for() {
    let (model, _) = scripted([tiny().encode_ordinary("a").unwrap(), vec![1, END]].concat(), Some(FinishReason::Stop));
    let said = async |body| outcome(&model, body).await.choices.remove(0).content.unwrap();
    assert_eq!(said(json!({})).await, "a");
    assert_eq!(said(json!({"skip_special_tokens": false})).await, "a<|im_start|>");
}

#[tokio::test]
async fn options_that_the_template_ignores_are_rejected_or_named() {
    let (model, _) = model("a", true);
    let error = model.chat(None, request(json!({"verbosity": "low"}))).await.err().unwrap();
    assert!(matches!(&error, ChatError::Unsupported { param, .. } if param == "verbosity"), "{error:?}");
    let mut stream = model.chat(None, request(json!({"reasoning_effort": "low"}))).await.unwrap();
    assert_eq!(stream.take_ignored(), ["reasoning_effort"]);
    for body in [json!({"reasoning_effort": "none"}), json!({"verbosity": "medium"})] {
        assert!(model.chat(None, request(body)).await.is_ok());
    }
    let variables = |source: &str, body: Value| {
        let template = ChatTemplate::new(source, &[]).unwrap();
        Value::Object(template_variables(&template, &mut request(body)).unwrap())
    };
    let both = json!({"reasoning_effort": "low", "verbosity": "high"});
    assert_eq!(variables("{{ reasoning_effort }}{{ verbosity }}", both.clone()), both);
    let thinks = "{% if enable_thinking %}<think>{% endif %}";
    assert_eq!(variables(thinks, json!({"reasoning_effort": "low"})), json!({"enable_thinking": true}));
    assert_eq!(variables(thinks, json!({"reasoning_effort": "none"})), json!({"enable_thinking": false}));
    let explicit = json!({"reasoning_effort": "none", "chat_template_kwargs": {"enable_thinking": true}});
    assert_eq!(variables(thinks, explicit), json!({"enable_thinking": true}));
}

#[test]
fn reasoning_is_switched_where_the_template_can() {
    let prepared = |source: &str, thinking: bool, effort: Option<&str>| {
        let template = ChatTemplate::new(source, &[]).unwrap();
        let mut request = ChatRequest {
            thinking: Some(thinking),
            reasoning_effort: effort.map(str::to_owned),
            effort_field: "output_config.effort",
            ..ChatRequest::new(Vec::new())
        };
        (Value::Object(template_variables(&template, &mut request).unwrap()), request.ignored)
    };
    let (switch, effort) = ("{% if enable_thinking %}<think></think>{% endif %}", "{{ reasoning_effort }}");
    assert_eq!(prepared(switch, true, None), (json!({"enable_thinking": true}), vec![]));
    assert_eq!(prepared(switch, true, Some("low")), (json!({"enable_thinking": true}), vec![]));
    assert_eq!(prepared(switch, false, Some("low")), (json!({"enable_thinking": false}), vec![]));
    assert_eq!(prepared(effort, true, Some("low")), (json!({"reasoning_effort": "low"}), vec![]));
    assert_eq!(prepared(effort, false, Some("low")), (json!({"reasoning_effort": "none"}), vec![]));
    let ignored = |thinking: bool, source: &str| prepared(source, thinking, Some("low")).1;
    assert_eq!(ignored(true, "{{ a }}"), ["output_config.effort", "thinking"]);
    assert_eq!(ignored(false, "{{ a }}"), [""; 0], "there is no reasoning content to leave out");
    assert_eq!(ignored(false, "<think></think>"), ["thinking"]);
}

#[tokio::test]
async fn the_models_own_defaults_fill_what_a_request_leaves_open() {
    let directory = tempfile::tempdir().unwrap();
    crate::model_files::tests::write_model(directory.path());
    let config = r#"{"eos_token_id": 2, "temperature": 0.6, "top_k": 20, "top_p": 0.95}"#;
    std::fs::write(directory.path().join("generation_config.json"), config).unwrap();
    let files = ModelFiles::from_path("tiny/model", directory.path()).unwrap();
    let script = Arc::new(Script { tokens: vec![END], finish: Some(FinishReason::Stop), ..Script::default() });
    let model = Arc::new(ServedModel::new(&files, script.clone()).unwrap());
    outcome(&model, json!({"top_k": 0, "temperature": null})).await;
    let sampling = script.requests.lock().unwrap()[0].1.clone();
    assert_eq!((sampling.temperature, sampling.top_k, sampling.top_p, sampling.min_p), (0.6, 0, 0.95, 0.0));
}

#[tokio::test]
async fn a_form_has_its_own_end() {
    let (model, _) = model("a", true);
    for (field, value) in [("ignore_eos", json!(true)), ("min_tokens", json!(2))] {
        let error = model.chat(None, request(json!({"guided_regex": "a+", field: value}))).await.err().unwrap();
        assert!(matches!(&error, ChatError::Invalid { param, .. } if param == field), "{error:?}");
    }
    let error = model.chat(None, request(json!({"min_tokens": 5, "max_tokens": 4}))).await.err().unwrap();
    assert!(matches!(&error, ChatError::Invalid { param, .. } if param == "min_tokens"), "{error:?}");
}

#[tokio::test]
async fn answers_that_nobody_reads_are_so_many_for_each_owner() {
    let (model, _) = scripted(vec![5], None);
    let ask = async |owner: &str| {
        let request = ChatRequest { owner: owner.into(), ..request(json!({"n": 128})) };
        model.chat(None, request).await
    };
    let mut unread = Vec::new();
    let rejection = loop {
        match ask("slow").await {
            Ok(stream) => unread.push(stream),
            Err(rejection) => break rejection,
        }
        assert!(unread.len() < 1000, "there is no bound");
    };
    assert!(matches!(rejection, ChatError::Busy(_)), "{rejection:?}");
    assert!(unread.len() >= 16, "{} streams", unread.len());
    assert!(ask("other").await.is_ok());
    // Dropping one makes space for another.
    unread.pop();
    assert!(ask("slow").await.is_ok());
}

/// Returns a request for completions.
fn completions(prompts: Vec<CompletionPrompt>) -> CompletionRequest {
    let options = ChatRequest { n: 2, seed: Some(7), max_tokens: Some(9), ..ChatRequest::new(Vec::new()) };
    CompletionRequest { prompts, add_special_tokens: true, options }
}

#[tokio::test]
async fn every_prompt_is_gone_on_with_as_it_is() {
    let (model, script) = model("<think>a</think> b", false);
    let prompts = vec![CompletionPrompt::Text("<|im_start|>a".to_owned()), CompletionPrompt::Tokens(vec![67, 68])];
    let mut stream = model.complete_from(None, (), move || Ok(completions(prompts))).await.unwrap();
    let prompts: Vec<Vec<u32>> = stream.prompts().map(|prompt| prompt.to_vec()).collect();
    assert_eq!(prompts, [vec![1, 67], vec![67, 68]], "no template, and spellings are control tokens");
    let outcome = stream.collect().await.unwrap();
    assert_eq!(outcome.usage.prompt_tokens, 4);
    assert_eq!(outcome.usage.completion_tokens, 4 * script.tokens.len() as u64);
    for (index, choice) in outcome.choices.iter().enumerate() {
        assert_eq!((choice.index as usize, choice.reasoning.as_deref()), (index, None));
        assert_eq!(choice.content.as_deref(), Some("<think>a</think> b"), "nothing is taken out");
    }
    let requests = script.requests.lock().unwrap();
    let samples: Vec<_> = requests.iter().map(|(_, sampling)| (sampling.seed, sampling.sample_index)).collect();
    assert_eq!(samples, [(7, 0), (7, 1), (7, 0), (7, 1)], "each prompt has the samples that it has alone");
}

#[tokio::test]
async fn a_prompt_that_cannot_be_used_is_named() {
    let (model, _) = model("a", true);
    let rejected = async |prompts| match model.complete_from(None, (), move || Ok(completions(prompts))).await {
        Err(error) => error,
        Ok(_) => panic!("it is taken"),
    };
    let text = |text: &str| CompletionPrompt::Text(text.to_owned());
    for (prompts, field) in
        [(vec![text("")], "prompt"), (vec![text("a"), CompletionPrompt::Tokens(Vec::new())], "prompt[1]")]
    {
        let error = rejected(prompts).await;
        assert!(matches!(&error, ChatError::Invalid { param, .. } if param == field), "{error:?}");
    }
    for long in ["a".repeat(1_000), "a".repeat(10_000)] {
        let error = rejected(vec![text("a"), text(&long)]).await;
        assert!(matches!(error, ChatError::PromptTooLong { limit: 100, .. }), "{error:?}");
    }
}
