#!/usr/bin/env python3
"""Train four adapters for 20 steps with PyTorch and PEFT and record losses, gradient norms and the adapters at the end.

    venv/bin/python tests/golden/training/make_jobs.py        # writes jobs.json and adapters.safetensors, a minute

A supervised and a reinforcement learning job on a random Qwen3 and a random Llama, from the adapter that a new model
starts with.  The rollouts are fixed and off-policy, so ratios reach the clip range from the first step on.
"""
import json

import numpy as np
import torch
from safetensors.numpy import save_file

from make_cases import TOOLS, choice, fill_in, group, rollout, rounded, terms_of, user
from reference import HERE, adapter_parameters, draw_initial_adapter, load_model, policy_loss, prepare, supervised_loss, supervised_row

STEPS, RANK, ALPHA, SEED = 20, 8, 16, 3407
WORDS = ["yes", "no", "maybe", "the quick brown fox", "jumps over", "the lazy dog", "please respond", "no, maybe yes"]


def optimizer_step(optimizer, parameters, clip_norm):
    """The norm of the gradients before clipping."""
    norm = torch.nn.utils.clip_grad_norm_(parameters, clip_norm).item()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return norm


# ---------------------------------------------------------------- reinforcement learning: one step per sequence
def rollouts():
    groups = []
    for g in range(STEPS // 4):
        prompt = [{"role": "system", "content": "be brief"}] * (g % 2) + [user(f"say {WORDS[g]} or {WORDS[g + 1]}")]
        answers = [f"{WORDS[(g + m) % 8]} {WORDS[(3 * g + 5 * m) % 8]}" for m in range(4)]
        tools = TOOLS if g == 3 else None
        members = [rollout(reward, *prompt, choice(answer), *([user("sure?"), choice(answers[m - 1])] if g == 2 else []), tools=tools)
                   for m, (answer, reward) in enumerate(zip(answers, (1.0, 0.0, 0.25, 0.5)))]
        groups.append(group(*members))
    return groups


def train_on_rollouts(model, groups, config):
    parameters = list(adapter_parameters(model).values())
    optimizer = torch.optim.AdamW(parameters, lr=config["learning_rate"], betas=(0.9, 0.99), eps=1e-8, weight_decay=0.1)
    sequences, losses, norms, clipped = prepare(groups, config), [], [], 0
    for index in range(len(sequences)):
        terms = terms_of(model, sequences, [index], config)
        result = policy_loss(terms, config)
        result["loss"].backward()
        losses.append(result["loss"].item())
        norms.append(optimizer_step(optimizer, parameters, 0.1))
        clipped += result["clipped"].double().mean().item()
    print(f"  {clipped / len(sequences):.0%} of the tokens are outside the clip range")
    return losses, norms, [config["learning_rate"]] * len(sequences)


# ---------------------------------------------------------------- supervised: one step per batch of two rows
def conversations():
    rows = []
    for i in range(2 * STEPS):
        asked = {"role": "user", "content": f"say {WORDS[i % 8]}"}
        messages = [asked, {"role": "assistant", "content": f"{WORDS[i % 8]} {WORDS[i % 3]}"}]
        if i % 5 == 0:
            messages = [{"role": "system", "content": "be brief"}, *messages, user("again"), {"role": "assistant", "content": WORDS[i % 8]}]
        if i % 7 == 3:
            call = [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
            messages = [asked, {"role": "assistant", "content": "", "tool_calls": call}, {"role": "tool", "tool_call_id": "c", "content": "ok"}, messages[-1]]
        rows.append({"messages": messages} | ({"tools": TOOLS} if i % 7 == 3 else {}))
    return rows


def train_on_conversations(model, rows, config):
    parameters = list(adapter_parameters(model).values())
    optimizer = torch.optim.AdamW(parameters, lr=0.0, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.0)
    size, losses, norms = config["batch_size"], [], []
    for step, rate in enumerate(config["learning_rate"]):
        optimizer.param_groups[0]["lr"] = rate
        loss, _ = supervised_loss(model, [supervised_row(row) for row in rows[step * size:(step + 1) * size]])
        loss.backward()
        losses.append(loss.item())
        norms.append(optimizer_step(optimizer, parameters, 1.0))
    return losses, norms, config["learning_rate"]


SUPERVISED = {"batch_size": 2, "learning_rate": [0.02 * (1 - 0.8 * step / STEPS) for step in range(STEPS)]}
JOBS = [
    ("RL on Qwen3 (CISPO)", "qwen3", rollouts, {"learning_rate": 3e-3, "epsilon": 0.3, "epsilon_high": 0.3}),
    ("RL on Llama (PPO)", "llama", rollouts, {"learning_rate": 3e-3, "ppo": True, "epsilon": 0.2, "epsilon_high": 0.3}),
    ("SFT on Qwen3", "qwen3", conversations, SUPERVISED),
    ("SFT on Llama", "llama", conversations, SUPERVISED),
]


def main():
    torch.set_num_threads(1)
    jobs, adapters = [], {}
    for name, kind, data, config in JOBS:
        print(name)
        model, data = load_model(kind, RANK, ALPHA), data()
        draw_initial_adapter(model, SEED)
        if supervised := "batch_size" in config:
            losses, norms, rates = train_on_conversations(model, data, config)
        else:
            fill_in(model, data, name)
            losses, norms, rates = train_on_rollouts(model, data, config)
        assert len(losses) == STEPS
        final = adapter_parameters(model)
        adapters[name] = np.concatenate([final[parameter].detach().numpy().ravel() for parameter in sorted(final)]).astype(np.float32)
        jobs.append(dict(name=name, model=kind, config=config, **{"rows" if supervised else "groups": data}, losses=rounded(losses),
                         grad_norms=rounded(norms), learning_rates=rates))
        print("  losses", [round(loss, 4) for loss in losses])
        print("  norms", [round(norm, 4) for norm in norms])
    (HERE / "jobs.json").write_text("[\n" + ",\n".join(json.dumps(job, separators=(",", ":")) for job in jobs) + "\n]\n")
    save_file(adapters, HERE / "adapters.safetensors")
    (HERE / "adapters.safetensors").chmod(0o644)


if __name__ == "__main__":
    main()
