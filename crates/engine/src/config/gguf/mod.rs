//! `config.json` of a model that is one GGUF file: its metadata in the names of Hugging Face.
//!
//! The result is read as any `config.json` is, so that defaults, limits and messages are the same. What llama.cpp has in its code
//! instead of the file, such as the layers of Gemma 3 that have a window, is in the rows of [`ARCHITECTURES`].
//!
//! llama.cpp calls Llama, Mistral and many others `llama`, whose computation is one. Here such a file is a `llama`, unless it has a
//! sliding window, which Mistral's layers have and Llama's do not. A file with parts of another model (experts, a scale of the
//! residual stream) is rejected by the name of its key.

use serde_json::{Map, Value, json};
use trainyard_gguf::{Header, HeaderError, MetadataError, Value as Stored};

use super::family::Family;
use super::layer_kind::LayerKind;

/// Error of a GGUF file whose metadata describe no model that is computed.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[allow(missing_docs, reason = "each variant's message is its description")]
pub enum GgufConfigError {
    #[error(transparent)]
    Header(#[from] HeaderError),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error(
        "general.architecture is {0:?}; the architectures that are computed are {names}",
        names = ARCHITECTURES.each_ref().map(|row| row.name).join(", ")
    )]
    Architecture(String),
    #[error("{key} = {value} is not supported: {reason}")]
    Unsupported { key: String, value: String, reason: &'static str },
    #[error("tensor {0} is missing")]
    Tensor(&'static str),
    #[error("tensor {name} is no list of F32 numbers in this file")]
    Factors { name: &'static str },
}

/// Base of the rotary embedding in layers with a sliding window, if the metadata do not have it.
#[derive(Clone, Copy)]
enum LocalBase {
    /// The base of the other layers.
    Same,
    Constant(f64),
}

/// What llama.cpp's code says of an architecture.
struct Architecture {
    /// Value of `general.architecture`.
    name: &'static str,
    family: Family,
    /// Family of a file with a sliding window, if it is another.
    windowed: Option<Family>,
    /// Every so many layers one has no window; `None` if all are alike.
    pattern: Option<usize>,
    local_base: LocalBase,
    /// Fields of `config.json` that are the same in every file.
    constants: fn() -> Value,
}

impl Architecture {
    const fn plain(name: &'static str, family: Family) -> Self {
        Self { name, family, windowed: None, pattern: None, local_base: LocalBase::Same, constants: || json!({}) }
    }
}

static ARCHITECTURES: [Architecture; 11] = [
    Architecture { windowed: Some(Family::Mistral), ..Architecture::plain("llama", Family::Llama) },
    Architecture::plain("qwen2", Family::Qwen2),
    Architecture::plain("qwen3", Family::Qwen3),
    Architecture {
        constants: || json!({ "norm_topk_prob": true, "decoder_sparse_step": 1 }),
        ..Architecture::plain("qwen3moe", Family::Qwen3Moe)
    },
    Architecture {
        constants: || json!({ "no_rope_layer_interval": ROPE_PERIOD }),
        ..Architecture::plain("smollm3", Family::SmolLm3)
    },
    Architecture { windowed: Some(Family::Olmo3), pattern: Some(4), ..Architecture::plain("olmo2", Family::Olmo2) },
    Architecture {
        pattern: Some(6),
        local_base: LocalBase::Constant(10_000.0),
        ..Architecture::plain("gemma3", Family::Gemma3)
    },
    Architecture::plain("phi3", Family::Phi3),
    Architecture::plain("qwen35", Family::Qwen35),
    Architecture::plain("qwen35moe", Family::Qwen35Moe),
    // The width of the feed-forward layer is that of its tensors.
    Architecture {
        constants: || json!({ "block_auto_adjust_ff_dim": false }),
        ..Architecture::plain("lfm2", Family::Lfm2)
    },
];

/// Layers of SmolLM3 of which the last does not rotate.
pub(crate) const ROPE_PERIOD: usize = 4;
/// Number of layers of the one Gemma 3 whose attention scores are divided by another number than the root of a head's width.
pub(crate) const LAYERS_OF_GEMMA_27B: usize = 62;

/// Returns how many layers of an architecture there are to one without a window; `None` if all are alike.
pub(crate) fn window_period(architecture: &str) -> Option<usize> {
    ARCHITECTURES.iter().find(|row| row.name == architecture)?.pattern
}

/// Key of the number of layers that predict later tokens.
const LATER: &str = "nextn_predict_layers";

/// Keys of parts that no supported model has, after the architecture and a dot. A file may have them with a value that changes nothing.
const UNUSED: [(&str, f64); 12] = [
    ("attention.clamp_kqv", 0.0),
    ("attention.max_alibi_bias", 0.0),
    ("attention.scale", 0.0),
    ("attention.temperature_length", 0.0),
    ("attention.temperature_scale", 0.0),
    ("attn_logit_softcapping", 0.0),
    ("embedding_scale", 1.0),
    ("expert_shared_count", 0.0),
    ("final_logit_softcapping", 0.0),
    ("logit_scale", 1.0),
    (LATER, 0.0),
    ("residual_scale", 1.0),
];

/// Metadata of an architecture.
struct Keys<'a> {
    header: &'a Header<'a>,
    architecture: &'static str,
}

impl Keys<'_> {
    fn name(&self, key: &str) -> String {
        format!("{}.{key}", self.architecture)
    }

    fn number(&self, key: &str) -> Result<Option<f64>, MetadataError> {
        self.header.metadata.number(&self.name(key))
    }

    /// Returns a count, which may be a list with the same number for each layer.
    fn count(&self, key: &str) -> Result<Option<usize>, GgufConfigError> {
        let name = self.name(key);
        let Some(Stored::List(_)) = self.header.metadata.get(&name) else {
            return Ok(self.header.metadata.count(&name)?);
        };
        let each = self.header.metadata.integers(&name)?.unwrap_or_default();
        let first = each.first().and_then(|first| usize::try_from(*first).ok());
        let first = first.filter(|_| each.windows(2).all(|pair| pair[0] == pair[1]));
        first.map(Some).ok_or_else(|| self.reject(key, "a list", "every layer has the same number"))
    }

    /// Returns the layers with heads of keys, and their number, if there is a list with an item for each layer.
    fn layers_with_heads(&self, layers: usize) -> Result<Option<(Vec<usize>, usize)>, GgufConfigError> {
        let key = "attention.head_count_kv";
        let name = self.name(key);
        let Some(Stored::List(_)) = self.header.metadata.get(&name) else { return Ok(None) };
        let each = self.header.metadata.integers(&name)?.unwrap_or_default();
        if each.len() < layers {
            return Err(self.reject(key, format!("{each:?}"), "it must have a value for each layer"));
        }
        let found: Vec<_> = (0..layers).filter(|layer| each[*layer] != 0).collect();
        let heads = found.first().and_then(|layer| usize::try_from(each[*layer]).ok()).unwrap_or(0);
        let are_alike = found.iter().all(|layer| usize::try_from(each[*layer]) == Ok(heads));
        let reason = "every layer has the same number, or none";
        if are_alike { Ok(Some((found, heads))) } else { Err(self.reject(key, format!("{each:?}"), reason)) }
    }

    fn required(&self, key: &str) -> Result<usize, GgufConfigError> {
        Ok(self.count(key)?.ok_or_else(|| MetadataError::Missing(self.name(key)))?)
    }

    fn reject(&self, key: &str, value: impl ToString, reason: &'static str) -> GgufConfigError {
        GgufConfigError::Unsupported { key: self.name(key), value: value.to_string(), reason }
    }
}

