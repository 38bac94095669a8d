#!/usr/bin/env python3
"""Make tests/golden/gguf_tokens: parts of llama.cpp's vocabularies, with its tokens of its test texts.

    pip install gguf==0.19.0
    make_golden_gguf_tokens.py LLAMA_CPP/models

A merge makes a piece of the text, so tokens that are no piece of any text change nothing and are left out. Ids are numbered anew.
The whole vocabularies are compared by `cargo run -p trainyard-text --example gguf_tokens -- LLAMA_CPP/models/ggml-vocab-NAME.gguf`.
"""

import json
import pathlib
import sys

from gguf import GGUFReader

SEPARATOR = "\n__ggml_vocab_test__\n"
KINDS = {"model": "tokenizer.ggml.model", "pre": "tokenizer.ggml.pre", "name": "general.name"}
NAMES = [
    "command-r", "deepseek-coder", "deepseek-llm", "falcon", "gpt-2", "llama-bpe", "llama-spm", "mpt", "phi-3", "qwen2",
    "qwen35", "refact", "starcoder",
]


def byte_alphabet():
    """GPT-2's characters of bytes."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {byte: chr(byte) for byte in printable} | {byte: chr(256 + n) for n, byte in enumerate(others)}


def main():
    models = pathlib.Path(sys.argv[1])
    target = pathlib.Path(__file__).parent.parent / "tests/golden/gguf_tokens"
    target.mkdir(exist_ok=True)
    alphabet = byte_alphabet()
    for name in NAMES:
        path = models / f"ggml-vocab-{name}.gguf"
        fields = GGUFReader(path).fields
        made = {key: fields[field].contents() for key, field in KINDS.items() if field in fields}
        tokens = fields["tokenizer.ggml.tokens"].contents()
        types = fields["tokenizer.ggml.token_type"].contents()
        texts = path.with_suffix(".gguf.inp").read_bytes().decode().split(SEPARATOR)
        lines = path.with_suffix(".gguf.out").read_text().splitlines()
        expected = [[int(token) for token in line.split()] for line in lines]
        # The file ends with a separator.
        texts = texts[: len(expected)]
        is_spm = made["model"] == "llama"
        if is_spm:
            spelled = [" " + text for text in texts]
            spelled = spelled + [text.replace(" ", "▁") for text in spelled]
        else:
            spelled = texts + ["".join(alphabet[byte] for byte in text.encode()) for text in texts]
        everything = "\0".join(spelled)
        used = {token for line in expected for token in line}
        # All bytes, and all tokens that are not text.
        kept = [
            number for number, token in enumerate(tokens)
            if number in used or token in everything or types[number] == 6 or token in alphabet.values()
        ]
        numbers = {number: new for new, number in enumerate(kept)}
        made["tokens"] = [tokens[number] for number in kept]
        made["types"] = [types[number] for number in kept]
        if is_spm:
            scores = fields["tokenizer.ggml.scores"].contents()
            made["scores"] = [scores[number] for number in kept]
        else:
            known = set(made["tokens"])
            merges = fields["tokenizer.ggml.merges"].contents()
            made["merges"] = [merge for merge in merges if merge.replace(" ", "") in known]
        made["texts"] = texts
        made["expected"] = [[numbers[token] for token in line] for line in expected]
        text = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
        (target / f"{name}.json").write_text(text + "\n", encoding="utf-8", newline="")


main()
