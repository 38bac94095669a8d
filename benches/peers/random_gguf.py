"""A model of a real size with random weights, as config.json and bf16.gguf, for speed comparisons with llama.cpp.

    python random_gguf.py 0.6b DIRECTORY       # with the packages gguf and numpy; shapes: 107m, 0.6b, 1b, 1.7b, 4b
    llama-quantize DIRECTORY/bf16.gguf DIRECTORY/q8_0.gguf Q8_0      # and the same with q4_0.gguf and Q4_0

There is no tokenizer: llama-bench takes random tokens.
"""

import json
import pathlib
import sys

import gguf
import numpy

# model type, hidden size, layers, heads, key heads, head size, inner size, vocabulary
SHAPES = {
    "107m": ("qwen3", 768, 12, 12, 4, 64, 2304, 32000),
    "0.6b": ("qwen3", 1024, 28, 16, 8, 128, 3072, 151936),
    "1b": ("llama", 2048, 16, 32, 8, 64, 8192, 128256),
    "1.7b": ("qwen3", 2048, 28, 16, 8, 128, 6144, 151936),
    "4b": ("qwen3", 2560, 36, 32, 8, 128, 9728, 151936),
}


def main():
    shape, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    kind, hidden, layers, heads, kv_heads, head, inner, vocabulary = SHAPES[shape]
    directory.mkdir(parents=True, exist_ok=True)
    config = {
        "model_type": kind, "hidden_act": "silu", "attention_bias": False, "hidden_size": hidden, "num_hidden_layers": layers,
        "num_attention_heads": heads, "num_key_value_heads": kv_heads, "head_dim": head, "intermediate_size": inner,
        "vocab_size": vocabulary, "max_position_embeddings": 40960, "rms_norm_eps": 1e-6, "rope_theta": 1e6,
        "tie_word_embeddings": True, "eos_token_id": 2,
    }
    (directory / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    writer = gguf.GGUFWriter(directory / "bf16.gguf", kind)
    writer.add_context_length(40960)
    writer.add_embedding_length(hidden)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(kv_heads)
    writer.add_key_length(head)
    writer.add_value_length(head)
    writer.add_rope_freq_base(1e6)
    writer.add_rope_dimension_count(head)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_vocab_size(vocabulary)
    writer.add_tokenizer_model("no_vocab")
    random = numpy.random.default_rng(1)

    def add(name, *size):
        if len(size) == 1:
            writer.add_tensor(name, numpy.ones(size, dtype=numpy.float32))
            return
        # The upper half of an f32 is a bf16.
        values = random.random(size, dtype=numpy.float32) * 0.05 - 0.025
        stored = (values.view(numpy.uint32) >> 16).astype(numpy.uint16)
        writer.add_tensor(name, stored.view(numpy.uint8), raw_dtype=gguf.GGMLQuantizationType.BF16)

    add("token_embd.weight", vocabulary, hidden)
    add("output_norm.weight", hidden)
    for layer in range(layers):
        block = f"blk.{layer}."
        add(block + "attn_norm.weight", hidden)
        add(block + "ffn_norm.weight", hidden)
        add(block + "attn_q.weight", heads * head, hidden)
        add(block + "attn_k.weight", kv_heads * head, hidden)
        add(block + "attn_v.weight", kv_heads * head, hidden)
        add(block + "attn_output.weight", hidden, heads * head)
        if kind == "qwen3":
            add(block + "attn_q_norm.weight", head)
            add(block + "attn_k_norm.weight", head)
        add(block + "ffn_gate.weight", inner, hidden)
        add(block + "ffn_up.weight", inner, hidden)
        add(block + "ffn_down.weight", hidden, inner)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main()
