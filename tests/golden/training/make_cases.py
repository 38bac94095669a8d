#!/usr/bin/env python3
"""Record losses, per-token terms and LoRA gradients for every option of training (see README.md for the files).

    python3 -m venv venv && venv/bin/pip install -r scripts/requirements.txt
    venv/bin/python tests/golden/training/make_cases.py       # writes cases.json and gradients.safetensors, a minute

Weights stay as they are during a case: every optimizer step of it is taken from the same adapter.
"""
import copy
import json
import random

import numpy as np
import torch
from safetensors.numpy import save_file

from reference import END, HERE, MODELS, TokenTerms, adapter_parameters, draw_adapter, encode, load_model, policy_loss, prepare, score, supervised_loss, supervised_row, tokenize, TOKENIZER

RANK, ALPHA, LEARNING_RATE = 4, 8, 1e-3
TOOLS = [{"function": {"strict": True, "parameters": {"type": "object", "properties": {"b": {"type": "boolean"}}}, "name": "f"}, "type": "function"}]
CALL = '<tool_call>\n{"name": "f", "arguments": {"b": true}}\n</tool_call>'
UNKNOWN, TO_FILL = None, "to fill"


# ---------------------------------------------------------------- rollouts in wire form
def user(text):
    return {"role": "user", "content": text}


def choice(text, end=True, logprob=TO_FILL, spelled=False, prompt=None, tool_calls=None, key="content"):
    """A sampled answer whose log-probabilities are filled in once the model is known."""
    ids = encode(text) + [END] * end
    names = TOKENIZER.convert_ids_to_tokens(ids) if spelled else [f"token_id:{token}" for token in ids]
    entries = [{"token": name, "logprob": logprob, "bytes": None, "top_logprobs": []} for name in names]
    item = {"finish_reason": "tool_calls" if tool_calls else "stop" if end else "length", "index": 0, "logprobs": {key: entries},
            "message": {"role": "assistant", "content": None if tool_calls else text, "refusal": None, "tool_calls": tool_calls}}
    return item | ({} if prompt is None else {"token_ids": ids, "prompt_token_ids": prompt})


def unlogged(text):
    return {"finish_reason": "stop", "index": 0, "logprobs": None, "message": {"role": "assistant", "content": text}}


def rollout(reward, *items, tools=None, histories=()):
    return {"messages_and_choices": list(items), "tools": tools, "additional_histories": list(histories), "reward": reward,
            "metrics": {}, "metadata": {}, "logs": []}


def group(*trajectories, exceptions=()):
    return {"trajectories": list(trajectories), "exceptions": [{"type": "ValueError", "message": text, "traceback": ""} for text in exceptions]}


def rendered(*messages):
    return encode(TOKENIZER.apply_chat_template(list(messages), tokenize=False, add_generation_prompt=True))