/// Returns the `config.json` of a model by the GGUF files of which it consists, the first one first.
///
/// # Errors
/// A file is no GGUF file, or the metadata describe a model that is not computed.
pub fn gguf_config(files: &[&[u8]]) -> Result<Value, GgufConfigError> {
    let headers = files.iter().map(|file| Header::read(file)).collect::<Result<Vec<_>, _>>()?;
    let header = headers.first().ok_or_else(|| MetadataError::Missing("general.architecture".to_owned()))?;
    let found = header.metadata.text("general.architecture")?.unwrap_or_default();
    let architecture = ARCHITECTURES.iter().find(|row| row.name == found);
    let architecture = architecture.ok_or_else(|| GgufConfigError::Architecture(found.to_owned()))?;
    let keys = Keys { header, architecture: architecture.name };
    let tensor = |name: &str| headers.iter().find_map(|header| header.tensor(name));

    // Layers that predict later tokens come after those of the decoder.
    let traits = architecture.family.traits();
    let has_delta = traits.other_kind == LayerKind::Delta;
    let later = keys.count(LATER)?.filter(|_| has_delta).unwrap_or(0);
    for (key, neutral) in UNUSED.into_iter().filter(|(key, _)| later == 0 || *key != LATER) {
        if let Some(value) = keys.number(key)?.filter(|value| *value != neutral) {
            return Err(keys.reject(key, value, "no model that is computed has this"));
        }
    }
    if header.metadata.flag(&keys.name("attention.causal"))? == Some(false) {
        return Err(keys.reject("attention.causal", false, "a token attends to those before it"));
    }
    let layers = keys.required("block_count")?.saturating_sub(later);
    // A list with an item for each layer must not be longer than the file.
    if layers > headers.iter().map(|header| header.tensors.len()).sum() {
        return Err(keys.reject("block_count", layers, "the file has fewer tensors than that"));
    }
    let (hidden, heads) = (keys.required("embedding_length")?, keys.required("attention.head_count")?);
    let head_dim = keys.count("attention.key_length")?;
    let head_dim = head_dim.or_else(|| hidden.checked_div(heads).filter(|_| hidden.is_multiple_of(heads)));
    if let Some(value) = keys.count("attention.value_length")?.filter(|value| Some(*value) != head_dim) {
        return Err(keys.reject("attention.value_length", value, "it must equal the width of keys"));
    }
    let embedding = tensor("token_embd.weight").ok_or(GgufConfigError::Tensor("token_embd.weight"))?;
    let window = keys.count("attention.sliding_window")?.filter(|window| *window > 0);
    if let Some(window) = window.filter(|_| traits.other_kind != LayerKind::Attention) {
        return Err(keys.reject("attention.sliding_window", window, "no layer of this architecture has a window"));
    }
    let family = architecture.windowed.filter(|_| window.is_some()).unwrap_or(architecture.family);
    let max_positions = keys.required("context_length")?;
    // A layer without heads of keys has a convolution.
    let kv_heads = match traits.other_kind {
        LayerKind::Convolution => keys.layers_with_heads(layers)?,
        _ => None,
    };
    let (attention_layers, kv_heads) = match kv_heads {
        Some((layers, heads)) => (Some(layers), heads),
        None => (None, keys.count("attention.head_count_kv")?.unwrap_or(heads)),
    };

    let has_shared = traits.experts.is_some_and(|experts| experts.has_shared);
    let width = if has_shared { "expert_shared_feed_forward_length" } else { "feed_forward_length" };
    let mut config = json!({
        "model_type": family.model_type(),
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        (traits.intermediate_field): keys.required(width)?,
        "vocab_size": embedding.shape.first(),
        "max_position_embeddings": max_positions,
        (traits.eps_field): keys
            .number("attention.layer_norm_rms_epsilon")?
            .ok_or_else(|| MetadataError::Missing(keys.name("attention.layer_norm_rms_epsilon")))?,
        "rope_theta": keys.number("rope.freq_base")?.unwrap_or(10_000.0),
        "tie_word_embeddings": tensor("output.weight").is_none(),
        "attention_bias": tensor("blk.0.attn_q.bias").is_some(),
        "mlp_bias": tensor("blk.0.ffn_up.bias").is_some(),
        "sliding_window": window,
    });
    let fields = config.as_object_mut().expect("it was made an object above");
    if let Some(head_dim) = head_dim {
        fields.insert("head_dim".to_owned(), head_dim.into());
    }
    if let Value::Object(constants) = (architecture.constants)() {
        fields.extend(constants);
    }
    if let Some(pattern) = architecture.pattern.filter(|_| family.traits().local_rope_theta.is_some()) {
        fields.insert("layer_types".to_owned(), layer_types(&keys, layers, window.is_some(), pattern)?);
        let base = match architecture.local_base {
            LocalBase::Same => fields["rope_theta"].clone(),
            LocalBase::Constant(base) => base.into(),
        };
        let base = keys.number("rope.freq_base_swa")?.map_or(base, Value::from);
        fields.insert("rope_local_base_freq".to_owned(), base);
    }
    if family.traits().query_scalar.is_some() {
        let scalar = if layers == LAYERS_OF_GEMMA_27B { hidden.checked_div(heads) } else { head_dim };
        fields.insert("query_pre_attn_scalar".to_owned(), scalar.into());
    }
    experts(&keys, family, fields)?;
    delta_networks(&keys, family, layers, fields)?;
    if family.traits().other_kind == LayerKind::Convolution {
        fields.insert("conv_L_cache".to_owned(), keys.required("shortconv.l_cache")?.into());
        fields.insert("full_attn_idxs".to_owned(), attention_layers.into());
    }
    rotated_part(&keys, family, head_dim, fields)?;
    let factors = |name: &'static str| factors(files, &headers, name);
    if let Some(short) = factors("rope_factors_short.weight")? {
        let original = keys.count("rope.scaling.original_context_length")?.unwrap_or(max_positions);
        fields.insert("original_max_position_embeddings".to_owned(), original.into());
        let long = factors("rope_factors_long.weight")?;
        let attention_factor = keys.number("rope.scaling.attn_factor")?;
        let scaling = json!({ "rope_type": "longrope", "short_factor": short, "long_factor": long,
                              "attention_factor": attention_factor });
        fields.insert("rope_scaling".to_owned(), scaling);
    } else if let Some(listed) = factors("rope_freqs.weight")? {
        fields.insert("rope_scaling".to_owned(), json!({ "rope_type": "factors", "factors": listed }));
    } else {
        fields.insert("rope_scaling".to_owned(), scaling(&keys, max_positions)?);
    }
    Ok(config)
}

