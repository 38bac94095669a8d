//! Model directories with random weights, small enough to try everything on: `config.json` and one safetensors file, as
//! the families' own programs write them.

use safetensors::Dtype;
use safetensors::tensor::TensorView;
use serde_json::{Value, json};

/// A model's files.
pub(crate) struct ModelDirectory {
    pub name: &'static str,
    pub config_json: String,
    /// `model.safetensors`.
    pub weights: Vec<u8>,
}

/// A `config.json` with changes. No dimension is a multiple of sixteen; heads share keys in pairs.
pub(crate) fn config(changes: Value) -> Value {
    let mut config = json!({
        "model_type": "qwen3", "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "head_dim": 10, "intermediate_size": 40, "vocab_size": 77,
        "max_position_embeddings": 1024, "rms_norm_eps": 1e-6, "rope_theta": 10000.0, "tie_word_embeddings": true,
    });
    for (field, value) in changes.as_object().expect("an object") {
        config[field] = value.clone();
    }
    config
}

/// One of each family: other head layouts, biases, embeddings tied and not, scaled rotary angles.
pub(crate) fn families() -> Vec<ModelDirectory> {
    [
        ("Qwen3", json!({})),
        ("Qwen2", json!({ "model_type": "qwen2", "num_key_value_heads": 1, "head_dim": 6 })),
        (
            "Llama",
            json!({
                "model_type": "llama", "num_key_value_heads": 4, "attention_bias": true, "mlp_bias": true,
                "tie_word_embeddings": false,
                "rope_scaling": {
                    "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                    "original_max_position_embeddings": 64,
                },
            }),
        ),
        ("Mistral", json!({ "model_type": "mistral", "tie_word_embeddings": false })),
        ("SmolLM3", json!({ "model_type": "smollm3", "no_rope_layer_interval": 2 })),
        (
            "Qwen3-MoE",
            json!({ "model_type": "qwen3_moe", "num_experts": 5, "num_experts_per_tok": 2, "moe_intermediate_size": 20 }),
        ),
        ("OLMo 2", json!({ "model_type": "olmo2", "tie_word_embeddings": false })),
        (
            "OLMo 3",
            json!({
                "model_type": "olmo3", "tie_word_embeddings": false, "sliding_window": 9,
                "layer_types": ["sliding_attention", "full_attention"],
            }),
        ),
        (
            "Gemma 3",
            json!({
                "model_type": "gemma3_text", "query_pre_attn_scalar": 10, "sliding_window": 9,
                "sliding_window_pattern": 2, "rope_local_base_freq": 500.0,
            }),
        ),
        (
            "Phi-3",
            json!({
                "model_type": "phi3", "partial_rotary_factor": 0.6, "original_max_position_embeddings": 512,
                "rope_scaling": {"type": "longrope", "short_factor": [1.0, 1.5, 3.0], "long_factor": [2.0, 4.0, 9.0]},
            }),
        ),
        (
            "Qwen3.5",
            json!({
                "model_type": "qwen3_5_text", "num_hidden_layers": 3, "full_attention_interval": 3,
                "linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 12,
                "linear_value_head_dim": 12, "linear_conv_kernel_dim": 4,
            }),
        ),
        (
            "Qwen3.5-MoE",
            json!({
                "model_type": "qwen3_5_moe_text", "full_attention_interval": 2, "linear_num_key_heads": 2,
                "linear_num_value_heads": 2, "linear_key_head_dim": 12, "linear_value_head_dim": 12,
                "linear_conv_kernel_dim": 4, "num_experts": 5, "num_experts_per_tok": 2, "moe_intermediate_size": 20,
                "shared_expert_intermediate_size": 28,
            }),
        ),
        (
            "LFM2",
            json!({
                "model_type": "lfm2", "num_hidden_layers": 3, "full_attn_idxs": [2], "conv_L_cache": 3,
                "conv_bias": false, "block_auto_adjust_ff_dim": false,
            }),
        ),
    ]
    .into_iter()
    .zip(1..)
    .map(|((name, changes), seed)| directory(name, &config(changes), seed))
    .collect()
}

