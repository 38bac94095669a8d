"""The published formulas of training in PyTorch: rollouts to tokens, advantages, weights, the loss, and models with LoRA.

Shared by make_cases.py and make_jobs.py.  Weights and adapters are not stored: they follow from the tensors' names
(`value` in scripts/make_golden_families.py), so the tests of the engine make the same ones.  Everything is computed in
float64; only what a server receives or stores (old log-probabilities, the adapter a job starts from) is rounded to f32.
"""
import math
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent.parent / "scripts"))
from make_golden_families import PROJECTIONS, value  # noqa: E402

TOKENIZER = AutoTokenizer.from_pretrained(HERE.parent / "tiny_tokenizer")
END = TOKENIZER.eos_token_id

SHAPE = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, head_dim=8, intermediate_size=48,
             vocab_size=384, max_position_embeddings=1024, rms_norm_eps=1e-6, hidden_act="silu", bos_token_id=None, eos_token_id=END)
MODELS = {
    "qwen3": dict(SHAPE, model_type="qwen3", rope_theta=1_000_000.0, attention_bias=False, tie_word_embeddings=True),
    "llama": dict(SHAPE, model_type="llama", rope_theta=10_000.0, attention_bias=False, tie_word_embeddings=False),
    "qwen2": dict({k: v for k, v in SHAPE.items() if k != "head_dim"}, model_type="qwen2", rope_theta=10_000.0, tie_word_embeddings=True),
}


# ---------------------------------------------------------------- models
def load_model(name, rank, alpha, dtype=torch.float64):
    """A model of random weights under a LoRA adapter on all projections, zero so far."""
    settings = dict(MODELS[name])
    config = AutoConfig.for_model(settings.pop("model_type"), **settings)
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager", dtype=dtype)
    with torch.no_grad():
        for tensor, parameter in model.named_parameters():
            parameter.copy_(value(f"training-{name}/{tensor}", tuple(parameter.shape)))
    lora = LoraConfig(r=rank, lora_alpha=alpha, lora_dropout=0.0, bias="none", task_type="CAUSAL_LM", target_modules=PROJECTIONS)
    return get_peft_model(model, lora, autocast_adapter_dtype=False).eval()


def adapter_parameters(model, adapter="default"):
    """The adapter's parameters by their names in PEFT's files."""
    return {n.replace(f".{adapter}.", "."): p for n, p in model.named_parameters() if f".{adapter}." in n}


def draw_adapter(model, label, adapter="default"):
    """A and B of every projection from their names, in [-1/8, 1/8): neither is zero, and f32 holds both exactly."""
    with torch.no_grad():
        for name, parameter in adapter_parameters(model, adapter).items():
            parameter.copy_(value(f"{label}/{name}", tuple(parameter.shape)) / 4)


def score(model, tokens):
    """log p(tokens[t] | tokens[..t]) and the entropy of that distribution, for t = 1.. (index 0 is a zero)."""
    logits = model(input_ids=torch.tensor([tokens]), use_cache=False).logits[0, :-1]
    log_p = torch.log_softmax(logits, -1)
    picked = log_p.gather(1, torch.tensor(tokens[1:])[:, None])[:, 0]
    zero = torch.zeros(1, dtype=log_p.dtype)
    return torch.cat([zero, picked]), torch.cat([zero, -(log_p.exp() * log_p).sum(-1)])


# ---------------------------------------------------------------- rollouts to tokens
@dataclass
class Sequence:
    """One tokenized history. `entries[t]` is what the choice says of token t, None where t is not trained."""
    tokens: list = field(default_factory=list)
    entries: list = field(default_factory=list)
    place: tuple = ()  # group, trajectory, history
    advantage: float = 0.0
    weight: float = 0.0

    def push(self, tokens, entries=None):
        self.tokens += tokens
        self.entries += entries or [None] * len(tokens)

    @property
    def mask(self):
        return [entry is not None for entry in self.entries]

    @property
    def trained(self):
        return sum(self.mask)


def encode(text):
    return TOKENIZER.encode(text, add_special_tokens=False)


