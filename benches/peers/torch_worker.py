#!/usr/bin/env python3
"""PyTorch and PEFT on the work of `training_peers.py`: one process, asked for one round after the other.

    torch_worker.py MODEL_DIRECTORY sft|rl|trl [--dtype f32|bf16] [--compile] [--mkl]

Reads a JSON request per line (`{"steps": 4, ...}`) and answers with one: `{"seconds": [...], "tokens": ..., "peak_bytes": ...}`.
`--mkl` lets Intel's library use AVX-512 on processors of other makers, which it otherwise refuses.
The peer is given its best: bf16 by autocast, logits of an RL step only where a token is trained, a whole group in one
batch, nothing logged, evaluated or saved.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("model")
parser.add_argument("work", choices=["sft", "rl", "trl"])
parser.add_argument("--dtype", choices=["f32", "bf16"], default="f32")
parser.add_argument("--compile", action="store_true")
parser.add_argument("--mkl", action="store_true")
parser.add_argument("--threads", type=int, default=os.cpu_count())
options = parser.parse_args()

if options.mkl and "TRAINING_PEERS_PRELOADED" not in os.environ:
    library = os.path.join(tempfile.mkdtemp(), "mkl_cpu.so")
    source = "int mkl_serv_intel_cpu_true(void) { return 1; }\n"
    subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-o", library, "-"], input=source, text=True, check=True)
    os.environ.update(TRAINING_PEERS_PRELOADED="1", LD_PRELOAD=library)
    os.execv(sys.executable, [sys.executable, *sys.argv])
os.environ["OMP_NUM_THREADS"] = str(options.threads)
os.environ["CUDA_VISIBLE_DEVICES"] = ""
# Libraries print to standard output; answers go to what it was.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer

torch.set_num_threads(options.threads)
torch.manual_seed(0)
TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
lora = LoraConfig(r=8, lora_alpha=16, lora_dropout=0.0, bias="none", task_type="CAUSAL_LM", target_modules=TARGETS)
model = AutoModelForCausalLM.from_pretrained(options.model, dtype=torch.float32, attn_implementation="sdpa")
vocabulary = model.config.vocab_size


def autocast():
    return torch.autocast("cpu", torch.bfloat16, enabled=options.dtype == "bf16")


def trainer():
    """The adapted model and its optimizer."""
    adapted = get_peft_model(model, lora)
    adapted.train()
    parameters = [parameter for parameter in adapted.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.0)
    return adapted, parameters, optimizer


class Sft:
    """Steps of `batch` rows of `length` tokens, every token trained."""

    def __init__(self):
        self.adapted, self.parameters, self.optimizer = trainer()
        self.forward = torch.compile(self.adapted) if options.compile else self.adapted

    def round(self, request):
        batch, length = request["batch"], request["length"]
        ids = torch.randint(3, vocabulary, (batch, length), generator=torch.Generator().manual_seed(1))
        seconds = []
        for _ in range(request["steps"]):
            begin = time.perf_counter()
            with autocast():
                loss = self.forward(input_ids=ids, labels=ids, use_cache=False).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)
            seconds.append(time.perf_counter() - begin)
        return {"seconds": seconds, "tokens": batch * length}


class Rl:
    """A job: `groups` optimizer steps, each on `size` completions that all carry the prompt."""

    def __init__(self):
        self.adapted, self.parameters, self.optimizer = trainer()

    def round(self, request):
        prompt, completion, size = request["prompt"], request["completion"], request["size"]
        source = torch.Generator().manual_seed(request.get("seed", 1))
        begin = time.perf_counter()
        for _ in range(request["groups"]):
            shared = torch.randint(3, vocabulary, (1, prompt), generator=source).expand(size, prompt)
            own = torch.randint(3, vocabulary, (size, completion), generator=source)
            ids = torch.cat([shared, own], 1)
            old = torch.full((size, completion), -10.0)
            advantages = torch.linspace(-1, 1, size)[:, None]
            with autocast():
                # Logits of the predicting positions only.
                logits = self.adapted(input_ids=ids, use_cache=False, logits_to_keep=completion + 1).logits[:, :-1]
            new = torch.log_softmax(logits.float(), -1).gather(-1, own[..., None])[..., 0]
            ratio = torch.exp(new - old).clamp(0.0, 5.0).detach()
            loss = -(ratio * advantages * new).mean()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.parameters, 0.1)
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)
        return {"seconds": [time.perf_counter() - begin], "tokens": request["groups"] * size * (prompt + completion)}


class Trl:
    """A whole job of TRL's trainer: conversations from a file, tokenised, trained, the adapter saved."""

    def round(self, request):
        from datasets import load_dataset
        from trl import SFTConfig, SFTTrainer

        tokenizer = AutoTokenizer.from_pretrained(options.model)
        with tempfile.TemporaryDirectory() as directory:
            begin = time.perf_counter()
            rows = load_dataset("json", data_files=request["file"], split="train", cache_dir=directory)
            arguments = SFTConfig(
                output_dir=directory, per_device_train_batch_size=request["batch"], max_length=request["length"],
                num_train_epochs=1, learning_rate=5e-5, lr_scheduler_type="constant", logging_steps=1,
                save_strategy="no", report_to=[], use_cpu=True, bf16=options.dtype == "bf16", disable_tqdm=True,
                gradient_checkpointing=False, dataloader_pin_memory=False, packing=False,
            )
            # A fresh model, as the one before has an adapter; loading it is not counted.
            loading = time.perf_counter()
            fresh = AutoModelForCausalLM.from_pretrained(options.model, dtype=torch.float32, attn_implementation="sdpa")
            loading = time.perf_counter() - loading
            training = SFTTrainer(model=fresh, args=arguments, train_dataset=rows, peft_config=lora,
                                  processing_class=tokenizer)
            training.train()
            training.save_model(os.path.join(directory, "adapter"))
            seconds = time.perf_counter() - begin - loading
        return {"seconds": [seconds], "tokens": request["tokens"]}


work = {"sft": Sft, "rl": Rl, "trl": Trl}[options.work]()
for line in sys.stdin:
    answer = work.round(json.loads(line))
    with open("/proc/self/status") as status:
        peak = next(line for line in status if line.startswith("VmHWM:"))
    answer["peak_bytes"] = int(peak.split()[1]) * 1024
    print(json.dumps(answer), file=answers, flush=True)
