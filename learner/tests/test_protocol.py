"""Fencing, exactly-once, sessions, resumption and bad requests, over HTTP."""

import json
import os
import socket
import threading
import time

import numpy as np
import pytest
from client import GRADIENT_STEP, TOKEN, Client, LearnerProcess, Refused
from conftest import TINY
from golden import Steps
from safetensors.numpy import load, save

SETTINGS = {"learning_rate": 1e-3, "beta1": 0.9, "beta2": 0.99, "epsilon": 1e-8, "weight_decay": 0.1, "clip_norm": 0.1}


@pytest.fixture
def steps() -> Steps:
    return Steps("step-supervised")


@pytest.fixture
def client(tiny, adapter, name) -> Client:
    client = Client(tiny, name)
    client.open(*adapter)
    yield client
    try:
        client.call("DELETE", None)
    except Refused:
        pass


def refused(status: int, code: str, work, *arguments, param: str | None = None, **options) -> None:
    """Asserts that a call is refused with this status, code and parameter."""
    with pytest.raises(Refused) as error:
        work(*arguments, **options)
    assert (error.value.status, error.value.code) == (status, code), error.value
    if param is not None:
        assert error.value.param == param, error.value


def test_repeated_operations_count_once(client, steps):
    steps.accumulate(client)
    repeated = client.op - 1
    client.backward(steps.factors, op=repeated)
    refused(409, "out_of_order", client.backward, [factor * 2 for factor in steps.factors], op=repeated)
    refused(409, "out_of_order", client.step, op=client.op + 1, **SETTINGS)
    refused(409, "out_of_order", client.step, op=repeated, **SETTINGS)
    first = client.step(**SETTINGS)
    state = client.state()
    again = client.step(op=client.op - 1, **SETTINGS)
    assert again == first and client.state() == state
    assert abs(first["norm"] / steps.expected["gradient_norms"][0] - 1) < 1e-5


def test_known_gradients_count_once(client, steps):
    first = client.accumulate_known(steps.sequences, steps.scored, steps.factors)
    client.op -= 1
    again = client.accumulate_known(steps.sequences, steps.scored, steps.factors)
    assert all((a == b).all() for a, b in zip(first[0], again[0]))
    steps.check_gradients(client)


def test_lost_answer(client, steps):
    """The connection breaks after the request: the same operation again is answered, and counted once."""
    steps.accumulate(client)
    body = json.dumps(SETTINGS).encode()
    host, port = client.address.split(":")
    with socket.create_connection((host, int(port))) as connection:
        head = f"POST /v1/sessions/{client.session}/step?epoch=1&op={client.op} HTTP/1.1\r\nHost: x\r\n"
        head += f"Authorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode() + body)
    while json.loads(client.call("GET", "progress"))["steps"] == 0:
        time.sleep(0.01)
    result = client.step(**SETTINGS)
    assert result["steps"] == 1 and abs(result["norm"] / steps.expected["gradient_norms"][0] - 1) < 1e-5


def test_epochs_fence(tiny, adapter, client, steps):
    steps.accumulate(client)
    refused(409, "fenced", client.open, *adapter)
    successor = Client(tiny, client.session, epoch=2)
    successor.open(*adapter)
    state = successor.state()
    for work in (client.state, lambda: client.step(**SETTINGS), lambda: steps.accumulate(client), lambda: client.call("DELETE", None)):
        refused(409, "fenced", work, param="epoch")
    refused(409, "fenced", client.call, "GET", "progress")
    assert successor.state() == state
    # Gradients of the predecessor are gone.
    assert successor.step(**SETTINGS)["norm"] == 0
    successor.call("DELETE", None)
    refused(404, "no_session", successor.state)
    refused(409, "fenced", client.open, *adapter)
    refused(409, "fenced", successor.open, *adapter)


