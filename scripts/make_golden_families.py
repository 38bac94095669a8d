#!/usr/bin/env python3
"""Record what transformers and PEFT compute for models of every family that the engine runs.

    python3 -m venv venv && venv/bin/pip install -r scripts/requirements.txt
    venv/bin/python scripts/make_golden_families.py           # writes tests/golden/families, about a minute

Weights are not stored: they follow from the tensor's name by a counter-based formula that the test computes as well
(`value` below, `formula` in crates/engine/src/testing.rs).  Each model is written as a real directory (sharded, in its
element type), read by AutoModelForCausalLM and run in f32 with eager attention on one thread.  tests/golden/README.md
describes the files.
"""
import argparse
import json
import tempfile
from pathlib import Path

import numpy as np
import torch
from peft import LoraConfig, get_peft_model
from safetensors.torch import save_file
from transformers import AutoConfig, AutoModelForCausalLM

PROJECTIONS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
# Modules with an adapter in families that lack some of these, or have others.
TARGETS = {"qwen3_moe": PROJECTIONS[:4], "phi3": ["qkv_proj", "o_proj", "gate_up_proj", "down_proj"],
           "qwen3_5_text": [*PROJECTIONS, "in_proj_qkv", "in_proj_z", "in_proj_a", "in_proj_b", "out_proj"],
           "qwen3_5_moe_text": [*PROJECTIONS, "in_proj_qkv", "in_proj_z", "in_proj_a", "in_proj_b", "out_proj"],
           "lfm2": ["q_proj", "k_proj", "v_proj", "out_proj", "in_proj", "w1", "w2", "w3"]}
LENGTH, ROWS, GREEDY, LEAST_MARGIN, RANK, ALPHA = 160, [0, 1, 40, 159], 200, 2e-3, 4, 8
SHAPE = dict(hidden_size=40, num_hidden_layers=2, intermediate_size=56, vocab_size=131, max_position_embeddings=512,
             rms_norm_eps=1e-5, hidden_act="silu", bos_token_id=1, eos_token_id=2)
LLAMA3 = dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=64)