/// Returns `layer_types`: those in the metadata, or all with a window but every so many.
fn layer_types(keys: &Keys<'_>, layers: usize, has_window: bool, pattern: usize) -> Result<Value, GgufConfigError> {
    let key = "attention.sliding_window_pattern";
    let slides: Vec<bool> = match keys.header.metadata.get(&keys.name(key)) {
        _ if !has_window => vec![false; layers],
        Some(Stored::List(_)) => {
            let listed = keys.header.metadata.flags(&keys.name(key))?.unwrap_or_default();
            if listed.len() < layers {
                return Err(keys.reject(key, format!("{listed:?}"), "it must have a value for each layer"));
            }
            listed
        }
        _ => {
            let pattern = keys.count(key)?.unwrap_or(pattern);
            (0..layers).map(|layer| pattern == 0 || !(layer + 1).is_multiple_of(pattern)).collect()
        }
    };
    let name = |slides: &bool| if *slides { "sliding_attention" } else { "full_attention" };
    Ok(slides[..layers].iter().map(name).collect())
}

/// Adds the fields of experts. A family without them must have none.
fn experts(keys: &Keys<'_>, family: Family, fields: &mut Map<String, Value>) -> Result<(), GgufConfigError> {
    let count = keys.count("expert_count")?.unwrap_or(0);
    if family.traits().experts.is_none() {
        return match count {
            0 => Ok(()),
            _ => Err(keys.reject("expert_count", count, "of this architecture, models without experts are computed")),
        };
    }
    fields.insert("num_experts".to_owned(), count.into());
    fields.insert("num_experts_per_tok".to_owned(), keys.required("expert_used_count")?.into());
    fields.insert("moe_intermediate_size".to_owned(), keys.required("expert_feed_forward_length")?.into());
    Ok(())
}

