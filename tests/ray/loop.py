"""The RL loop of tests/acceptance/test_toy.py on vLLM and Ray, and on the embedded engine; see `loop` beside this file."""

import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

from on_ray import Ray, free_ports, on_ray  # It makes the next module importable.
from jobs import ROOT, Process, Service  # isort: skip

VLLM = Path(os.environ["TRAINYARD_VLLM_ENV"]).resolve() / "bin/python"
ART = Path(os.environ["TRAINYARD_ART_VENV"]).resolve() / "bin/python"
KEY = "a-key-of-the-vllm-servers"
REPLICAS = 2


class Vllm(Process):
    """A vLLM server with the bundled model."""

    def __init__(self, directory, port):
        self.url = f"http://127.0.0.1:{port}"
        command = [
            VLLM, "-m", "vllm.entrypoints.openai.api_server", "--model", ROOT / "assets/seedling", "--served-model-name", "base",
            "--host", "127.0.0.1", "--port", port, "--enable-scale-out", "--enable-lora", "--max-loras", 4, "--max-cpu-loras", 32,
            "--max-lora-rank", 16, "--generation-config", "vllm", "--dtype", "float32", "--max-num-seqs", 32, "--enforce-eager",
            "--structured-outputs-config", '{"backend":"guidance"}', "--disable-uvicorn-access-log", "--lora-target-modules",
            "q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj",
        ]  # fmt: skip
        environment = {
            "VLLM_API_KEY": KEY, "VLLM_ALLOW_RUNTIME_LORA_UPDATING": "1", "VLLM_CPU_KVCACHE_SPACE": "1", "OMP_NUM_THREADS": "1",
            "VLLM_CPU_OMP_THREADS_BIND": "nobind", "VLLM_NO_USAGE_STATS": "1", "HF_HUB_OFFLINE": "1",
        }  # fmt: skip
        super().__init__(list(map(str, command)), environment, directory / f"vllm-{port}.log")


def loop(directory, *options, replicas=0):
    """Runs the loop against a service; returns the rewards before and after each call of train()."""
    directory.mkdir()
    service = Service(directory, "--allow-data", "http://127.0.0.1", *options)
    try:
        begin = time.monotonic()
        while len(re.findall(r'trainyard_replica_state\{[^}]*state="ready"\} 1', service.call("GET", "/metrics").decode())) < replicas:
            assert time.monotonic() - begin < 900, "the vLLM servers are not ready"
            time.sleep(1)
        environment = os.environ | {
            "API_KEY": service.key, "BASE_MODEL": "trainyard/seedling", "BASE_URL": f"{service.url}/v1",
            "INFERENCE_URL": f"{service.url}/inference/v1", "JOB_TIMEOUT": "900", "WANDB_DIR": str(directory),
        }  # fmt: skip
        command = [ART, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "test_toy.py"]
        ran = subprocess.run(command, cwd=ROOT / "tests/acceptance", env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             timeout=3600)
        story = re.search(r"mean reward ([\d. ]+) in (\d+) s", ran.stdout)
        assert ran.returncode == 0 and story, ran.stdout[-3000:]
        metrics = service.call("GET", "/metrics").decode()
        tokens = re.findall(r"trainyard_replica_tokens_total\{[^}]*\} (\d+)", metrics)
        return story.group(1).split(), int(story.group(2)), [int(count) for count in tokens]
    except Exception:
        print("\n".join(line for line in service.lines if "get_metrics" not in line)[-6000:])
        raise
    finally:
        service.stop()


def main():
    with tempfile.TemporaryDirectory(prefix="trainyard-loop-") as directory:
        directory = Path(directory)
        (directory / "vllm-key").write_text(KEY)
        curve, seconds, _ = loop(directory / "embedded")
        print(f"embedded engine: {' '.join(curve)} ({seconds} s)", flush=True)
        servers = [Vllm(directory, port) for port in free_ports(REPLICAS)]
        try:
            with Ray(directory) as ray:
                sampler = f"vllm={','.join(server.url for server in servers)}"
                options = ["--sampler", sampler, "--sampler-key-file", directory / "vllm-key", *on_ray(ray, directory)]
                curve, seconds, tokens = loop(directory / "cluster", *options, replicas=REPLICAS)
                print(f"{REPLICAS} vLLM servers and Ray: {' '.join(curve)} ({seconds} s)", flush=True)
                print(f"tokens of each vLLM server: {tokens}; learners: {ray.jobs()}", flush=True)
                assert len(tokens) == REPLICAS and min(tokens) > 0, "each server has samples"
                assert list(ray.jobs().values()) == ["RUNNING"], "one learner serves all jobs"
        except Exception:
            for server in servers:
                print(f"--- {server.url}\n" + "\n".join(server.lines[-15:]))
            raise
        finally:
            for server in servers:
                server.stop()
    print("passed")


if __name__ == "__main__":
    try:
        main()
    except Exception:
        traceback.print_exc()
        sys.exit(1)