# What a config.json of the wild says, in the spelling of transformers 4 or 5; `dtype` and `shards` are of the files.
CASES = {
    "llama2": dict(model_type="llama", num_attention_heads=4, rope_theta=10000.0, rope_scaling=None, tie_word_embeddings=False),
    "llama3": dict(model_type="llama", num_attention_heads=4, num_key_value_heads=2, rope_theta=500000.0, rope_scaling=LLAMA3,
                   tie_word_embeddings=True, dtype="bfloat16", shards=3),
    "llama3-rope-parameters": dict(model_type="llama", num_attention_heads=3, num_key_value_heads=1, head_dim=18, hidden_size=42,
                                   rope_parameters=dict(LLAMA3, rope_theta=500000.0), tie_word_embeddings=False, dtype="float16"),
    "llama-biases": dict(model_type="llama", num_attention_heads=5, num_key_value_heads=5, attention_bias=True, mlp_bias=True,
                         rope_theta=10000.0, rope_scaling=dict(type="linear", factor=2.0), tie_word_embeddings=True),
    "llama-dynamic": dict(model_type="llama", num_attention_heads=2, num_key_value_heads=1, rope_scaling=dict(type="dynamic", factor=4.0),
                          tie_word_embeddings=False),
    "mistral": dict(model_type="mistral", num_attention_heads=4, num_key_value_heads=2, head_dim=14, rope_theta=1000000.0,
                    sliding_window=None, tie_word_embeddings=False, dtype="bfloat16", shards=2),
    "mistral-window": dict(model_type="mistral", num_attention_heads=4, num_key_value_heads=1, rope_theta=10000.0, sliding_window=400,
                           tie_word_embeddings=False),
    "qwen2": dict(model_type="qwen2", num_attention_heads=4, num_key_value_heads=2, rope_theta=1000000.0, sliding_window=64,
                  max_window_layers=2, use_sliding_window=False, tie_word_embeddings=True, dtype="bfloat16"),
    "qwen2-yarn": dict(model_type="qwen2", num_attention_heads=2, num_key_value_heads=1, rope_theta=1000000.0, tie_word_embeddings=False,
                       rope_scaling=dict(type="yarn", factor=4.0, original_max_position_embeddings=128), dtype="float16", shards=2),
    "qwen3": dict(model_type="qwen3", num_attention_heads=4, num_key_value_heads=2, head_dim=16, rope_theta=1000000.0, attention_bias=False,
                  tie_word_embeddings=True, dtype="bfloat16"),
    "qwen3-biases": dict(model_type="qwen3", num_attention_heads=2, num_key_value_heads=2, head_dim=26, attention_bias=True,
                         rope_parameters=dict(rope_type="yarn", rope_theta=10000.0, factor=2.0, original_max_position_embeddings=256,
                                              beta_fast=16.0, truncate=False), tie_word_embeddings=False),
    "smollm3": dict(model_type="smollm3", num_attention_heads=4, num_key_value_heads=2, pad_token_id=None, rope_theta=5000000.0, rope_scaling=None,
                    no_rope_layers=[1, 0], no_rope_layer_interval=4, use_sliding_window=False, sliding_window=None, max_window_layers=28,
                    layer_types=["full_attention", "full_attention"], tie_word_embeddings=True, dtype="bfloat16"),
    "smollm3-yarn": dict(model_type="smollm3", num_attention_heads=2, num_key_value_heads=1, pad_token_id=None, attention_bias=True, mlp_bias=True,
                         no_rope_layer_interval=2, tie_word_embeddings=False,
                         rope_parameters=dict(rope_type="yarn", rope_theta=2000000.0, factor=2.0, original_max_position_embeddings=256)),
    "olmo2": dict(model_type="olmo2", num_attention_heads=4, num_key_value_heads=2, pad_token_id=None, rope_theta=500000.0, rope_scaling=None,
                  attention_bias=False, tie_word_embeddings=False, dtype="bfloat16"),
    "olmo2-biases": dict(model_type="olmo2", num_attention_heads=3, attention_bias=True, head_dim=18, tie_word_embeddings=False,
                         rope_parameters=dict(rope_type="default", rope_theta=10000.0), shards=2),
    "qwen3-moe": dict(model_type="qwen3_moe", num_attention_heads=4, num_key_value_heads=2, head_dim=16, rope_theta=1000000.0,
                      num_experts=8, num_experts_per_tok=2, moe_intermediate_size=24, norm_topk_prob=True, decoder_sparse_step=1,
                      mlp_only_layers=[], output_router_logits=False, router_aux_loss_coef=0.001, use_sliding_window=False,
                      sliding_window=None, max_window_layers=2, tie_word_embeddings=False, dtype="bfloat16"),
    "qwen3-moe-mixed": dict(model_type="qwen3_moe", num_attention_heads=2, num_key_value_heads=1, attention_bias=True,
                            num_local_experts=5, num_experts_per_tok=3, moe_intermediate_size=14, decoder_sparse_step=2,
                            rope_parameters=dict(rope_type="default", rope_theta=10000.0), tie_word_embeddings=True, shards=2),
    "mistral-short-window": dict(model_type="mistral", num_attention_heads=4, num_key_value_heads=2, rope_theta=10000.0, sliding_window=19,
                                 tie_word_embeddings=False),
    "qwen3-windows": dict(model_type="qwen3", num_attention_heads=2, num_key_value_heads=1, head_dim=20, use_sliding_window=True,
                          sliding_window=33, layer_types=["sliding_attention", "full_attention"], tie_word_embeddings=False),
    "olmo3": dict(model_type="olmo3", num_attention_heads=4, num_key_value_heads=2, pad_token_id=None, rope_theta=500000.0, sliding_window=27,
                  rope_scaling=dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=128, attention_factor=1.1386),
                  layer_types=["sliding_attention", "full_attention"], attention_bias=False, tie_word_embeddings=False, dtype="bfloat16"),
    "gemma3": dict(model_type="gemma3_text", num_attention_heads=4, num_key_value_heads=2, head_dim=14, pad_token_id=None,
                   hidden_activation="gelu_pytorch_tanh", query_pre_attn_scalar=24, rope_theta=1000000.0, rope_local_base_freq=10000.0,
                   rope_scaling=dict(rope_type="linear", factor=8.0), sliding_window=19, sliding_window_pattern=2, attention_bias=False,
                   attn_logit_softcapping=None, final_logit_softcapping=None, dtype="bfloat16", tie_word_embeddings=True),
    "gemma3-rope-parameters": dict(model_type="gemma3_text", hidden_size=42, num_attention_heads=3, num_key_value_heads=1, head_dim=18,
                                   pad_token_id=None, query_pre_attn_scalar=9, attention_bias=True, sliding_window=33, num_hidden_layers=3,
                                   layer_types=["full_attention", "sliding_attention", "sliding_attention"], use_bidirectional_attention=False,
                                   rope_parameters=dict(full_attention=dict(rope_type="default", rope_theta=500000.0),
                                                        sliding_attention=dict(rope_type="linear", factor=2.0, rope_theta=1000.0)),
                                   tie_word_embeddings=False, shards=2),
    # Dropout acts in training by torch alone.
    "phi3": dict(model_type="phi3", num_attention_heads=4, num_key_value_heads=2, pad_token_id=None, partial_rotary_factor=0.6,
                 original_max_position_embeddings=256, rope_theta=10000.0, sliding_window=262144, attention_bias=False, mlp_bias=False,
                 rope_scaling=dict(type="longrope", short_factor=[1.0, 1.25, 2.5], long_factor=[1.0, 4.0, 30.0]), embd_pdrop=0.0,
                 resid_pdrop=0.0, attention_dropout=0.0, tie_word_embeddings=True, dtype="bfloat16", shards=2),
    "phi3-rope-parameters": dict(model_type="phi3", hidden_size=42, num_attention_heads=3, pad_token_id=None, sliding_window=19,
                                 rope_parameters=dict(rope_type="default", rope_theta=1000.0, partial_rotary_factor=1.0), resid_pdrop=0.1,
                                 tie_word_embeddings=False),
    # Queries from position 256 on are scaled, where sequences end here.
    "ministral3": dict(model_type="ministral3", num_attention_heads=4, num_key_value_heads=2, head_dim=14, pad_token_id=None, sliding_window=None,
                       rope_parameters=dict(rope_type="yarn", type="yarn", rope_theta=1000000.0, factor=16.0, original_max_position_embeddings=256,
                                            beta_fast=32.0, beta_slow=1.0, mscale=1.0, mscale_all_dim=1.0, llama_4_scaling_beta=0.1),
                       tie_word_embeddings=False, dtype="bfloat16"),
    # Three layers of four have no attention.
    "qwen3.5": dict(model_type="qwen3_5_text", num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2, head_dim=16, pad_token_id=None,
                    attn_output_gate=True, full_attention_interval=4, linear_conv_kernel_dim=4, linear_key_head_dim=16, linear_value_head_dim=16,
                    linear_num_key_heads=2, linear_num_value_heads=4, mamba_ssm_dtype="float32", attention_bias=False, mtp_num_hidden_layers=1,
                    rope_parameters=dict(rope_type="default", rope_theta=10000000.0, partial_rotary_factor=0.25, mrope_interleaved=True,
                                         mrope_section=[1, 1, 0]), tie_word_embeddings=True, dtype="bfloat16"),
    "qwen3.5-biases": dict(model_type="qwen3_5_text", num_hidden_layers=3, num_attention_heads=3, num_key_value_heads=1, head_dim=20,
                           pad_token_id=None, layer_types=["full_attention", "linear_attention", "linear_attention"], linear_conv_kernel_dim=3,
                           linear_key_head_dim=10, linear_value_head_dim=10, linear_num_key_heads=3, linear_num_value_heads=3,
                           attention_bias=True, rope_parameters=dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=0.3),
                           tie_word_embeddings=False, shards=2),
    # Layers of the feed-forward part have 40 values, two thirds of 56 in whole eights.
    "lfm2": dict(model_type="lfm2", num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2, norm_eps=1e-5, rope_theta=1000000.0,
                 conv_L_cache=3, conv_bias=False, full_attn_idxs=[1, 3], block_auto_adjust_ff_dim=True, block_ffn_dim_multiplier=1.0,
                 block_multiple_of=8, tie_word_embeddings=True, dtype="bfloat16"),
    "lfm2-biases": dict(model_type="lfm2", hidden_size=42, num_hidden_layers=3, num_attention_heads=3, num_key_value_heads=1, norm_eps=1e-4,
                        conv_L_cache=4, conv_bias=True, layer_types=["conv", "conv", "full_attention"], block_auto_adjust_ff_dim=False,
                        block_ff_dim=44, rope_parameters=dict(rope_type="default", rope_theta=10000.0), tie_word_embeddings=False, shards=2),
    # Modules named `gate_proj`, `up_proj` and `down_proj` are those of the shared expert.
    "qwen3.5-moe": dict(model_type="qwen3_5_moe_text", num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2, head_dim=16,
                        pad_token_id=None, attn_output_gate=True, full_attention_interval=4, linear_conv_kernel_dim=4, linear_key_head_dim=16,
                        linear_value_head_dim=16, linear_num_key_heads=2, linear_num_value_heads=4, num_experts=8, num_experts_per_tok=2,
                        moe_intermediate_size=24, shared_expert_intermediate_size=20, output_router_logits=False, router_aux_loss_coef=0.001,
                        rope_parameters=dict(rope_type="default", rope_theta=10000000.0, partial_rotary_factor=0.25, mrope_interleaved=True,
                                             mrope_section=[1, 1, 0]), tie_word_embeddings=False, dtype="bfloat16"),
    "qwen3.5-moe-tied": dict(model_type="qwen3_5_moe_text", num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1, head_dim=20,
                             pad_token_id=None, layer_types=["full_attention", "linear_attention"], linear_conv_kernel_dim=3,
                             linear_key_head_dim=10, linear_value_head_dim=10, linear_num_key_heads=2, linear_num_value_heads=2, num_experts=5,
                             num_experts_per_tok=3, moe_intermediate_size=14, shared_expert_intermediate_size=34,
                             rope_parameters=dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=0.3),
                             tie_word_embeddings=True, shards=2),
}
GRADIENT_CASES = ["llama3", "llama-biases", "mistral", "qwen2", "qwen3-biases", "smollm3", "olmo2", "qwen3-moe", "qwen3-moe-mixed",
                  "mistral-short-window", "olmo3", "gemma3", "phi3", "ministral3", "qwen3.5", "qwen3.5-biases", "lfm2", "lfm2-biases", "qwen3.5-moe"]