/// Adds the fields of delta networks, if the family has any.
fn delta_networks(
    keys: &Keys<'_>,
    family: Family,
    layers: usize,
    fields: &mut Map<String, Value>,
) -> Result<(), GgufConfigError> {
    if family.traits().other_kind != LayerKind::Delta {
        return Ok(());
    }
    let key = "attention.recurrent_layers";
    let kind = |is_recurrent: &bool| if *is_recurrent { "linear_attention" } else { "full_attention" };
    match keys.header.metadata.flags(&keys.name(key))? {
        Some(listed) if listed.len() < layers => {
            return Err(keys.reject(key, format!("{listed:?}"), "it must have a value for each layer"));
        }
        Some(listed) => fields.insert("layer_types".to_owned(), listed[..layers].iter().map(kind).collect()),
        None => {
            let interval = keys.count("full_attention_interval")?.unwrap_or(4);
            fields.insert("full_attention_interval".to_owned(), interval.into())
        }
    };
    let (width, heads) = (keys.required("ssm.state_size")?, keys.required("ssm.time_step_rank")?);
    let inner = keys.required("ssm.inner_size")?;
    if width.checked_mul(heads) != Some(inner) {
        return Err(keys.reject("ssm.inner_size", inner, "it must be the state size times the time step rank"));
    }
    fields.insert("linear_num_key_heads".to_owned(), keys.required("ssm.group_count")?.into());
    fields.insert("linear_num_value_heads".to_owned(), heads.into());
    for field in ["linear_key_head_dim", "linear_value_head_dim"] {
        fields.insert(field.to_owned(), width.into());
    }
    fields.insert("linear_conv_kernel_dim".to_owned(), keys.required("ssm.conv_kernel")?.into());
    Ok(())
}

