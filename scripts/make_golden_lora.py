#!/usr/bin/env python3
"""Records LoRA adapters of other ranks, targets and scales than the default, as PEFT writes and computes them.

    python3 -m venv venv && venv/bin/pip install -r scripts/requirements.txt
    venv/bin/python scripts/make_golden_lora.py               # writes tests/golden/lora, seconds

The base models are those of make_golden_families.py.  Where a case has a `written_config.json`, which is what the engine
writes for that adapter, PEFT must read it beside the same tensors and compute the same numbers; the script fails if not.
tests/golden/README.md describes the files.
"""
import argparse
import json
import shutil
import tempfile
from pathlib import Path

import torch
from make_golden_families import load, token_logprobs, tokens, value, write_model
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import save_file

# The name begins with that of the base model. Dropout acts in training alone, and here nothing is trained by PEFT.
CASES = {
    "qwen3-stabilised": dict(r=4, lora_alpha=8, target_modules=["q_proj", "v_proj"], use_rslora=True),
    "llama-biases-all": dict(r=1, lora_alpha=2, target_modules="all-linear", lora_dropout=0.1),
    "qwen2-feedforward": dict(r=12, lora_alpha=6, target_modules=["gate_proj", "up_proj", "o_proj"]),
    "mistral-window-wide": dict(r=33, lora_alpha=16.5, target_modules=["self_attn.k_proj", "down_proj"], use_rslora=True),
    "phi3-joint": dict(r=5, lora_alpha=10, target_modules=["qkv_proj", "o_proj", "gate_up_proj", "down_proj"]),
}
BASES = {"qwen3-stabilised": "qwen3", "llama-biases-all": "llama-biases", "qwen2-feedforward": "qwen2",
         "mistral-window-wide": "mistral-window", "phi3-joint": "phi3"}


def record(case, target):
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        write_model(BASES[case], directory)
        model = get_peft_model(load(directory), LoraConfig(bias="none", task_type="CAUSAL_LM", **CASES[case])).eval()
        parameters = {n.replace(".default", ""): p for n, p in model.named_parameters() if p.requires_grad}
        with torch.no_grad():
            for name, parameter in parameters.items():
                parameter.copy_(0.25 * value(f"{case}/{name}", tuple(parameter.shape)))
        ids = tokens(f"{case}/trained", 48)
        logprobs, _ = token_logprobs(model, ids)
        (value(f"{case}/factors", (47,)) * logprobs).sum().backward()
        model.save_pretrained(target)
        (target / "README.md").unlink(missing_ok=True)
        config = json.loads((target / "adapter_config.json").read_text())
        # A temporary path, and a set in an order that changes from run to run.
        config |= dict(base_model_name_or_path=BASES[case], target_modules=sorted(config["target_modules"]))
        (target / "adapter_config.json").write_text(json.dumps(config, indent=2) + "\n")
        out = {"logprobs": logprobs.detach()} | {f"gradient.{n}": p.grad.clone() for n, p in parameters.items()}
        save_file(out, target / "expected.safetensors")
        with torch.no_grad():
            plain, _ = token_logprobs(load(directory), ids)
            print(f"{case}: the adapter changes log-probabilities by up to {(plain - logprobs).abs().max():.3f}")
            if (target / "written_config.json").exists():
                written = directory / "written"
                written.mkdir()
                shutil.copy(target / "adapter_model.safetensors", written)
                shutil.copy(target / "written_config.json", written / "adapter_config.json")
                read, _ = token_logprobs(PeftModel.from_pretrained(load(directory), written).eval(), ids)
                difference = (read - logprobs).abs().max().item()
                assert difference <= 1e-6, f"{case}: PEFT computes something else from what the engine writes: {difference}"
                print(f"{case}: PEFT reads what the engine writes, difference {difference:.1e}")
    for file in target.iterdir():
        file.chmod(0o644)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent.parent / "tests" / "golden" / "lora")
    out = parser.parse_args().out
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    for case in CASES:
        (out / case).mkdir(parents=True, exist_ok=True)
        record(case, out / case)
    (out / "cases.json").write_text(json.dumps(BASES, indent=2) + "\n")


if __name__ == "__main__":
    main()
