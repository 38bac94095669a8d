//! Tests of every family against recordings of transformers and PEFT (`tests/golden/README.md`), with weights that both
//! sides compute from the tensors' names.

use super::golden::{assert_close, path, recording};
use super::*;
use crate::config::Family;
use crate::generate::{BatchRow, Decoder, SequenceHandle};
use crate::lora::PeftFiles;
pub(crate) use crate::testing::{adapter_files, formula, values};
use crate::train::{AdamHyper, AdamState, SequenceInput, TrainSession};

/// Positions with recorded logits, of [`LENGTH`] tokens.
const ROWS: [usize; 4] = [0, 1, 40, 159];
const LENGTH: usize = 160;
const RANK: usize = 4;
const ALPHA: f32 = 8.0;

pub(super) fn tokens_of(name: &str, count: usize, vocab_size: usize) -> Vec<u32> {
    formula(name, count).map(|bits| (bits % vocab_size as u64) as u32).collect()
}

/// Returns the bytes of values that are exact in the element type.
fn bytes(values: &[f32], dtype: &str) -> Vec<u8> {
    let half = |x: &f32| {
        let bits = x.to_bits();
        if *x == 0.0 {
            0
        } else {
            (bits >> 16 & 0x8000 | ((bits >> 23 & 0xff) - 112) << 10 | bits >> 13 & 0x3ff) as u16
        }
    };
    match dtype {
        "float32" => values.iter().flat_map(|x| x.to_le_bytes()).collect(),
        "bfloat16" => values.iter().flat_map(|x| ((x.to_bits() >> 16) as u16).to_le_bytes()).collect(),
        "float16" => values.iter().flat_map(|x| half(x).to_le_bytes()).collect(),
        other => panic!("{other}"),
    }
}

pub(super) struct Case {
    pub(super) name: String,
    pub(super) base: Arc<BaseModel>,
}