def fixtures():
    """Groups of rollouts by name, fresh ones on every call."""
    ask, system = user("say yes, no or maybe"), {"role": "system", "content": "be brief"}
    call = [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"b": true}'}}]
    answer = {"role": "tool", "tool_call_id": "c1", "content": "it is so"}
    long = user("the quick brown fox jumps over the lazy dog; respond with yes, no or maybe please")
    yield "plain", [
        group(*(rollout(reward, system, ask, choice(text)) for text, reward in (("yes, yes, over the dog", 0.5), ("no", 0.75), ("maybe", 1.0), ("maybe no, the fox jumps", 1.0)))),
        group(rollout(0.0, user("a"), choice("yes please"), user("b"), choice("no")), rollout(2.0, user("a"), choice("no", end=False), user("b"), choice("the fox")),
              rollout(-1.5, user("a"), choice("over the lazy dog", end=False)))]
    yield "tools", [
        group(rollout(1.0, ask, choice(CALL, tool_calls=call), answer, choice("yes"), tools=TOOLS), rollout(0.0, ask, choice("no"), tools=TOOLS),
              rollout(0.25, ask, choice(CALL, tool_calls=call), tools=TOOLS)),
        group(rollout(0.0, system, ask, {"role": "assistant", "content": None, "tool_calls": call}, answer, choice("maybe"), tools=TOOLS),
              rollout(1.0, system, ask, choice("I will not say", key="refusal")))]
    yield "histories", [
        group(rollout(1.0, ask, choice("yes"), user("sure?"), choice("maybe no"), histories=[
            {"messages_and_choices": [user("b"), choice("the dog")]}, {"messages_and_choices": [user("c")], "tools": TOOLS},
            {"messages_and_choices": [user("tool"), choice(CALL, tool_calls=call), answer, choice("fox")], "tools": TOOLS}]),
            rollout(0.0, ask, choice("no"), user("sure?"), unlogged("I think"), user("really?"), choice("no"), user("and this is cut off")), exceptions=["boom"]),
        group(exceptions=["all failed"]), group(rollout(1.0, ask, choice("yes"))), group(),
        group(rollout(0.3, ask, {"role": "assistant", "content": "yes"}, user("b"), choice("no")), rollout(0.1, ask, choice("brown"), {"role": "assistant", "content": "cut"}))]
    missing = [rollout(float(i), ask, choice(text), user("b"), choice("maybe", logprob=UNKNOWN if i == 1 else TO_FILL)) for i, text in enumerate(("yes no", "no", "quick fox", "the dog"))]
    for trajectory in missing[:3]:
        trajectory["messages_and_choices"][1]["logprobs"]["content"][0]["logprob"] = UNKNOWN
    missing[0]["additional_histories"] = [{"messages_and_choices": [user("c"), choice("over the fox")]}]
    yield "missing", [group(*missing), group(rollout(1.0, ask, choice("yes", logprob=UNKNOWN)), rollout(0.0, ask, choice("no", logprob=UNKNOWN)))]
    yield "one-sided", [
        group(rollout(1.0, ask, choice("yes")), rollout(0.75, ask, choice("no please")), rollout(0.0, ask, unlogged("no")), rollout(0.0, ask, {"role": "assistant", "content": "x"}))]
    yield "equal", [
        group(*(rollout(0.1, ask, choice(text)) for text in ("yes", "no", "maybe"))), group(rollout(0.0, ask, choice("yes")), rollout(0.5, ask, choice("no")), rollout(1.0, ask, choice("maybe"))),
        group(*(rollout(0.7, ask, choice("brown")) for _ in range(6))), group(rollout(3.0, system, ask, choice("the")), rollout(2.5, system, ask, choice("lazy dog")))]
    yield "shared", [
        group(*(rollout(reward, long, choice(text)) for text, reward in (("yes", 0.5), ("no", 0.75), ("maybe", 1.0), ("maybe so", 0.0)))),
        group(rollout(1.0, system, long, choice("yes"), user("sure?"), choice("no")), rollout(0.0, system, long, choice("yes"), user("sure?"), choice("yes yes")),
              rollout(0.5, system, long, choice("no"), user("sure?"), choice("maybe")))]
    first = rendered(ask)
    then = first + encode("yes") + [END] + encode("\n<|im_start|>user\nb<|im_end|>\n<|im_start|>assistant\n")
    yield "spelled", [
        group(rollout(0.0, ask, choice("yes", spelled=True)), rollout(1.0, ask, choice("maybe no", spelled=True, end=False))),
        # the messages were edited after sampling; the ids that the choices carry are what counts
        group(rollout(1.0, user("edited"), choice("yes", prompt=first), user("edited too"), choice("no", prompt=then)), rollout(0.0, ask, choice("no", prompt=first)),
              # each turn in a context of its own
              rollout(0.2, user("a"), choice("yes", prompt=first), user("b"), choice("the dog", prompt=first)))]
    yield "without-logprobs", [
        group(rollout(1.0, ask, {"role": "assistant", "content": "yes no"}, user("b"), choice("no")), rollout(0.25, ask, {"role": "assistant", "content": None, "tool_calls": call}, tools=TOOLS),
              rollout(0.0, ask, {"role": "assistant", "content": "maybe"})),
        group(rollout(0.0, ask, unlogged("quick fox")), rollout(2.0, ask, choice("yes"), user("b"), unlogged("lazy")))]


