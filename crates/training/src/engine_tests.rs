//! Jobs on the real engine and the embedded seedling model: they learn in the right direction and are reproducible to
//! the bit.

use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::config::{RlConfig, SftConfig};
use super::dataset::DatasetLimits;
use super::rl::tests::prepare_rl;
use super::run::{GradientStep, run_rl, run_sft, score_reference};
use super::sft::{SftReader, SftTokenizer, prepare_sft};
use super::tokenize::{TextModel, tokenize_history};
use super::trajectory::{History, TrajectoryGroup};
use trainyard_engine::{
    AdamState, Adapter, BaseModel, ComputePool, LoraOptions, SequenceInput, TrainSession, WeightFormat,
};
use trainyard_text::{ChatTemplate, RenderInput, Tokenizer, render_prompt};

struct Seedling {
    base: Arc<BaseModel>,
    tokenizer: Tokenizer,
    template: ChatTemplate,
    end_of_turn: u32,
}

static SEEDLING: LazyLock<Seedling> = LazyLock::new(|| {
    let tokenizer =
        Tokenizer::from_bytes(include_bytes!("../../../assets/seedling/tokenizer.json")).expect("a tokenizer");
    let weights: &[u8] = include_bytes!("../../../assets/seedling/model.safetensors");
    let config = include_str!("../../../assets/seedling/config.json");
    let template = include_str!("../../../assets/seedling/chat_template.jinja");
    Seedling {
        base: BaseModel::load(config, &[("model.safetensors", weights)], WeightFormat::F32, &ComputePool::new(2))
            .expect("a model"),
        end_of_turn: tokenizer.token_to_id("<|im_end|>").expect("a ChatML vocabulary"),
        template: ChatTemplate::new(template, &[]).expect("a template"),
        tokenizer,
    }
});

impl Seedling {
    fn text(&self) -> TextModel<'_> {
        TextModel {
            tokenizer: &self.tokenizer,
            template: &self.template,
            end_of_turn: self.end_of_turn,
            vocabulary_size: self.base.config.vocab_size,
        }
    }

    fn session(&self, threads: usize) -> TrainSession {
        let adapter = Adapter::new(&self.base.config, &LoraOptions::default(), 3407);
        let adam = AdamState::new(&adapter);
        TrainSession::new(ComputePool::new(threads), self.base.clone(), adapter, adam)
    }

    /// Returns the prompt that sampling would use for the next assistant turn.
    fn prompt(&self, messages: &[Value]) -> Vec<u32> {
        let input = RenderInput { messages: messages.to_vec(), add_generation_prompt: true, ..RenderInput::default() };
        render_prompt(&self.template, &self.tokenizer, input).expect("renders").encode().expect("encodes")
    }

    fn reply(&self, text: &str) -> Vec<u32> {
        let mut ids = self.tokenizer.encode_ordinary(text).expect("encodes");
        ids.push(self.end_of_turn);
        ids
    }

    /// Returns the logprobs of a reply to `q`.
    fn logprobs(&self, session: &mut TrainSession, reply: &[u32]) -> Vec<f32> {
        let prompt = self.prompt(&[json!({"role": "user", "content": "q"})]);
        let tokens = [prompt.as_slice(), reply].concat();
        let scored: Vec<bool> = (0..tokens.len()).map(|index| index >= prompt.len()).collect();
        let sequence = SequenceInput { tokens: &tokens, scored: &scored };
        TrainSession::score(session, &[sequence]).expect("scores").remove(0).logprobs
    }
}

fn choice(ids: &[u32], logprobs: &[f32]) -> Value {
    let entries = ids.iter().zip(logprobs);
    let entries: Vec<Value> =
        entries.map(|(id, logprob)| json!({"token": format!("token_id:{id}"), "logprob": logprob})).collect();
    json!({"finish_reason": "stop", "message": {"role": "assistant", "content": "?"}, "logprobs": {"content": entries}})
}

/// Runs a job on two replies, the first rewarded, with three epochs. Returns the change of the difference between their
/// logprobs, the events, and the adapter's bytes.
fn train_on_two_replies(options: Value, threads: usize) -> (f64, Vec<GradientStep>, Vec<u8>) {
    let session = SEEDLING.session(threads);
    let rewards = [1.0, 0.0];
    let mut reference = SEEDLING.session(threads);
    let (change, steps, session) = train_session(options, session, &mut reference, rewards);
    (change, steps, session.adapter().to_peft("base", &SEEDLING.base.config).adapter_model_safetensors)
}

