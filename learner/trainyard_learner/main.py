"""Command line of the learner."""

import argparse
import json
import os
import socket
import sys
import threading

import torch

from .learner import Learner
from .model import BaseModel
from .server import Server, TensorThread


def own_address() -> str:
    """Returns the address by which this machine reaches the head of Ray; the loopback address where there is none."""
    head = os.environ.get("RAY_ADDRESS", "").rpartition(":")[0] or "127.0.0.1"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect((head, 9))  # Selects a route; sends nothing.
        return probe.getsockname()[0]


def main(output) -> None:
    """Loads the model, writes the address to `output`, and serves until the process is ended."""
    parser = argparse.ArgumentParser(prog="python -m trainyard_learner", description=__doc__)
    parser.add_argument("--model", required=True, help="directory of the base model: config.json and safetensors files")
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on; auto: the address by which this machine reaches the head of Ray"
    )
    parser.add_argument("--port", type=int, default=0, help="port to listen on; 0: a free one")
    parser.add_argument("--url", help="address for clients, where it differs from host and port")
    parser.add_argument("--token-file", help="file with the bearer token; else the environment's TRAINYARD_LEARNER_TOKEN")
    parser.add_argument(
        "--dtype", choices=["auto", "float32", "bfloat16", "float16"], default="auto", help="auto: float32 on CPU, else bfloat16"
    )
    parser.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")
    parser.add_argument(
        "--attention",
        choices=["auto", "sdpa", "eager", "flex_attention"],
        default="auto",
        help="auto: flex_attention on CUDA, else the family's default",
    )
    parser.add_argument("--threads", type=int, help="threads of one operation on CPU")
    parser.add_argument("--memory", type=int, help="bytes to plan with instead of the free memory")
    parser.add_argument("--idle", type=float, help="seconds without a call after which sessions are closed and the learner ends")
    parser.add_argument("--max-sessions", type=int, default=16)
    parser.add_argument("--body-limit", type=int, default=4 << 30, help="largest body in bytes")
    options = parser.parse_args()
    token = os.environ.pop("TRAINYARD_LEARNER_TOKEN", "")
    if options.token_file:
        with open(options.token_file) as file:
            token = file.read().strip()
    if not token or not token.isascii():
        sys.exit("the learner needs a token in ASCII: set TRAINYARD_LEARNER_TOKEN or --token-file")
    if options.threads:
        torch.set_num_threads(options.threads)
    torch.set_float32_matmul_precision("highest")
    device = options.device if options.device != "auto" else "cuda" if torch.cuda.is_available() else "cpu"
    base = BaseModel(options.model, options.dtype, device, options.attention, options.memory)
    thread = TensorThread(Learner(base, options.max_sessions), options.idle)
    if base.ranks.rank > 0:
        return thread.follow()
    host = own_address() if options.host == "auto" else options.host
    server = Server((host, options.port), thread, token, options.body_limit)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = options.url or f"http://{host}:{server.server_port}"
    print("TRAINYARD_LEARNER " + json.dumps({"url": url}), file=output, flush=True)
    thread.serve()