def test_batches(client, steps):
    refused(409, "unknown_batch", client.backward, steps.factors, param="batch")
    steps.accumulate(client)
    refused(409, "unknown_batch", client.backward, steps.factors)
    client.forward(steps.sequences, steps.scored, "keep", batch=7)
    refused(409, "unknown_batch", client.backward, steps.factors, batch=6)
    refused(422, "invalid_value", client.backward, [factor[:1] for factor in steps.factors], batch=7, param="gradient")
    client.forward(steps.sequences[:1], steps.scored[:1])  # Scoring keeps what is kept.
    client.backward(steps.factors, batch=7)
    assert abs(client.step(**SETTINGS)["norm"] / (2 * steps.expected["gradient_norms"][0]) - 1) < 1e-5
    client.forward(steps.sequences, steps.scored, "keep", batch=8)
    client.step(**SETTINGS)
    refused(409, "unknown_batch", client.backward, steps.factors, batch=8)


def test_reference_scores(client, steps):
    """The base model without the adapter, and another adapter as a session of its own."""
    with_adapter = np.concatenate(client.forward(steps.sequences, steps.scored)[0])
    without = np.concatenate(client.forward(steps.sequences, steps.scored, adapter="none")[0])
    assert np.abs(with_adapter - without).max() > 0.01
    untrained = Client(client, client.session[:50] + "-reference", epoch=1)
    untrained.open({"r": 4, "lora_alpha": 8, "target_modules": ["q_proj"]}, seed=3)
    assert np.abs(np.concatenate(untrained.forward(steps.sequences, steps.scored)[0]) - without).max() < 1e-6
    untrained.call("DELETE", None)
    assert (np.concatenate(client.forward(steps.sequences, steps.scored)[0]) == with_adapter).all()


def test_entropies(client, steps):
    """Scoring every token of every continuation gives the entropy that the distribution's definition gives."""
    prompt, vocabulary = steps.sequences[0][:5], 331
    continuations = [np.append(prompt, token) for token in range(vocabulary)]
    scored = [np.arange(6) == 5] * vocabulary
    logprobs, entropies = (np.concatenate(values).astype(np.float64) for values in client.forward(continuations, scored))
    assert abs(np.exp(logprobs).sum() - 1) < 1e-5
    assert np.abs(entropies + (np.exp(logprobs) * logprobs).sum()).max() < 1e-5


def test_two_sessions_in_turn_equal_each_alone(tiny, adapter, name, steps):
    other, config = Steps("step-reinforce"), {"r": 3, "lora_alpha": 6, "target_modules": ["q_proj", "down_proj"]}

    def train(clients):
        for _ in range(3):
            for client, cases in clients:
                cases.accumulate(client)
            for client, _ in clients:
                client.step(**SETTINGS)
        return [client.state() for client, _ in clients]

    def opened(label, *files, **query):
        client = Client(tiny, f"{name[:40]}-{label}")
        client.open(*files, **query)
        return client

    together = train([(opened("a", *adapter), steps), (opened("b", config, seed=5), other)])
    alone = train([(opened("c", *adapter), steps)]) + train([(opened("d", config, seed=5), other)])
    assert together == alone


def test_resumption_after_kill(adapter, steps):
    """Killed in the middle of a step and opened again from the last state, on another process: the same bytes."""
    with LearnerProcess(TINY) as learner:
        client = Client(learner)
        client.open(*adapter)
        for step in range(4):
            steps.accumulate(client)
            client.step(**SETTINGS)
            if step == 1:
                durable = client.state()
        undisturbed = client.state()
        client = Client(learner, epoch=2)
        client.open(adapter[0], *durable)
        steps.accumulate(client)
        learner.kill()
    with LearnerProcess(TINY) as learner:
        client = Client(learner, epoch=3)
        assert client.open(adapter[0], *durable)["steps"] == 2
        for _ in range(2):
            steps.accumulate(client)
            client.step(**SETTINGS)
        assert client.state() == undisturbed


def test_state_is_what_was_opened(client, adapter, steps):
    steps.accumulate(client)
    client.step(**SETTINGS)
    saved = client.state()
    client.epoch = 2
    client.open(adapter[0], *saved)
    assert client.state() == saved
    moments = load(saved[1])
    assert moments["step"].dtype == np.uint64 and moments["step"].tolist() == [1]
    assert "exp_avg.layers.0.self_attn.q_proj.lora_A" in moments and "exp_avg_sq.layers.1.mlp.down_proj.lora_B" in moments


