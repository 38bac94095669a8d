"""Failures of vLLM servers while others are at work: each as many rounds as asked for, with the deviations from what is promised."""
import concurrent.futures
import json
import random
import re
import signal
import threading
import time

from harness import KEY, SEEDLING, Service, Vllm, call, sampler, stream, wait

# Errors of a stream that may be sent again.
RETRYABLE = ("send the request again", "no replica")
# Seconds without a token after which a stream fails.
GAP = 30


class Background:
    """Short requests to a checkpoint during a failure. Each must succeed, or be refused with 503 if that is allowed."""

    def __init__(self, service, model, allowed=(200,)):
        self.service, self.model, self.allowed, self.statuses, self.bad, self.on = service, model, allowed, {}, [], True
        self.threads = [threading.Thread(target=self.work, args=(number,)) for number in range(2)]

    def work(self, number):
        while self.on:
            body = {"model": self.model, "messages": [{"role": "user", "content": f"up? {number} {random.random()}"}], "max_tokens": 4}
            status, text = self.service.post("/v1/chat/completions", body)
            self.statuses[status] = self.statuses.get(status, 0) + 1
            if status not in self.allowed:
                self.bad.append((status, text))
            time.sleep(0.1)  # A replica that starts beside them needs the processor.

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.on = False
        for thread in self.threads:
            thread.join()