def ordered_tools(tools):
    """The one order of keys in which tools are printed."""
    def function(given):
        known = [key for key in ("name", "description", "parameters", "strict") if key in given]
        return {key: given[key] for key in [*known, *(key for key in given if key not in known)]}
    return None if tools is None else [{"type": tool["type"], "function": function(tool["function"])} for tool in tools]


def sampled_entries(item):
    """The tokens of a trained choice, or nothing where the item is context."""
    if "role" in item or not item.get("logprobs"):
        return None
    return item["logprobs"].get("content") or item["logprobs"].get("refusal") or None


def sampled_ids(item, entries):
    if "token_ids" in item:
        return list(item["token_ids"])
    names = [entry["token"] for entry in entries]
    if all(name.startswith("token_id:") for name in names):
        return [int(name.split(":")[1]) for name in names]
    return TOKENIZER.convert_tokens_to_ids(names)


def as_messages(items):
    """Messages for the chat template: choices as the messages they hold, nothing as empty text."""
    messages = [item if "role" in item else dict(item["message"], role="assistant") for item in items]
    return [{key: part for key, part in message.items() if part is not None} | {"content": message.get("content") or ""} for message in messages]


def render(messages, tools, prompt=False):
    return TOKENIZER.apply_chat_template(messages, tools=ordered_tools(tools), tokenize=False, add_generation_prompt=prompt)


def text_turn(history, index):
    """What a model would have sampled to say what the template shows as turn `index`, with the token that ends it."""
    messages = as_messages(history["messages_and_choices"][:index + 1])
    opened, whole = render(messages[:-1], history.get("tools"), True), render(messages, history.get("tools"))
    assert whole.startswith(opened)
    ids = encode(whole[len(opened):])
    return ids[:len(ids) - ids[::-1].index(END)]


def trained_turns(history, without_logprobs):
    """Index, ids and entries of each trained assistant turn. An entry without a log-probability is compared with itself."""
    turns = []
    for index, item in enumerate(history["messages_and_choices"]):
        if entries := sampled_entries(item):
            turns.append((index, sampled_ids(item, entries), entries))
        elif without_logprobs and (item.get("role") == "assistant" or "message" in item):
            ids = text_turn(history, index)
            turns.append((index, ids, [{"logprob": None} for _ in ids]))
    return turns


def rendered_prompts(history, turns):
    """The tokens before each trained turn: rendered by the template, with sampled ids in the place of the turns before."""
    stand_in, items = "\ue000", history["messages_and_choices"]
    messages = as_messages(items[:turns[-1][0] + 1])
    for index, _, _ in turns:
        messages[index] = {"role": "assistant", "content": stand_in}
    tokens, prompts = [], []
    for piece, (_, ids, _) in zip(render(messages, history.get("tools")).split(stand_in), turns):
        context = encode(piece)
        # a sampled end of turn stands in for the template's
        tokens += context[1:] if tokens and context[0] == tokens[-1] else context
        prompts.append(list(tokens))
        tokens += ids
    return prompts


def tokenize(history, without_logprobs=False):
    """The sequences of a conversation, each up to its last trained token.

    A turn follows the very prompt that it was sampled from, where the choice carries that; where this does not begin with
    all tokens before it, a new sequence begins.
    """
    sequences, turns = [], trained_turns(history, without_logprobs)
    if not turns:
        return sequences
    prompts = rendered_prompts(history, turns)
    for (index, ids, entries), rendered in zip(turns, prompts):
        prompt = history["messages_and_choices"][index].get("prompt_token_ids", rendered)
        if not sequences or prompt[:len(sequences[-1].tokens)] != sequences[-1].tokens:
            sequences.append(Sequence())
        sequences[-1].push(prompt[len(sequences[-1].tokens):])
        sequences[-1].push(ids, entries)
    return sequences