pub(crate) fn directory(name: &'static str, config: &Value, seed: u64) -> ModelDirectory {
    let mut noise = noise(seed);
    let tensors: Vec<(String, Vec<usize>, Vec<u8>)> = shapes(config)
        .into_iter()
        .map(|(name, shape)| {
            // Norms near one (Gemma and Qwen3.5 add it to the weights), the rest of a scale that keeps activations near one.
            let adds_one =
                ["gemma3_text", "qwen3_5_text", "qwen3_5_moe_text"].iter().any(|own| config["model_type"] == *own);
            let is_norm = name.contains("linear_attn.norm") || name.contains("norm") && !adds_one;
            let scale = if shape.len() == 1 { 0.3 } else { 1.5 / (shape[1] as f32).sqrt() };
            let values = (0..shape.iter().product()).map(|_| f32::from(u8::from(is_norm)) + scale * noise());
            let bytes = values.flat_map(f32::to_le_bytes).collect();
            (name, shape, bytes)
        })
        .collect();
    let views = tensors.iter().map(|(name, shape, bytes)| {
        (name, TensorView::new(Dtype::F32, shape.clone(), bytes).expect("as many bytes as the shape says"))
    });
    let weights = safetensors::serialize(views, None).expect("a file");
    ModelDirectory { name, config_json: config.to_string(), weights }
}

/// Names and shapes of the tensors that a family's checkpoints have.
fn shapes(config: &Value) -> Vec<(String, Vec<usize>)> {
    let number = |field: &str| usize::try_from(config[field].as_u64().expect("a number")).expect("small");
    let (hidden, inner, head) = (number("hidden_size"), number("intermediate_size"), number("head_dim"));
    let (query, kv) = (number("num_attention_heads") * head, number("num_key_value_heads") * head);
    let family = config["model_type"].as_str().expect("a family");
    let (attention_bias, mlp_bias) = (config["attention_bias"] == true, config["mlp_bias"] == true);
    let embedding = vec![number("vocab_size"), hidden];
    let mut shapes = vec![
        ("model.embed_tokens.weight".to_owned(), embedding.clone()),
        ("model.norm.weight".to_owned(), vec![hidden]),
    ];
    if config["tie_word_embeddings"] == false {
        shapes.push(("lm_head.weight".to_owned(), embedding));
    }
    if family == "lfm2" {
        return lfm2_shapes(config, shapes);
    }
    for layer in 0..number("num_hidden_layers") {
        let mut add = |name: &str, shape: Vec<usize>| shapes.push((format!("model.layers.{layer}.{name}"), shape));
        let (olmo, gemma) = (family.starts_with("olmo"), family == "gemma3_text");
        for (name, exists) in [
            ("input_layernorm.weight", !olmo),
            ("post_attention_layernorm.weight", true),
            ("pre_feedforward_layernorm.weight", gemma),
            ("post_feedforward_layernorm.weight", olmo || gemma),
        ] {
            if exists {
                add(name, vec![hidden]);
            }
        }
        let is_qwen35 = family.starts_with("qwen3_5");
        let is_delta = is_qwen35 && (layer + 1) % number("full_attention_interval") != 0;
        if is_delta {
            let [heads, value_heads] = [number("linear_num_key_heads"), number("linear_num_value_heads")];
            let (values, taps) = (value_heads * number("linear_value_head_dim"), number("linear_conv_kernel_dim"));
            let mixed = 2 * heads * number("linear_key_head_dim") + values;
            for (name, rows) in [("qkv", mixed), ("z", values), ("b", value_heads), ("a", value_heads)] {
                add(&format!("linear_attn.in_proj_{name}.weight"), vec![rows, hidden]);
            }
            add("linear_attn.out_proj.weight", vec![hidden, values]);
            add("linear_attn.conv1d.weight", vec![mixed, 1, taps]);
            add("linear_attn.A_log", vec![value_heads]);
            add("linear_attn.dt_bias", vec![value_heads]);
            add("linear_attn.norm.weight", vec![number("linear_value_head_dim")]);
        } else if family.starts_with("qwen3") || olmo || gemma {
            add("self_attn.q_norm.weight", vec![if olmo { query } else { head }]);
            add("self_attn.k_norm.weight", vec![if olmo { kv } else { head }]);
        }
        if family == "phi3" {
            add("self_attn.qkv_proj.weight", vec![query + 2 * kv, hidden]);
            add("self_attn.o_proj.weight", vec![hidden, query]);
            add("mlp.gate_up_proj.weight", vec![2 * inner, hidden]);
            add("mlp.down_proj.weight", vec![hidden, inner]);
            continue;
        }
        let gated_query = if is_qwen35 { 2 * query } else { query };
        let mut matrices = vec![
            ("self_attn.q_proj".to_owned(), gated_query, hidden, attention_bias || family == "qwen2"),
            ("self_attn.k_proj".to_owned(), kv, hidden, attention_bias || family == "qwen2"),
            ("self_attn.v_proj".to_owned(), kv, hidden, attention_bias || family == "qwen2"),
            ("self_attn.o_proj".to_owned(), hidden, query, attention_bias),
        ];
        if is_delta {
            matrices.clear();
        }
        let mut feed_forward = |prefix: &str, inner: usize| {
            matrices.push((format!("{prefix}.gate_proj"), inner, hidden, mlp_bias));
            matrices.push((format!("{prefix}.up_proj"), inner, hidden, mlp_bias));
            matrices.push((format!("{prefix}.down_proj"), hidden, inner, mlp_bias));
        };
        if family == "qwen3_5_moe_text" {
            // The matrices of all experts are one tensor, as in published files.
            let (experts, width) = (number("num_experts"), number("moe_intermediate_size"));
            feed_forward("mlp.shared_expert", number("shared_expert_intermediate_size"));
            matrices.push(("mlp.shared_expert_gate".to_owned(), 1, hidden, false));
            matrices.push(("mlp.gate".to_owned(), experts, hidden, false));
            add("mlp.experts.gate_up_proj", vec![experts, 2 * width, hidden]);
            add("mlp.experts.down_proj", vec![experts, hidden, width]);
        } else if family == "qwen3_moe" {
            for expert in 0..number("num_experts") {
                feed_forward(&format!("mlp.experts.{expert}"), number("moe_intermediate_size"));
            }
            matrices.push(("mlp.gate".to_owned(), number("num_experts"), hidden, false));
        } else {
            feed_forward("mlp", inner);
        }
        for (name, output, input, bias) in matrices {
            add(&format!("{name}.weight"), vec![output, input]);
            if bias {
                add(&format!("{name}.bias"), vec![output]);
            }
        }
    }
    shapes
}