/// Like [`train_on_two_replies`], with a session and a reference of the caller; returns the session.
fn train_session(
    options: Value,
    mut session: TrainSession,
    reference: &mut TrainSession,
    rewards: [f64; 2],
) -> (f64, Vec<GradientStep>, TrainSession) {
    let seedling = &*SEEDLING;
    let replies = ["yes", "no"].map(|text| seedling.reply(text));
    let before: Vec<Vec<f32>> = replies.iter().map(|reply| seedling.logprobs(&mut session, reply)).collect();
    let trajectory = |index: usize, reward: f64| json!({"messages_and_choices": [{"role": "user", "content": "q"}, choice(&replies[index], &before[index])], "reward": reward});
    let group = json!({"trajectories": [trajectory(0, rewards[0]), trajectory(1, rewards[1])]});
    let groups: Vec<TrajectoryGroup> = serde_json::from_value(json!([group, group, group])).expect("groups");
    let config = RlConfig::from_wire(Some(&options)).expect("options");
    let mut job = prepare_rl(&groups, &config, &seedling.text(), 1024);
    score_reference(reference, &mut job).expect("scores");
    let mut steps = Vec::new();
    run_rl(&mut session, &mut job, 0, &mut |_, step| {
        steps.push(step);
        ControlFlow::Continue(())
    })
    .expect("runs");
    let after: Vec<Vec<f32>> = replies.iter().map(|reply| seedling.logprobs(&mut session, reply)).collect();
    let gap = |logprobs: &[Vec<f32>]| {
        let sum = |index: usize| logprobs[index].iter().map(|logprob| f64::from(*logprob)).sum::<f64>();
        sum(0) - sum(1)
    };
    (gap(&after) - gap(&before), steps, session)
}

/// Returns one job for each option, with the number of its optimizer steps.
fn every_option() -> Vec<(Value, usize)> {
    let unpacked = [
        json!({}),
        json!({"ppo": true}),
        json!({"importance_sampling_level": "sequence"}),
        json!({"importance_sampling_level": "average", "ppo": true}),
        json!({"importance_sampling_level": "geometric_average"}),
        json!({"precalculate_logprobs": true}),
        json!({"scale_rewards": false}),
        json!({"advantage_balance": 0.5}),
        json!({"advantage_balance": -0.5}),
        json!({"kimi_k2_tau": 0.01}),
        json!({"epsilon": 0.2, "epsilon_high": 0.3}),
        json!({"mask_prob_ratio": true}),
        json!({"max_negative_advantage_importance_sampling_weight": 2.0}),
        json!({"truncated_importance_sampling": 2.0, "precalculate_logprobs": true}),
        json!({"normalize_advantages": false}),
        json!({"loss_fn": "ppo"}),
        json!({"plot_tensors": true, "logprob_calculation_chunk_size": 1}),
        json!({"allow_training_without_logprobs": true}),
        json!({"kl_penalty_coef": 0.1}),
        json!({"kl_penalty_coef": 0.1, "kl_penalty_source": "sample", "kl_penalty_step_lag": 1}),
        json!({"num_trajectories_learning_rate_multiplier_power": 0.5}),
        json!({"scale_learning_rate_by_reward_std_dev": true}),
    ];
    let packed = [
        json!({"packed_sequence_length": 1024}),
        json!({"packed_sequence_length": 1024, "importance_sampling_level": "sequence", "ppo": true}),
        json!({"packed_sequence_length": 1024, "num_trajectories_learning_rate_multiplier_power": 1,
               "kl_penalty_coef": 0.1, "precalculate_logprobs": true}),
    ];
    unpacked.map(|options| (options, 6)).into_iter().chain(packed.map(|options| (options, 1))).collect()
}

#[test]
fn reward_pushes_the_right_way_under_every_option() {
    for (mut options, count) in every_option() {
        options["learning_rate"] = 1e-3.into();
        let (change, steps, _) = train_on_two_replies(options.clone(), 2);
        assert_eq!(steps.len(), count, "{options}");
        assert!(steps.iter().all(|step| step.metrics.values().all(|value| value.is_finite())));
        assert!(change > 0.005, "{options}: {change}");
    }
}

#[test]
fn the_first_step_on_fresh_rollouts_is_exactly_on_policy_under_every_option() {
    for (mut options, _) in every_option() {
        options["learning_rate"] = 1e-3.into();
        let (_, steps, _) = train_on_two_replies(options.clone(), 2);
        for (name, value) in [
            ("importance_ratio/min", 1.0),
            ("importance_ratio/max", 1.0),
            ("importance_ratio/mean", 1.0),
            ("importance_ratio/clip_share", 0.0),
            ("logprob_mismatch/mean_abs", 0.0),
            ("logprob_mismatch/max_abs", 0.0),
            ("loss/kl_div", 0.0),
        ] {
            assert_eq!(steps[0].metrics[name], value, "{options}: {name}");
        }
        if let Some(second) = steps.get(1) {
            let moved = second.metrics["logprob_mismatch/max_abs"];
            assert!(moved > 0.0 && moved < 0.5, "{options}: the first step moved the policy by {moved}");
        }
        // An adapter whose second factor is zero equals the base model, so the penalty is 0 at first.
        let kl = steps[0].metrics.get("loss/kl_policy_ref");
        assert_eq!(kl, options.get("kl_penalty_coef").map(|_| &0.0), "{options}");
    }
}