# ---------------------------------------------------------------- advantages and weights
def prepare(groups, config):
    """All sequences of a job with balanced, normalised advantages and weights; none where there is nothing to learn."""
    scale = config.get("scale_rewards", True) and config.get("normalize_advantages", True)
    sequences = []
    for g, group in enumerate(groups):
        rewards = [trajectory["reward"] for trajectory in group["trajectories"]]
        if len(set(rewards)) < 2:
            continue
        mean = sum(rewards) / len(rewards)
        deviation = math.sqrt(sum((reward - mean) ** 2 for reward in rewards) / len(rewards))
        for t, trajectory in enumerate(group["trajectories"]):
            advantage = (rewards[t] - mean) / (deviation + 1e-6 if scale else 1.0)
            if advantage == 0:
                continue
            histories = [trajectory, *(trajectory.get("additional_histories") or [])]
            without = config.get("allow_training_without_logprobs", False)
            members = [(h, member) for h, history in enumerate(histories) for member in tokenize(history, without)]
            trained = sum(member.trained for _, member in members)
            for h, member in members:
                member.place, member.advantage, member.weight = (g, t, h), advantage, 1 / (trained + 1e-6)
                sequences.append(member)
    normalise(sequences, config.get("advantage_balance") or 0.0)
    return sequences


def normalise(sequences, balance):
    """Over all trained tokens: weights of mean 1; advantages balanced, then divided by the mean of |advantage| x weight."""
    tokens = sum(s.trained for s in sequences)
    mean_weight = sum(s.trained * s.weight for s in sequences) / tokens
    for s in sequences:
        s.weight /= mean_weight
        if balance > 0 and s.advantage <= 0:
            s.advantage *= 1 - balance
        if balance < 0 and s.advantage >= 0:
            s.advantage *= 1 + balance
    scale = sum(s.trained * abs(s.advantage) * s.weight for s in sequences) / tokens
    for s in sequences:
        s.advantage /= scale


# ---------------------------------------------------------------- the loss
@dataclass
class TokenTerms:
    """The trained tokens of one optimizer step, in order; `old` and `original` are NaN where unknown."""
    new: torch.Tensor
    old: torch.Tensor
    advantages: torch.Tensor
    weights: torch.Tensor
    sequences: torch.Tensor
    entropies: torch.Tensor
    original: torch.Tensor = None
    reference: torch.Tensor = None
    sampled: torch.Tensor = None


def sequence_mean(values, sequences):
    """Every value replaced by the mean over its sequence."""
    out = torch.zeros_like(values)
    for index in sequences.unique():
        members = sequences == index
        out = torch.where(members, (values * members).sum() / (members.sum() + 1e-8), out)
    return out


def policy_loss(t, config):
    """Loss, entropy, KL to the reference, and of each token its ratio (before any bound), whether that is outside the clip
    range, and its loss (before weighting)."""
    old = torch.where(t.old.isnan(), t.new.detach(), t.old)
    difference = t.new - old
    ratio = difference.exp()
    if (level := config.get("importance_sampling_level") or "token") != "token":
        of_sequence = sequence_mean(difference, t.sequences).exp()
        ratio = {"sequence": of_sequence, "average": (ratio + of_sequence) / 2, "geometric_average": (ratio * of_sequence).sqrt()}[level]
    ppo = config.get("ppo") or config.get("loss_fn") == "ppo"
    epsilon, epsilon_high = config.get("epsilon"), config.get("epsilon_high")
    if ppo:
        epsilon = 0.2 if epsilon is None else epsilon
        epsilon_high = epsilon if epsilon_high is None else epsilon_high
    else:
        epsilon = 1.0 if epsilon is None else epsilon
        epsilon_high = 4.0 if epsilon_high is None else epsilon_high
    free = ratio.detach()
    if cap := config.get("max_negative_advantage_importance_sampling_weight"):
        ratio = ratio.clamp(max=cap)
    if config.get("mask_prob_ratio"):
        ratio = torch.where((ratio > 1 - epsilon) & (ratio < 1 + epsilon_high), ratio, 0.0)
    advantages = t.advantages
    if tau := config.get("kimi_k2_tau"):
        advantages = advantages - tau * difference.detach()
    count, kl = len(t.new) + 1e-6, None
    if coefficient := config.get("kl_penalty_coef"):
        of_sampler = config.get("kl_penalty_source") == "sample"
        policy = torch.where(t.sampled.isnan(), t.new, t.sampled) if of_sampler else t.new
        per_token = (policy - t.reference).detach()
        kl = per_token.sum() / count
        advantages = advantages + coefficient * (kl - per_token)
    clipped = ratio.clamp(1 - epsilon, 1 + epsilon_high)
    if ppo:
        loss = -torch.min(ratio * advantages, clipped * advantages)
    else:
        loss = -clipped.detach() * advantages * t.new
    if bound := config.get("truncated_importance_sampling"):
        factor = ratio if t.original is None else (old - torch.where(t.original.isnan(), t.new.detach(), t.original)).exp()
        loss = loss * factor.clamp(max=bound).detach()
    return dict(loss=(loss * t.weights).sum() / count, entropy=(t.entropies * t.weights).sum().detach() / count, kl=kl, ratio=free,
                clipped=(free < 1 - epsilon) | (free > 1 + epsilon_high), token_loss=loss.detach())