class Site:
    """Two replicas with a service on them, which has a checkpoint."""

    def __init__(self, directory):
        self.directory = directory
        self.replicas = [Vllm(directory), Vllm(directory, scale_out=False)]
        self.service = Service("failures", directory, *sampler(directory, self.replicas))
        self.service.ready(*self.replicas)
        self.name = self.service.train("agent")
        self.service.chat(self.name, "up?", max_tokens=1)

    def streams(self, count, length=300):
        """Starts streams on both models; returns their futures."""
        pool = concurrent.futures.ThreadPoolExecutor(count)
        models = (SEEDLING, self.name)
        running = [pool.submit(stream, self.service, number, length, models[number % 2]) for number in range(count)]
        # Not all at once: the first ones may end before an adapter is compared where the last ones go.
        chats = lambda: int(re.search(r"^trainyard_chats_running (\d+)$", self.service.get("/metrics"), re.M).group(1))
        wait(lambda: chats() >= count // 2, f"half of {count} streams run", 60, quiet=True)
        return running

    def busiest(self):
        return max(self.replicas, key=lambda vllm: self.service.metric("trainyard_replica_in_flight", vllm))


def check(condition, what, deviations):
    if not condition:
        deviations.append(what)


def killed_in_a_stream(site, deviations):
    """Streams of the dead replica fail with an error that can be retried; the others end; it returns by itself."""
    running = site.streams(12)
    time.sleep(random.uniform(0.3, 2))
    victim = site.busiest()
    victim.kill()
    ends = [result.result() for result in running]
    broken = [error for _, error in ends if error]
    check(len(broken) < len(ends), f"all streams failed: {broken[:1]}", deviations)
    check(all(any(word in error for word in RETRYABLE) for error in broken), f"errors: {set(broken)}", deviations)
    check(all(tokens == 300 for tokens, error in ends if not error), "a stream ended early without an error", deviations)
    wait(lambda: site.service.state(victim) == "gone", "its death is noticed", 30, quiet=True)
    check(site.service.chat(site.name, "up?", max_tokens=2), "no answer from the other", deviations)
    victim.start()
    restarts = site.service.metric("trainyard_replica_restarts_total", victim)
    with Background(site.service, site.name) as background:
        site.service.ready(victim)
    check(not background.bad, f"while it came back: {background.bad[:2]}", deviations)
    check(site.service.metric("trainyard_replica_restarts_total", victim) == restarts + 1, "the restart was not counted", deviations)
    # The adapter is back before any request for it, and was compared again.
    check(len(victim.listed()) >= 1, f"its adapters: {victim.listed()}", deviations)
    return f"{len(broken)} of {len(ends)} streams failed; {sum(background.statuses.values())} requests during the restart"


def frozen(site, deviations):
    """A frozen replica gets no requests after two missed readings; its streams fail at the limit; it comes back."""
    running = site.streams(6)
    time.sleep(0.5)
    victim = site.busiest()
    victim.kill(signal.SIGSTOP)
    begun = time.time()
    wait(lambda: site.service.state(victim) == "suspect", "frozen", 30, quiet=True)
    noticed = time.time() - begun
    check(noticed <= 10, f"noticed after {noticed:.1f} s", deviations)
    with Background(site.service, site.name) as background:
        time.sleep(2)
        ends = [result.result() for result in running]
        took = time.time() - begun
    victim.kill(signal.SIGCONT)
    broken = [error for _, error in ends if error]
    check(not background.bad, f"while it was frozen: {background.bad[:2]}", deviations)
    check(all(any(word in error for word in RETRYABLE) for error in broken), f"errors: {set(broken)}", deviations)
    check(took < GAP + 30, f"the last stream ended after {took:.0f} s", deviations)
    wait(lambda: site.service.state(victim) == "ready", "it is ready after SIGCONT", 60, quiet=True)
    return f"noticed after {noticed:.1f} s; {len(broken)} of {len(ends)} streams failed; {sum(background.statuses.values())} requests answered by the other"


def all_away(site, deviations):
    """Without any replica the answer is 503 with Retry-After, the system check says so, and jobs go on."""
    for vllm in site.replicas:
        vllm.kill(signal.SIGSTOP)
    wait(lambda: all(site.service.state(vllm) == "suspect" for vllm in site.replicas), "all away", 30, quiet=True)
    body = {"model": SEEDLING, "messages": [{"role": "user", "content": "x"}], "max_tokens": 2}
    status, text = site.service.post("/v1/chat/completions", body)
    check(status == 503 and "no replica" in text, f"{status} {text}", deviations)
    status, text = call(site.service.address, "GET", "/v1/system-check", key=site.service.key)
    check(status == 503, f"system check: {status} {text}", deviations)
    model = site.service.model(f"away-{time.time_ns()}")
    try:
        site.service.ended(site.service.sft(model, learning_rate=0.02), 60)
    except AssertionError as error:
        deviations.append(f"the job did not end: {error}")
    for vllm in site.replicas:
        vllm.kill(signal.SIGCONT)
    wait(lambda: all(site.service.state(vllm) == "ready" for vllm in site.replicas), "all back", 60, quiet=True)
    check(site.service.chat(SEEDLING, "x", max_tokens=2), "no answer afterwards", deviations)
    return "503, system check failed, a job ended meanwhile"


def disconnected(site, deviations):
    """A client that goes away ends its sample at the replica."""
    import http.client

    connections = []
    for number in range(4):
        connection = http.client.HTTPConnection(site.service.address, timeout=60)
        body = {"model": site.name, "messages": [{"role": "user", "content": f"n {number}"}], "max_tokens": 1000, "ignore_eos": True, "stream": True}
        connection.request("POST", "/v1/chat/completions", json.dumps(body), {"content-type": "application/json", "authorization": f"Bearer {site.service.key}"})
        answer = connection.getresponse()
        said = answer.read(200)
        check(answer.status == 200 and b"error" not in said, f"{answer.status} {said}", deviations)
        connections.append(connection)
    wait(lambda: sum(site.service.metric("trainyard_replica_in_flight", vllm) for vllm in site.replicas) >= 4, "four samples", 30, quiet=True)
    for connection in connections:
        connection.close()
    begun = time.time()
    running = lambda: sum(running_at(vllm) for vllm in site.replicas)
    try:
        wait(lambda: running() == 0, "no sample runs", 20, quiet=True)
    except AssertionError as error:
        deviations.append(str(error))
    return f"no sample runs after {time.time() - begun:.1f} s"


def running_at(vllm):
    lines = call(vllm.name, "GET", "/metrics")[1].splitlines()
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith("vllm:num_requests_running"))