/// Adds the part of a head that is rotated, if it is not the default of the family.
fn rotated_part(
    keys: &Keys<'_>,
    family: Family,
    head_dim: Option<usize>,
    fields: &mut Map<String, Value>,
) -> Result<(), GgufConfigError> {
    let key = "rope.dimension_count";
    let Some(head_dim) = head_dim else { return Ok(()) };
    let rotated = keys.count(key)?.unwrap_or(head_dim);
    let default = family.traits().rotated_part;
    if rotated == head_dim && default.is_none_or(|part| part == 1.0) {
        return Ok(());
    }
    if default.is_none() || rotated > head_dim {
        return Err(keys.reject(key, rotated, "the whole head is rotated"));
    }
    let mut part = rotated as f64 / head_dim as f64;
    // The product is rounded towards zero, and must be the number again.
    if ((head_dim as f64 * part) as usize) < rotated {
        part = part.next_up();
    }
    fields.insert("partial_rotary_factor".to_owned(), part.into());
    Ok(())
}

/// Returns `rope_scaling` of a model without tensors of factors.
fn scaling(keys: &Keys<'_>, max_positions: usize) -> Result<Value, GgufConfigError> {
    let key = "rope.scaling.type";
    let kind = keys.header.metadata.text(&keys.name(key))?.unwrap_or("linear");
    // Old files have the second key.
    let factor = match keys.number("rope.scaling.factor")? {
        None => keys.number("rope.scale_linear")?,
        factor => factor,
    };
    match kind {
        "none" => Ok(Value::Null),
        "linear" => Ok(match factor.filter(|factor| *factor != 0.0 && *factor != 1.0) {
            None => Value::Null,
            Some(factor) => json!({ "rope_type": "linear", "factor": factor }),
        }),
        "yarn" => Ok(json!({
            "rope_type": "yarn", "factor": factor,
            "original_max_position_embeddings":
                keys.count("rope.scaling.original_context_length")?.unwrap_or(max_positions),
            "attention_factor": keys.number("rope.scaling.yarn_attn_factor")?,
            "beta_fast": keys.number("rope.scaling.yarn_beta_fast")?,
            "beta_slow": keys.number("rope.scaling.yarn_beta_slow")?,
        })),
        // The factors are tensors, and there are none.
        "longrope" => Err(GgufConfigError::Tensor("rope_factors_short.weight")),
        _ => Err(keys.reject(key, kind, "none, linear, yarn and longrope are implemented")),
    }
}

/// Returns the numbers of a tensor with factors of the rotary embedding, if there is one.
fn factors(files: &[&[u8]], headers: &[Header<'_>], name: &'static str) -> Result<Option<Vec<f64>>, GgufConfigError> {
    let found = files.iter().zip(headers).find_map(|(file, header)| Some((file, header, header.tensor(name)?)));
    let Some((file, header, tensor)) = found else { return Ok(None) };
    let wrong = || GgufConfigError::Factors { name };
    let [count] = tensor.shape[..] else { return Err(wrong()) };
    let bytes = header.data.checked_add(tensor.offset).zip(count.checked_mul(size_of::<f32>()));
    let bytes = bytes.and_then(|(start, size)| file.get(start..)?.get(..size)).filter(|_| tensor.element == 0);
    let bytes = bytes.ok_or_else(wrong)?;
    let (numbers, _) = bytes.as_chunks::<4>();
    Ok(Some(numbers.iter().map(|number| f32::from_le_bytes(*number).into()).collect()))
}

#[cfg(test)]
mod tests;