def test_not_finite_leaves_everything(client, steps):
    refused(
        422,
        "not_finite",
        client.accumulate,
        steps.sequences,
        steps.scored,
        lambda *_: [f * np.nan for f in steps.factors],
        param="gradient",
    )
    client.backward(steps.factors)
    # An update that overflows, without a gradient that does.
    growing = SETTINGS | {"learning_rate": 1e6, "weight_decay": 1e6}
    for _ in range(3):
        client.step(**growing)
    before = client.state()
    refused(422, "not_finite", client.step, **growing)
    assert client.state() == before
    # The operation is still the next one.
    assert client.step(**SETTINGS)["steps"] == 4


def test_overflowing_gradients_leave_everything(client, steps):
    for _ in range(3):
        client.accumulate(steps.sequences, steps.scored, lambda *_: [factor * 3e38 / np.abs(factor).max() for factor in steps.factors])
    before = client.state()
    for settings in (SETTINGS, GRADIENT_STEP):
        refused(422, "not_finite", client.step, **settings)
    assert client.state() == before
    assert json.loads(client.call("GET", "progress"))["next_op"] == client.op


def tensors(**changes) -> bytes:
    """Returns a valid body of `forward` with changes."""
    arrays = {
        "tokens": np.arange(6, dtype=np.int32),
        "lengths": np.array([4, 2], np.int32),
        "scored": np.array([0, 1, 1, 1, 0, 1], np.uint8),
    }
    return save({name: value for name, value in (arrays | changes).items() if value is not None})


@pytest.mark.parametrize(
    "body,status,param",
    [
        (b"", 400, None),
        (b"\xff" * 100, 400, None),
        (b"\x02\x00\x00\x00\x00\x00\x00\x00{}", 422, "tokens"),
        (tensors()[:-1], 400, None),
        (tensors(tokens=None), 422, "tokens"),
        (tensors(tokens=np.arange(6)), 422, "tokens"),
        (tensors(tokens=np.arange(6, dtype=np.int32)[None]), 422, "tokens"),
        (tensors(tokens=np.array([0, 1, 2, 3, 4, 331], np.int32)), 422, "tokens"),
        (tensors(tokens=np.array([0, 1, 2, 3, 4, -1], np.int32)), 422, "tokens"),
        (tensors(lengths=np.array([4, 3], np.int32)), 422, "lengths"),
        (tensors(lengths=np.array([7, -1], np.int32)), 422, "lengths"),
        (tensors(lengths=np.array([6, 0], np.int32)), 422, "lengths"),
        (tensors(lengths=np.zeros(0, np.int32)), 422, "lengths"),
        (tensors(scored=np.array([0, 2, 1, 1, 0, 1], np.uint8)), 422, "scored"),
        (tensors(scored=np.array([0, 1, 1, 1, 1, 1], np.uint8)), 422, "scored"),
        (tensors(scored=np.zeros(5, np.uint8)), 422, "scored"),
        (tensors(gradient=np.zeros(4, np.float32)), 422, "gradient"),
        (tensors(tokens=np.zeros(600, np.int32), lengths=np.array([600], np.int32), scored=np.zeros(600, np.uint8)), 422, "lengths"),
    ],
)
def test_bad_tensors(client, body, status, param):
    with pytest.raises(Refused) as error:
        client.call("POST", "forward", body, mode="score")
    assert error.value.status == status and error.value.param == param
    assert len(client.call("POST", "forward", tensors(), mode="score")) > 0


@pytest.mark.parametrize(
    "query,param",
    [
        ({"mode": "keep"}, "batch"), ({"mode": "accumulate"}, "op"), ({"mode": "score", "op": 0}, "op"), ({"mode": "nothing"}, "mode"),
        ({"mode": "score", "batch": 1}, "batch"), ({"mode": "keep", "batch": 1, "adapter": "none"}, "adapter"), ({}, "mode"),
        ({"mode": "keep", "batch": "01"}, "batch"), ({"mode": "keep", "batch": 1 << 53}, "batch"), ({"mode": "score", "x": 1}, "x"),
        ({"mode": "score", "epoch": ""}, "epoch"), ({"mode": "score", "packing": "block"}, "packing"),
    ],
)  # fmt: skip
def test_bad_parameters(client, query, param):
    refused(422, "invalid_value", client.call, "POST", "forward", tensors(), param=param, **query)