def overload(site, deviations, requests=400, in_flight=16):
    """More requests than the bounds allow: some are refused with 429, all others are answered whole."""
    directory = site.directory / f"overload-{time.time_ns()}"
    directory.mkdir()
    service = Service("overload", directory, *sampler(directory, site.replicas), "--sampler-in-flight", in_flight)
    service.ready(*site.replicas, limit=60)
    body = lambda number: {"model": SEEDLING, "messages": [{"role": "user", "content": f"n {number}"}], "max_tokens": 4, "ignore_eos": True, "n": 8}
    begun, highest = time.time(), [0]

    def observe():
        while highest[0] >= 0:
            highest[0] = max(highest[0], max(service.metric("trainyard_replica_in_flight", vllm) for vllm in site.replicas))
            time.sleep(0.2)

    observer = threading.Thread(target=observe, daemon=True)
    observer.start()
    with concurrent.futures.ThreadPoolExecutor(requests) as pool:
        answers = list(pool.map(lambda number: service.post("/v1/chat/completions", body(number), 600), range(requests)))
    bound = highest[0]
    highest[0] = -1e9
    counts = {status: sum(1 for found, _ in answers if found == status) for status, _ in answers}
    whole = [json.loads(text) for status, text in answers if status == 200]
    check(set(counts) <= {200, 429}, f"{counts}", deviations)
    check(counts.get(429), f"nothing was refused: {counts}", deviations)
    check(all(len(answer["choices"]) == 8 and answer["usage"]["completion_tokens"] == 32 for answer in whole), "a choice is missing", deviations)
    check(bound <= in_flight, f"{bound} samples at one replica", deviations)
    service.stop()
    return f"{counts} of {requests} requests with 8 samples each in {time.time() - begun:.0f} s; at most {bound:.0f} samples at a replica"


def evicted(site, deviations, adapters=7):
    """More adapters than a replica keeps: it evicts some and reads their directories again; nothing dies."""
    names = [site.service.train(f"many-{number}-{time.time_ns()}") for number in range(adapters)]
    expected = {}
    for turn in range(3):
        for name in names:
            body = {"temperature": 0, "max_tokens": 6, "logprobs": True}
            answer = site.service.chat(name, "up?", **body)["choices"][0]["logprobs"]["content"]
            said = [entry["token"] for entry in answer]
            check(expected.setdefault(name, said) == said, f"another answer in turn {turn}", deviations)
    check(all(vllm.health() == 200 for vllm in site.replicas), "a replica died", deviations)
    return f"{adapters} adapters in turn, 4 kept by a replica"


def restarted_service(site, deviations):
    """The service starts again: replicas keep their adapters, which are compared again."""
    before = [vllm.listed() for vllm in site.replicas]
    options = sampler(site.directory, site.replicas)
    site.service.stop()
    site.service = Service("failures", site.directory, *options, key=site.service.key)
    site.service.ready(*site.replicas, limit=60)
    check([vllm.listed() for vllm in site.replicas] == before, "adapters were lost", deviations)
    answer = site.service.chat(site.name, "up?", max_tokens=2)
    checks = sum(site.service.metric("trainyard_replica_adapter_checks_total", vllm, result="right") for vllm in site.replicas)
    check(answer and checks >= 1, f"{checks} comparisons", deviations)
    return f"{checks:.0f} adapter compared again"


# Tests by row of the table of failures. Those with a restart of vLLM take minutes.
ROWS = [killed_in_a_stream, frozen, all_away, disconnected, overload, evicted, restarted_service]


def refused_at_the_check(directory):
    """A wrong key is refused, and dev mode is warned of."""
    vllm = Vllm(directory, VLLM_SERVER_DEV_MODE="1")
    (directory / "other").mkdir()
    options = sampler(directory / "other", [vllm])
    (directory / "other/vllm-key").write_text("another key")
    service = Service("other", directory / "other", *options)
    wait(lambda: service.state(vllm) == "refused", "a wrong key is refused", 900)
    log = lambda: service.log.read_text()
    assert "it refuses the key" in log(), log()
    (directory / "other/vllm-key").write_text(KEY)
    service.ready(vllm)
    assert "VLLM_SERVER_DEV_MODE" in log(), log()
    print("a wrong key is refused until it is right; dev mode is warned of", flush=True)
    service.stop()
    vllm.kill()


def run(directory, rounds):
    refused_at_the_check(directory)
    site = Site(directory)
    total = 0
    for row in ROWS:
        deviations, said = [], ""
        begun = time.time()
        for number in range(rounds):
            before = len(deviations)
            said = row(site, deviations)
            if len(deviations) > before:
                print(f"{row.__name__}, round {number + 1}: {deviations[before:]}", flush=True)
        total += len(deviations)
        print(f"{row.__name__:22} {rounds} rounds, {len(deviations)} deviations, {time.time() - begun:.0f} s; the last: {said}", flush=True)
    assert total == 0, f"{total} deviations"
    site.service.stop()
    for vllm in site.replicas:
        vllm.kill()
