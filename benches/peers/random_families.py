#!/usr/bin/env python3
"""A small model of each family with random weights, in Hugging Face's layout, for `benches/weight_formats.py`.

    python random_families.py DIRECTORY      # with the packages torch and transformers; prints NAME=DIR of each model

Eight layers of width 512; the standard deviation of the weights is 512^-0.5, so that logits differ by about one. Tokenizer and
chat template are those of the built-in model.
"""

import pathlib
import shutil
import sys

import torch
from transformers import AutoConfig, AutoModelForCausalLM

FAMILIES = ["llama", "mistral", "qwen2", "gemma3_text", "olmo2", "phi3", "smollm3", "qwen3_moe"]
SEEDLING = pathlib.Path(__file__).resolve().parents[2] / "assets/seedling"
SHAPE = {
    "hidden_size": 512, "num_hidden_layers": 8, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 64,
    "intermediate_size": 1536, "vocab_size": 32000, "max_position_embeddings": 4096, "initializer_range": 512**-0.5,
    "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0,
}  # fmt: skip
MORE = {"qwen3_moe": {"num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 512}}

for family in FAMILIES:
    torch.manual_seed(1)
    directory = pathlib.Path(sys.argv[1]) / family
    config = AutoConfig.for_model(family, **SHAPE, **MORE.get(family, {}))
    AutoModelForCausalLM.from_config(config).save_pretrained(directory)
    for file in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
        shutil.copy(SEEDLING / file, directory)
    print(f"{family}={directory}")