# ---------------------------------------------------------------- cases: name, model, rollouts, options
LEVELS = ("sequence", "average", "geometric_average")
CASES = [
    ("defaults", "qwen3", "plain", {}),
    ("ppo", "llama", "plain", {"ppo": True}),
    ("ppo with epsilon", "qwen2", "plain", {"loss_fn": "ppo", "epsilon": 0.1}),
    ("ppo with both epsilons", "qwen3", "plain", {"ppo": True, "epsilon": 0.1, "epsilon_high": 0.3}),
    ("cispo with epsilon", "llama", "plain", {"epsilon": 0.3}),
    ("cispo with both epsilons", "qwen2", "plain", {"loss_fn": "cispo", "epsilon": 0.3, "epsilon_high": 0.5}),
    ("cispo with the upper epsilon", "qwen3", "plain", {"epsilon_high": 0.25}),
    *((f"cispo, {level} ratios", model, "plain", {"importance_sampling_level": level, "epsilon_high": 0.6}) for level, model in zip(LEVELS, MODELS)),
    *((f"ppo, {level} ratios", model, "histories", {"importance_sampling_level": level, "ppo": True, "epsilon": 0.3}) for level, model in zip(LEVELS, MODELS)),
    ("tools", "llama", "tools", {}),
    ("tools, ppo", "qwen3", "tools", {"ppo": True}),
    ("additional histories", "qwen2", "histories", {}),
    ("missing log-probabilities", "qwen3", "missing", {}),
    ("missing log-probabilities and turns", "qwen2", "missing", {"allow_training_without_logprobs": True}),
    ("missing log-probabilities, ppo on sequences", "llama", "missing", {"allow_training_without_logprobs": True, "ppo": True, "importance_sampling_level": "sequence"}),
    ("one-sided rewards", "qwen2", "one-sided", {}),
    ("equal rewards beside others", "qwen3", "equal", {}),
    ("spelled tokens and exact prompts", "llama", "spelled", {}),
    ("rewards not scaled", "qwen3", "plain", {"scale_rewards": False}),
    ("advantages not normalised", "llama", "plain", {"normalize_advantages": False}),
    ("balance towards reward", "qwen2", "plain", {"advantage_balance": 0.5}),
    ("balance towards punishment", "qwen3", "plain", {"advantage_balance": -0.5}),
    ("only reward", "llama", "plain", {"advantage_balance": 1.0}),
    ("only punishment", "qwen2", "plain", {"advantage_balance": -1.0}),
    ("masked ratios", "qwen3", "plain", {"mask_prob_ratio": True, "epsilon": 0.3, "epsilon_high": 0.5}),
    ("masked ratios, ppo", "llama", "plain", {"mask_prob_ratio": True, "ppo": True}),
    ("capped ratios", "qwen2", "plain", {"max_negative_advantage_importance_sampling_weight": 1.1}),
    ("capped ratios, ppo", "qwen3", "plain", {"max_negative_advantage_importance_sampling_weight": 1.1, "ppo": True}),
    ("kimi k2", "llama", "plain", {"kimi_k2_tau": 0.25}),
    ("kimi k2, ppo on sequences", "qwen2", "plain", {"kimi_k2_tau": 0.25, "ppo": True, "importance_sampling_level": "sequence"}),
    ("truncated importance sampling", "qwen3", "plain", {"truncated_importance_sampling": 1.1}),
    ("recomputed log-probabilities", "llama", "missing", {"precalculate_logprobs": True, "allow_training_without_logprobs": True}),
    ("recomputed log-probabilities, truncated, ppo", "qwen2", "histories", {"precalculate_logprobs": True, "truncated_importance_sampling": 1.1, "ppo": True}),
    ("kl to the base model", "qwen3", "plain", {"kl_penalty_coef": 0.2}),
    ("kl to an adapter", "llama", "histories", {"kl_penalty_coef": 0.3, "kl_penalty_reference_step": 3}),
    ("kl to a step before", "qwen2", "plain", {"kl_penalty_coef": 0.2, "kl_penalty_step_lag": 2, "importance_sampling_level": "sequence"}),
    ("kl to the base model, ppo, missing log-probabilities", "qwen2", "missing", {"kl_penalty_coef": 0.2, "ppo": True, "allow_training_without_logprobs": True}),
    ("kl of the sampling policy", "qwen3", "plain", {"kl_penalty_coef": 0.2, "kl_penalty_source": "sample"}),
    ("packed rows", "qwen3", "shared", {"packed_sequence_length": 256}),
    ("packed rows, ppo on sequences", "llama", "shared", {"packed_sequence_length": 80, "ppo": True, "importance_sampling_level": "sequence"}),
    ("packed rows, kl to an adapter", "qwen2", "shared", {"packed_sequence_length": 256, "kl_penalty_coef": 0.2, "kl_penalty_reference_step": 3}),
    ("packed rows of unlike rollouts", "qwen3", "histories", {"packed_sequence_length": 512}),
    ("learning rate by the number of sequences", "llama", "shared", {"packed_sequence_length": 72, "num_trajectories_learning_rate_multiplier_power": 0.5}),
    ("learning rate by the deviation of rewards", "qwen3", "plain", {"scale_learning_rate_by_reward_std_dev": True}),
    ("training without log-probabilities", "qwen2", "without-logprobs", {"allow_training_without_logprobs": True}),
    ("training without log-probabilities, ppo", "qwen3", "without-logprobs", {"allow_training_without_logprobs": True, "ppo": True, "importance_sampling_level": "average"}),
]

