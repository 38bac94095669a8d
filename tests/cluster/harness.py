"""Processes of the tests of this directory: vLLM servers, Trainyard, learners; and calls to them."""
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SEEDLING = "trainyard/seedling"
KEY = "cluster-key"
TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
# Seconds: a vLLM server starts in one to six minutes, depending on what else the machine does.
START = 900
processes = []


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def spawn(name, command, log, **environment):
    process = subprocess.Popen(list(map(str, command)), stdout=open(log, "w"), stderr=subprocess.STDOUT, start_new_session=True,
                               env=os.environ | environment)
    processes.append(process)
    print(f"{name}: process {process.pid}", flush=True)
    return process


def end(process, how=signal.SIGKILL):
    """Signals a server and the processes that it started."""
    try:
        os.killpg(process.pid, how)
    except ProcessLookupError:
        pass


def call(address, method, path, body=None, key=None, timeout=300):
    connection = http.client.HTTPConnection(address, timeout=timeout)
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {key}"} if key else {})
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def wait(condition, what, limit, quiet=False):
    begun = time.time()
    while not condition():
        assert time.time() - begun < limit, f"{what}: not within {limit} s"
        time.sleep(0.05)
    if not quiet:
        print(f"{what}: after {time.time() - begun:.1f} s", flush=True)
    return time.time() - begun


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


