"""Cost of a training step through the learner in relation to a plain loop of torch, transformers and PEFT.

Both run in this process on one thread, in alternation; a step is forward, derivative, backward and AdamW. The learner is
called through its HTTP server.

    python benchmarks/step_cost.py [ROUNDS]
"""

import json
import math
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import torch

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[1] / "tests")]

from client import PROJECTIONS, TOKEN, Client  # noqa: E402
from peft import LoraConfig, get_peft_model  # noqa: E402
from transformers import AutoConfig, AutoModelForCausalLM  # noqa: E402

from trainyard_learner.learner import Learner  # noqa: E402
from trainyard_learner.model import BaseModel  # noqa: E402
from trainyard_learner.server import Server  # noqa: E402

LORA = {"r": 8, "lora_alpha": 16, "target_modules": PROJECTIONS}
SETTINGS = {"learning_rate": 1e-4, "beta1": 0.9, "beta2": 0.99, "epsilon": 1e-8, "weight_decay": 0.0, "clip_norm": 1.0}
SHAPE = {
    "hidden_size": 512, "num_hidden_layers": 8, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 64, "intermediate_size": 1536,
    "vocab_size": 32000, "max_position_embeddings": 4096, "tie_word_embeddings": True,
}  # fmt: skip


def plain_loop(directory):
    """Returns a step of the plain loop: padded rows, cross entropy on the scored part of all logits, torch's AdamW."""
    model = AutoModelForCausalLM.from_pretrained(directory, dtype=torch.float32).eval().requires_grad_(False)
    model = get_peft_model(model, LoraConfig(task_type="CAUSAL_LM", **LORA))
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=1e-4, weight_decay=0.0)

    def step(sequences, first):
        ids = torch.tensor(np.stack(sequences))
        logits = model(input_ids=ids, use_cache=False).logits
        torch.nn.functional.cross_entropy(logits[:, first - 1 : -1].flatten(0, 1).float(), ids[:, first:].flatten()).backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return step


def through_learner(learner, name, known=False, **options):
    """Returns a step through the learner."""
    client = Client(learner, name, **options)
    client.open(LORA)

    def step(sequences, first):
        scored = [np.arange(len(sequence)) >= first for sequence in sequences]
        count = sum(int(places.sum()) for places in scored)
        gradient = [np.full(int(places.sum()), -1 / count, np.float32) for places in scored]
        if known:
            client.accumulate_known(sequences, scored, gradient)
        else:
            client.accumulate(sequences, scored, lambda *_: gradient)
        client.step(**SETTINGS)

    return step


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    torch.set_num_threads(1)
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as directory:
        AutoModelForCausalLM.from_config(AutoConfig.for_model("qwen3", **SHAPE)).save_pretrained(directory)
        base = BaseModel(directory, "float32", "cpu", "sdpa", None)
        server = Server(("127.0.0.1", 0), Learner(base, 16), TOKEN, 1 << 30, math.inf)
        server.address = f"127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        ways = {
            "plain torch loop, padded": plain_loop(directory),
            "learner, padded, retained": through_learner(server, "a", packing="pad", graph="retain"),
            "learner, padded, known gradient": through_learner(server, "b", known=True, packing="pad"),
            "learner, padded, recomputed": through_learner(server, "c", packing="pad", graph="recompute"),
            "learner, automatic, retained": through_learner(server, "d", graph="retain"),
        }
        rng = np.random.default_rng(0)
        tokens = lambda count: rng.integers(5, SHAPE["vocab_size"], count)  # noqa: E731
        group = lambda prompt, answer: ([np.concatenate([prompt, tokens(answer)]) for _ in range(8)], len(prompt))  # noqa: E731
        cases = {
            "2 distinct sequences of 128": ([tokens(128) for _ in range(2)], 1),
            "8 answers of 32 to one prompt of 96": group(tokens(96), 32),
            "8 answers of 64 to one prompt of 512": group(tokens(512), 64),
        }
        for case, (sequences, first) in cases.items():
            seconds = {way: [] for way in ways}
            for number in range(rounds + 1):
                for way, step in ways.items():
                    begin = time.process_time()
                    step(sequences, first)
                    if number:
                        seconds[way].append(time.process_time() - begin)
            plain = min(seconds["plain torch loop, padded"])
            for way, values in seconds.items():
                print(
                    json.dumps({"case": case, "way": way, "cpu_seconds": round(min(values), 3), "ratio": round(min(values) / plain, 3)}),
                    flush=True,
                )


main()
