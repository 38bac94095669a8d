//! Shape and constants of a model as llama.cpp's metadata.
//!
//! What an architecture of llama.cpp assumes and no metadata can change is checked here: a file that would be computed differently
//! is not written. Windows are an exception where llama.cpp has none: sequences that are shorter are computed alike.

use serde_json::{Map, Value};
use trainyard_gguf::MetadataValue;

use super::ExportError;
use super::gguf::Metadata;
use crate::config::{
    Family, LAYERS_OF_GEMMA_27B, LayerKind, ModelConfig, ROPE_PERIOD, Rope, RopeScaling, window_period,
};

/// Architectures whose heads have the width of the model together.
const WHOLE_HEADS: [&str; 4] = ["qwen2", "olmo2", "phi3", "lfm2"];

/// Returns the metadata of a model's architecture.
pub(super) fn metadata(config: &ModelConfig, document: &Map<String, Value>) -> Result<Metadata, ExportError> {
    check(config)?;
    let architecture = config.family.traits().gguf_architecture;
    let mut all: Metadata = vec![
        ("general.architecture".to_owned(), MetadataValue::Text(architecture.to_owned())),
        ("general.type".to_owned(), MetadataValue::Text("model".to_owned())),
    ];
    let mut add = |key: &str, value| all.push((format!("{architecture}.{key}"), value));
    let count = |count: usize| MetadataValue::U32(u32::try_from(count).unwrap_or(u32::MAX));
    let number = |number: f64| MetadataValue::F32(number as f32);
    // That of `config` ends where `longrope` has other factors, and llama.cpp has both.
    let context = document.get("max_position_embeddings").and_then(Value::as_u64).map(|length| length as usize);
    add("context_length", count(context.unwrap_or(config.max_position_embeddings)));
    add("embedding_length", count(config.hidden_size));
    add("block_count", count(config.layers));
    let has_shared = config.experts.as_ref().is_some_and(|experts| experts.has_shared);
    let width = if has_shared { "expert_shared_feed_forward_length" } else { "feed_forward_length" };
    add(width, count(config.intermediate_size));
    add("vocab_size", count(config.vocab_size));
    add("attention.head_count", count(config.heads));
    if let Some(convolution) = &config.convolution {
        // A layer without heads of keys has a convolution.
        let heads =
            |kind| if kind == LayerKind::Attention { i32::try_from(config.kv_heads).unwrap_or(i32::MAX) } else { 0 };
        add("attention.head_count_kv", MetadataValue::I32s(config.kinds().map(heads).collect()));
        add("shortconv.l_cache", count(convolution.taps));
    } else {
        add("attention.head_count_kv", count(config.kv_heads));
    }
    add("attention.key_length", count(config.head_dim));
    add("attention.value_length", count(config.head_dim));
    add("attention.layer_norm_rms_epsilon", MetadataValue::F32(config.rms_norm_eps));
    if let Some(window) = &config.sliding_window {
        add("attention.sliding_window", count(window.tokens));
    }
    if let Some(experts) = &config.experts {
        add("expert_count", count(experts.count));
        add("expert_used_count", count(experts.per_token));
        add("expert_feed_forward_length", count(experts.intermediate_size));
    }
    if let Some(delta) = &config.delta {
        let first = config.attention_layers.first().copied().unwrap_or(0);
        add("full_attention_interval", count(first + 1));
        add("ssm.conv_kernel", count(delta.convolution));
        add("ssm.state_size", count(delta.key_dim));
        add("ssm.group_count", count(delta.key_heads));
        add("ssm.time_step_rank", count(delta.value_heads));
        add("ssm.inner_size", count(delta.values()));
        // Positions of text alone are the same in all sections.
        let sections = parameter(document, "mrope_section").and_then(Value::as_array).cloned();
        let sections = sections.unwrap_or_else(|| vec![11.into(), 11.into(), 10.into()]);
        let sections = sections.iter().filter_map(Value::as_i64).filter_map(|size| i32::try_from(size).ok());
        add("rope.dimension_sections", MetadataValue::I32s(sections.chain([0; 4]).take(4).collect()));
    }
    add("rope.dimension_count", count(config.rotated_dim));
    add("rope.freq_base", number(config.rope.theta));
    if config.family == Family::Gemma3 {
        add("rope.freq_base_swa", number(config.local_rope.as_ref().unwrap_or(&config.rope).theta));
    }
    let original = || parameter(document, "original_max_position_embeddings").and_then(Value::as_f64);
    match &config.rope.scaling {
        // Within the length of the model, `dynamic` scales by one.
        RopeScaling::None | RopeScaling::Dynamic { .. } | RopeScaling::Llama3 { .. } => {}
        RopeScaling::Linear { factor } => {
            add("rope.scaling.type", MetadataValue::Text("linear".to_owned()));
            add("rope.scaling.factor", number(*factor));
        }
        RopeScaling::Yarn { factor, attention_factor, .. } => {
            add("rope.scaling.type", MetadataValue::Text("yarn".to_owned()));
            add("rope.scaling.factor", number(*factor));
            let original = original().map_or(config.max_position_embeddings, |length| length as usize);
            add("rope.scaling.original_context_length", count(original));
            for (field, key) in [("beta_fast", "yarn_beta_fast"), ("beta_slow", "yarn_beta_slow")] {
                if let Some(value) = parameter(document, field).and_then(Value::as_f64).filter(|value| *value != 0.0) {
                    add(&format!("rope.scaling.{key}"), number(value));
                }
            }
            // llama.cpp multiplies by this itself.
            let usual = 1.0 + 0.1 * factor.max(1.0).ln();
            if (attention_factor / usual - 1.0).abs() > 1e-6 {
                add("rope.scaling.attn_factor", number(attention_factor / usual));
            }
        }
        RopeScaling::LongRope { attention_factor, limit, .. } => {
            add("rope.scaling.original_context_length", count(*limit));
            add("rope.scaling.attn_factor", number(*attention_factor));
        }
    }
    if matches!(config.rope.scaling, RopeScaling::Yarn { .. })
        && parameter(document, "truncate") == Some(&Value::Bool(false))
    {
        return Err(refuse("its rotary embedding has a ramp that is not truncated"));
    }
    Ok(all)
}