SUPERVISED_ROWS = [
    {"messages": [{"role": "system", "content": "be brief"}, user("say yes"), {"role": "assistant", "content": "yes, over the lazy dog"}, user("again"), {"role": "assistant", "content": "yes"}]},
    {"messages": [user("no?"), {"role": "assistant", "content": "no"}]},
    {"messages": [user("use it"), {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"b": true}'}}]},
                  {"role": "tool", "tool_call_id": "c", "content": "it is so"}, {"role": "assistant", "content": "maybe"}, user("and the fox?")], "tools": TOOLS},
    {"messages": [{"role": "assistant", "content": "hello"}, user("the quick brown fox"), {"role": "assistant", "content": "jumps"}, {"role": "system", "content": "mid"}, user("b"), {"role": "assistant", "content": None}]},
    {"messages": [user("nothing is trained here")]},
]
SUPERVISED = [  # name, model, options
    ("supervised, one row a step", "qwen3", {"batch_size": 1, "learning_rate": 1e-3}),
    ("supervised, three rows a step", "llama", {"batch_size": 3, "learning_rate": [1e-3, 5e-4]}),
    ("supervised, last turns only", "qwen2", {"batch_size": 3, "assistant_turns": "last"}),
    ("supervised, long rows left out", "llama", {"batch_size": 2, "max_sequence_length": 70}),
    ("supervised, long rows cut", "qwen3", {"batch_size": 5, "max_sequence_length": 70, "overlong_rows": "truncate"}),
    ("supervised, with validation", "qwen2", {"batch_size": 2, "validation_split": 0.4, "validation_every": 1}),
]


# ---------------------------------------------------------------- running them
def fill_in(model, groups, label):
    """Old log-probabilities as of a policy some way off: the model's own and noise, rounded to f32."""
    noise = random.Random(label)
    for trajectory in (trajectory for each in groups for trajectory in each["trajectories"]):
        for history in [trajectory, *trajectory["additional_histories"]]:
            for sequence in tokenize(history, without_logprobs=True):
                with torch.no_grad():
                    logprobs, _ = score(model, sequence.tokens)
                for entry, logprob in zip(sequence.entries, logprobs.tolist()):
                    if entry and entry["logprob"] == TO_FILL:
                        off = noise.gauss(0, 0.3) + (noise.choice([-1.2, 1.2]) if noise.random() < 0.15 else 0)
                        entry["logprob"] = float(str(np.float32(min(logprob + off, -1e-3))))


def pack(sequences, length):
    """Rows of sequences in order, each as long as what it holds fits; leading tokens shared within a row count once.

    Without a length every sequence has a row of its own.
    """
    def common(left, right):
        return next((i for i, pair in enumerate(zip(left, right)) if pair[0] != pair[1]), min(len(left), len(right)))

    rows, used = [], 0
    for index, sequence in enumerate(sequences):
        shared = max((common(sequences[member].tokens, sequence.tokens) for member in rows[-1]), default=0) if rows else 0
        new = len(sequence.tokens) - shared
        if length is None or not rows or used + new > length:
            rows, used, new = [*rows, []], 0, len(sequence.tokens)
        rows[-1].append(index)
        used += new
    return rows


def deviation_of(groups):
    """Mean over the groups of more than one rollout of the deviation of their rewards."""
    rewards = [[trajectory["reward"] for trajectory in each["trajectories"]] for each in groups]
    return float(np.mean([np.std(each) for each in rewards if len(each) > 1]))


def trend(history):
    """The last deviation over the first, both on the straight line through the mean deviation of each step."""
    steps = sorted({step for step, _ in history})
    slope, start = np.polyfit(steps, [np.mean([value for at, value in history if at == step]) for step in steps], 1)
    return float((start + slope * steps[-1]) / start)


