"""Command line of the learner."""

import argparse
import json
import math
import os
import socket
import sys
import threading
from pathlib import Path


def own_address() -> str:
    """Returns the address by which this machine reaches the head of Ray; the loopback address where there is none."""
    head = os.environ.get("RAY_ADDRESS", "").rpartition(":")[0] or "127.0.0.1"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect((head, 9))  # Selects a route; sends nothing.
        return probe.getsockname()[0]


def run() -> None:
    """Loads the model, prints the address, and serves until the process is ended.

    The first line of output is the address: what libraries print, when they are imported too, goes to the log.
    """
    output, sys.stdout = sys.stdout, sys.stderr
    parser = argparse.ArgumentParser(prog="python -m trainyard_learner", description=__doc__)
    add = parser.add_argument
    add("--model", required=True, help="directory of the base model: config.json and safetensors files")
    add("--host", default="127.0.0.1", help="address to listen on; auto: the address by which this machine reaches the head of Ray")
    add("--port", type=int, default=0, help="port to listen on; 0: a free one")
    add("--url", help="address for clients, where it differs from host and port")
    add("--token-file", type=Path, help="file with the bearer token; else the environment's TRAINYARD_LEARNER_TOKEN")
    add("--dtype", choices=["auto", "float32", "bfloat16", "float16"], default="auto", help="auto: float32 on CPU, else bfloat16")
    add("--device", choices=["auto", "cpu", "cuda"], default="auto")
    add("--attention", choices=["auto", "sdpa", "eager", "flex_attention"], default="auto", help="auto: the family's own")
    add("--threads", type=int, help="threads of one operation on CPU")
    add("--memory", type=int, help="bytes to plan with instead of the free memory")
    add("--idle", type=float, default=math.inf, help="seconds without a call after which sessions are closed and the learner ends")
    add("--max-sessions", type=int, default=16)
    add("--body-limit", type=int, default=4 << 30, help="largest body in bytes")
    options = parser.parse_args()
    token = os.environ.pop("TRAINYARD_LEARNER_TOKEN", "")
    if options.token_file:
        token = options.token_file.read_text().strip()
    if not token or not token.isascii():
        sys.exit("the learner needs a token in ASCII: set TRAINYARD_LEARNER_TOKEN or --token-file")

    import torch

    from .learner import Learner
    from .model import BaseModel
    from .server import Server

    if options.threads:
        torch.set_num_threads(options.threads)
    torch.set_float32_matmul_precision("highest")
    device = options.device if options.device != "auto" else "cuda" if torch.cuda.is_available() else "cpu"
    base = BaseModel(options.model, options.dtype, device, options.attention, options.memory)
    learner = Learner(base, options.max_sessions)
    if base.ranks.rank > 0:
        return learner.follow()
    host = own_address() if options.host == "auto" else options.host
    server = Server((host, options.port), learner, token, options.body_limit, options.idle)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = options.url or f"http://{host}:{server.server_port}"
    print("TRAINYARD_LEARNER " + json.dumps({"url": url}), file=output, flush=True)
    sys.exit(server.watch())


if __name__ == "__main__":
    run()
