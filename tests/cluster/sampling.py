"""Sampling on two vLLM servers, of which one has `/v1/completions` alone: figures beside those of the embedded engine, options,
adapters that are right and adapters that are not."""
import concurrent.futures
import hashlib
import http.client
import json
import os
import subprocess
import time

from harness import KEY, ROOT, SEEDLING, Service, Vllm, call, percentile, sampler, wait


def logprobs_of(service, model, tokens):
    """Log-probabilities of given tokens, but the first."""
    body = {"model": model, "prompt": tokens, "max_tokens": 1, "temperature": 0, "echo": True, "logprobs": 0}
    return service.ok("/v1/completions", body)["choices"][0]["logprobs"]["token_logprobs"][1:len(tokens)]


SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "boolean"}}, "required": ["a", "b"], "additionalProperties": False}
FORM = {"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}, "max_tokens": 40}


def compare(remote, embedded, names, label, limit, **more):
    """Samples on vLLM, and scores what was sampled with the embedded engine. Prints a row of the table."""
    differences = []
    for prompt in ("Say a colour.", "What is the capital of Zor?", "Tell me a story about the sea.", "1 2 3"):
        for seed in range(4):
            choice = (answer := remote.chat(names[0], prompt, seed=seed, temperature=1.2, logprobs=True, return_token_ids=True, **more))["choices"][0]
            theirs = [entry["logprob"] for entry in choice["logprobs"]["content"]]
            tokens = answer["prompt_token_ids"] + choice["token_ids"]
            ours = logprobs_of(embedded, names[1], tokens)[-len(theirs):]
            differences += [left - right for left, right in zip(theirs, ours, strict=True)]
    sizes = [abs(difference) for difference in differences]
    mean = sum(sizes) / len(sizes)
    print(f"mismatch  {label:34} {len(sizes):5} tokens  mean {mean:.2e}  p99 {percentile(sizes, 0.99):.2e}  largest {max(sizes):.2e}", flush=True)
    assert mean <= limit, f"{label}: {mean}"


def options(remote):
    assert len(remote.chat(SEEDLING, "Say a colour.", n=3)["choices"]) == 3
    # Of a prompt, beside another request: without --lora-target-modules the CPU build's engine would end.
    answer = remote.chat(SEEDLING, "Say a colour.", prompt_logprobs=1)
    assert len(answer["prompt_logprobs"]) == answer["usage"]["prompt_tokens"]
    assert remote.chat(SEEDLING, "x", logit_bias={"478": 100}, max_tokens=3, return_token_ids=True)["choices"][0]["token_ids"] == [478] * 3
    for seed in range(4):
        choice = remote.chat(SEEDLING, "JSON", seed=seed, **FORM | {"max_tokens": 100})["choices"][0]
        assert choice["finish_reason"] == "length" or set(json.loads(choice["message"]["content"])) == {"a", "b"}, choice
    tool = {"type": "function", "function": {"name": "f", "parameters": SCHEMA}}
    choice = remote.chat(SEEDLING, "call f", tools=[tool], tool_choice="required", max_tokens=120, return_token_ids=True)["choices"][0]
    assert choice["finish_reason"] == "length" or choice["message"]["tool_calls"][0]["function"]["name"] == "f", choice
    assert choice["token_ids"][0] == 1528, f"{choice} does not begin with the token <tool_call>"
    image = [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}]}]
    status, text = remote.post("/v1/chat/completions", {"model": SEEDLING, "messages": image})
    assert status in (400, 422) and "image_url" in text, f"{status} {text}"
    print("choices, prompt logprobs, logit bias, response format and tools are right; an image is refused by name", flush=True)


def visible(remote, replicas, rounds):
    """Seconds from the end of a job until every replica has answered with the new adapter, as rollouts ask for it: at once."""
    times = []
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for number in range(rounds + 2):
            model = remote.model(f"visible-{number}")
            name = f"wandb-artifact:///{model['entity']}/cluster/visible-{number}:step1"
            before = [vllm.listed() for vllm in replicas]
            _, ended = remote.ended(remote.sft(model, text=f"down {number}", learning_rate=0.02))
            list(pool.map(lambda prompt: remote.chat(name, f"up? {prompt}", max_tokens=1), range(8)))
            assert all(vllm.listed() - known for vllm, known in zip(replicas, before)), "all prompts went to one replica"
            times.append(time.time() - ended)
    print(f"adapter usable on all {len(replicas)} replicas after training_ended, {len(times)} adapters: median {percentile(times, 0.5):.2f} s, "
          f"largest {max(times):.2f} s (floor 2 s, goal 0.5 s)", flush=True)
    assert percentile(times, 0.5) <= 2, times