# ---------------------------------------------------------------- supervised rows
def labels(tokens):
    """Trained places: from right after the header of each assistant turn up to the next user turn.

    The line break that ends the header is trained, but the first of two is not (the response masking of unsloth does so).
    """
    assistant, user, line_break = encode("<|im_start|>assistant"), encode("<|im_start|>user"), encode("\n")
    find = lambda part, start: next((i for i in range(start, len(tokens) - len(part) + 1) if tokens[i:i + len(part)] == part), None)  # noqa: E731
    trained, at = [], find(assistant, 0)
    while at is not None:
        start, end = at + len(assistant), find(user, at) or len(tokens)
        trained += range(start + (tokens[start + 1:start + 2] == line_break), end)
        at = find(assistant, end)
    return trained


def supervised_row(row, config=None):
    """Tokens of a conversation and the places that are trained; None where it is left out."""
    config = config or {}
    messages = [dict(message, content=message.get("content") or "") for message in row["messages"]]
    render = lambda part, prompt: TOKENIZER.apply_chat_template(part, tools=ordered_tools(row.get("tools")), tokenize=False, add_generation_prompt=prompt)  # noqa: E731
    if config.get("assistant_turns") == "last":  # what follows the prompt that the last turn would be sampled from
        if messages[-1]["role"] != "assistant":
            return None
        prompt, whole = render(messages[:-1], True), render(messages, False)
        assert whole.startswith(prompt)
        tokens = encode(prompt)
        trained = range(len(tokens), len(tokens) + len(encode(whole[len(prompt):])))
        tokens += encode(whole[len(prompt):])
    else:
        tokens = encode(render(messages, False))
        trained = labels(tokens)
    limit = config.get("max_sequence_length") or len(tokens)
    if len(tokens) > limit and config.get("overlong_rows") != "truncate":
        return None
    trained = [t for t in trained if t < limit]
    return (tokens[:limit], trained) if trained else None


def supervised_loss(model, batch):
    """Mean negative log-probability over the trained tokens of all rows together, and the mean entropy there."""
    scores = [(score(model, tokens), trained) for tokens, trained in batch]
    mean = lambda which: torch.cat([of_row[which][trained] for of_row, trained in scores]).mean()  # noqa: E731
    return -mean(0), mean(1)


# ---------------------------------------------------------------- the adapter that training starts from
def draw_initial_adapter(model, seed):
    """A uniform in +-1/sqrt(in), drawn by counter and rounded to f32; B zero."""
    golden, word = 0x9E3779B97F4A7C15, (1 << 64) - 1

    def mix(z):
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))

    with torch.no_grad():
        for name, parameter in adapter_parameters(model).items():
            if ".lora_B." in name:
                parameter.zero_()
                continue
            layer = int(name.split(".layers.")[1].split(".")[0])
            stream = layer * len(PROJECTIONS) + next(i for i, projection in enumerate(PROJECTIONS) if f".{projection}." in name)
            state = mix(np.array([(seed + golden) & word], dtype=np.uint64)) ^ np.uint64(stream * 0xD1B54A32D192ED03 & word)
            counters = np.arange(1, parameter.numel() + 1, dtype=np.uint64)
            draws = (mix(mix(state) + counters * np.uint64(golden)) >> np.uint64(11)).astype(np.float64) / 2**53
            values = (2 * draws - 1) / math.sqrt(parameter.shape[1])
            parameter.copy_(torch.from_numpy(values.astype(np.float32).reshape(parameter.shape)))