def metrics_of(terms, result, norm, rate, row):
    """What is reported of a step, by its names on the wire."""
    ratio = result["ratio"]
    values = {"loss/train": result["loss"].item(), "loss/entropy": result["entropy"].item(), "loss/grad_norm": norm, "loss/learning_rate": rate,
               "row/num_sequences": len(row), "row/num_trained_tokens": len(ratio), "importance_ratio/min": ratio.min().item(),
               "importance_ratio/max": ratio.max().item(), "importance_ratio/mean": ratio.mean().item(), "importance_ratio/clip_share": result["clipped"].double().mean().item()}
    if result["kl"] is not None:
        values["loss/kl_policy_ref"] = result["kl"].item()
    known = ~terms.sampled.isnan()
    if known.any():
        off = (terms.new - terms.sampled)[known].detach()
        values |= {"logprob_mismatch/mean_abs": off.abs().mean().item(), "logprob_mismatch/max_abs": off.abs().max().item(), "loss/kl_div": (off.exp() - 1 - off).mean().item()}
    return values


def terms_of(model, sequences, row, config):
    """What the loss needs of the trained tokens of a row."""
    parts = {key: [] for key in ("new", "old", "advantages", "weights", "sequences", "entropies", "reference")}
    for number, index in enumerate(row):
        sequence = sequences[index]
        mask = torch.tensor(sequence.mask)
        logprobs, entropies = score(model, sequence.tokens)
        old = [float("nan") if entry is None or entry["logprob"] is None else np.float32(entry["logprob"]) for entry in sequence.entries]
        parts["new"].append(logprobs[mask])
        parts["entropies"].append(entropies[mask])
        parts["old"].append(torch.tensor(old, dtype=torch.float64)[mask])
        parts["advantages"].append(torch.full((sequence.trained,), sequence.advantage, dtype=torch.float64))
        parts["weights"].append(torch.full((sequence.trained,), sequence.weight, dtype=torch.float64))
        parts["sequences"].append(torch.full((sequence.trained,), number))
        if config.get("kl_penalty_coef"):
            with torch.no_grad():
                if "kl_penalty_reference_step" not in config and "kl_penalty_step_lag" not in config:
                    with model.disable_adapter():
                        reference, _ = score(model, sequence.tokens)
                else:
                    model.set_adapter("reference")
                    reference, _ = score(model, sequence.tokens)
                    model.set_adapter("default")
            parts["reference"].append(reference[mask])
    terms = TokenTerms(**{key: torch.cat(part) if part else None for key, part in parts.items()})
    terms.sampled = terms.old
    if config.get("precalculate_logprobs"):
        terms.original, terms.old = terms.old, terms.new.detach()
    return terms


def run_case(name, model, groups, config):
    sequences = prepare(groups, config)
    parameters = adapter_parameters(model)
    total, steps, history = {parameter: 0.0 for parameter in parameters}, [], None
    if config.get("scale_learning_rate_by_reward_std_dev"):
        history = [[0, 0.9], [1, 0.8], [1, 0.85], [2, 0.6], [3, deviation_of(groups)]]
    for row in pack(sequences, config.get("packed_sequence_length")):
        terms = terms_of(model, sequences, row, config)
        result = policy_loss(terms, config)
        by_logprob, *gradients = torch.autograd.grad(result["loss"], [terms.new, *parameters.values()])
        norm = torch.sqrt(sum((gradient ** 2).sum() for gradient in gradients)).item()
        for parameter, gradient in zip(parameters, gradients):
            total[parameter] = total[parameter] + gradient
        rate = LEARNING_RATE * len(row) ** config.get("num_trajectories_learning_rate_multiplier_power", 0.0) * (trend(history) if history else 1.0)
        steps.append(dict(sequences=row, metrics=metrics_of(terms, result, norm, rate, row), new=terms.new.tolist(),
                          token_loss=result["token_loss"].tolist(), by_logprob=by_logprob.tolist()))
    described = [dict(place=s.place, tokens=s.tokens, trained=[t for t, trained in enumerate(s.mask) if trained], advantage=s.advantage, weight=s.weight) for s in sequences]
    norms = [step["metrics"]["loss/grad_norm"] for step in steps]
    assert np.isfinite(norms).all() and max(norms) > 0, name
    return dict(name=name, config=dict(config, learning_rate=LEARNING_RATE), deviations=history, sequences=described, steps=steps), total