@pytest.mark.parametrize("field", list(SETTINGS))
def test_bad_settings(client, field):
    for value in (None, "1", True, -1.0, [], float("nan"), 1e400, 10**400):
        body = json.dumps(SETTINGS | {field: value}).encode()
        refused(422, "invalid_value", client.call, "POST", "step", body, "application/json", op=0, param=field)
    without = {name: value for name, value in SETTINGS.items() if name != field}
    refused(422, "invalid_value", client.call, "POST", "step", json.dumps(without).encode(), "application/json", op=0, param=field)


def test_bad_settings_bodies(client):
    for body, status in ((b"", 400), (b"{", 400), (b"[" * 60000, 400), (b"[]", 422), (b'{"x": 1}', 422), (b" " * 65537, 413)):
        with pytest.raises(Refused) as error:
            client.call("POST", "step", body, "application/json", op=0)
        assert error.value.status == status, body[:10]
    refused(415, "unsupported_media_type", client.call, "POST", "step", b"{}", "text/plain", op=0)


@pytest.mark.parametrize(
    "change,code",
    [
        ({"r": 0}, "invalid_value"), ({"r": 100000}, "invalid_value"), ({"r": None}, "invalid_value"), ({"use_dora": True}, "invalid_value"),
        ({"target_modules": "(a|a)*$"}, "invalid_value"), ({"target_modules": ["nothing"]}, "adapter_mismatch"), ({"bias": "all"}, "invalid_value"),
        ({"modules_to_save": ["lm_head"]}, "invalid_value"), ({"r": 4}, "adapter_mismatch"), ({"target_modules": ["q_proj"]}, "adapter_mismatch"),
        ({"rank_pattern": {"(a|a)*$": 3}}, "invalid_value"), ({"lora_alpha": -1}, "invalid_value"), ({"peft_type": "LORA", "init_lora_weights": True}, None),
    ],
)  # fmt: skip
def test_bad_adapter_options(client, adapter, change, code):
    before = client.state()
    successor = Client(client, client.session, epoch=2)
    config = json.loads(adapter[0]) | change
    if code is None:
        successor.open(config, adapter[1])
        client.epoch = 2
        return
    refused(422, code, successor.open, config, adapter[1])
    assert client.state() == before, "a refused takeover changes nothing"


def test_bad_adapter_files(client, adapter):
    before = client.state()
    arrays, moments = load(before[0]), load(before[1])
    name = sorted(arrays)[0]
    values = arrays[name].copy()
    values[0, 0] = np.nan
    successor = Client(client, client.session, epoch=2)
    bad = [
        (b"pickle", None, "invalid_value"), (save(arrays | {name: values}), None, "adapter_mismatch"),
        (save({n: v for n, v in arrays.items() if n != name}), None, "adapter_mismatch"), (save(arrays | {"more": values}), None, "adapter_mismatch"),
        (save(arrays | {name: values[:-1]}), None, "adapter_mismatch"), (before[0], b"", "adapter_mismatch"),
        (before[0], save({n: v for n, v in moments.items() if n != "step"}), "adapter_mismatch"),
        (before[0], save({n: v - 1 if n.startswith("exp_avg_sq") else v for n, v in moments.items()}), "adapter_mismatch"),
    ]  # fmt: skip
    for files in bad:
        refused(422, files[2], successor.open, adapter[0], *files[:2])
    refused(422, "invalid_value", successor.call, "POST", None, save({"adapter": np.zeros(1, np.uint8)}), param="adapter_config")
    assert client.state() == before


