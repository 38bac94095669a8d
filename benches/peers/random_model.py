#!/usr/bin/env python3
"""A model of a real size with random weights, for speed comparisons: config.json, and the same weights as bf16.gguf for llama.cpp
and as model.safetensors for PyTorch.

    python random_model.py 0.6b DIRECTORY      # with the packages gguf and numpy; shapes: 54m, 107m, 0.6b, 1b, 1.7b, 4b
    llama-quantize DIRECTORY/bf16.gguf DIRECTORY/q8_0.gguf Q8_0      # and the same with q4_0.gguf and Q4_0

Tokenizer and chat template are those of the built-in model, whose tokens every shape has.
"""

import json
import pathlib
import shutil
import sys

import gguf
import numpy

# model type, hidden size, layers, heads, key heads, head size, inner size, vocabulary
SHAPES = {
    "54m": ("qwen3", 512, 12, 8, 4, 64, 1536, 32000),
    "107m": ("qwen3", 768, 12, 12, 4, 64, 2304, 32000),
    "0.6b": ("qwen3", 1024, 28, 16, 8, 128, 3072, 151936),
    "1b": ("llama", 2048, 16, 32, 8, 64, 8192, 128256),
    "1.7b": ("qwen3", 2048, 28, 16, 8, 128, 6144, 151936),
    "4b": ("qwen3", 2560, 36, 32, 8, 128, 9728, 151936),
}
SEEDLING = pathlib.Path(__file__).resolve().parents[2] / "assets/seedling"


def add_tokenizer(writer, vocabulary):
    """Adds the tokenizer and template, with a text for each token of the model that the tokenizer lacks."""
    tokenizer = json.loads((SEEDLING / "tokenizer.json").read_text())
    names = {id: name for name, id in tokenizer["model"]["vocab"].items()}
    types = dict.fromkeys(names, gguf.TokenType.NORMAL)
    for token in tokenizer["added_tokens"]:
        names[token["id"]] = token["content"]
        types[token["id"]] = gguf.TokenType.CONTROL if token["special"] else gguf.TokenType.USER_DEFINED
    writer.add_vocab_size(vocabulary)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list([names.get(id, f"[unused{id}]") for id in range(vocabulary)])
    writer.add_token_types([types.get(id, gguf.TokenType.NORMAL) for id in range(vocabulary)])
    writer.add_token_merges([" ".join(pair) for pair in tokenizer["model"]["merges"]])
    writer.add_eos_token_id(2)
    writer.add_chat_template((SEEDLING / "chat_template.jinja").read_text())


def main():
    shape, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    kind, hidden, layers, heads, kv_heads, head, inner, vocabulary = SHAPES[shape]
    directory.mkdir(parents=True, exist_ok=True)
    config = {
        "architectures": [{"qwen3": "Qwen3ForCausalLM", "llama": "LlamaForCausalLM"}[kind]], "model_type": kind, "hidden_act": "silu",
        "attention_bias": False, "hidden_size": hidden, "num_hidden_layers": layers, "num_attention_heads": heads,
        "num_key_value_heads": kv_heads, "head_dim": head, "intermediate_size": inner, "vocab_size": vocabulary,
        "max_position_embeddings": 40960, "rms_norm_eps": 1e-6, "rope_theta": 1e6, "tie_word_embeddings": True, "eos_token_id": 2,
    }
    (directory / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    for file in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
        shutil.copy(SEEDLING / file, directory)
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
    add_tokenizer(writer, vocabulary)
    random = numpy.random.default_rng(1)
    tensors = {}

    def add(name, torch_name, *size):
        values = numpy.ones(size, dtype=numpy.float32) if len(size) == 1 else random.random(size, dtype=numpy.float32) * 0.05 - 0.025
        # The upper half of an f32 is a bf16.
        stored = (values.view(numpy.uint32) >> 16).astype(numpy.uint16)
        tensors[torch_name + ".weight"] = stored
        if len(size) == 1:
            writer.add_tensor(name + ".weight", values)
        else:
            writer.add_tensor(name + ".weight", stored.view(numpy.uint8), raw_dtype=gguf.GGMLQuantizationType.BF16)

    add("token_embd", "model.embed_tokens", vocabulary, hidden)
    add("output_norm", "model.norm", hidden)
    for layer in range(layers):
        block, part = f"blk.{layer}.", f"model.layers.{layer}."
        add(block + "attn_norm", part + "input_layernorm", hidden)
        add(block + "ffn_norm", part + "post_attention_layernorm", hidden)
        add(block + "attn_q", part + "self_attn.q_proj", heads * head, hidden)
        add(block + "attn_k", part + "self_attn.k_proj", kv_heads * head, hidden)
        add(block + "attn_v", part + "self_attn.v_proj", kv_heads * head, hidden)
        add(block + "attn_output", part + "self_attn.o_proj", hidden, heads * head)
        if kind == "qwen3":
            add(block + "attn_q_norm", part + "self_attn.q_norm", head)
            add(block + "attn_k_norm", part + "self_attn.k_norm", head)
        add(block + "ffn_gate", part + "mlp.gate_proj", inner, hidden)
        add(block + "ffn_up", part + "mlp.up_proj", inner, hidden)
        add(block + "ffn_down", part + "mlp.down_proj", hidden, inner)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    write_safetensors(directory / "model.safetensors", tensors)


def write_safetensors(path, tensors):
    """NumPy has no bf16, so the package safetensors cannot write these."""
    header, end = {"__metadata__": {"format": "pt"}}, 0
    for name, stored in tensors.items():
        begin, end = end, end + stored.nbytes
        header[name] = {"dtype": "BF16", "shape": stored.shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for stored in tensors.values():
            stored.tofile(file)


if __name__ == "__main__":
    main()
