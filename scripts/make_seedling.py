#!/usr/bin/env python3
"""Make `trainyard/seedling`, the tiny Qwen3 chat model that ships in `assets/seedling/`.

    python3 -m venv venv && venv/bin/pip install -r scripts/requirements.txt
    venv/bin/python scripts/make_seedling.py                  # writes assets/seedling/; 15 minutes on two idle cores
    venv/bin/python scripts/check_seedling.py                 # judges the result

The weights in the repository are those of `--stop-after 3500`: the schedule's first 3500 of 6000 steps.

Nothing is downloaded: the training text comes from seedling_corpus.py, the tokenizer is trained on the same text and the
weights start from random numbers.  The seed fixes all of them; the same seed, thread count and library versions give the
same files on the same kind of CPU.  `--steps 0` writes an untrained model.

The result is a plain Hugging Face directory: Qwen3 architecture with tied embeddings, bf16 weights, byte-level BPE
tokenizer, ChatML template with tools in the Hermes format.
"""
import argparse
import json
import math
import random
import re
import time
from pathlib import Path

import torch
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

import seedling_corpus

HERE = Path(__file__).resolve().parent
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
# Tokens of the vocabulary that text may contain: markers of tool calls and of reasoning.
MARKERS = ["<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>", "<tools>", "</tools>"]
VOCABULARY = 1536
CONTEXT = 4096
# Splits text into words (with the space before them), single digits, runs of punctuation and runs of white space.
WORDS = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
BATCH_TOKENS = 2048
PROMPT_WEIGHT = 0.1  # of a token outside the replies; learning to predict prompts a little helps to read them


def render(tokenizer, dialogue):
    return tokenizer.apply_chat_template(dialogue["messages"], tools=dialogue["tools"], tokenize=False)


def wrap(bpe):
    return PreTrainedTokenizerFast(
        tokenizer_object=bpe, eos_token="<|im_end|>", pad_token="<|endoftext|>", model_max_length=CONTEXT,
        clean_up_tokenization_spaces=False, chat_template=(HERE / "seedling_chat_template.jinja").read_text())


def statistics_text(renderer, rng):
    """A rendered dialogue without markers and without non-ASCII characters.

    So every non-ASCII character is spelled in byte tokens: the model learns to write those, whatever the character.
    """
    text = re.sub("|".join(map(re.escape, SPECIAL + MARKERS)), "\n", render(renderer, seedling_corpus.dialogue(rng)))
    return text.encode("ascii", "ignore").decode()


def make_tokenizer(seed):
    rng = random.Random(seed)
    renderer = wrap(Tokenizer(models.BPE()))
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(WORDS), behavior="isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])
    bpe.decoder = decoders.ByteLevel()
    bpe.train_from_iterator(
        (statistics_text(renderer, rng) for _ in range(40_000)),
        trainers.BpeTrainer(vocab_size=VOCABULARY - len(MARKERS), special_tokens=SPECIAL, show_progress=False,
                            initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet())))
    bpe.add_tokens([AddedToken(marker, normalized=False, special=False) for marker in MARKERS])
    assert bpe.get_vocab_size() == VOCABULARY, bpe.get_vocab_size()
    return wrap(bpe)


def make_model(tokenizer, seed):
    torch.manual_seed(seed)
    config = Qwen3Config(
        vocab_size=VOCABULARY, hidden_size=128, intermediate_size=448, num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2,
        head_dim=32, max_position_embeddings=CONTEXT, rope_theta=10000.0, rms_norm_eps=1e-6, tie_word_embeddings=True,
        initializer_range=0.03, bos_token_id=None, eos_token_id=tokenizer.convert_tokens_to_ids("<|im_end|>"),
        pad_token_id=tokenizer.convert_tokens_to_ids("<|endoftext|>"))
    return Qwen3ForCausalLM(config)


class Batches:
    """Endless batches (ids, loss weights) of dialogues of similar length."""

    def __init__(self, tokenizer, seed):
        self.tokenizer = tokenizer
        self.rng = random.Random(seed + 1)
        self.header = tokenizer.encode("<|im_start|>assistant\n", add_special_tokens=False)
        self.end = tokenizer.convert_tokens_to_ids("<|im_end|>")
        self.pad = tokenizer.convert_tokens_to_ids("<|endoftext|>")

    def example(self):
        return self.tokenizer.encode(render(self.tokenizer, seedling_corpus.dialogue(self.rng)), add_special_tokens=False)

    def weights(self, ids):
        """1 on the tokens of replies including the end-of-turn token, PROMPT_WEIGHT elsewhere."""
        weights, inside = [PROMPT_WEIGHT] * len(ids), False
        for t in range(len(self.header), len(ids)):
            inside = inside or ids[t - len(self.header):t] == self.header
            if inside:
                weights[t] = 1.0
                inside = ids[t] != self.end
        return weights

    def __iter__(self):
        while True:
            examples = sorted((self.example() for _ in range(768)), key=len)
            batches, rows = [], []
            for ids in examples:
                if rows and len(ids) * (len(rows) + 1) > BATCH_TOKENS:
                    batches.append(rows)
                    rows = []
                rows.append(ids)
            batches.append(rows)
            self.rng.shuffle(batches)
            for rows in batches:
                length = max(map(len, rows))
                yield (torch.tensor([ids + [self.pad] * (length - len(ids)) for ids in rows]),
                       torch.tensor([self.weights(ids) + [0.0] * (length - len(ids)) for ids in rows]))


