#!/usr/bin/env python3
"""Record the gradients of all parameters that torch computes for models of every family, and AdamW's steps with them.

    python3 -m venv venv && venv/bin/pip install -r scripts/requirements.txt
    venv/bin/python scripts/make_golden_full.py               # writes tests/golden/full, seconds

The models, tokens and loss factors are those of scripts/make_golden_families.py; tests/golden/README.md describes the files.
"""
import argparse
import json
import tempfile
from pathlib import Path

import torch
from safetensors.torch import save_file

from make_golden_families import CASES, GRADIENT_CASES, load, token_logprobs, tokens, value, write_model

WHOLE = "qwen3-biases"
SETTINGS = dict(learning_rate=1e-3, beta1=0.9, beta2=0.99, epsilon=1e-8, weight_decay=0.1, clip_norm=0.5)
STEPS = 3


def train(model, case, out):
    """Gradients of a weighted sum of log-probabilities by every parameter, and three steps of AdamW on the same data."""
    parameters = dict(model.named_parameters())
    decayed = [p for p in parameters.values() if p.dim() == 2]
    others = [p for p in parameters.values() if p.dim() != 2]
    groups = [dict(params=decayed, weight_decay=SETTINGS["weight_decay"]), dict(params=others, weight_decay=0.0)]
    optimizer = torch.optim.AdamW(groups, lr=SETTINGS["learning_rate"], betas=(SETTINGS["beta1"], SETTINGS["beta2"]),
                                  eps=SETTINGS["epsilon"])
    ids, factors = tokens(f"{case}/trained", 48), value(f"{case}/factors", (47,))
    losses, norms = [], []
    for step in range(STEPS):
        optimizer.zero_grad()
        logprobs, _ = token_logprobs(model, ids)
        loss = (factors * logprobs).sum()
        loss.backward()
        losses.append(loss.item())
        if step == 0:
            out["logprobs"] = logprobs.detach()
            for name, parameter in parameters.items():
                gradient = parameter.grad
                if case == WHOLE or gradient.dim() == 1:
                    out[f"gradient.{name}"] = gradient.clone()
                else:
                    rows, columns = gradient.shape
                    out[f"rows.{name}"] = gradient @ value(f"{case}/{name}/columns", (columns,))
                    out[f"columns.{name}"] = value(f"{case}/{name}/rows", (rows,)) @ gradient
        norms.append(torch.nn.utils.clip_grad_norm_(parameters.values(), SETTINGS["clip_norm"]).item())
        optimizer.step()
        if step == 0 and case == WHOLE:
            out |= {f"after.{name}": parameter.detach().clone() for name, parameter in parameters.items()}
    return dict(name=case, losses=losses, gradient_norms=norms, parameters=sorted(parameters))


def record(case, target):
    out = {}
    with tempfile.TemporaryDirectory() as name:
        write_model(case, Path(name))
        steps = train(load(Path(name)), case, out)
    save_file(out, target / f"{case}.safetensors")
    (target / f"{case}.safetensors").chmod(0o644)
    print(f"{case}: losses {steps['losses']}, gradient norms {steps['gradient_norms']}")
    return steps


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent.parent / "tests" / "golden" / "full")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    # Models with experts are not trained as a whole.
    cases = [record(case, out) for case in GRADIENT_CASES if CASES[case]["model_type"] != "qwen3_moe"]
    lines = ",\n".join(json.dumps(case) for case in cases)
    (out / "steps.json").write_text('{"settings": ' + json.dumps(SETTINGS) + ', "cases": [\n' + lines + "\n]}\n")


if __name__ == "__main__":
    main()
