"""Client of the protocol for the tests and the benchmark: starts learners and plays the worker's part."""

import http.client
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
from safetensors.numpy import load, save

PACKAGE = Path(__file__).resolve().parents[1]
REPOSITORY = PACKAGE.parent
TOKEN = "test-token"
DEVICE = os.environ.get("TRAINYARD_LEARNER_DEVICE", "cpu")
PROJECTIONS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
# Settings of a step whose first moment is the gradient itself.
GRADIENT_STEP = {"learning_rate": 0.0, "beta1": 0.0, "beta2": 0.0, "epsilon": 1e-8, "weight_decay": 0.0, "clip_norm": 1e30}


class Refused(Exception):
    """Error response."""

    def __init__(self, status: int, body: bytes):
        self.status, self.error = status, json.loads(body)["error"]
        super().__init__(f"{status} {self.error}")
        self.code, self.param = self.error["code"], self.error["param"]


class LearnerProcess:
    """A learner as a process of its own, on a free port; several ranks with `ranks`."""

    def __init__(self, model, *options: str, ranks: int = 1):
        environment = dict(
            os.environ,
            TRAINYARD_LEARNER_TOKEN=TOKEN,
            PYTHONPATH=os.pathsep.join([str(PACKAGE), *sys.path]),
            HF_HUB_OFFLINE="1",
            TOKENIZERS_PARALLELISM="false",
        )
        command = [sys.executable, "-m", "trainyard_learner", "--model", str(model), "--threads", "1"]
        command += ["--device", DEVICE, "--dtype", "float32", *options]
        self.others = []
        if ranks > 1:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                environment |= {"WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free.getsockname()[1])}
            self.others = [subprocess.Popen(command, env=environment | {"RANK": str(rank)}) for rank in range(1, ranks)]
            environment["RANK"] = "0"
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("TRAINYARD_LEARNER "), f"the first line is {line!r}"
        self.url = json.loads(line.split(" ", 1)[1])["url"]
        self.address = self.url.removeprefix("http://")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def kill(self):
        """Ends the learner as `kill -9` does."""
        for process in [self.process, *self.others]:
            process.kill()
            process.wait(60)
        self.process.stdout.close()


class Client:
    """One session on a learner."""

    def __init__(self, learner, session: str = "test", epoch: int = 1, **forward):
        self.address, self.session, self.epoch = learner.address, session, epoch
        self.forward_options, self.op, self.batch, self.connection = forward, 0, 0, None

    def send(
        self, method: str, path: str, body: bytes | None = None, media_type: str = "application/octet-stream", headers: dict | None = None
    ):
        """Sends a request; returns status and body."""
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.address, timeout=300)
            self.connection.connect()
            self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sent = {"Authorization": f"Bearer {TOKEN}"} | ({"Content-Type": media_type} if body is not None else {})
        self.connection.request(method, path, body, sent if headers is None else headers)
        response = self.connection.getresponse()
        content = response.read()
        if response.will_close:
            self.connection.close()
            self.connection = None
        return response.status, content

    def call(
        self, method: str, verb: str | None, body: bytes | None = None, media_type: str = "application/octet-stream", **query
    ) -> bytes:
        """Sends a call on the session; raises `Refused` for an error response."""
        path = f"/v1/sessions/{self.session}" + (f"/{verb}" if verb else "") + "?" + urlencode({"epoch": self.epoch} | query)
        status, content = self.send(method, path, body, media_type)
        if status >= 400:
            raise Refused(status, content)
        return content

    def open(self, config: dict | bytes, adapter: bytes | None = None, moments: bytes | None = None, **query) -> dict:
        content = config if isinstance(config, bytes) else json.dumps(config).encode()
        files = {"adapter_config": content, "adapter": adapter, "moments": moments}
        body = save({name: np.frombuffer(value, np.uint8) for name, value in files.items() if value is not None})
        self.op = 0
        return json.loads(self.call("POST", None, body, **query))

    def forward(self, sequences, scored, mode: str = "score", gradient=None, **query):
        """Returns log-probabilities and entropies, one array a sequence."""
        tensors = {
            "tokens": np.concatenate(sequences).astype(np.int32), "lengths": np.array([len(s) for s in sequences], np.int32),
            "scored": np.concatenate(scored).astype(np.uint8),
        }  # fmt: skip
        if gradient is not None:
            tensors["gradient"] = np.concatenate(gradient).astype(np.float32)
        result = load(self.call("POST", "forward", save(tensors), mode=mode, **(self.forward_options | query)))
        ends = np.cumsum([int(np.sum(s)) for s in scored])[:-1]
        return np.split(result["logprobs"], ends), np.split(result["entropies"], ends)

    def accumulate(self, sequences, scored, gradient):
        """Accumulates gradients; `gradient` maps log-probabilities and entropies to derivatives."""
        self.batch += 1
        scores = self.forward(sequences, scored, "keep", batch=self.batch)
        self.backward(gradient(*scores))
        return scores

    def accumulate_known(self, sequences, scored, gradient):
        """Accumulates gradients of derivatives that are known."""
        options = {k: v for k, v in self.forward_options.items() if k != "graph"}
        saved, self.forward_options = self.forward_options, options
        scores = self.forward(sequences, scored, "accumulate", gradient, op=self.op)
        self.forward_options = saved
        self.op += 1
        return scores

    def backward(self, gradient, **query):
        body = save({"gradient": np.concatenate(gradient).astype(np.float32)})
        result = json.loads(self.call("POST", "backward", body, **({"op": self.op, "batch": self.batch} | query)))
        self.op = result["next_op"]
        return result

    def step(self, op: int | None = None, **settings) -> dict:
        names = ("learning_rate", "beta1", "beta2", "epsilon", "weight_decay", "clip_norm")
        body = json.dumps({name: settings[name] for name in names}).encode()
        result = json.loads(self.call("POST", "step", body, "application/json", op=self.op if op is None else op))
        self.op = result["next_op"]
        return result

    def state(self) -> tuple[bytes, bytes]:
        """Returns the bytes of adapter and moments."""
        tensors = load(self.call("GET", "state"))
        return tensors["adapter"].tobytes(), tensors["moments"].tobytes()

    def gradients(self) -> dict[str, np.ndarray]:
        """Returns the accumulated gradients by their names in the moments, through a step that changes no parameter."""
        self.step(**GRADIENT_STEP)
        moments = load(self.state()[1])
        return {name.removeprefix("exp_avg."): value for name, value in moments.items() if name.startswith("exp_avg.")}


def moment_name(name: str) -> str:
    """Returns the name of a parameter in the moments."""
    return name.removeprefix("base_model.model.model.").removesuffix(".weight")


def relative(found, expected) -> float:
    """Returns the norm of a difference in relation to what is expected."""
    found, expected = (np.asarray(value, np.float64).reshape(-1) for value in (found, expected))
    return float(np.linalg.norm(found - expected) / max(np.linalg.norm(expected), 1e-30))
