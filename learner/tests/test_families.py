"""Models beyond the golden ones: mixture of experts, bf16 weights, flexible attention, adapters on the head."""

import json

import numpy as np
import pytest
import torch
from client import Client, LearnerProcess, Refused, relative
from transformers import AutoConfig, AutoModelForCausalLM

SHAPE = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8, "intermediate_size": 48,
    "vocab_size": 96, "max_position_embeddings": 256,
}  # fmt: skip
MIXTURE = SHAPE | {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 16}
SEQUENCES = [np.array(ids) for ids in ([1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 9, 8], [11, 12, 13])]
SCORED = [np.arange(len(ids)) > 0 for ids in SEQUENCES]
FACTORS = [np.linspace(-1, 0.5, len(ids) - 1) for ids in SEQUENCES]


def make_model(directory, model_type: str, dtype=torch.float32, **settings):
    """Writes a model of random weights; returns it."""
    torch.manual_seed(7)
    config = AutoConfig.for_model(model_type, **settings)
    model = AutoModelForCausalLM.from_config(config, dtype=dtype)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.2 + (parameter.dim() == 1))
    model.save_pretrained(directory)
    return AutoModelForCausalLM.from_pretrained(directory, dtype=dtype, attn_implementation="eager").eval()


def expected(model, config, seed=0):
    """Log-probabilities and gradients by a plain loop of transformers and PEFT."""
    from peft import LoraConfig, get_peft_model

    torch.manual_seed(seed)
    peft = get_peft_model(model, LoraConfig(task_type="CAUSAL_LM", **config), adapter_name="session1", autocast_adapter_dtype=False)
    parameters = {name: p for name, p in peft.named_parameters() if ".session1." in name}
    for name, parameter in parameters.items():
        parameter.data = parameter.data.float()
        if "lora_B" in name or "lora_embedding_B" in name:
            parameter.data = torch.linspace(-0.3, 0.3, parameter.numel()).view(parameter.shape)
    logprobs = []
    for ids, factors in zip(SEQUENCES, FACTORS):
        logits = peft(input_ids=torch.tensor(ids)[None], use_cache=False).logits[0, :-1].float()
        logprobs.append(logits.log_softmax(-1).gather(1, torch.tensor(ids[1:, None]))[:, 0])
        (logprobs[-1] * torch.tensor(factors, dtype=torch.float32)).sum().backward()
    plain = {name.replace(".session1", ""): p for name, p in parameters.items()}
    return [values.detach().numpy() for values in logprobs], plain


def check(directory, config, logprobs, parameters, bound, *options, ways=("pad", "tree")):
    from client import moment_name
    from safetensors.torch import save

    with LearnerProcess(directory, *options) as learner:
        sharing = json.loads(Client(learner).send("GET", "/health")[1])["model"]["prefix_sharing"]
        assert sharing == ("tree" in ways)
        for number, packing in enumerate(ways, 1):
            client = Client(learner, epoch=number, packing=packing)
            client.open(config, save({name: p.detach().contiguous() for name, p in parameters.items()}))
            found, _ = client.accumulate(SEQUENCES, SCORED, lambda *_: FACTORS)
            assert max(np.abs(a - b).max() for a, b in zip(found, logprobs)) < bound
            gradients = client.gradients()
            for name, parameter in parameters.items():
                assert relative(gradients[moment_name(name)], parameter.grad.numpy()) < bound, name


@pytest.mark.parametrize(
    "targets",
    [{"target_modules": ["q_proj", "v_proj", "o_proj"]}, {"target_modules": ["k_proj"], "target_parameters": ["mlp.experts.down_proj"]}],
)
def test_mixture_of_experts(tmp_path, targets):
    config = {"r": 4, "lora_alpha": 8} | targets
    model = make_model(tmp_path, "qwen3_moe", **MIXTURE)
    check(tmp_path, config, *expected(model, config), 2e-5)


def test_bfloat16_base(tmp_path):
    """Rounding of bf16 differs with the order of sums; the adapter is trained in f32."""
    config = {"r": 4, "lora_alpha": 8, "target_modules": ["q_proj", "down_proj"]}
    model = make_model(tmp_path, "qwen3", torch.bfloat16, **SHAPE)
    check(tmp_path, config, *expected(model, config), 0.1, "--dtype", "bfloat16")


