//! Tests of the bodies against recorded exchanges with vLLM 0.32.0.

use serde_json::Value;

use super::*;

/// Returns the recorded response of this name.
fn recorded(name: &str) -> Value {
    let recordings: Value =
        serde_json::from_str(include_str!("../../../tests/recordings/vllm-0.32.0.json")).expect("JSON");
    let response = recordings[name]["response"].clone();
    assert!(!response.is_null(), "no recording {name:?}");
    response
}

fn response(name: &str) -> GenerateResponse {
    serde_json::from_value(recorded(name)).expect(name)
}

#[test]
fn tokens_with_alternatives() {
    let mut response = response("logprobs 3");
    let choice = response.choices.remove(0);
    assert_eq!(choice.finish_reason.as_deref(), Some("stop"));
    let tokens = choice.tokens(2).expect("tokens");
    assert_eq!(tokens[0].top, [(1093, -0.940_840_07), (1091, -2.190_84)]);
    assert_eq!((tokens[1].id, tokens[1].logprob), (2, -0.000_311_564_54));
    assert!(tokens.iter().all(Token::is_finite));
    let mut broken = self::response("not finite");
    let tokens = broken.choices.remove(0).tokens(0).expect("tokens");
    assert!(tokens.iter().all(|token| !token.is_finite() && token.top.is_empty()));
}

#[test]
fn scores_of_a_prompt() {
    let prompt = [1, 273, 201, 478, 286, 475, 16, 2, 201, 1, 272, 201];
    for (name, top) in [("prompt_logprobs 0", 0), ("prompt_logprobs 2", 2)] {
        let scores = response(name).prompt_logprobs().expect("scores");
        let tokens = prompt_tokens(&prompt, scores, top).expect("of this prompt");
        assert_eq!(tokens[0], PromptToken { id: 1, logprob: None, top: Vec::new() });
        assert_eq!((tokens[1].id, tokens[1].logprob), (273, Some(-0.172_618_12)));
        assert!(tokens[1..].iter().all(|token| token.top.len() == top), "{tokens:?}");
        // The prompt's own token has rank 3 here.
        assert!(top == 0 || tokens[3].top.iter().all(|(id, _)| *id != 478));
    }
    let scores = response("prompt_logprobs 0").prompt_logprobs().expect("scores");
    assert_eq!(prompt_tokens(&[1, 274, 201], scores, 0), None);
}

#[test]
fn answers_of_completions() {
    let mut response = response("completions: token prompt");
    let choice = response.choices.remove(0);
    assert_eq!(choice.finish_reason.as_deref(), Some("stop"));
    let tokens = choice.tokens(1).expect("tokens");
    assert_eq!((tokens[0].id, tokens[0].logprob), (1093, -0.940_996_77));
    assert_eq!((tokens[1].id, tokens[1].top.as_slice()), (2, &[(2, -0.000_311_326_2)][..]));
    let prompt = [1, 273, 201, 478, 286, 475, 16, 2, 201, 1, 272, 201];
    let scores = self::response("completions: prompt_logprobs").prompt_logprobs().expect("scores");
    let scores = prompt_tokens(&prompt, scores, 0).expect("of this prompt");
    assert_eq!((scores[1].id, scores[1].logprob), (273, Some(-0.172_622_13)));
    // A token that has no log-probability, and one of another id.
    for broken in [
        r#"{"choices":[{"token_ids":[7,8],"logprobs":{"token_logprobs":[-1.0],"top_logprobs":[]}}]}"#,
        r#"{"choices":[{"token_ids":[7],"logprobs":{"token_logprobs":[-1.0],"top_logprobs":[{"x":-1.0}]}}]}"#,
    ] {
        let mut response: GenerateResponse = serde_json::from_str(broken).expect("JSON");
        assert_eq!(response.choices.remove(0).tokens(0), None, "{broken}");
    }
}

#[test]
fn errors_are_objects_or_texts() {
    let body = |name| serde_json::from_value::<ErrorBody>(recorded(name)).expect(name).error;
    assert!(matches!(body("wrong key"), ErrorValue::Text(text) if text == "Unauthorized"));
    for (name, code) in [("unknown model", 404), ("scale-out disabled", 403), ("engine dead", 500)] {
        assert!(matches!(body(name), ErrorValue::Object(error) if error.code == Some(code)), "{name}");
    }
}

#[test]
fn models_and_metrics() {
    let models: Models = serde_json::from_value(recorded("models")).expect("models");
    assert_eq!((models.data[0].id.as_str(), models.data[0].max_model_len), ("base", Some(512)));
    assert!(models.data[1].parent.as_deref() == Some("base") && models.data[1].max_model_len.is_none());
    let text = "# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds 1.79537603e+09\n\
                vllm:num_requests_running{engine=\"0\",model_name=\"base\"} 45.0\n\
                vllm:num_requests_running{engine=\"1\"} 1.0\nvllm:num_requests_waiting{engine=\"0\"} 3.0\nnonsense\n";
    assert_eq!(Gauges::parse(text), Gauges { started: 1_795_376_030.0, running: 46, waiting: 3 });
}
