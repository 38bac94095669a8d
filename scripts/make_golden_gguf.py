"""Makes tests/golden/gguf: small models as GGUF, and a hash of each tensor in Hugging Face's order and as f32.

    python scripts/make_golden_gguf.py        # with gguf 0.19.0 and numpy 2.4.6

Quantisation, dequantisation and the layout of the file are those of the package gguf, which belongs to llama.cpp. Query and key
rows of the architectures llama and smollm3 are reordered as llama.cpp's converter does it, and norms of gemma3 have 1 added. The
package cannot quantise to Q6_K, so these blocks are random bytes with a sensible scale. Models after the first two are smaller,
without Q6_K.
"""

import json
import pathlib

import gguf
import numpy

PLACE = pathlib.Path(__file__).parent.parent / "tests/golden/gguf"
Type = gguf.GGMLQuantizationType
INNER, HEADS, KV_HEADS, HEAD, VOCABULARY, EXPERTS = 64, 4, 2, 16, 64, 3
HIDDEN = {"llama": 256, "qwen3": 256, "smollm3": 64, "olmo2": 64, "qwen3moe": 64, "gemma3": 64, "phi3": 64}


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def reordered(weights, heads):
    rows = weights.shape[0]
    return weights.reshape(heads, 2, rows // heads // 2, *weights.shape[1:]).swapaxes(1, 2).reshape(weights.shape)


def restored(weights, heads):
    rows = weights.shape[0]
    return weights.reshape(heads, rows // heads // 2, 2, *weights.shape[1:]).swapaxes(1, 2).reshape(weights.shape)


def tensors(architecture):
    """Names in GGUF and in Hugging Face's files, shape, element type, and heads that are reordered."""
    query, kv, hidden = HEADS * HEAD, KV_HEADS * HEAD, HIDDEN[architecture]
    heads = {"attn_q": HEADS, "attn_k": KV_HEADS} if architecture in ("llama", "smollm3") else {}
    yield "token_embd.weight", "model.embed_tokens.weight", (VOCABULARY, hidden), Type.Q6_K if hidden == 256 else Type.F16, None
    yield "output_norm.weight", "model.norm.weight", (hidden,), Type.F32, None
    if architecture == "llama":
        yield "output.weight", "lm_head.weight", (VOCABULARY, hidden), Type.F16, None
    norms = ["attn_norm", "ffn_norm", "input_layernorm", "post_attention_layernorm"]
    if architecture == "olmo2":
        norms = ["post_attention_norm", "post_ffw_norm", "post_attention_layernorm", "post_feedforward_layernorm"]
    more = []
    if architecture == "gemma3":
        norms[3] = "pre_feedforward_layernorm"
        more = [("post_attention_norm", "post_attention_layernorm"), ("post_ffw_norm", "post_feedforward_layernorm")]
    for ours, theirs, shape, kind in [
        (norms[0], norms[2], (hidden,), Type.F32),
        (norms[1], norms[3], (hidden,), Type.F32),
        *((ours, theirs, (hidden,), Type.F32) for ours, theirs in more),
        *([("attn_qkv", "self_attn.qkv_proj", (query + 2 * kv, hidden), Type.Q4_0)] if architecture == "phi3" else [
            ("attn_q", "self_attn.q_proj", (query, hidden), Type.Q4_0),
            ("attn_k", "self_attn.k_proj", (kv, hidden), Type.Q8_0),
            ("attn_v", "self_attn.v_proj", (kv, hidden), Type.BF16),
        ]),
        ("attn_output", "self_attn.o_proj", (hidden, query), Type.Q4_0),
        *([
            ("ffn_gate_inp", "mlp.gate", (EXPERTS, hidden), Type.F32),
            ("ffn_gate_exps", "mlp.experts.*.gate_proj", (EXPERTS, INNER, hidden), Type.Q4_0),
            ("ffn_up_exps", "mlp.experts.*.up_proj", (EXPERTS, INNER, hidden), Type.Q8_0),
            ("ffn_down_exps", "mlp.experts.*.down_proj", (EXPERTS, hidden, INNER), Type.Q4_0),
        ] if architecture == "qwen3moe" else [
            ("ffn_up", "mlp.gate_up_proj", (2 * INNER, hidden), Type.Q8_0),
            ("ffn_down", "mlp.down_proj", (hidden, INNER), Type.Q4_0),
        ] if architecture == "phi3" else [
            ("ffn_gate", "mlp.gate_proj", (INNER, hidden), Type.Q4_0),
            ("ffn_up", "mlp.up_proj", (INNER, hidden), Type.Q8_0),
            ("ffn_down", "mlp.down_proj", (hidden, INNER), Type.Q4_0),
        ]),
    ]:
        yield f"blk.0.{ours}.weight", f"model.layers.0.{theirs}.weight", shape, kind, heads.get(ours)
    if architecture in ("qwen3", "olmo2", "qwen3moe", "gemma3"):
        query, kv = (query, kv) if architecture == "olmo2" else (HEAD, HEAD)
        yield "blk.0.attn_q_norm.weight", "model.layers.0.self_attn.q_norm.weight", (query,), Type.F32, None
        yield "blk.0.attn_k_norm.weight", "model.layers.0.self_attn.k_norm.weight", (kv,), Type.F32, None


def main():
    PLACE.mkdir(exist_ok=True)
    expected = {}
    for architecture in HIDDEN:
        random = numpy.random.default_rng(7)
        writer = gguf.GGUFWriter(PLACE / f"{architecture}.gguf", architecture)
        writer.add_name(f"golden {architecture}")
        writer.add_block_count(1)
        writer.add_token_list([f"token {i}" for i in range(VOCABULARY)])
        writer.add_array("golden.numbers", [1, 2, 3])
        hashes = expected[architecture] = {}
        for name, original, shape, kind, heads in tensors(architecture):
            if kind == Type.Q6_K:
                blocks = random.integers(0, 256, (shape[0], shape[1] // 256, 210), dtype=numpy.uint8)
                scales = (random.random((shape[0], shape[1] // 256)) * 1e-4).astype(numpy.float16)
                blocks[..., 208:] = scales.view(numpy.uint8).reshape(*scales.shape, 2)
                stored = blocks.reshape(shape[0], -1)
            else:
                weights = (1.0 if "norm" in name else 0.0) + random.standard_normal(shape).astype(numpy.float32) * 0.05
                weights = reordered(weights, heads) if heads else weights
                stored = gguf.quants.quantize(weights.astype(numpy.float32), kind)
            values = gguf.quants.dequantize(stored, kind).astype(numpy.float32)
            values = restored(values, heads) if heads else values
            values = values - numpy.float32(1) if architecture == "gemma3" and "norm" in name else values
            # The matrices of all experts are one tensor in GGUF.
            parts = enumerate(values) if "*" in original else [("", values)]
            for expert, values in parts:
                name_of_part = original.replace("*", str(expert))
                hashes[name_of_part] = {"shape": list(values.shape), "fnv1a": fnv1a(values.astype("<f4").tobytes())}
            writer.add_tensor(name, stored, raw_dtype=kind)
        if architecture == "llama":
            writer.add_tensor("rope_freqs.weight", numpy.ones(HEAD // 2, dtype=numpy.float32))
        if architecture == "phi3":
            for length in ["long", "short"]:
                writer.add_tensor(f"rope_factors_{length}.weight", numpy.ones(HEAD // 2, dtype=numpy.float32))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
    (PLACE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