/// Adds the tensors of LFM2's layers, which have names of their own, as its last norm has.
fn lfm2_shapes(config: &Value, mut shapes: Vec<(String, Vec<usize>)>) -> Vec<(String, Vec<usize>)> {
    let number = |field: &str| usize::try_from(config[field].as_u64().expect("a number")).expect("small");
    let (hidden, inner, head) = (number("hidden_size"), number("intermediate_size"), number("head_dim"));
    let (query, kv) = (number("num_attention_heads") * head, number("num_key_value_heads") * head);
    shapes.retain(|(name, _)| name != "model.norm.weight");
    shapes.push(("model.embedding_norm.weight".to_owned(), vec![hidden]));
    for layer in 0..number("num_hidden_layers") {
        let attention = config["full_attn_idxs"].as_array().expect("a list").contains(&layer.into());
        let mixer = match attention {
            true => vec![
                ("self_attn.q_layernorm", vec![head]),
                ("self_attn.k_layernorm", vec![head]),
                ("self_attn.q_proj", vec![query, hidden]),
                ("self_attn.k_proj", vec![kv, hidden]),
                ("self_attn.v_proj", vec![kv, hidden]),
                ("self_attn.out_proj", vec![hidden, query]),
            ],
            false => vec![
                ("conv.in_proj", vec![3 * hidden, hidden]),
                ("conv.conv", vec![hidden, 1, number("conv_L_cache")]),
                ("conv.out_proj", vec![hidden, hidden]),
            ],
        };
        let all = [
            ("operator_norm", vec![hidden]),
            ("ffn_norm", vec![hidden]),
            ("feed_forward.w1", vec![inner, hidden]),
            ("feed_forward.w3", vec![inner, hidden]),
            ("feed_forward.w2", vec![hidden, inner]),
        ];
        for (name, shape) in all.into_iter().chain(mixer) {
            shapes.push((format!("model.layers.{layer}.{name}.weight"), shape));
        }
    }
    shapes
}

/// Values in [-1, 1), the same in every run.
fn noise(seed: u64) -> impl FnMut() -> f32 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}