/// Returns the recorded models, read from files of their element type and number.
pub(super) fn cases(pool: &ComputePool) -> Vec<Case> {
    let text = std::fs::read_to_string(path("families/cases.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    let load = |case: &Value| {
        let name = case["name"].as_str().unwrap();
        let (dtype, shards) = (case["dtype"].as_str().unwrap(), case["shards"].as_u64().unwrap() as usize);
        let json = case["config"].to_string();
        let mut shapes = tensor_shapes(&ModelConfig::from_json(&json).unwrap());
        shapes.sort();
        let data: Vec<Vec<u8>> = shapes
            .iter()
            .map(|(tensor, shape)| bytes(&values(&format!("{name}/{tensor}"), shape.iter().product()), dtype))
            .collect();
        let element = match dtype {
            "float32" => Dtype::F32,
            "bfloat16" => Dtype::BF16,
            _ => Dtype::F16,
        };
        let file = |shard: usize| {
            let tensors = shapes.iter().zip(&data).skip(shard).step_by(shards);
            let views =
                tensors.map(|((tensor, shape), data)| (tensor, TensorView::new(element, shape.clone(), data).unwrap()));
            safetensors::serialize(views, None).unwrap()
        };
        let files: Vec<Vec<u8>> = (0..shards).map(file).collect();
        let files: Vec<(&str, &[u8])> = files.iter().map(|file| ("shard", &file[..])).collect();
        Case { name: name.to_owned(), base: BaseModel::load(&json, &files, WeightFormat::F32, pool).unwrap() }
    };
    cases.iter().map(load).collect()
}

/// Runs tokens from position `start` on and returns the logits of the requested positions.
fn run(
    decoder: &mut Decoder,
    sequence: SequenceHandle,
    start: usize,
    tokens: &[u32],
    wanted: &[usize],
) -> Vec<Vec<f32>> {
    let row = |(token, position): (&u32, usize)| BatchRow {
        token: *token,
        position,
        sequence,
        adapter: None,
        want_logits: wanted.contains(&position),
    };
    let rows: Vec<_> = tokens.iter().zip(start..).map(row).collect();
    let logits = decoder.forward(&rows).unwrap();
    (0..logits.rows()).map(|row| logits.row(row).to_vec()).collect()
}

/// Returns the bound of differences of logits and log-probabilities.
fn tolerance(config: &ModelConfig) -> f32 {
    // transformers computes delta networks in chunks, which round more in f32 than one row after the other.
    if config.delta.is_some() { 5e-4 } else { 1e-4 }
}

#[test]
fn logits_and_greedy_tokens_equal_transformers() {
    let pool = ComputePool::new(2);
    let cases = cases(&pool);
    assert_eq!(cases.len(), 31);
    for Case { name, base } in cases {
        let recorded = recording(&format!("families/{name}.safetensors"));
        let ids = tokens_of(&format!("{name}/scored"), LENGTH, base.config.vocab_size);
        let mut decoder = Decoder::new(pool.clone(), base.clone(), 1024);
        let sequence = decoder.add_sequence();
        let logits = run(&mut decoder, sequence, 0, &ids, &ROWS).concat();
        let tolerance = tolerance(&base.config);
        assert_close(&logits, &recorded.floats["logits"], tolerance, &format!("{name} logits"));

        let (prompt, greedy) = (&recorded.tokens["prompt"], &recorded.tokens["greedy"]);
        assert_eq!(greedy.len(), 200);
        let sequence = decoder.add_sequence();
        let mut logits = run(&mut decoder, sequence, 0, prompt, &[prompt.len() - 1]);
        for (step, expected) in greedy.iter().enumerate() {
            let row = &logits[0];
            let largest = row.iter().fold(f32::NEG_INFINITY, |largest, x| largest.max(*x));
            let chosen = row.iter().position(|x| *x == largest).unwrap() as u32;
            assert_eq!(chosen, *expected, "{name}, greedy token {step}");
            let position = prompt.len() + step;
            logits = run(&mut decoder, sequence, position, &[chosen], &[position]);
        }

        let zero = Adapter::new(&base.config, &LoraOptions::new(RANK, ALPHA), 1);
        let mut session = TrainSession::new(pool.clone(), base, zero.clone(), AdamState::new(&zero));
        let scored: Vec<bool> = (0..LENGTH).map(|position| position > 0).collect();
        let scores = session.score(&[SequenceInput { tokens: &ids, scored: &scored }]).unwrap().remove(0);
        assert_close(&scores.logprobs, &recorded.floats["logprobs"], tolerance, &format!("{name} log-probabilities"));
    }
}

#[test]
fn adapter_gradients_equal_torch() {
    let pool = ComputePool::new(2);
    let (mut families, mut curves) = (Vec::new(), 0);
    for Case { name, base } in cases(&pool) {
        let recorded = recording(&format!("families/{name}.safetensors"));
        let Some(expected) = recorded.floats.get("adapted_logprobs") else { continue };
        let files = adapter_files(&name, &base.config, RANK, ALPHA, 0.25);
        let read = |files: &PeftFiles| {
            Adapter::from_peft(&base.config, &files.adapter_config_json, &files.adapter_model_safetensors).unwrap()
        };
        let adapter = read(&files);
        assert_eq!(read(&adapter.to_peft(&name, &base.config)), adapter, "{name}: written and read again");

        let tokens = tokens_of(&format!("{name}/trained"), 48, base.config.vocab_size);
        let scored: Vec<bool> = (0..tokens.len()).map(|position| position > 0).collect();
        let factors = values(&format!("{name}/factors"), 47);
        let mut session = TrainSession::new(pool.clone(), base.clone(), adapter.clone(), AdamState::new(&adapter));
        let sequence = SequenceInput { tokens: &tokens, scored: &scored };
        let scores = session.forward_backward(&[sequence], &mut |_| vec![factors.clone()]).unwrap().remove(0);
        let tolerance = tolerance(&base.config);
        assert_close(&scores.logprobs, expected, tolerance, &format!("{name} log-probabilities with an adapter"));
        let gradients = session.gradients();
        let recorded_gradients = recorded.floats.keys().filter(|key| key.starts_with("gradient.")).count();
        assert_eq!(gradients.len(), recorded_gradients, "{name}");
        for (parameter, found) in gradients {
            let expected = &recorded.floats[&format!("gradient.{parameter}")];
            let scale = expected.iter().fold(0f32, |largest, x| largest.max(x.abs()));
            assert!(scale > 0.0, "{name} {parameter} has no gradient");
            assert_close(&found, expected, 1e-4 * scale, &format!("{name} {parameter}"));
        }
        if let Some(losses) = recorded.floats.get("losses") {
            losses_equal_torch(
                &name,
                TrainSession::new(pool.clone(), base.clone(), adapter.clone(), AdamState::new(&adapter)),
                sequence,
                losses,
            );
            curves += 1;
        }
        families.push(base.config.family);
    }
    assert_eq!(curves, 2, "losses of many steps are recorded");
    for family in Family::ALL {
        assert!(families.contains(&family), "{family:?} has no recorded gradient");
    }
}

/// Trains the mean log-probability of a sequence, and compares the loss before each step.
fn losses_equal_torch(name: &str, mut session: TrainSession, sequence: SequenceInput<'_>, expected: &[f32]) {
    let hyper = AdamHyper { lr: 5e-4, beta2: 0.999, weight_decay: 0.0, clip_norm: 1e9, ..AdamHyper::default() };
    // Adam magnifies rounding: torch's own forms of the delta rule, in chunks and row by row, differ by 8e-4 here.
    for (step, expected) in expected.iter().enumerate() {
        let weights = vec![-1.0 / 47.0; 47];
        let scores = session.forward_backward(&[sequence], &mut |_| vec![weights.clone()]).unwrap().remove(0);
        let loss = -scores.logprobs.iter().sum::<f32>() / 47.0;
        assert!((loss - expected).abs() < 2e-3 * expected, "{name}, loss {step}: {loss} instead of {expected}");
        session.step(&hyper).unwrap();
    }
    assert!(expected[expected.len() - 1] < 0.9 * expected[0], "{name}: it learns");
}

#[test]
fn experts_in_one_tensor_are_those_in_many() {
    let pool = ComputePool::new(2);
    let (_, json) = family_configs().into_iter().find(|(name, _)| *name == "qwen3_5_moe").unwrap();
    let config = ModelConfig::from_json(&json.to_string()).unwrap();
    let many = random_tensors(&config, 4);
    let (mut one, experts): (Vec<_>, Vec<_>) =
        many.iter().cloned().partition(|(name, ..)| !name.contains(".mlp.experts."));
    let (count, inner) = (config.experts.as_ref().unwrap().count, config.experts.as_ref().unwrap().intermediate_size);
    for layer in 0..config.layers {
        let values = |expert: usize, part: &str| {
            let name = format!("model.layers.{layer}.mlp.experts.{expert}.{part}.weight");
            experts.iter().find(|(own, ..)| *own == name).unwrap().2.clone()
        };
        let gate_up = (0..count).flat_map(|expert| [values(expert, "gate_proj"), values(expert, "up_proj")].concat());
        let down = (0..count).flat_map(|expert| values(expert, "down_proj"));
        let (prefix, hidden) = (format!("model.layers.{layer}.mlp.experts"), config.hidden_size);
        one.push((format!("{prefix}.gate_up_proj"), vec![count, 2 * inner, hidden], gate_up.collect()));
        one.push((format!("{prefix}.down_proj"), vec![count, hidden, inner], down.collect()));
    }
    let load = |tensors: &[(String, Vec<usize>, Vec<f32>)]| {
        let file = safetensors_file(tensors);
        BaseModel::load(&json.to_string(), &[("model.safetensors", &file)], WeightFormat::Bf16, &pool)
    };
    let [expected, found] = [&many, &one].map(|tensors| prompt_logits(&pool, &load(tensors).unwrap(), None));
    assert_eq!(expected, found);
    // Of more rows than the model has.
    let last = one.last_mut().unwrap();
    (last.1[1], last.1[2]) = (2 * last.1[1], last.1[2] / 2);
    let error = load(&one).unwrap_err().to_string();
    assert!(error.contains("mlp.experts.0.down_proj.weight"), "{error}");
}

#[test]
fn tensors_that_do_not_fit_the_family_are_named() {
    let pool = ComputePool::new(1);
    let load = |json: &Value, tensors: &[(String, Vec<usize>, Vec<f32>)]| {
        let file = safetensors_file(tensors);
        BaseModel::load(&json.to_string(), &[("model.safetensors", &file)], WeightFormat::F32, &pool)
            .map_err(|error| error.to_string())
    };
    let tensors = |json: &Value| random_tensors(&ModelConfig::from_json(&json.to_string()).unwrap(), 1);
    let mut llama = odd_config();
    llama["model_type"] = "llama".into();
    let mut biased = llama.clone();
    (biased["attention_bias"], biased["mlp_bias"]) = (true.into(), true.into());
    let mut qwen2 = odd_config();
    qwen2["model_type"] = "qwen2".into();

    let error = load(&llama, &tensors(&odd_config())).unwrap_err();
    assert!(
        error.contains("self_attn.k_norm.weight") && error.contains("(see model_type") && error.contains("are 4 such"),
        "{error}"
    );
    let error = load(&llama, &tensors(&qwen2)).unwrap_err();
    assert!(error.contains("self_attn.k_proj.bias") && error.contains("(see attention_bias)"), "{error}");
    let error = load(&qwen2, &tensors(&llama)).unwrap_err();
    assert_eq!(error, "tensor model.layers.0.self_attn.q_proj.bias is missing");
    let error = load(&biased, &tensors(&qwen2)).unwrap_err();
    assert_eq!(error, "tensor model.layers.0.self_attn.o_proj.bias is missing");
    let mut mlp_only = tensors(&biased);
    mlp_only.retain(|(name, ..)| !name.contains("self_attn") || !name.ends_with(".bias"));
    let error = load(&llama, &mlp_only).unwrap_err();
    assert!(error.contains("mlp.down_proj.bias") && error.contains("(see mlp_bias)"), "{error}");

    let mut quantised = tensors(&llama);
    quantised.push(("model.layers.1.mlp.up_proj.weight_scale".into(), vec![1], vec![1.0]));
    let error = load(&llama, &quantised).unwrap_err();
    assert!(error.contains("weight_scale") && error.contains("(quantised"), "{error}");

    // Extra tensors of old files.
    let mut old = tensors(&llama);
    old.push(("model.layers.0.self_attn.rotary_emb.inv_freq".into(), vec![5], vec![1.0; 5]));
    let embedding = old.iter().find(|(name, ..)| name == "model.embed_tokens.weight").unwrap().clone();
    old.push(("lm_head.weight".into(), embedding.1, embedding.2));
    load(&llama, &old).unwrap();
    old.last_mut().unwrap().2[7] += 1.0;
    let error = load(&llama, &old).unwrap_err();
    assert!(error.contains("tie_word_embeddings"), "{error}");
}
