"""Speed through Trainyard beside plain vLLM: the same load, in alternation; and the latency that Trainyard adds to a chunk."""
import http.client
import json
import os
import random
import statistics
import threading
import time

from harness import KEY, SEEDLING, Service, Vllm, percentile, sampler

# Requests of a round, how many of them at once, and tokens of each.
REQUESTS, CONCURRENT, TOKENS = 48, 16, 24


def load(address, key, path, bodies):
    """Sends streamed requests; returns tokens for each second, and the times between two chunks."""
    todo, gaps, counts = list(bodies), [], []
    lock = threading.Lock()

    def work():
        connection = http.client.HTTPConnection(address, timeout=300)
        while True:
            with lock:
                if not todo:
                    return
                body = todo.pop()
            connection.request("POST", path, json.dumps(body), {"content-type": "application/json", "authorization": f"Bearer {key}"})
            answer = connection.getresponse()
            assert answer.status == 200, answer.read()
            last, tokens = None, 0
            for line in answer:
                if not line.startswith(b"data: {"):
                    continue
                chunk = json.loads(line[6:])
                now = time.perf_counter()
                here = sum(len(choice.get("token_ids") or ((choice.get("logprobs") or {}).get("content") or [])) for choice in chunk.get("choices", []))
                tokens += here
                if here and last is not None:
                    gaps.append(now - last)
                if here:
                    last = now
            counts.append(tokens)

    begun = time.perf_counter()
    threads = [threading.Thread(target=work) for _ in range(CONCURRENT)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - begun
    assert counts == [TOKENS] * REQUESTS, counts
    return REQUESTS * TOKENS / seconds, gaps


def bodies(way, model, seed):
    source = random.Random(seed)
    prompts = ["".join(source.choice(" abcdefghijklmnop") for _ in range(60)) for _ in range(REQUESTS)]
    for prompt in prompts:
        if way == "trainyard":
            yield {"model": model, "prompt": prompt, "max_tokens": TOKENS, "ignore_eos": True, "stream": True, "logprobs": 0, "return_token_ids": True}
        elif way == "generate":
            yield {"model": "base", "token_ids": [5 + ord(letter) for letter in prompt], "stream": True,
                   "sampling_params": {"max_tokens": TOKENS, "ignore_eos": True, "logprobs": 0}}
        else:
            yield {"model": "base", "prompt": [5 + ord(letter) for letter in prompt], "max_tokens": TOKENS, "ignore_eos": True, "stream": True,
                   "logprobs": 0, "return_token_ids": True}


def run(directory, rounds):
    # On a core of its own, as on a GPU or a machine of its own: vLLM would take every core, and starve what is measured.
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[:1])
    vllm = Vllm(directory)
    os.sched_setaffinity(0, cores[1:] or cores)
    try:
        measure(directory, rounds, vllm)
    finally:
        os.sched_setaffinity(0, cores)


def measure(directory, rounds, vllm):
    service = Service("speed", directory, *sampler(directory, [vllm]))
    service.ready(vllm)
    ways = {"vLLM /v1/completions": (vllm.name, KEY, "/v1/completions", "completions"),
            "vLLM /inference/v1/generate": (vllm.name, KEY, "/inference/v1/generate", "generate"),
            "Trainyard /v1/completions": (service.address, service.key, "/v1/completions", "trainyard")}
    speeds, gaps = {way: [] for way in ways}, {way: [] for way in ways}
    rounds = max(3, rounds)
    for number in range(rounds + 1):
        for name, (address, key, path, way) in sorted(ways.items(), key=lambda _: random.random()):
            speed, found = load(address, key, path, bodies(way, SEEDLING, number))
            if number:
                speeds[name].append(speed)
                gaps[name] += found
    print(f"{rounds} rounds in alternation, {REQUESTS} streams of {TOKENS} tokens, {CONCURRENT} at once", flush=True)
    for name in ways:
        milliseconds = [1000 * percentile(gaps[name], share) for share in (0.5, 0.99)]
        print(f"{name:30} median {statistics.median(speeds[name]):6.1f} tokens/s; between two chunks {milliseconds[0]:.1f} ms median, {milliseconds[1]:.1f} ms p99", flush=True)
    plain = max(statistics.median(speeds[name]) for name in ways if name.startswith("vLLM"))
    pairs = [through / max(one, other) for through, one, other in zip(*(speeds[name] for name in ("Trainyard /v1/completions", "vLLM /v1/completions", "vLLM /inference/v1/generate")))]
    print(f"tokens/s through Trainyard to plain vLLM: {statistics.median(speeds['Trainyard /v1/completions']) / plain:.3f} of the medians, "
          f"{statistics.median(pairs):.3f} the median of the rounds (floor 0.95, goal 1.0)", flush=True)
    added = latency(vllm, service, rounds)
    print(f"latency that Trainyard adds to a chunk: median {1000 * percentile(added, 0.5):.2f} ms, p99 {1000 * percentile(added, 0.99):.2f} ms (floor 3 ms, goal 1 ms)", flush=True)
    service.stop()
    vllm.kill()


def latency(vllm, service, rounds):
    """Time from a chunk's arrival at Trainyard to its arrival at the client, measured with a relay between it and vLLM that
    notes when each chunk passes."""
    import relay

    (service.directory / "relayed").mkdir()
    with relay.Relay(vllm.port) as between:
        options = ["--sampler", f"{SEEDLING}=vllm=http://127.0.0.1:{between.port}", "--sampler-key-file", service.directory / "vllm-key"]
        relayed = Service("relayed", service.directory / "relayed", *options)
        from harness import wait

        wait(lambda: "ready" in relayed.states().values(), "the relayed replica is ready", 120, quiet=True)
        added = []
        for number in range(20 * rounds):
            between.passed.clear()
            connection = http.client.HTTPConnection(relayed.address, timeout=60)
            body = {"model": SEEDLING, "prompt": f"n {number}", "max_tokens": TOKENS, "ignore_eos": True, "stream": True, "logprobs": 0, "return_token_ids": True}
            connection.request("POST", "/v1/completions", json.dumps(body), {"content-type": "application/json", "authorization": f"Bearer {relayed.key}"})
            arrived, tokens = [], []
            for line in connection.getresponse():
                if line.startswith(b"data: {"):
                    now = time.perf_counter()
                    here = [id for choice in json.loads(line[6:]).get("choices", []) for id in choice.get("token_ids") or []]
                    arrived += [now] * len(here)
                    tokens += here
            passed = between.tokens()
            assert [id for id, _ in passed] == tokens, f"{passed} {tokens}"
            added += [after - before for after, (_, before) in zip(arrived, passed)]
        relayed.stop()
    return added