class Vllm:
    """A vLLM server on a port of its own. `scale_out` decides which of its two operations Trainyard uses."""

    def __init__(self, directory, model=ROOT / "assets/seedling", dtype="float32", scale_out=True, adapters=4, targets=TARGETS, **environment):
        self.directory, self.port, self.dtype, self.scale_out = directory, free_port(), dtype, scale_out
        self.model, self.adapters, self.targets, self.environment = model, adapters, targets, environment
        self.name = f"127.0.0.1:{self.port}"
        self.starts = 0
        self.start()

    def start(self):
        self.starts += 1
        log = self.directory / f"vllm-{self.port}-{self.starts}.log"
        # The wheel's command `vllm` looks for a package of another name.
        command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", self.model, "--served-model-name", "base",
                   "--port", self.port, "--host", "127.0.0.1", "--enable-lora", "--max-loras", 2, "--max-cpu-loras", self.adapters,
                   "--max-lora-rank", 16, "--generation-config", "vllm", "--api-key", KEY, "--dtype", self.dtype, "--max-num-seqs", 16,
                   "--structured-outputs-config", '{"backend":"guidance"}', "--enforce-eager", "--lora-target-modules", *self.targets]
        # Bound to a core, which is vLLM's default, all replicas of a small machine share its first one.
        environment = {"VLLM_ALLOW_RUNTIME_LORA_UPDATING": "1", "VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_NO_USAGE_STATS": "1",
                       "VLLM_CPU_OMP_THREADS_BIND": "nobind", "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
        self.process = spawn(f"vLLM at {self.name}, {self.dtype}", command + ["--enable-scale-out"] * self.scale_out, log,
                             **environment | self.environment)

    def kill(self, how=signal.SIGKILL):
        end(self.process, how)
        if how == signal.SIGKILL:
            self.process.wait(60)

    def load(self, name, directory):
        status, text = call(self.name, "POST", "/v1/load_lora_adapter", {"lora_name": name, "lora_path": str(directory)}, KEY)
        assert status == 200, text

    def listed(self):
        data = json.loads(call(self.name, "GET", "/v1/models", key=KEY)[1])["data"]
        return {model["id"] for model in data if model["parent"]}

    def health(self):
        try:
            return call(self.name, "GET", "/health", timeout=5)[0]
        except OSError:
            return None


class Service:
    """A running Trainyard."""

    def __init__(self, name, directory, *options, key=None, command="serve"):
        port = free_port()
        self.address, self.log, self.directory = f"127.0.0.1:{port}", directory / f"{name}.log", directory
        listen = ["--listen", self.address] if command == "serve" else []
        command = [os.environ["TRAINYARD_BINARY"], command, *listen, "--data-dir", directory / "data", "--allow-data",
                   f"file://{directory}/", "--threads", 1, *options]
        self.process = spawn(name, command, self.log)
        if listen:
            wait(lambda: "listening on" in self.log.read_text(), f"{name} listens", 60, quiet=True)
            self.key = key or re.search(r"ty_[\w-]+", self.log.read_text()).group()
        else:
            wait(lambda: "working on the jobs" in self.log.read_text(), f"{name} works", 60, quiet=True)

    def stop(self):
        self.process.terminate()
        self.process.wait(60)

    def post(self, path, body, timeout=300):
        return call(self.address, "POST", path, body, self.key, timeout)

    def ok(self, path, body):
        status, text = self.post(path, body)
        assert status in (200, 201), f"{path}: {status} {text}"
        return json.loads(text)

    def get(self, path):
        status, text = call(self.address, "GET", path, key=self.key)
        assert status == 200, f"{path}: {status} {text}"
        return text

    def states(self):
        return dict(re.findall(r'trainyard_replica_state\{[^}]*replica="([^"]*)",state="([^"]*)"', self.get("/metrics")))

    def state(self, vllm):
        return self.states().get(vllm.name)

    def metric(self, name, vllm, **labels):
        labels = "".join(f',{key}="{value}"' for key, value in labels.items())
        found = re.search(rf'^{name}\{{[^}}]*replica="{re.escape(vllm.name)}"{re.escape(labels)}\}} (\S+)$', self.get("/metrics"), re.M)
        return float(found.group(1))

    def ready(self, *replicas, limit=START):
        for vllm in replicas:
            wait(lambda: self.state(vllm) == "ready", f"{vllm.name} is ready", limit)

    def chat(self, model, prompt, **options):
        body = {"model": model, "messages": [{"role": "user", "content": prompt}], "max_tokens": 40} | options
        return self.ok("/v1/chat/completions", body)

    def model(self, name, base=SEEDLING, **more):
        return self.ok("/v1/preview/models", {"project": "cluster", "name": name, "base_model": base} | more)

    def sft(self, model, text="down", **config):
        data = self.directory / f"{model['id']}.jsonl"
        data.write_text(json.dumps({"messages": [{"role": "user", "content": "up?"}, {"role": "assistant", "content": text}]}) + "\n")
        body = {"model_id": model["id"], "training_data_url": f"file://{data}", "config": config}
        return self.ok("/v1/preview/sft-training-jobs", body)["id"]

    def rl(self, model, groups, **config):
        body = {"model_id": model["id"], "trajectory_groups": groups, "experimental_config": config}
        return self.ok("/v1/preview/training-jobs", body)["id"]

    def events(self, job):
        return json.loads(self.get(f"/v1/preview/training-jobs/{job}/events?limit=100&order=asc"))["data"]

    def ended(self, job, limit=300):
        """Waits for the end of a job; returns its events and the time at which the last one was seen."""
        begun = time.time()
        while True:
            events = self.events(job)
            if events and events[-1]["type"] in ("training_ended", "training_failed"):
                assert events[-1]["type"] == "training_ended", events[-1]
                return events, time.time()
            assert time.time() - begun < limit, f"job {job} has not ended: {events[-1:]}"
            time.sleep(0.02)

    def train(self, name, learning_rate=0.02, base=SEEDLING, text="down", **more):
        """Trains a model for a step; returns the name of the checkpoint. The same text makes the same adapter."""
        model = self.model(name, base, **more)
        self.ended(self.sft(model, text=text, learning_rate=learning_rate))
        return f"wandb-artifact:///{model['entity']}/cluster/{name}:step1"

    def adapter_files(self, name):
        """Returns the files of a checkpoint by its name."""
        model, step = re.match(r".*/cluster/(.*):step(\d+)$", name).groups()
        models = json.loads(self.get("/v1/preview/models?project=cluster&limit=100"))["data"]
        id = next(found["id"] for found in models if found["name"] == model)
        file = lambda name: f"/v1/preview/models/{id}/checkpoints/{step}/files/{name}"
        connection = http.client.HTTPConnection(self.address)
        contents = []
        for part in ("adapter_config.json", "adapter_model.safetensors"):
            connection.request("GET", file(part), headers={"authorization": f"Bearer {self.key}"})
            contents.append(connection.getresponse().read())
        return contents


class Learner:
    """The learner on the files of a model, in its own environment."""

    def __init__(self, directory, model, python):
        self.log, port = directory / "learner.log", free_port()
        command = [python, "-m", "trainyard_learner", "--model", model, "--dtype", "float32", "--threads", "1", "--port", port]
        self.process = spawn("learner", command, self.log, TRAINYARD_LEARNER_TOKEN=KEY, PYTHONPATH=str(ROOT / "learner"), HF_HUB_OFFLINE="1")
        wait(lambda: "TRAINYARD_LEARNER" in self.log.read_text(), "the learner is ready", START)
        self.url = f"http://127.0.0.1:{port}"


def sampler(directory, replicas, base=SEEDLING):
    """Returns the options of a service that samples on these replicas."""
    key = directory / "vllm-key"
    key.write_text(KEY)
    urls = ",".join(f"http://{vllm.name}" for vllm in replicas)
    return ["--sampler", f"{base}=vllm={urls}", "--sampler-key-file", key]


def stream(service, number, length=300, model=SEEDLING, **options):
    """Reads a stream; returns its number of tokens, and its error if it has one."""
    body = {"model": model, "messages": [{"role": "user", "content": f"Number {number}?"}], "max_tokens": length, "stream": True,
            "ignore_eos": True, "logprobs": True, "seed": number} | options
    status, text = service.post("/v1/chat/completions", body)
    assert status == 200, f"{status} {text}"
    chunks = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]
    tokens = sum(len((choice["logprobs"] or {}).get("content") or []) for chunk in chunks for choice in chunk.get("choices", []) if "logprobs" in choice)
    return tokens, next((chunk["error"]["message"] for chunk in chunks if "error" in chunk), None)