# Steps of training and their learning rate; families whose layers have a recurrent state have these, too.
CURVE_CASES, STEPS, LEARNING_RATE = ["qwen3.5", "lfm2"], 20, 5e-4

# Rotary settings of models that people run, for the frequencies alone.
KNOWN = {
    "Llama 2 7B": dict(model_type="llama", hidden_size=4096, num_attention_heads=32, max_position_embeddings=4096),
    "Llama 3 8B": dict(model_type="llama", hidden_size=4096, num_attention_heads=32, rope_theta=500000.0, max_position_embeddings=8192),
    "Llama 3.1 8B": dict(model_type="llama", hidden_size=4096, num_attention_heads=32, rope_theta=500000.0, max_position_embeddings=131072,
                         rope_scaling=dict(factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=8192, rope_type="llama3")),
    "Llama 3.2 1B": dict(model_type="llama", hidden_size=2048, num_attention_heads=32, head_dim=64, rope_theta=500000.0, max_position_embeddings=131072,
                         rope_scaling=dict(factor=32.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=8192, rope_type="llama3")),
    "Llama with linear scaling": dict(model_type="llama", hidden_size=4096, num_attention_heads=32, max_position_embeddings=16384,
                                      rope_scaling=dict(type="linear", factor=4.0)),
    "Llama with dynamic scaling": dict(model_type="llama", hidden_size=4096, num_attention_heads=32, max_position_embeddings=4096,
                                       rope_scaling=dict(type="dynamic", factor=1.3)),
    "Mistral 7B v0.3": dict(model_type="mistral", rope_theta=1000000.0, max_position_embeddings=32768, sliding_window=None),
    "Qwen2.5 7B": dict(model_type="qwen2", hidden_size=3584, num_attention_heads=28, num_key_value_heads=4, rope_theta=1000000.0, max_position_embeddings=32768),
    "Qwen2.5 7B with YaRN": dict(model_type="qwen2", hidden_size=3584, num_attention_heads=28, num_key_value_heads=4, rope_theta=1000000.0,
                                 max_position_embeddings=131072, rope_scaling=dict(factor=4.0, original_max_position_embeddings=32768, type="yarn")),
    "Qwen3 0.6B": dict(model_type="qwen3", hidden_size=1024, num_attention_heads=16, num_key_value_heads=8, head_dim=128, rope_theta=1000000.0,
                       max_position_embeddings=40960),
    "Qwen3 with YaRN and mscale": dict(model_type="qwen3", hidden_size=1024, num_attention_heads=16, num_key_value_heads=8, head_dim=128,
                                       max_position_embeddings=131072,
                                       rope_parameters=dict(rope_type="yarn", rope_theta=1000000.0, factor=4.0, original_max_position_embeddings=32768,
                                                            mscale=1.0, mscale_all_dim=0.8, beta_fast=24.0, beta_slow=2.0)),
    "SmolLM3 3B": dict(model_type="smollm3", hidden_size=2048, num_attention_heads=16, num_key_value_heads=4, rope_theta=5000000.0,
                       max_position_embeddings=65536, no_rope_layer_interval=4),
    "OLMo 3 7B": dict(model_type="olmo3", hidden_size=4096, num_attention_heads=32, rope_theta=500000.0, max_position_embeddings=65536,
                      rope_scaling=dict(attention_factor=1.2079441541679836, beta_fast=32.0, beta_slow=1.0, factor=8.0,
                                        original_max_position_embeddings=8192, rope_type="yarn")),
    "Qwen3.5 0.8B": dict(model_type="qwen3_5_text", hidden_size=1024, num_attention_heads=8, num_key_value_heads=2, pad_token_id=None,
                         rope_parameters=dict(rope_type="default", rope_theta=10000000.0, partial_rotary_factor=0.25, mrope_interleaved=True,
                                              mrope_section=[11, 11, 10])),
    "LFM2 1.2B": dict(model_type="lfm2", hidden_size=2048, num_attention_heads=32, num_key_value_heads=8, rope_theta=1000000.0,
                      max_position_embeddings=128000),
    "Gemma 3 4B": dict(model_type="gemma3_text", hidden_size=2560, num_attention_heads=8, num_key_value_heads=4, head_dim=256,
                       rope_scaling=dict(factor=8.0, rope_type="linear")),
    "Phi-3-mini 4k": dict(model_type="phi3", hidden_size=3072, num_attention_heads=32, max_position_embeddings=4096, rope_scaling=None,
                          original_max_position_embeddings=4096, pad_token_id=None),
    # The factors of longer sequences are not used.
    "Phi-4-mini": dict(model_type="phi3", hidden_size=3072, num_attention_heads=24, num_key_value_heads=8, partial_rotary_factor=0.75,
                       max_position_embeddings=131072, original_max_position_embeddings=4096, pad_token_id=None,
                       rope_scaling=dict(type="longrope", short_factor=[1.0] * 48, long_factor=[1.0 + k for k in range(48)])),
    "Phi-3 with other factors": dict(model_type="phi3", hidden_size=3072, num_attention_heads=32, max_position_embeddings=131072,
                                     original_max_position_embeddings=8192, pad_token_id=None, rope_theta=250000.0,
                                     rope_scaling=dict(rope_type="longrope", factor=16.0, short_factor=[1.0 + 0.03 * k for k in range(48)],
                                                       long_factor=[1.0 + k for k in range(48)])),
}


