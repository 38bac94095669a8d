"""A mixture of experts that no engine of Trainyard computes: sampled on vLLM by a server without weights, trained on the learner.

Needs a GPU: vLLM computes experts beside adapters by Triton."""
import json
import shutil

from harness import KEY, ROOT, Learner, Service, Vllm, call, sampler

BASE = "tests/mixture"


def make_mixture(directory):
    """Writes a Qwen3-MoE with random weights and the tokenizer of the built-in model."""
    import torch
    from transformers import Qwen3MoeConfig, Qwen3MoeForCausalLM

    torch.manual_seed(7)
    config = Qwen3MoeConfig(
        vocab_size=1536, hidden_size=64, intermediate_size=128, moe_intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, head_dim=32, num_experts=4, num_experts_per_tok=2, norm_topk_prob=True, max_position_embeddings=1024,
        eos_token_id=2, pad_token_id=0, bos_token_id=None, tie_word_embeddings=False)
    model = Qwen3MoeForCausalLM(config)
    # Distributions that are far from uniform, so that another adapter or another token shows.
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.mul_(4.0 if "lm_head" in name or "embed" in name else 2.0 if parameter.dim() > 1 else 1.0)
    model.save_pretrained(directory, safe_serialization=True)
    for name in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja", "generation_config.json"):
        shutil.copy(ROOT / "assets/seedling" / name, directory)
    return directory


def run(directory, rounds, learner_python):
    whole = make_mixture(directory / "mixture")
    # The server and the worker see no weights.
    small = directory / "small"
    shutil.copytree(whole, small, ignore=shutil.ignore_patterns("*.safetensors*"))
    # The modules that adapters of Trainyard have in a mixture.
    replicas = [Vllm(directory, whole, scale_out=scale_out, targets=["q_proj", "k_proj", "v_proj", "o_proj"]) for scale_out in (True, False)]
    options = ["--base-model", f"{BASE}={small}", *sampler(directory, replicas, BASE)]
    learner = Learner(directory, whole, learner_python)
    key = directory / "learner-key"
    key.write_text(KEY)
    service = Service("mixture", directory, *options, "--trainer", f"{BASE}={learner.url}", "--trainer-key-file", key)
    service.ready(*replicas)
    log = service.log.read_text()
    assert "loaded without its weights" in log, log

    status, text = service.post("/v1/preview/models", {"project": "cluster", "name": "mlp", "base_model": BASE, "lora": {"target_modules": ["gate_proj"]}})
    assert status == 422 and "q_proj, k_proj, v_proj, o_proj" in text, f"{status} {text}"
    model = service.model("agent", BASE)
    assert model["lora"]["target_modules"] == ["q_proj", "k_proj", "v_proj", "o_proj"], model
    name = f"wandb-artifact:///{model['entity']}/cluster/agent"
    for step in range(1, 4):
        groups = []
        for prompt in ("up?", "down?"):
            message = {"role": "user", "content": prompt}
            choices = service.ok("/v1/chat/completions", {"model": name, "messages": [message], "n": 4, "max_tokens": 12, "logprobs": True, "seed": step})["choices"]
            trajectories = [{"messages_and_choices": [message, choice], "reward": float(index % 3)} for index, choice in enumerate(choices)]
            groups.append({"trajectories": trajectories})
        job = service.rl(model, groups, learning_rate=1e-2)
        events, _ = service.ended(job)
        first = events[1]["data"]
        config = json.loads(service.get(f"/v1/preview/training-jobs/{job}"))
        assert config["config"]["truncated_importance_sampling"] == 2 and config["trainer"] == "learner", config
        print(f"mixture, RL step {step}: sampler mismatch mean {first['sampler_mismatch/mean_abs']:.1e} nat, largest {first['sampler_mismatch/max']:.1e}", flush=True)
        assert first["sampler_mismatch/mean_abs"] < 1e-3, first
        service.chat(f"{name}:step{step}", "up?", max_tokens=4)
    results = {vllm.name: {result: service.metric("trainyard_replica_adapter_checks_total", vllm, result=result) for result in ("right", "wrong", "undecided")}
               for vllm in replicas}
    print(f"mixture, adapters compared: {results}", flush=True)
    assert sum(counts["right"] for counts in results.values()) >= 3 and not any(counts["wrong"] or counts["undecided"] for counts in results.values()), results
    manifest = json.loads(service.get(f"/v1/preview/models/{model['id']}/checkpoints/1/manifest"))["manifest"]
    assert manifest["program"]["learner"]["dtype"] == "float32" and manifest["training"]["sampler"] == "vllm", manifest
    status, _ = call(service.address, "GET", "/v1/system-check", key=service.key)
    assert status == 200, status
    service.stop()
    for process in (learner, *replicas):
        process.process.terminate()
