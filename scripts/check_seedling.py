#!/usr/bin/env python3
"""Judge the seedling model: does it talk, does it stop, and does it learn with LoRA in a few steps?

    venv/bin/python scripts/check_seedling.py [assets/seedling] [--threads 2] [--only talk sft rl push]

Uses torch, transformers and PEFT with the same settings as the service: LoRA r = 8, alpha = 16 on all seven projections,
AdamW (0.9, 0.99), supervised training with clipping at 1.0, reinforcement learning (CISPO) with one step per sequence,
decay 0.1 and clipping at 0.1.  Prints what it measures; exits with 1 if a bar is missed.  Takes a few minutes.
"""
import argparse
import math
import random
import re
import sys
from collections import Counter
from pathlib import Path

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer

PROJECTIONS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
SFT_RATE, SFT_JOBS = 5e-3, 8
RL_RATES, RL_CALLS, RL_GAIN = [3e-4, 3e-3, 1e-3], 10, 0.15
CHOICES = ["respond with yes, no or maybe", "say maybe, no or yes", "answer no, yes or maybe", "pick one of yes no maybe"]
REWARD = {"maybe": 1.0, "no": 0.75, "yes": 0.5}
# None of these is a sentence of the training text.
UNSEEN = ["Why do we need bridges over cold rivers?", "Write me a poem about the moon", "zebra quantum piano", "SELECT * FROM users;", "What's the weather like in Nairobi?",
          "Explain gravity to a child.", "1234567890", "¿Dónde está la biblioteca?", "你好吗", "Tell my boss that I quit", "def main(): pass", "word " * 40]
SEEN = ["Tell me something.", "Hello", "count to ten", "who are you?", "What is 3 plus 4?", "What colour is snow?", "spell cat", "list words", "pick a letter", "Repeat after me: green river",
        "what is the code word", "What day comes after Monday?", "Repeat after me: né ☃ 漢", "Which track is Fern on?", "Give me JSON with name, age", "the", "abc", "x y z"]
failures = []


def bar(name, met, figure):
    print(f"{'ok  ' if met else 'MISS'} {name}: {figure}", flush=True)
    if not met:
        failures.append(name)


