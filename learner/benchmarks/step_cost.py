"""Cost of a training step through the learner in relation to a plain loop of torch, transformers and PEFT.

Both run in this process in alternation; a step is forward, derivative, backward and AdamW. The learner is called through its
HTTP server. On CPU the cost is the processor time of one thread, on CUDA the elapsed time; the peak of the memory there is the
process's, with the weights of both.

    python benchmarks/step_cost.py [--device cuda --dtype bfloat16 --shape qwen3-4b] [--rounds 5]
"""

import argparse
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
SMALL = {
    "hidden_size": 512, "num_hidden_layers": 8, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 64, "intermediate_size": 1536,
    "vocab_size": 32000, "max_position_embeddings": 4096, "tie_word_embeddings": True,
}  # fmt: skip
LARGE = SMALL | {"vocab_size": 151936, "max_position_embeddings": 40960, "head_dim": 128, "num_key_value_heads": 8}
SHAPES = {
    "small": SMALL,
    "qwen3-0.6b": LARGE | {"hidden_size": 1024, "num_hidden_layers": 28, "num_attention_heads": 16, "intermediate_size": 3072},
    "qwen3-4b": LARGE | {"hidden_size": 2560, "num_hidden_layers": 36, "num_attention_heads": 32, "intermediate_size": 9728},
    "qwen3-8b": LARGE | {
        "hidden_size": 4096, "num_hidden_layers": 36, "num_attention_heads": 32, "intermediate_size": 12288, "tie_word_embeddings": False,
    },
}  # fmt: skip


def plain_loop(directory, device, dtype):
    """Returns a step of the plain loop: padded rows, cross entropy on the scored part of all logits, torch's AdamW."""
    model = AutoModelForCausalLM.from_pretrained(directory, dtype=dtype).to(device).eval().requires_grad_(False)
    model = get_peft_model(model, LoraConfig(task_type="CAUSAL_LM", **LORA))
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=1e-4, weight_decay=0.0)

    def step(sequences, first):
        torch.backends.cuda.enable_cudnn_sdp(True)  # The learner, in the same process, has turned it off.
        width = max(map(len, sequences))
        ids = torch.tensor(np.stack([np.pad(sequence, (0, width - len(sequence))) for sequence in sequences]), device=device)
        labels = ids.clone()
        labels[:, :first] = -100
        for row, sequence in zip(labels, sequences):
            row[len(sequence) :] = -100
        logits = model(input_ids=ids, use_cache=False, logits_to_keep=width - first + 1).logits[:, :-1]
        torch.nn.functional.cross_entropy(logits.flatten(0, 1).float(), labels[:, first:].flatten()).backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        torch.backends.cuda.enable_cudnn_sdp(False)

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


def batches(shape, large):
    """Returns the cases by name: functions that draw a batch, and the first scored place of its sequences."""
    rng = np.random.default_rng(0)
    tokens = lambda count: rng.integers(5, shape["vocab_size"], count)  # noqa: E731

    def group(prompt, answers):
        shared = tokens(prompt)
        return [np.concatenate([shared, tokens(length)]) for length in answers], prompt

    if not large:
        return {
            "2 distinct sequences of 128": lambda: ([tokens(128) for _ in range(2)], 1),
            "8 answers of 32 to one prompt of 96": lambda: group(96, [32] * 8),
            "8 answers of 64 to one prompt of 512": lambda: group(512, [64] * 8),
        }
    return {
        "4 distinct sequences of 2048": lambda: ([tokens(2048) for _ in range(4)], 1),
        "8 answers of 256 to one prompt of 1024": lambda: group(1024, [256] * 8),
        "8 answers of 64 to 512, prompt of 256 to 1024, other lengths each step": lambda: group(
            int(rng.integers(256, 1024)), rng.integers(64, 512, 8)
        ),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--dtype", choices=["float32", "bfloat16"], default="float32")
    parser.add_argument("--attention", default="auto", help="of the learner")
    parser.add_argument("--shape", choices=SHAPES, default="small")
    options = parser.parse_args()
    shape, dtype, on_gpu = SHAPES[options.shape], getattr(torch, options.dtype), options.device == "cuda"
    torch.set_num_threads(1)
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as directory:
        with torch.device(options.device):
            AutoModelForCausalLM.from_config(AutoConfig.for_model("qwen3", **shape), dtype=dtype).save_pretrained(directory)
        base = BaseModel(directory, options.dtype, options.device, options.attention, None)
        plain = plain_loop(directory, options.device, dtype)
    server = Server(("127.0.0.1", 0), Learner(base, 16), TOKEN, 1 << 30, math.inf)
    server.address = f"127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    ways = {
        "plain torch loop, padded": plain,
        "learner, padded, retained": through_learner(server, "a", packing="pad", graph="retain"),
        "learner, padded, known gradient": through_learner(server, "b", known=True, packing="pad"),
        "learner, padded, recomputed": through_learner(server, "c", packing="pad", graph="recompute"),
        "learner, automatic, retained": through_learner(server, "d", graph="retain"),
    }
    for case, draw in batches(shape, options.shape != "small").items():
        costs, memory = {way: [] for way in ways}, {}
        for number in range(options.rounds + 1):
            sequences, first = draw()
            for way, step in ways.items():
                if on_gpu:
                    torch.cuda.synchronize()
                    torch.cuda.reset_peak_memory_stats()
                begin = time.perf_counter() if on_gpu else time.process_time()
                step(sequences, first)
                if on_gpu:
                    torch.cuda.synchronize()
                costs[way].append((time.perf_counter() if on_gpu else time.process_time()) - begin)
                memory[way] = max(memory.get(way, 0), torch.cuda.max_memory_allocated() if on_gpu else 0)
        plain_cost = float(np.median(costs["plain torch loop, padded"][1:]))
        for way, values in costs.items():
            cost = float(np.median(values[1:]))
            row = {"case": case, "way": way, "seconds": round(cost, 4), "ratio": round(cost / plain_cost, 3), "first": round(values[0], 2)}
            row |= {"most": round(max(values[1:]), 4)} | ({"peak_gib": round(memory[way] / 2**30, 2)} if on_gpu else {})
            print(json.dumps(row), flush=True)


main()