# Changes of an adapter's tensors and its configuration, and whether vLLM loads the result.
FAULTS = {
    "no effect": (lambda name, tensor: tensor * 0 if "lora_B" in name else tensor, {}),
    "half of the columns": (lambda name, tensor: tensor[:, :tensor.shape[1] // 2].copy() if "lora_A" in name else tensor, {}),
    "half the rank in the configuration": (lambda name, tensor: tensor, {"r": 4}),
    "another adapter": (lambda name, tensor: tensor[::-1].copy() if "lora_B" in name else tensor, {}),
    "values that are no numbers": (lambda name, tensor: tensor * float("nan") if "layers.0.self_attn.q_proj.lora_B" in name else tensor, {}),
}


def bad_adapters(remote, replicas, directory):
    """Loads wrong adapters under the names of right ones, as a fault of vLLM would. No answer may come from them."""
    from safetensors.numpy import load, save

    first, second = replicas
    for number, (fault, (change, more)) in enumerate(FAULTS.items()):
        name = remote.train(f"bad-{number}", text=fault)
        config, weights = remote.adapter_files(name)
        digest = hashlib.sha256(hashlib.sha256(config).digest() + hashlib.sha256(weights).digest()).hexdigest()
        adapter = f"ty-{digest[:32]}"
        wrong = directory / f"wrong-{number}"
        wrong.mkdir()
        (wrong / "adapter_config.json").write_text(json.dumps(json.loads(config) | more))
        (wrong / "adapter_model.safetensors").write_bytes(save({key: change(key, value) for key, value in load(weights).items()}))
        first.load(adapter, wrong)
        for prompt in range(6):
            assert remote.chat(name, f"up? {prompt}", max_tokens=2)["choices"][0]["finish_reason"] in ("stop", "length")
        assert remote.metric("trainyard_replica_bad_adapters", first) == number + 1, fault
        assert adapter not in first.listed() and adapter in second.listed(), f"{fault}: {first.listed()} {second.listed()}"
        status, text = call(remote.address, "GET", "/v1/system-check", key=remote.key)
        assert status == 503 and adapter in text and first.name in text, f"{status} {text}"
        reason = [line for line in remote.log.read_text().splitlines() if "applies an adapter wrongly" in line][-1]
        print(f"adapter with {fault}: {reason[reason.index('reason='):][:230] if 'reason=' in reason else reason[-230:]}", flush=True)
        remote.ready(first, second, limit=60)
    assert remote.metric("trainyard_replica_bad_adapters", second) == 0
    assert remote.chat(SEEDLING, "Say a colour.")["choices"]


def run(directory, rounds):
    replicas = [Vllm(directory), Vllm(directory, scale_out=False)]
    options_of = sampler(directory, replicas)
    for place in ("remote", "embedded"):
        (directory / place).mkdir()
    remote, embedded = Service("remote", directory / "remote", *options_of), Service("embedded", directory / "embedded")
    remote.ready(*replicas)

    check = subprocess.run([os.environ["TRAINYARD_BINARY"], "cluster", "check", "--json", "--data-dir", directory / "check", *options_of],
                           stdout=subprocess.PIPE, text=True, timeout=900)
    report = json.loads(check.stdout)["base_models"][0]
    assert check.returncode == 0 and report["passed"] and len(report["samplers"]) == 2, report
    interfaces = [replica["figures"].pop("interface") for replica in report["samplers"]]
    assert interfaces == ["/inference/v1/generate", "/v1/completions"], interfaces
    for replica in report["samplers"]:
        figures = replica["figures"]
        assert figures["base_model_difference"] < 1e-3 and figures["adapter_difference"] < 1e-3, figures
        print(f"trainyard cluster check: {figures}", flush=True)
    options(remote)

    for service in (remote, embedded):
        service.train("agent")
    name = "wandb-artifact:///default/cluster/agent:step1"
    compare(remote, embedded, (SEEDLING, SEEDLING), "base model, f32 and f32", 1e-4)
    compare(remote, embedded, (name, name), "adapter, f32 and f32", 1e-4)
    for vllm, interface in zip(replicas, interfaces):
        # Each alone, so that both forms are compared.
        alone = directory / interface.replace("/", "-")
        alone.mkdir()
        service = Service(f"alone{interface.replace('/', '-')}", alone, *sampler(alone, [vllm]))
        service.ready(vllm)
        service.train("agent")
        compare(service, embedded, (SEEDLING, SEEDLING), f"base model, {interface}", 1e-4)
        compare(service, embedded, (name, name), f"adapter, {interface}", 1e-4)
        compare(service, embedded, (name, name), f"grammar, {interface}", 1e-4, **FORM)
        options(service)
        service.stop()
    visible(remote, replicas, rounds)
    bad_adapters(remote, replicas, directory)
    for process in (remote, *replicas):
        process.process.terminate()

    half = Vllm(directory, dtype="bfloat16")
    (directory / "bf16").mkdir()
    service = Service("bf16", directory / "bf16", *sampler(directory / "bf16", [half]))
    service.ready(half)
    service.train("agent")
    compare(service, embedded, (SEEDLING, SEEDLING), "base model, bf16 and f32", 0.02)
    compare(service, embedded, (name, name), "adapter, bf16 and f32", 0.02)
    compare(service, embedded, (name, name), "grammar, bf16 and f32", 0.02, **FORM)
    results = {result: service.metric("trainyard_replica_adapter_checks_total", half, result=result) for result in ("right", "wrong", "undecided")}
    print(f"the effect of the adapter in bf16: {results}", flush=True)
    assert results["wrong"] == 0
    for process in (service, embedded, half):
        process.process.terminate()
