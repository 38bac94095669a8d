//! Names of tensors: those of Hugging Face, by which the engine reads all files, and llama.cpp's for the same.

use crate::config::{ModelConfig, NormPlacement};

/// Name of the embedding.
pub(crate) const EMBEDDING: &str = "model.embed_tokens.weight";
/// Name of the output head.
pub(crate) const HEAD: &str = "lm_head.weight";
/// Name of the norm before the output head.
pub(crate) const FINAL_NORM: &str = "model.norm.weight";

/// Tensors outside layers: llama.cpp's name of each and Hugging Face's.
const OUTSIDE: [(&str, &str); 4] = [
    ("token_embd.weight", EMBEDDING),
    ("output_norm.weight", FINAL_NORM),
    ("token_embd_norm.weight", "model.embedding_norm.weight"),
    ("output.weight", HEAD),
];

/// Tensors of a layer that have no kind at the end of their name: llama.cpp's name of each and Hugging Face's.
const WITHOUT_KIND: [(&str, &str); 2] = [("ssm_a", DECAY_LOG), ("ssm_dt.bias", "linear_attn.dt_bias")];
/// Name within a layer of the logarithms of factors on the decay, in place of which llama.cpp has the negative factors.
pub(crate) const DECAY_LOG: &str = "linear_attn.A_log";

/// Name within a layer of the map to the gate of the shared expert.
pub(crate) const SHARED_GATE: &str = "mlp.shared_expert_gate";

/// Names within a layer of the weights of convolutions.
pub(super) const CONVOLUTIONS: [&str; 2] = [".linear_attn.conv1d.weight", ".conv.conv.weight"];

/// Returns the parts of a layer: llama.cpp's name of each and Hugging Face's; of the experts' matrices without the number of
/// the expert.
fn parts(config: &ModelConfig) -> impl Iterator<Item = (&'static str, &'static str)> {
    let both = config.norm_placement == NormPlacement::Both;
    // Hugging Face's name of a norm after the attention is older than norms on outputs.
    let before_feed_forward = if both { "pre_feedforward_layernorm" } else { "post_attention_layernorm" };
    let norms = [
        ("attn_norm", "input_layernorm"),
        ("ffn_norm", before_feed_forward),
        ("post_attention_norm", "post_attention_layernorm"),
        ("post_ffw_norm", "post_feedforward_layernorm"),
    ];
    let has_delta = config.delta.is_some();
    let has_shared = config.experts.as_ref().is_some_and(|experts| experts.has_shared);
    let up = if config.joint_projections { "mlp.gate_up_proj" } else { "mlp.up_proj" };
    let is_used = move |(name, _): &(&str, &str)| match config.norm_placement {
        // llama.cpp has the newer name with the same meaning.
        NormPlacement::Before if has_delta => matches!(*name, "attn_norm" | "post_attention_norm"),
        NormPlacement::Before => !name.starts_with("post"),
        NormPlacement::After => name.starts_with("post"),
        NormPlacement::Both => true,
    };
    let others = [
        ("attn_q", "self_attn.q_proj"),
        ("attn_k", "self_attn.k_proj"),
        ("attn_v", "self_attn.v_proj"),
        ("attn_qkv", "self_attn.qkv_proj"),
        ("attn_output", "self_attn.o_proj"),
        ("attn_q_norm", "self_attn.q_norm"),
        ("attn_k_norm", "self_attn.k_norm"),
        (if has_shared { "ffn_gate_shexp" } else { "ffn_gate" }, "mlp.gate_proj"),
        (if has_shared { "ffn_up_shexp" } else { "ffn_up" }, up),
        (if has_shared { "ffn_down_shexp" } else { "ffn_down" }, "mlp.down_proj"),
        ("ffn_gate_inp_shexp", SHARED_GATE),
        ("ffn_gate_inp", "mlp.gate"),
        ("ffn_gate_exps", "mlp.experts.gate_proj"),
        ("ffn_up_exps", "mlp.experts.up_proj"),
        ("ffn_down_exps", "mlp.experts.down_proj"),
        ("ffn_gate_up_exps", "mlp.experts.gate_up_proj"),
        ("attn_qkv", "linear_attn.in_proj_qkv"),
        ("attn_gate", "linear_attn.in_proj_z"),
        ("ssm_alpha", "linear_attn.in_proj_a"),
        ("ssm_beta", "linear_attn.in_proj_b"),
        ("ssm_conv1d", "linear_attn.conv1d"),
        ("ssm_norm", "linear_attn.norm"),
        ("ssm_out", "linear_attn.out_proj"),
        ("shortconv.in_proj", "conv.in_proj"),
        ("shortconv.conv", "conv.conv"),
        ("shortconv.out_proj", "conv.out_proj"),
    ];
    // Joint projections have the same name as those of delta networks.
    let others = others.into_iter().filter(move |(_, part)| !has_delta || *part != "self_attn.qkv_proj");
    norms.into_iter().filter(is_used).chain(others).map(|(ggml, part)| (ggml, config.family.name_of(part)))
}

/// Returns Hugging Face's name of a tensor of llama.cpp; of the experts' matrices without the number of the expert.
pub(super) fn hugging_face_name(name: &str, config: &ModelConfig) -> Option<String> {
    if let Some((_, fixed)) = OUTSIDE.iter().find(|(ggml, _)| *ggml == name) {
        return Some((*fixed).to_owned());
    }
    let (layer, rest) = name.strip_prefix("blk.")?.split_once('.')?;
    let layer: usize = layer.parse().ok()?;
    if let Some((_, part)) = WITHOUT_KIND.iter().find(|(ggml, _)| *ggml == rest) {
        return config.delta.is_some().then(|| format!("model.layers.{layer}.{part}"));
    }
    let (part, kind) = rest.rsplit_once('.')?;
    let (_, part) = parts(config).find(|(ggml, _)| *ggml == part)?;
    matches!(kind, "weight" | "bias").then(|| format!("model.layers.{layer}.{part}.{kind}"))
}

/// Returns llama.cpp's name of a tensor of Hugging Face, which is [`hugging_face_name`]'s inverse.
pub(crate) fn ggml_name(name: &str, config: &ModelConfig) -> Option<String> {
    if let Some((ggml, _)) = OUTSIDE.iter().find(|(_, fixed)| *fixed == name) {
        return Some((*ggml).to_owned());
    }
    let (layer, rest) = name.strip_prefix("model.layers.")?.split_once('.')?;
    if let Some((ggml, _)) = WITHOUT_KIND.iter().find(|(_, part)| *part == rest) {
        return Some(format!("blk.{layer}.{ggml}"));
    }
    let (part, kind) = rest.rsplit_once('.')?;
    let (ggml, _) = parts(config).find(|(_, named)| *named == part)?;
    Some(format!("blk.{layer}.{ggml}.{kind}"))
}

/// Returns whether a tensor, by either name, has the weights of a norm that the offset of the family is added to.
pub(crate) fn has_norm_offset(name: &str) -> bool {
    name.ends_with("norm.weight") && !name.ends_with("ssm_norm.weight") && !name.ends_with("linear_attn.norm.weight")
}
