"""Makes `tests/golden/imported/`: an adapter on the built-in model, by PEFT itself, and what transformers computes with it.

    pip install -r scripts/requirements.txt
    python scripts/make_golden_imported.py
"""
import json
from pathlib import Path

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer

ROOT = Path(__file__).parents[1]
HERE = ROOT / "tests" / "golden" / "imported"
SEEDLING = ROOT / "assets" / "seedling"
PROMPTS = ["red?", "up?", "say yes, no or maybe"]
TOP = 10

torch.manual_seed(3)
base = AutoModelForCausalLM.from_pretrained(SEEDLING, dtype=torch.float32)
options = LoraConfig(r=4, lora_alpha=8, target_modules=["q_proj", "v_proj", "down_proj"], task_type="CAUSAL_LM")
model = get_peft_model(base, options)
for name, parameter in model.named_parameters():
    if "lora_B" in name:
        torch.nn.init.normal_(parameter, std=0.05)
model.eval()
model.save_pretrained(HERE)
(HERE / "README.md").unlink(missing_ok=True)
# The directory of whoever runs this.
config = json.loads((HERE / "adapter_config.json").read_text())
config["base_model_name_or_path"] = "trainyard/seedling"
(HERE / "adapter_config.json").write_text(json.dumps(config, indent=2) + "\n")

tokenizer = AutoTokenizer.from_pretrained(SEEDLING)
recordings = []
for prompt in PROMPTS:
    messages = [{"role": "user", "content": prompt}]
    ids = tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_tensors="pt", return_dict=True)
    with torch.no_grad():
        scores = torch.log_softmax(model(ids["input_ids"]).logits[0, -1].double(), -1)
    best = torch.topk(scores, TOP)
    recordings.append({
        "prompt": prompt,
        "prompt_token_ids": ids["input_ids"][0].tolist(),
        "first_tokens": [[int(token), float(score)] for token, score in zip(best.indices, best.values)],
    })
(HERE / "logprobs.json").write_text(json.dumps(recordings, indent=1) + "\n")