def test_adapter_on_the_head(tmp_path):
    config = {"r": 4, "lora_alpha": 8, "target_modules": ["q_proj", "lm_head"]}
    model = make_model(tmp_path, "llama", **SHAPE)
    check(tmp_path, config, *expected(model, config), 2e-5)


def test_head_with_soft_cap_and_sliding_window(tmp_path):
    config = {"r": 4, "lora_alpha": 8, "target_modules": ["q_proj", "down_proj"]}
    settings = SHAPE | {"final_logit_softcapping": 5.0, "sliding_window": 64, "tie_word_embeddings": True, "query_pre_attn_scalar": 8}
    model = make_model(tmp_path, "gemma2", **settings)
    ways = ("pad", "tree")
    check(tmp_path, config, *expected(model, config), 2e-5, "--attention", "eager", ways=ways)


def test_joint_projections_and_dropout(tmp_path):
    config = {"r": 4, "lora_alpha": 8, "target_modules": ["qkv_proj", "o_proj", "gate_up_proj", "down_proj"]}
    rope = {"type": "longrope", "short_factor": [1.0, 1.5], "long_factor": [2.0, 9.0]}
    settings = SHAPE | {"partial_rotary_factor": 0.5, "original_max_position_embeddings": 128, "rope_scaling": rope}
    model = make_model(tmp_path, "phi3", resid_pdrop=0.1, attention_dropout=0.1, pad_token_id=None, **settings)
    check(tmp_path, config, *expected(model, config), 2e-5)


def test_recurrent_layers_are_padded(tmp_path):
    """A prefix tree cannot express layers that are not attention; they are scored row by row."""
    config = {"r": 4, "lora_alpha": 8, "target_modules": ["in_proj"]}
    settings = {
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "vocab_size": 96,
        "state_size": 8,
        "conv_kernel": 4,
        "expand": 2,
        "time_step_rank": 4,
    }
    model = make_model(tmp_path, "mamba", **settings)
    check(tmp_path, config, *expected(model, config), 2e-5, ways=("pad",))


def test_flexible_attention(tmp_path, monkeypatch):
    """The block mask of CUDA machines, here through the CPU's reference implementation, which compiles no kernel."""
    monkeypatch.setenv("TORCHDYNAMO_DISABLE", "1")
    config = {"r": 4, "lora_alpha": 8, "target_modules": ["q_proj", "down_proj"]}
    model = make_model(tmp_path, "qwen3", **SHAPE)
    logprobs, parameters = expected(model, config)
    from safetensors.torch import save

    with LearnerProcess(tmp_path, "--attention", "flex_attention") as learner:
        assert json.loads(Client(learner).send("GET", "/health")[1])["model"]["prefix_sharing"]
        client = Client(learner, packing="tree")
        client.open(config, save({name: p.detach().contiguous() for name, p in parameters.items()}))
        found, _ = client.forward(SEQUENCES, SCORED)
        assert max(np.abs(a - b).max() for a, b in zip(found, logprobs)) < 2e-5


def test_pickled_weights_are_never_read(tmp_path):
    model = make_model(tmp_path, "llama", **SHAPE)
    (tmp_path / "model.safetensors").unlink()
    torch.save(model.state_dict(), tmp_path / "pytorch_model.bin")
    with pytest.raises(AssertionError, match="first line"):
        LearnerProcess(tmp_path)


def test_unknown_target_is_refused_and_the_next_session_opens(tmp_path):
    make_model(tmp_path, "llama", **SHAPE)
    with LearnerProcess(tmp_path) as learner:
        client = Client(learner)
        with pytest.raises(Refused, match="nothing"):
            client.open({"r": 4, "lora_alpha": 8, "target_modules": ["nothing"]})
        client.open({"r": 4, "lora_alpha": 8, "target_modules": "all-linear"}, seed=1)
        first = client.state()
        client.epoch = 2
        client.open({"r": 4, "lora_alpha": 8, "target_modules": "all-linear"}, seed=1)
        assert client.state() == first
        client.epoch = 3
        client.open({"r": 4, "lora_alpha": 8, "target_modules": "all-linear"}, seed=2)
        assert client.state() != first