#[test]
fn a_packed_row_is_the_mean_of_its_sequences() {
    let run = |options: Value| train_on_two_replies(options, 1).1;
    let unpacked = run(json!({"learning_rate": 0.0}));
    let packed = run(json!({"learning_rate": 0.0, "packed_sequence_length": 1024}));
    assert_eq!((unpacked.len(), packed.len()), (6, 1));
    let tokens = |step: &GradientStep| step.metrics["row/num_trained_tokens"];
    let total: f64 = unpacked.iter().map(tokens).sum();
    assert_eq!((tokens(&packed[0]), packed[0].metrics["row/num_sequences"]), (total, 6.0));
    for name in ["loss/train", "loss/entropy"] {
        let mean = unpacked.iter().map(|step| step.metrics[name] * tokens(step)).sum::<f64>() / total;
        let got = packed[0].metrics[name];
        assert!((got - mean).abs() < 1e-5 * (1.0 + mean.abs()), "{name}: {got} {mean}");
    }
}

#[test]
fn the_kl_penalty_pulls_a_trained_model_back_to_its_reference() {
    let (_, _, trained) =
        train_session(json!({"learning_rate": 1e-3}), SEEDLING.session(2), &mut SEEDLING.session(2), [1.0, 0.0]);
    let reply = SEEDLING.reply("yes");
    let distance = |session: &mut TrainSession| {
        let sum =
            |session: &mut TrainSession| SEEDLING.logprobs(session, &reply).iter().copied().map(f64::from).sum::<f64>();
        sum(session) - sum(&mut SEEDLING.session(2))
    };
    for source in ["current_learner", "sample"] {
        // The second job has the same rewards as the first; the penalty against the base model outweighs them.
        let continued = |coefficient: f64| {
            let (adapter, adam) = (trained.adapter().clone(), AdamState::new(trained.adapter()));
            let session = TrainSession::new(ComputePool::new(2), SEEDLING.base.clone(), adapter, adam);
            let options = json!({"learning_rate": 1e-3, "kl_penalty_coef": coefficient, "kl_penalty_source": source});
            let (_, steps, mut session) = train_session(options, session, &mut SEEDLING.session(2), [1.0, 0.0]);
            (distance(&mut session), steps)
        };
        let ((free, _), (held, steps)) = (continued(0.0), continued(100.0));
        assert!(free > 0.01 && held < free, "{source}: {held} with the penalty, {free} without");
        assert!(steps[0].metrics["loss/kl_policy_ref"].abs() > 0.0);
    }
}

#[test]
fn a_learning_rate_of_zero_changes_nothing() {
    let (change, steps, _) = train_on_two_replies(json!({"learning_rate": 0.0}), 1);
    assert_eq!((change, steps.len()), (0.0, 6));
}

#[test]
fn the_same_job_repeats_to_the_bit_with_any_number_of_threads() {
    let options = json!({"learning_rate": 1e-3});
    let one = train_on_two_replies(options.clone(), 1);
    assert_eq!(one, train_on_two_replies(options.clone(), 1));
    assert_eq!(one, train_on_two_replies(options, 2));
}

#[test]
fn fresh_rollouts_have_a_ratio_of_exactly_one() {
    // Bit-identical logprobs before and after serialisation make the log-ratio exactly 0.
    let seedling = &*SEEDLING;
    let mut session = seedling.session(2);
    let reply = seedling.reply("maybe yes");
    let sampled = seedling.logprobs(&mut session, &reply);
    let text = serde_json::to_string(&choice(&reply, &sampled)).expect("JSON");
    let wire: Value = serde_json::from_str(&text).expect("JSON");
    let history: History =
        serde_json::from_value(json!({"messages_and_choices": [{"role": "user", "content": "q"}, wire]}))
            .expect("a history");
    let tokens = tokenize_history(&history, &seedling.text(), false, usize::MAX).expect("valid").sequences.remove(0);
    let sequence = SequenceInput { tokens: &tokens.tokens, scored: &tokens.mask };
    let again = session.score(&[sequence]).expect("scores").remove(0).logprobs;
    let old: Vec<f32> = tokens.trained_logprobs().collect();
    assert_eq!(
        old.iter().map(|old| old.to_bits()).collect::<Vec<_>>(),
        again.iter().map(|new| new.to_bits()).collect::<Vec<_>>()
    );
}