def bits(name, count):
    """64 pseudo-random bits per element: SplitMix64 of a counter, keyed by the name's FNV-1a hash."""
    mask, key = (1 << 64) - 1, 0xCBF29CE484222325
    for byte in name.encode():
        key = ((key ^ byte) * 0x100000001B3) & mask
    z = np.uint64(key) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def value(name, shape):
    """A tensor whose elements f32, f16 and bf16 all hold exactly: norms in [0.5, 1.5), all else in [-0.5, 0.5)."""
    draw = bits(name, int(np.prod(shape)))
    if name.endswith("norm.weight"):
        x = 0.5 + (draw >> np.uint64(57)).astype(np.float32) / 128
    else:
        x = (draw >> np.uint64(56)).astype(np.float32) / 256 - 0.5
    return torch.from_numpy(x.reshape(shape))


def tokens(name, count):
    return torch.from_numpy((bits(name, count) % np.uint64(SHAPE["vocab_size"])).astype(np.int64))


def stored(state):
    """Tensors by the names of model files, which have the matrices of each expert, where version 5 of transformers stacks them."""
    tensors = {}
    for name, tensor in state.items():
        prefix, _, part = name.rpartition(".")
        for expert, matrix in enumerate(tensor if prefix.endswith(".experts") else []):
            parts = zip(["gate_proj", "up_proj"], matrix.chunk(2)) if part == "gate_up_proj" else [(part, matrix)]
            tensors |= {f"{prefix}.{expert}.{part}.weight": matrix for part, matrix in parts}
        if not prefix.endswith(".experts"):
            tensors[name] = tensor
    return tensors


