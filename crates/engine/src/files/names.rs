//! Names of tensors: those of Hugging Face, by which the engine reads all files, and llama.cpp's for the same.

use crate::config::{ModelConfig, NormPlacement};

/// Name of the embedding.
pub(crate) const EMBEDDING: &str = "model.embed_tokens.weight";
/// Name of the output head.
pub(crate) const HEAD: &str = "lm_head.weight";
/// Name of the norm before the output head.
pub(crate) const FINAL_NORM: &str = "model.norm.weight";

/// Returns Hugging Face's name of a tensor of llama.cpp; of the experts' matrices without the number of the expert.
pub(super) fn hugging_face_name(name: &str, config: &ModelConfig) -> Option<String> {
    let fixed = match name {
        "token_embd.weight" => Some(EMBEDDING),
        "output_norm.weight" => Some(FINAL_NORM),
        "output.weight" => Some(HEAD),
        _ => None,
    };
    if let Some(fixed) = fixed {
        return Some(fixed.to_owned());
    }
    let (layer, rest) = name.strip_prefix("blk.")?.split_once('.')?;
    let layer: usize = layer.parse().ok()?;
    let (part, kind) = rest.rsplit_once('.')?;
    let part = match part {
        "attn_norm" => "input_layernorm",
        "ffn_norm" if config.norm_placement == NormPlacement::Both => "pre_feedforward_layernorm",
        "ffn_norm" | "post_attention_norm" => "post_attention_layernorm",
        "post_ffw_norm" => "post_feedforward_layernorm",
        "attn_q" => "self_attn.q_proj",
        "attn_k" => "self_attn.k_proj",
        "attn_v" => "self_attn.v_proj",
        "attn_qkv" => "self_attn.qkv_proj",
        "attn_output" => "self_attn.o_proj",
        "attn_q_norm" => "self_attn.q_norm",
        "attn_k_norm" => "self_attn.k_norm",
        "ffn_gate" => "mlp.gate_proj",
        "ffn_up" if config.joint_projections => "mlp.gate_up_proj",
        "ffn_up" => "mlp.up_proj",
        "ffn_down" => "mlp.down_proj",
        "ffn_gate_inp" => "mlp.gate",
        "ffn_gate_exps" => "mlp.experts.gate_proj",
        "ffn_up_exps" => "mlp.experts.up_proj",
        "ffn_down_exps" => "mlp.experts.down_proj",
        _ => return None,
    };
    matches!(kind, "weight" | "bias").then(|| format!("model.layers.{layer}.{part}.{kind}"))
}