/// Returns the tensors of divisors of rotary frequencies, by name.
pub(super) fn rope_factors(
    config: &ModelConfig,
    document: &Map<String, Value>,
) -> Result<Vec<(&'static str, Vec<f32>)>, ExportError> {
    match &config.rope.scaling {
        RopeScaling::Llama3 { .. } => {
            let plain = Rope { theta: config.rope.theta, scaling: RopeScaling::None };
            let (plain, scaled) = (plain.frequencies(config.rotated_dim), config.rope.frequencies(config.rotated_dim));
            let divisors = plain.iter().zip(&scaled).map(|(plain, scaled)| plain / scaled).collect();
            Ok(vec![("rope_freqs.weight", divisors)])
        }
        RopeScaling::LongRope { short_factors, .. } => {
            // The reading of the configuration has checked their number.
            let long = parameter(document, "long_factor").and_then(Value::as_array).into_iter().flatten();
            let long: Vec<f32> = long.filter_map(Value::as_f64).map(|factor| factor as f32).collect();
            if long.len() != short_factors.len() {
                return Err(refuse("long_factor is not in config.json"));
            }
            let short = short_factors.iter().map(|factor| *factor as f32).collect();
            Ok(vec![("rope_factors_long.weight", long), ("rope_factors_short.weight", short)])
        }
        _ => Ok(Vec::new()),
    }
}

/// Returns a parameter of the rotary embedding: the one beside the parameters, or the one inside, as they are read.
fn parameter<'a>(document: &'a Map<String, Value>, field: &str) -> Option<&'a Value> {
    let object = |name: &str| document.get(name).filter(|value| value.is_object());
    let inside = object("rope_scaling").or_else(|| {
        let parameters = object("rope_parameters")?;
        Some(parameters.get("full_attention").unwrap_or(parameters))
    });
    let inside = inside.and_then(|parameters| parameters.get(field));
    document.get(field).filter(|value| !value.is_null()).or(inside)
}

fn refuse(reason: impl Into<String>) -> ExportError {
    ExportError::NoGguf(reason.into())
}

/// Checks that llama.cpp computes the model as it is.
fn check(config: &ModelConfig) -> Result<(), ExportError> {
    let architecture = config.family.traits().gguf_architecture;
    let every =
        |period: usize| (0..config.layers).filter(|layer| (layer + 1).is_multiple_of(period)).collect::<Vec<_>>();
    let period = window_period(architecture);
    if let (Some(period), Some(window)) = (period, &config.sliding_window)
        && window.full_layers != every(period)
    {
        return Err(refuse(format!("llama.cpp has a window in all layers but every {period}th of this architecture")));
    }
    if WHOLE_HEADS.contains(&architecture) && config.heads * config.head_dim != config.hidden_size {
        return Err(refuse("llama.cpp has heads of hidden_size / num_attention_heads in this architecture"));
    }
    if let Some(delta) = &config.delta {
        if (1..=config.layers).all(|period| config.attention_layers != every(period)) {
            return Err(refuse("llama.cpp has attention in every so many layers of this architecture"));
        }
        if delta.key_dim != delta.value_dim {
            return Err(refuse("llama.cpp has keys and values of one width in delta networks"));
        }
        if config.query_key_value_bias {
            return Err(refuse("llama.cpp has no biases in this architecture"));
        }
    }
    if config.convolution.is_some_and(|convolution| convolution.bias) {
        return Err(refuse("llama.cpp has no biases in this architecture"));
    }
    if config.family == Family::Ministral3 {
        return Err(refuse("how llama.cpp scales the queries of this architecture was not compared"));
    }
    if config.family == Family::SmolLm3 && config.layers_without_rope != every(ROPE_PERIOD) {
        return Err(refuse(format!("llama.cpp rotates in all layers but every {ROPE_PERIOD}th of this architecture")));
    }
    if config.family == Family::Gemma3 {
        let width =
            if config.layers == LAYERS_OF_GEMMA_27B { config.hidden_size / config.heads } else { config.head_dim };
        if (config.query_scale * (width as f32).sqrt() - 1.0).abs() > 1e-6 {
            return Err(refuse("llama.cpp scales queries by the width of a head, and query_pre_attn_scalar differs"));
        }
    }
    let windowed = config.local_rope.as_ref().or(config.sliding_window.as_ref().map(|_| &config.rope));
    if let (Some(_), Some(local)) = (period, windowed) {
        let is_base = config.family == Family::Gemma3 || local.theta == config.rope.theta;
        if local.scaling != RopeScaling::None || !is_base {
            return Err(refuse("the layers with a window have a rotary embedding that llama.cpp cannot give them"));
        }
    }
    if let Some(experts) = &config.experts {
        if !experts.dense_layers.is_empty() {
            return Err(refuse("llama.cpp has experts in every layer of this architecture"));
        }
        if !experts.normalises_weights {
            return Err(refuse(
                "llama.cpp scales the weights of experts to a sum of one, and norm_topk_prob is not set",
            ));
        }
    }
    Ok(())
}