/// Trains on rows of a data set; returns the events and the adapter's bytes.
fn fine_tune(text: &str, options: Value, threads: usize) -> (Vec<GradientStep>, Vec<u8>) {
    let seedling = &*SEEDLING;
    let mut session = seedling.session(threads);
    let config = SftConfig::from_wire(Some(&options)).expect("options");
    let tokenizer = || SftTokenizer::new(&seedling.text(), &config, 1024).expect("a known template");
    let limits = DatasetLimits::default();
    let job = prepare_sft(text.as_bytes(), limits, config.clone(), &tokenizer(), &|| true).expect("prepares");
    let mut rows = SftReader::new(std::io::Cursor::new(text.as_bytes()), None, limits, tokenizer());
    let mut steps = Vec::new();
    run_sft(&mut session, &job, &mut rows, 0, &mut |_, step| {
        steps.push(step);
        ControlFlow::Continue(())
    })
    .expect("runs");
    (steps, session.adapter().to_peft("base", &seedling.base.config).adapter_model_safetensors)
}

fn example(question: &str, completion: &str) -> String {
    let messages = json!([{"role": "user", "content": question}, {"role": "assistant", "content": completion}]);
    json!({ "messages": messages }).to_string() + "\n"
}

#[test]
fn a_phrase_is_learned_from_examples() {
    let text = example("q", "the quick brown fox").repeat(40);
    let (steps, _) = fine_tune(&text, json!({"batch_size": 1, "learning_rate": 5e-3}), 2);
    assert_eq!(steps.len(), 40);
    let loss = |step: usize| steps[step].metrics["loss/train"];
    assert!(loss(39) < 0.5 * loss(0), "{} {}", loss(0), loss(39));
}

#[test]
fn validation_sees_what_is_learned_and_changes_no_bit_of_it() {
    let trained = example("q", "the quick brown fox");
    // every fourth row is a validation row, once of another kind and once of the same kind
    let unlike = (trained.repeat(3) + &example("q", "lazy dogs sleep")).repeat(6);
    let alike = trained.repeat(24);
    let options = json!({"batch_size": 2, "learning_rate": 5e-3});
    let mut validating = options.clone();
    validating["validation_split"] = 0.25.into();
    validating["validation_every"] = 3.into();
    let (plain, expected) = fine_tune(&trained.repeat(18), options, 1);
    for (text, learns) in [(&unlike, false), (&alike, true)] {
        let (mut steps, adapter) = fine_tune(text, validating.clone(), 2);
        assert_eq!(adapter, expected);
        let before = steps[0].metrics.remove("loss/val_before").expect("a validation before the first step");
        let mut validations = Vec::new();
        for step in &mut steps {
            validations.extend(step.metrics.remove("loss/val").map(|loss| (step.index, loss)));
        }
        assert_eq!(steps, plain, "nothing else is told otherwise");
        assert_eq!(validations.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [2, 5, 8]);
        assert_eq!(validations[2].1 < 0.7 * before, learns, "{before} {validations:?}");
        if learns {
            // The validation rows equal the trained ones, so their loss before a step is the loss that the step
            // reports.
            assert!((before - steps[0].metrics["loss/train"]).abs() < 1e-4);
            assert!((validations[0].1 - steps[3].metrics["loss/train"]).abs() < 1e-4);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Trained tokens equal sampled tokens: the context of each turn is the prompt that sampling used, if replies were
    /// sampled in the tokenizer's own segmentation of their text.
    #[test]
    fn contexts_are_the_prompts_of_sampling(turns in prop::collection::vec(("[ -~é☃]{0,12}", "[a-z é☃]{0,12}[a-z☃]"), 1..4), system in any::<bool>()) {
        let seedling = &*SEEDLING;
        let mut messages = if system { vec![json!({"role": "system", "content": "be brief"})] } else { vec![] };
        let mut items = messages.clone();
        let mut expected = Vec::new();
        for (question, completion) in &turns {
            messages.push(json!({"role": "user", "content": question}));
            items.push(json!({"role": "user", "content": question}));
            let reply = seedling.reply(completion);
            expected = [seedling.prompt(&messages), reply.clone()].concat();
            items.push(choice(&reply, &vec![-1.0; reply.len()]));
            messages.push(json!({"role": "assistant", "content": completion}));
        }
        let history: History = serde_json::from_value(json!({"messages_and_choices": items})).expect("a history");
        let tokens = tokenize_history(&history, &seedling.text(), false, usize::MAX).expect("valid").sequences.remove(0);
        prop_assert_eq!(tokens.tokens, expected);
    }

    #[test]
    fn logprobs_survive_the_wire(bits in any::<u32>()) {
        let value = f32::from_bits(bits);
        prop_assume!(value.is_finite());
        for text in [json!(value).to_string(), json!(f64::from(value)).to_string(), value.to_string()] {
            let number: f64 = serde_json::from_str(&text).expect("a number");
            prop_assert_eq!((number as f32).to_bits(), value.to_bits());
        }
    }
}