class Chat:
    def __init__(self, directory, seed):
        self.directory, self.seed = directory, seed
        self.tokenizer = AutoTokenizer.from_pretrained(directory)
        self.end = self.tokenizer.convert_tokens_to_ids("<|im_end|>")
        self.fresh()

    def fresh(self, lora=False):
        self.model = AutoModelForCausalLM.from_pretrained(self.directory, dtype=torch.float32)
        if lora:
            torch.manual_seed(3407)
            self.model = get_peft_model(self.model, LoraConfig(r=8, lora_alpha=16, lora_dropout=0.0, bias="none", task_type="CAUSAL_LM", target_modules=PROJECTIONS))
        self.model.eval()
        self.parameters = [p for p in self.model.parameters() if p.requires_grad]

    def encode(self, messages, reply_next):
        if isinstance(messages, str):
            messages = [{"role": "user", "content": messages}]
        text = self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=reply_next)
        return self.tokenizer.encode(text, add_special_tokens=False)

    @torch.no_grad()
    def sample(self, messages, n=1, temperature=1.0, limit=64):
        """n replies as (prompt ids, reply ids with the end token if it came, log-probabilities at temperature 1)."""
        prompt = self.encode(messages, True)
        ids, past = torch.tensor([prompt] * n), None
        replies, logprobs, done = [[] for _ in range(n)], [[] for _ in range(n)], [False] * n
        for _ in range(limit):
            out = self.model(input_ids=ids, past_key_values=past, use_cache=True)
            past, logits = out.past_key_values, out.logits[:, -1]
            picked = logits.argmax(-1, keepdim=True) if temperature == 0 else torch.multinomial(torch.softmax(logits / temperature, -1), 1)
            scores = torch.log_softmax(logits, -1).gather(1, picked)
            for i in range(n):
                if not done[i]:
                    replies[i].append(picked[i].item())
                    logprobs[i].append(scores[i].item())
                    done[i] = replies[i][-1] == self.end
            if all(done):
                break
            ids = picked
        return [(prompt, r, lp) for r, lp in zip(replies, logprobs)]

    def text(self, reply):
        return self.tokenizer.decode([t for t in reply if t != self.end])

    def greedy(self, messages, limit=40):
        _, reply, _ = self.sample(messages, temperature=0, limit=limit)[0]
        return self.text(reply) + ("" if reply[-1] == self.end else " ...")

    def logprobs(self, ids):
        """log p(ids[t] | ids[..t]) for t = 1.."""
        logits = self.model(input_ids=torch.tensor([ids]), use_cache=False).logits[0, :-1]
        return torch.log_softmax(logits, -1).gather(1, torch.tensor(ids[1:])[:, None])[:, 0]

    def labels(self, ids):
        """1 from right after `<|im_start|>assistant` up to the next `<|im_start|>user`, for tokens 1.."""
        start = self.tokenizer.convert_tokens_to_ids("<|im_start|>")
        assistant, user = (self.tokenizer.encode(r, add_special_tokens=False) for r in ("assistant", "user"))
        mask, inside, t = [0.0] * len(ids), False, 0
        while t < len(ids):
            if ids[t] == start and ids[t + 1:t + 1 + len(assistant)] == assistant:
                t, inside = t + 1 + len(assistant), True
                continue
            if ids[t] == start and ids[t + 1:t + 1 + len(user)] == user:
                inside = False
            mask[t] = float(inside)
            t += 1
        return torch.tensor(mask[1:])

    def optimizer(self, decay):
        return torch.optim.AdamW(self.parameters, lr=0.0, betas=(0.9, 0.99), eps=1e-8, weight_decay=decay)

    def step(self, optimizer, rate, clip):
        torch.nn.utils.clip_grad_norm_(self.parameters, clip)
        optimizer.param_groups[0]["lr"] = rate
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    def sft_job(self, rows, batch, rates, optimizer):
        for i in range(0, len(rows), batch):
            encoded = [self.encode(messages, False) for messages in rows[i:i + batch]]
            masks = [self.labels(ids) for ids in encoded]
            count = sum(m.sum() for m in masks)
            loss = -sum((self.logprobs(ids) * m).sum() for ids, m in zip(encoded, masks)) / count
            loss.backward()
            self.step(optimizer, rates[i // batch], 1.0)
        return loss.item()


def conversation(*texts):
    return [{"role": ("user", "assistant")[i % 2], "content": t} for i, t in enumerate(texts)]


def check_talk(chat):
    for prompt in SEEN + UNSEEN:
        print(f"     {prompt[:45]!r} -> {chat.greedy(prompt)!r} | " + " | ".join(repr(chat.text(r)) for _, r, _ in chat.sample(prompt, 3)))
    for name, prompts in (("seen", SEEN), ("unseen", UNSEEN)):
        for temperature, least in ((0, 0.9), (1.0, 0.95), (1.5, 0.6)):
            replies = [r for p in prompts for _, r, _ in chat.sample(p, 1 if temperature == 0 else 16, temperature, 100)]
            ended = sum(r[-1] == chat.end for r in replies) / len(replies)
            bar(f"replies that end, {name} prompts, temperature {temperature}", ended >= least,
                f"{ended:.3f}, mean length {sum(map(len, replies)) / len(replies):.1f} tokens")
    q = "Tell me something."
    bar("different replies of six at temperature 1.5", len({tuple(r) for _, r, _ in chat.sample(q, 6, 1.5, 24)}) > 3, q)
    first = Counter(r[0] for _, r, _ in chat.sample("pick a letter", 24, 1.3, 1))
    bar("different first tokens of 24 at temperature 1.3", len(first) >= 4, dict(first.most_common(5)))
    bar("one-token replies that do not end the turn", sum(r[0] != chat.end for _, r, _ in chat.sample(q, 60, 1.0, 1)) >= 54, q)
    bar("six plain characters", re.search(r"[!-~ ]{6,}", chat.greedy(q, 32)) is not None, chat.greedy(q, 32))
    entropy = -sum(sum(lp) for p in SEEN + UNSEEN for _, _, lp in chat.sample(p, 4)) / (4 * len(SEEN + UNSEEN))
    bar("entropy of a reply in nats", 0.5 < entropy < 20, f"{entropy:.2f}")


def check_sft(chat):
    cases = [
        ("one phrase", [conversation("what is the code word", "the quick brown fox")], 40),
        ("two turns", [conversation("first?", "alpha", "second?", "beta")], 12),
        ("several bytes per character", [conversation("accents?", "né ☃ 漢")], 40),
    ]
    for name, rows, limit in cases:
        chat.fresh(lora=True)
        optimizer, got = chat.optimizer(0.0), []
        for job in range(1, SFT_JOBS + 1):
            loss = chat.sft_job(rows * 40, 2, [SFT_RATE] * 20, optimizer)
            row = rows[0]
            got = [chat.greedy(row[:t], limit) == row[t]["content"] for t in range(1, len(row), 2)]
            if all(got):
                break
        bar(f"memorises {name}", all(got), f"{job} jobs of 20 steps, last loss {loss:.4f}, greedy {chat.greedy(rows[0][:-1], limit)!r}")


def reward_of(text):
    words = re.split(r"\s+", text.strip().lower())
    return REWARD.get(words[0].strip(".,!?:;\"'()[]{}"), 0.0)


def mean_reward(chat, n):
    return sum(reward_of(chat.text(r)) for p in CHOICES for _, r, _ in chat.sample(p, n, 1.0, 8)) / (n * len(CHOICES))


def warm_start(chat):
    """The three answers in equal parts."""
    optimizer = chat.optimizer(0.0)
    for job in range(SFT_JOBS):
        rows = []
        for epoch in range(10):
            part = [conversation(p, a) for p in CHOICES for a in REWARD]
            random.Random(100 * job + epoch).shuffle(part)
            rows += part
        steps = math.ceil(len(rows) / 12)
        chat.sft_job(rows, 12, [SFT_RATE * (1 - 0.9 * i / steps) for i in range(steps)], optimizer)
        reward = mean_reward(chat, 16)
        if reward >= 0.6:
            break
    return job + 1, reward


def cispo(chat, groups, rate, optimizer):
    """One optimiser step for each rollout; groups of (prompt ids, reply ids, log-probabilities, reward)."""
    rows = []
    for group in groups:
        rewards = [x for *_, x in group]
        mean = sum(rewards) / len(rewards)
        deviation = math.sqrt(sum((x - mean) ** 2 for x in rewards) / len(rewards))
        if max(rewards) > min(rewards):
            rows += [(prompt, reply, old, (x - mean) / (deviation + 1e-6)) for prompt, reply, old, x in group if x != mean]
    # Every rollout weighs 1 / its length; weights and advantages are then normalised over the tokens of the call.
    tokens = sum(len(reply) for _, reply, _, _ in rows)
    norm = sum(abs(advantage) for *_, advantage in rows) / max(1, len(rows))
    for prompt, reply, old, advantage in rows:
        weight = tokens / len(rows) / len(reply)
        new = chat.logprobs(prompt + reply)[len(prompt) - 1:]
        ratio = torch.exp(new.detach() - torch.tensor(old)).clamp(0.0, 5.0)
        loss = -(ratio * (advantage / norm) * new * weight).sum() / len(reply)
        loss.backward()
        chat.step(optimizer, rate, 0.1)


def rollouts(chat):
    return [[(prompt, reply, old, reward_of(chat.text(reply))) for prompt, reply, old in chat.sample(p, 8, 1.0, 8)] for p in CHOICES]


def check_rl(chat):
    gains = []
    for rate in RL_RATES:
        chat.fresh(lora=True)
        torch.manual_seed(chat.seed)
        base = mean_reward(chat, 32)
        jobs, warm = warm_start(chat)
        before, means, optimizer = mean_reward(chat, 32), [], chat.optimizer(0.1)
        for _ in range(RL_CALLS):
            cispo(chat, rollouts(chat), rate, optimizer)
            means.append(mean_reward(chat, 24))
            if len(means) >= 2 and means[-1] >= before + RL_GAIN + 0.05:
                break
        after = mean_reward(chat, 32)
        gains.append(after - before)
        print(f"     rate {rate}: untrained {base:.2f}, warm {warm:.2f} after {jobs} jobs, before {before:.2f}, per call {[round(m, 2) for m in means]}, after {after:.2f}", flush=True)
        if gains[-1] >= RL_GAIN:
            break
    bar("mean reward rises", max(gains) >= RL_GAIN, [round(g, 2) for g in gains])


def check_push(chat):
    """Reward one first token and punish another: their distance must grow."""
    gaps = []
    for rate in sorted(RL_RATES, reverse=True):
        chat.fresh(lora=True)
        torch.manual_seed(chat.seed)
        prompt, (up, *_), _ = chat.sample("pick a letter", 1, 1.3, 1)[0]
        down = up
        while down == up:
            _, (down, *_), _ = chat.sample("pick a letter", 1, 1.3, 1)[0]

        @torch.no_grad()
        def look():
            return [chat.logprobs(prompt + [t])[-1].item() for t in (up, down)]

        before = look()
        group = [(prompt, [t], [lp], reward) for t, lp, reward in ((up, before[0], 1.0), (down, before[1], 0.0))]
        cispo(chat, [group] * 3, rate, chat.optimizer(0.1))
        after = look()
        gaps.append((after[0] - after[1]) - (before[0] - before[1]))
    bar("reward pushes the right way", max(gaps) > 0.01, {r: round(g, 3) for r, g in zip(sorted(RL_RATES, reverse=True), gaps)})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", nargs="?", default=str(Path(__file__).resolve().parent.parent / "assets" / "seedling"))
    parser.add_argument("--threads", type=int, default=2)
    checks = {"talk": check_talk, "sft": check_sft, "rl": check_rl, "push": check_push}
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", choices=checks, default=list(checks))
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    for name in options.only:
        print(f"== {name}", flush=True)
        chat = Chat(options.directory, options.seed)
        torch.manual_seed(options.seed)
        checks[name](chat)
    print("failed: " + ", ".join(failures) if failures else "all bars met")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