def run_supervised(name, model, config):
    parameters = adapter_parameters(model)
    total, steps, size = {parameter: 0.0 for parameter in parameters}, [], config["batch_size"]
    rows = [supervised_row(row, config) for row in SUPERVISED_ROWS]
    split = config.get("validation_split", 0.0)
    validates = [int((index + 1) * split) > int(index * split) for index in range(len(rows))]
    training = [row for row, apart in zip(rows, validates) if not apart]
    validation = [row for row, apart in zip(rows, validates) if apart and row]
    with torch.no_grad():
        validation_loss = supervised_loss(model, validation)[0].item() if validation else None
    rates = config.get("learning_rate", 5e-5)
    for index, start in enumerate(range(0, len(training), size)):
        batch = training[start:start + size]
        used = [row for row in batch if row]
        metrics = {"loss/train": 0.0, "loss/grad_norm": 0.0, "loss/entropy": 0.0}
        if used:
            value, entropy = supervised_loss(model, used)
            gradients = torch.autograd.grad(value, list(parameters.values()))
            norm = torch.sqrt(sum((gradient ** 2).sum() for gradient in gradients)).item()
            metrics = {"loss/train": value.item(), "loss/grad_norm": norm, "loss/entropy": entropy.item()}
            for parameter, gradient in zip(parameters, gradients):
                total[parameter] = total[parameter] + gradient
        metrics |= {"loss/learning_rate": rates[index] if isinstance(rates, list) else rates, "num_tokens": sum(len(tokens) for tokens, _ in used),
                    "num_trainable_tokens": sum(len(trained) for _, trained in used), "num_trajectories": len(used), "num_dropped_trajectories": len(batch) - len(used)}
        if validation_loss is not None:  # the weights stay as they are, so it does too
            metrics |= {"loss/val": validation_loss} | ({"loss/val_before": validation_loss} if index == 0 else {})
        steps.append(metrics)
    described = [row and dict(tokens=row[0], trained=row[1]) for row in rows]
    return dict(name=name, config=config, rows=described, steps=steps), total


def flat(gradient):
    """All parameters' gradients as one list, in the order of their names."""
    return np.concatenate([gradient[parameter].numpy().ravel() for parameter in sorted(gradient)]).astype(np.float32)


def rounded(x):
    """Ten significant digits."""
    if isinstance(x, float):
        return float(f"{x:.10g}")
    if isinstance(x, dict):
        return {key: rounded(part) for key, part in x.items()}
    return [rounded(part) for part in x] if isinstance(x, (list, tuple)) else x


def lines(cases):
    return ",\n".join(json.dumps(rounded(case), separators=(",", ":")) for case in cases)


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    models, groups, cases, gradients = {}, {}, [], {}
    for name in MODELS:
        models[name] = load_model(name, RANK, ALPHA)
        models[name].add_adapter("reference", copy.deepcopy(models[name].peft_config["default"]))
        models[name].double().set_adapter("default")
        draw_adapter(models[name], f"training-{name}/adapter")
        draw_adapter(models[name], f"training-{name}/reference", "reference")
    for name, model, rollouts, config in CASES:
        key = f"{model}/{rollouts}"
        if key not in groups:
            groups[key] = dict(fixtures())[rollouts]
            fill_in(models[model], groups[key], key)
        case, gradient = run_case(name, models[model], groups[key], config)
        cases.append(dict(case, model=model, groups=key))
        gradients[name] = flat(gradient)
        metrics = [step["metrics"] for step in case["steps"]]
        ratios = f"ratios {min(m['importance_ratio/min'] for m in metrics):.2f} to {max(m['importance_ratio/max'] for m in metrics):.2f}"
        print(f"{name}: rows of {[len(step['sequences']) for step in case['steps']]} sequences, {ratios}, rates {sorted({m['loss/learning_rate'] for m in metrics})}")
    supervised = []
    for name, model, config in SUPERVISED:
        case, gradient = run_supervised(name, models[model], config)
        supervised.append(dict(case, model=model))
        gradients[name] = flat(gradient)
        print(f"{name}: losses {[metrics['loss/train'] for metrics in case['steps']]}, left out {case['rows'].count(None)}")
    assert len(gradients) == len(cases) + len(supervised)
    heads = [f'"models":{json.dumps(MODELS)}', f'"rank":{RANK},"alpha":{ALPHA}',
             '"groups":{\n' + ",\n".join(f"{json.dumps(key)}:{json.dumps(value, separators=(',', ':'))}" for key, value in groups.items()) + "\n}",
             '"cases":[\n' + lines(cases) + "\n]", '"supervised_rows":' + json.dumps(SUPERVISED_ROWS, separators=(",", ":")),
             '"supervised":[\n' + lines(supervised) + "\n]"]
    (HERE / "cases.json").write_text("{" + ",\n".join(heads) + "}\n")
    save_file(gradients, HERE / "gradients.safetensors")
    (HERE / "gradients.safetensors").chmod(0o644)


if __name__ == "__main__":
    main()
