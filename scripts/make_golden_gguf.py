"""Makes tests/golden/gguf: two small models as GGUF, and a hash of each tensor in Hugging Face's order and as f32.

    python scripts/make_golden_gguf.py        # with gguf 0.19.0 and numpy 2.4.6

Quantisation, dequantisation and the layout of the file are those of the package gguf, which belongs to llama.cpp. Query and key
rows of the architecture llama are reordered as llama.cpp's converter does it. The package cannot quantise to Q6_K, so these
blocks are random bytes with a sensible scale.
"""

import json
import pathlib

import gguf
import numpy

PLACE = pathlib.Path(__file__).parent.parent / "tests/golden/gguf"
Type = gguf.GGMLQuantizationType
HIDDEN, INNER, HEADS, KV_HEADS, HEAD, VOCABULARY = 256, 64, 4, 2, 16, 64


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
    query, kv = HEADS * HEAD, KV_HEADS * HEAD
    heads = {"attn_q": HEADS, "attn_k": KV_HEADS} if architecture == "llama" else {}
    yield "token_embd.weight", "model.embed_tokens.weight", (VOCABULARY, HIDDEN), Type.Q6_K, None
    yield "output_norm.weight", "model.norm.weight", (HIDDEN,), Type.F32, None
    if architecture == "llama":
        yield "output.weight", "lm_head.weight", (VOCABULARY, HIDDEN), Type.F16, None
    for ours, theirs, shape, kind in [
        ("attn_norm", "input_layernorm", (HIDDEN,), Type.F32),
        ("ffn_norm", "post_attention_layernorm", (HIDDEN,), Type.F32),
        ("attn_q", "self_attn.q_proj", (query, HIDDEN), Type.Q4_0),
        ("attn_k", "self_attn.k_proj", (kv, HIDDEN), Type.Q8_0),
        ("attn_v", "self_attn.v_proj", (kv, HIDDEN), Type.BF16),
        ("attn_output", "self_attn.o_proj", (HIDDEN, query), Type.Q4_0),
        ("ffn_gate", "mlp.gate_proj", (INNER, HIDDEN), Type.Q4_0),
        ("ffn_up", "mlp.up_proj", (INNER, HIDDEN), Type.Q8_0),
        ("ffn_down", "mlp.down_proj", (HIDDEN, INNER), Type.Q4_0),
    ]:
        yield f"blk.0.{ours}.weight", f"model.layers.0.{theirs}.weight", shape, kind, heads.get(ours)
    if architecture == "qwen3":
        yield "blk.0.attn_q_norm.weight", "model.layers.0.self_attn.q_norm.weight", (HEAD,), Type.F32, None
        yield "blk.0.attn_k_norm.weight", "model.layers.0.self_attn.k_norm.weight", (HEAD,), Type.F32, None


def main():
    PLACE.mkdir(exist_ok=True)
    expected = {}
    for architecture in ("llama", "qwen3"):
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
            hashes[original] = {"shape": list(values.shape), "fnv1a": fnv1a(values.astype("<f4").tobytes())}
            writer.add_tensor(name, stored, raw_dtype=kind)
        if architecture == "llama":
            writer.add_tensor("rope_freqs.weight", numpy.ones(HEAD // 2, dtype=numpy.float32))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
    (PLACE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
