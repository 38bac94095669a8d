#!/usr/bin/env python3
"""Record what transformers and PEFT compute, so that the engine can be tested against them.

    python3 -m venv venv && venv/bin/pip install -r scripts/requirements.txt
    venv/bin/python scripts/make_golden_model.py              # writes tests/golden/qwen3-tiny and qwen3-tied, seconds

Two random Qwen3 models with awkward shapes, their logits, and two LoRA optimiser steps.  Everything is computed in f32
with eager attention on one thread.  tests/golden/README.md describes the files.
"""
import argparse
import json
import shutil
import tempfile
from pathlib import Path

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, Qwen3Config, Qwen3ForCausalLM

PROJECTIONS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
SHAPE = dict(vocab_size=331, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, head_dim=16, intermediate_size=112,
             max_position_embeddings=512, rms_norm_eps=1e-6, bos_token_id=None, eos_token_id=2, pad_token_id=0)
MODELS = {  # name: (differences, dtype on disk)
    "qwen3-tiny": (dict(hidden_size=80, rope_theta=10_000.0, tie_word_embeddings=False), torch.float32),
    "qwen3-tied": (dict(hidden_size=48, rope_theta=1_000_000.0, tie_word_embeddings=True), torch.bfloat16),
}
FULL_LENGTHS, LONG_LENGTH = [1, 5, 17, 33], 150
STEPS = {  # name: (sequence lengths, hyper-parameters of AdamW and of the clipping)
    "step-reinforce": ([37], dict(learning_rate=1e-3, beta1=0.9, beta2=0.99, epsilon=1e-8, weight_decay=0.1, clip_norm=0.1)),
    "step-supervised": ([23, 41], dict(learning_rate=1e-3, beta1=0.9, beta2=0.99, epsilon=1e-8, weight_decay=0.0, clip_norm=1.0)),
}


def random_ids(generator, length):
    return torch.randint(0, SHAPE["vocab_size"], (length,), generator=generator)


def write_json(path, value):
    path.write_text(json.dumps(value, indent=2) + "\n")


def make_model(name, directory):
    """Random weights large enough that logits and attention are far from uniform; norm weights away from one."""
    differences, dtype = MODELS[name]
    model = Qwen3ForCausalLM(Qwen3Config(**SHAPE, **differences))
    generator = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for parameter in model.parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            parameter.copy_((0.2 * noise if parameter.dim() > 1 else 1 + 0.3 * noise).to(dtype).float())
    tensors = {n: t.to(dtype).contiguous() for n, t in model.state_dict().items() if not (n == "lm_head.weight" and differences["tie_word_embeddings"])}
    save_file(tensors, directory / "model.safetensors", metadata={"format": "pt"})
    write_json(directory / "config.json", {
        "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_act": "silu", "attention_bias": False, "attention_dropout": 0.0,
        "use_sliding_window": False, "sliding_window": None, "rope_scaling": None, "torch_dtype": str(dtype).removeprefix("torch."), **SHAPE, **differences})


def load(directory):
    return AutoModelForCausalLM.from_pretrained(directory, dtype=torch.float32, attn_implementation="eager").eval()


def token_logprobs(model, ids):
    """log p(ids[t] | ids[..t]) for t = 1.., with a 0 in front."""
    logits = model(input_ids=ids[None], use_cache=False).logits[0]
    picked = torch.log_softmax(logits[:-1], -1).gather(1, ids[1:, None])[:, 0]
    return torch.cat([torch.zeros(1), picked])


@torch.no_grad()
def record_logits(directory):
    model, generator, out = load(directory), torch.Generator().manual_seed(11), {}
    for i, length in enumerate([*FULL_LENGTHS, LONG_LENGTH]):
        ids = random_ids(generator, length)
        out[f"ids.{i}"] = ids
        logits = model(input_ids=ids[None], use_cache=False).logits[0]
        if length == LONG_LENGTH:
            out[f"last_logits.{i}"] = logits[-1].clone()
            out[f"logprobs.{i}"] = token_logprobs(model, ids)
        else:
            out[f"logits.{i}"] = logits.clone()
    save_file(out, directory / "logits.safetensors")