def test_http(tiny, client, adapter):
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}, {"Authorization": "Bearer \xe9"}):
        status, body = client.send("GET", f"/v1/sessions/{client.session}/state?epoch=1", headers=headers)
        assert (status, json.loads(body)["error"]["code"]) == (401, "invalid_token")
    assert client.send("GET", "/health", headers={})[0] == 200
    for path in ("/", "/v1", "/v1/sessions", "/v1/sessions/a/b/c", "/v1/sessions/a/gradients"):
        assert client.send("GET", path)[0] == 404, path
    for method, path in (("PUT", "/health"), ("GET", "/v1/sessions/a"), ("BREW", "/v1/sessions/a"), ("POST", "/v1/sessions/a/state")):
        assert client.send(method, path)[0] == 405, path
    for session in ("a.b", "a" * 65, "%00", ".."):
        status, body = client.send("DELETE", f"/v1/sessions/{session}?epoch=1")
        assert (status, json.loads(body)["error"]["param"]) == (422, "session"), session
    # Refused by its length, before a byte of it is sent.
    host, port = client.address.split(":")
    for length, status in (("1" + "0" * 14, b"413"), ("x", b"400"), ("-1", b"400"), ("1" * 40, b"400")):
        with socket.create_connection((host, int(port)), timeout=20) as connection:
            head = f"POST /v1/sessions/a?epoch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: {length}\r\n\r\n"
            connection.sendall(head.encode())
            assert connection.recv(100).split()[1] == status, length
    for raw in (
        b"nonsense\r\n\r\n",
        b"GET\r\n\r\n",
        b"POST /v1/sessions/a?epoch=1 HTTP/1.1\r\nAuthorization: Bearer test-token\r\nTransfer-Encoding: chunked\r\n\r\n",
    ):
        with socket.create_connection((host, int(port)), timeout=20) as connection:
            connection.sendall(raw)
            assert b"4" == connection.recv(100).split()[1][:1] or b"<" not in raw
    assert client.send("GET", "/health")[0] == 200


def test_too_many_sessions(adapter):
    with LearnerProcess(TINY, "--max-sessions", "2", "--body-limit", "1000000") as learner:
        clients = [Client(learner, f"s{number}") for number in range(3)]
        for client in clients[:2]:
            client.open(*adapter)
        refused(503, "busy", clients[2].open, *adapter)
        clients[0].epoch = 2
        clients[0].open(*adapter)
        clients[1].call("DELETE", None)
        clients[2].open(*adapter)
        refused(413, "body_too_large", clients[2].open, b" " * 1000001)


def test_an_idle_learner_ends_and_closes_sessions_before(adapter):
    with LearnerProcess(TINY, "--idle", "3") as learner:
        left, used = Client(learner, "left"), Client(learner, "used")
        left.open(*adapter)
        used.open(*adapter)
        begin = time.monotonic()
        while json.loads(used.send("GET", "/health")[1])["sessions"] == 2:
            used.state()
            assert time.monotonic() - begin < 60
            time.sleep(0.2)
        refused(404, "no_session", left.state)
        assert time.monotonic() - begin >= 2.5
        assert learner.process.wait(60) == 0


def test_progress_and_health_during_a_call(client):
    """Both are answered while the tensor thread works, and other calls wait their turn."""
    rng = np.random.default_rng(0)
    sequences = [rng.integers(0, 331, 512) for _ in range(48)]
    scored = [np.arange(512) > 0] * 48
    other = Client(client, client.session)
    worker = threading.Thread(target=client.forward, args=(sequences, scored), kwargs={"packing": "pad"})
    worker.start()
    seen = set()
    while worker.is_alive():
        progress = json.loads(other.call("GET", "progress"))
        seen.add((progress["call"], json.loads(other.send("GET", "/health")[1])["status"]))
        assert 0 <= progress["sequences_done"] <= progress["sequences"] <= 48
    worker.join()
    assert ("forward", "busy") in seen


def test_a_fault_drops_the_session(adapter, steps):
    """Out of memory in the middle of accumulation: the session is gone, so no gradient is half added."""
    import resource

    with LearnerProcess(TINY) as learner:
        client = Client(learner, packing="pad")
        client.open(*adapter)
        rng = np.random.default_rng(0)
        sequences = [rng.integers(0, 331, 512) for _ in range(400)]
        scored = [np.arange(512) > 0] * 400
        pages = int(open(f"/proc/{learner.process.pid}/statm").read().split()[0])
        limit = pages * os.sysconf("SC_PAGE_SIZE") + (200 << 20)
        resource.prlimit(learner.process.pid, resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
        refused(503, "out_of_memory", client.accumulate_known, sequences, scored, [np.ones(511)] * 400)
        resource.prlimit(learner.process.pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
        refused(404, "no_session", client.state)
        client.epoch = 2
        client.open(*adapter)
        steps.accumulate(client)
        steps.check_gradients(client)