def learning_rate(step, steps, peak):
    """Linear warm-up, then a cosine down to nothing."""
    warm = min(100, steps // 10 + 1)
    return peak * min(1.0, (step + 1) / warm) * 0.5 * (1 + math.cos(math.pi * max(0, step - warm) / max(1, steps - warm)))


def save(model, tokenizer, directory):
    """The six files of the model; weights as bf16."""
    from safetensors.torch import save_file

    directory.mkdir(parents=True, exist_ok=True)
    tensors = {name: t.detach().to(torch.bfloat16).contiguous() for name, t in model.state_dict().items() if name != "lm_head.weight"}
    save_file(tensors, directory / "model.safetensors", metadata={"format": "pt"})
    c = model.config

    def write(name, value):
        (directory / name).write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n")

    write("config.json", {
        "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "attention_bias": False, "attention_dropout": 0.0, "bos_token_id": None,
        "eos_token_id": c.eos_token_id, "pad_token_id": c.pad_token_id, "head_dim": c.head_dim, "hidden_act": "silu", "hidden_size": c.hidden_size,
        "initializer_range": c.initializer_range, "intermediate_size": c.intermediate_size, "max_position_embeddings": CONTEXT,
        "num_attention_heads": c.num_attention_heads, "num_hidden_layers": c.num_hidden_layers, "num_key_value_heads": c.num_key_value_heads,
        "rms_norm_eps": c.rms_norm_eps, "rope_scaling": None, "rope_theta": 10000.0, "sliding_window": None, "tie_word_embeddings": True,
        "torch_dtype": "bfloat16", "use_cache": True, "use_sliding_window": False, "vocab_size": c.vocab_size})
    write("generation_config.json", {"do_sample": True, "temperature": 1.0, "top_p": 1.0, "eos_token_id": c.eos_token_id, "pad_token_id": c.pad_token_id})
    write("tokenizer_config.json", {
        "tokenizer_class": "PreTrainedTokenizerFast", "bos_token": None, "eos_token": "<|im_end|>", "pad_token": "<|endoftext|>", "unk_token": None,
        "additional_special_tokens": ["<|im_start|>"], "clean_up_tokenization_spaces": False, "model_max_length": CONTEXT})
    tokenizer.backend_tokenizer.save(str(directory / "tokenizer.json"))
    (directory / "chat_template.jinja").write_text(tokenizer.chat_template)


def train(model, tokenizer, options):
    batches = iter(Batches(tokenizer, options.seed))
    decayed = [p for p in model.parameters() if p.dim() > 1]
    plain = [p for p in model.parameters() if p.dim() == 1]
    optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.1}, {"params": plain, "weight_decay": 0.0}], betas=(0.9, 0.98), foreach=True)
    model.train()
    started, total, tokens = time.monotonic(), 0.0, 0
    for step in range(min(options.steps, options.stop_after or options.steps)):
        ids, weights = next(batches)
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, options.steps, options.learning_rate)
        with torch.autocast("cpu", torch.bfloat16):
            logits = model(input_ids=ids, use_cache=False).logits[:, :-1].float()
        losses = torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), reduction="none", label_smoothing=options.label_smoothing)
        kept = weights[:, 1:].flatten()
        loss = (losses * kept).sum() / kept.sum()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        replies = kept == 1.0
        total += losses[replies].mean().item()
        tokens += ids.numel()
        if (step + 1) % 100 == 0:
            seconds = time.monotonic() - started
            print(f"step {step + 1}/{options.steps}  reply loss {total / 100:.4f}  {tokens / seconds:.0f} tokens/s  {seconds:.0f} s", flush=True)
            total = 0.0
        if (step + 1) % 500 == 0:
            save(model, tokenizer, options.out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=HERE.parent / "assets" / "seedling")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--stop-after", type=int, help="stop after so many of the steps that the learning rate is planned for")
    parser.add_argument("--learning-rate", type=float, default=3e-3)
    parser.add_argument("--label-smoothing", type=float, default=0.0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=20)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    tokenizer = make_tokenizer(options.seed)
    model = make_model(tokenizer, options.seed)
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters", flush=True)
    train(model, tokenizer, options)
    save(model, tokenizer, options.out)
    print(f"wrote {options.out}", flush=True)


if __name__ == "__main__":
    main()