def make_adapter(directory):
    """A PEFT adapter whose A and B are both non-zero, as files that PEFT wrote."""
    torch.manual_seed(13)
    model = get_peft_model(load(directory), LoraConfig(r=8, lora_alpha=16, lora_dropout=0.0, bias="none", task_type="CAUSAL_LM", target_modules=PROJECTIONS))
    generator = torch.Generator().manual_seed(17)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.requires_grad:
                parameter.copy_(0.1 * torch.randn(parameter.shape, generator=generator))
    target = directory / "adapter"
    target.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as written:
        model.save_pretrained(written)
        config = json.loads((Path(written) / "adapter_config.json").read_text())
        config.update(base_model_name_or_path=directory.name, target_modules=sorted(config["target_modules"]))
        write_json(target / "adapter_config.json", config)
        shutil.copyfile(Path(written) / "adapter_model.safetensors", target / "adapter_model.safetensors")


def coefficients(name, sequences, generator):
    """dLoss/dlogprob of every token: loss = sum over all tokens of coefficient * log-probability."""
    out = []
    for ids in sequences:
        mask = (torch.rand(len(ids), generator=generator) < 0.6).float()
        mask[0] = 0.0  # the first token has no log-probability
        signs = torch.randn(len(ids), generator=generator) if name == "step-reinforce" else -torch.ones(len(ids))
        out.append(mask * signs)
    count = sum(int((c != 0).sum()) for c in out)
    return [c / count for c in out]


def record_step(name, directory):
    lengths, hyper = STEPS[name]
    generator = torch.Generator().manual_seed(19)
    sequences = [random_ids(generator, n) for n in lengths]
    factors = coefficients(name, sequences, generator)
    model = PeftModel.from_pretrained(load(directory), directory / "adapter", is_trainable=True).eval()
    parameters = {n.replace(".default", ""): p for n, p in model.named_parameters() if p.requires_grad}
    optimizer = torch.optim.AdamW(parameters.values(), lr=hyper["learning_rate"], betas=(hyper["beta1"], hyper["beta2"]),
                                  eps=hyper["epsilon"], weight_decay=hyper["weight_decay"])
    out, losses, norms = {}, [], []
    for step in range(3):
        loss = torch.zeros(())
        for i, (ids, factor) in enumerate(zip(sequences, factors)):
            logprobs = token_logprobs(model, ids)
            loss = loss + (factor * logprobs).sum()
            if step == 0:
                out |= {f"ids.{i}": ids, f"coefficients.{i}": factor, f"logprobs.{i}": logprobs.detach().clone()}
        loss.backward()
        if step == 0:
            out |= {f"gradient.{n}": p.grad.clone() for n, p in parameters.items()}
        losses.append(loss.item())
        norms.append(torch.nn.utils.clip_grad_norm_(parameters.values(), hyper["clip_norm"]).item())
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if step == 0:
            out |= {f"after.{n}": p.detach().clone() for n, p in parameters.items()}
    save_file(out, directory / f"{name}.safetensors")
    write_json(directory / f"{name}.json", {"sequences": len(sequences), **hyper, "losses": losses, "gradient_norms": norms})
    assert set(parameters) == set(load_file(directory / "adapter" / "adapter_model.safetensors"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent.parent / "tests" / "golden")
    out = parser.parse_args().out
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    for name in MODELS:
        directory = out / name
        directory.mkdir(parents=True, exist_ok=True)
        make_model(name, directory)
        record_logits(directory)
    make_adapter(out / "qwen3-tiny")
    for name in STEPS:
        record_step(name, out / "qwen3-tiny")
    for path in out.glob("qwen3-*/**/*"):
        if path.is_file():
            path.chmod(0o644)


if __name__ == "__main__":
    main()