def write_model(case, directory):
    """A directory as from the hub: config.json and safetensors of the case's element type, in one file or sharded."""
    settings = {**SHAPE, **CASES[case]}
    dtype, shards = settings.pop("dtype", "float32"), settings.pop("shards", 1)
    (directory / "config.json").write_text(json.dumps(settings))
    model = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(directory))
    tied = settings["tie_word_embeddings"]
    state = stored(model.state_dict())
    names = sorted(n for n in state if not (tied and n == "lm_head.weight"))
    tensors = {n: value(f"{case}/{n}", tuple(state[n].shape)).to(getattr(torch, dtype)) for n in names}
    if shards == 1:
        save_file(tensors, directory / "model.safetensors", metadata={"format": "pt"})
    else:
        weight_map = {}
        for shard in range(shards):
            file = f"model-{shard + 1:05}-of-{shards:05}.safetensors"
            part = {n: tensors[n] for n in names[shard::shards]}
            save_file(part, directory / file, metadata={"format": "pt"})
            weight_map |= dict.fromkeys(part, file)
        (directory / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": weight_map}))
    return settings, dtype, shards


def load(directory):
    return AutoModelForCausalLM.from_pretrained(directory, dtype=torch.float32, attn_implementation="eager",
                                                experts_implementation="eager").eval()


def token_logprobs(model, ids):
    logits = model(input_ids=ids[None], use_cache=False).logits[0]
    return torch.log_softmax(logits[:-1], -1).gather(1, ids[1:, None])[:, 0], logits


@torch.no_grad()
def greedy(model, case):
    """The likeliest tokens after a prompt where each of them leads clearly, so that they do not depend on rounding."""
    for attempt in range(200):
        ids, margins = tokens(f"{case}/prompt/{attempt}", 8), []
        for _ in range(GREEDY):
            top = model(input_ids=ids[None], use_cache=False).logits[0, -1].topk(2)
            margins.append((top.values[0] - top.values[1]).item())
            ids = torch.cat([ids, top.indices[:1]])
            if margins[-1] < LEAST_MARGIN:
                break
        if min(margins) >= LEAST_MARGIN:
            return ids[:8], ids[8:], min(margins)
    raise SystemExit(f"{case}: no prompt has clear greedy tokens")


def gradients(directory, case, out):
    """Gradient of a weighted sum of log-probabilities for a LoRA adapter on all projections but experts, with PEFT's names."""
    model = load(directory)
    targets = TARGETS.get(model.config.model_type, PROJECTIONS)
    config = LoraConfig(r=RANK, lora_alpha=ALPHA, lora_dropout=0.0, bias="none", task_type="CAUSAL_LM", target_modules=targets)
    model = get_peft_model(model, config).eval()
    parameters = {n.replace(".default", ""): p for n, p in model.named_parameters() if p.requires_grad}
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(0.25 * value(f"{case}/{name}", tuple(parameter.shape)))
    ids = tokens(f"{case}/trained", 48)
    logprobs, _ = token_logprobs(model, ids)
    factors = value(f"{case}/factors", (47,))
    (factors * logprobs).sum().backward()
    out["adapted_logprobs"] = logprobs.detach()
    out |= {f"gradient.{n}": p.grad.clone() for n, p in parameters.items()}
    if case in CURVE_CASES:
        optimizer, losses = torch.optim.AdamW(parameters.values(), lr=LEARNING_RATE, weight_decay=0.0), []
        for _ in range(STEPS):
            optimizer.zero_grad()
            losses.append(-token_logprobs(model, ids)[0].mean())
            losses[-1].backward()
            optimizer.step()
        out["losses"] = torch.stack(losses).detach()


def record(case, target):
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        settings, dtype, shards = write_model(case, directory)
        model = load(directory)
        for name, parameter in stored(model.state_dict()).items():
            if not (settings["tie_word_embeddings"] and name == "lm_head.weight"):
                assert torch.equal(parameter, value(f"{case}/{name}", tuple(parameter.shape))), name
        ids = tokens(f"{case}/scored", LENGTH)
        with torch.no_grad():
            logprobs, logits = token_logprobs(model, ids)
        prompt, chosen, margin = greedy(model, case)
        out = {"logprobs": logprobs, "logits": logits[ROWS].clone(), "prompt": prompt.to(torch.uint8), "greedy": chosen.to(torch.uint8)}
        if case in GRADIENT_CASES:
            gradients(directory, case, out)
        print(f"{case}: spread of logits {logits.std():.2f}, {len(set(chosen.tolist()))} different greedy tokens, least margin {margin:.4f}")
    save_file(out, target / f"{case}.safetensors")
    (target / f"{case}.safetensors").chmod(0o644)
    return dict(name=case, config=settings, dtype=dtype, shards=shards)


def frequencies(name, settings):
    """Frequencies of a model; two kinds where layers with a sliding window have their own."""
    with tempfile.TemporaryDirectory() as directory:
        (Path(directory) / "config.json").write_text(json.dumps(settings))
        config = AutoConfig.from_pretrained(directory)
    config.num_hidden_layers, config.vocab_size, config.intermediate_size, config.pad_token_id = 2, 8, 8, None
    if hasattr(config, "layer_types"):
        config.layer_types = ["sliding_attention", "full_attention"]
    with torch.device("meta"):
        kind = type(AutoModelForCausalLM.from_config(config).model.rotary_emb)
    rotary = kind(config)
    prefixes = {"": {}} if hasattr(rotary, "inv_freq") else {"full_attention_": {}, "sliding_attention_": dict(local=True)}
    return [dict(name=name, config=settings, **which, attention_factor=float(getattr(rotary, f"{prefix}attention_scaling")),
                 frequency_bits=getattr(rotary, f"{prefix}inv_freq").numpy().view(np.uint32).tolist())
            for prefix, which in prefixes.items()]


def write_lines(path, items):
    path.write_text("[\n" + ",\n".join(json.dumps(item) for item in items) + "\n]\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent.parent / "tests" / "golden" / "families")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    write_lines(out / "cases.json", [record(case, out) for case in CASES])
    write_lines(out / "frequencies.json", [case for name, settings in KNOWN.items() for case in frequencies(name, settings)])


if __name__ == "__main__":
    main()
