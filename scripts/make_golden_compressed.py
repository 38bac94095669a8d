"""Makes tests/golden/compressed: small models in the format pack-quantized of compressed-tensors, and the results of each.

    python scripts/make_golden_compressed.py   # with compressed-tensors 0.20.0, torch 2.15 and transformers 5.23

Files and `config.json` are those that the package writes; scales are those of the largest weight of a group. `expected.json` has the
FNV-1a hash of each quantised matrix, as the package decompresses it with scales in f32, and the logits that transformers computes in
f32 with these matrices.
"""

import json
import pathlib
import shutil

import torch
from compressed_tensors.compressors import ModelCompressor
from compressed_tensors.compressors.pack_quantized.base import PackedQuantizationCompressor
from compressed_tensors.quantization import QuantizationArgs, QuantizationConfig, QuantizationScheme, apply_quantization_config
from compressed_tensors.quantization.utils import calculate_qparams
from make_golden_gguf import fnv1a
from transformers import AutoModelForCausalLM, Qwen2Config, Qwen3Config

PLACE = pathlib.Path(__file__).parent.parent / "tests/golden/compressed"
SHAPE = dict(vocab_size=64, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
             head_dim=16, max_position_embeddings=128, tie_word_embeddings=True, bos_token_id=0, eos_token_id=1)
TOKENS = [3, 14, 15, 9, 26, 5, 35, 58]
CASES = {
    "groups": (Qwen3Config, dict(num_bits=4, symmetric=True, strategy="group", group_size=32)),
    "zero-points": (Qwen2Config, dict(num_bits=4, symmetric=False, strategy="group", group_size=64)),
    "channels": (Qwen3Config, dict(num_bits=8, symmetric=True, strategy="channel")),
}


def quantise(model, options):
    """Quantises all linear maps of the layers."""
    scheme = QuantizationScheme(targets=["Linear"], weights=QuantizationArgs(type="int", **options))
    apply_quantization_config(model, QuantizationConfig(config_groups={"group_0": scheme}, ignore=["lm_head"]))
    for module in model.modules():
        if hasattr(module, "quantization_scheme"):
            weight = module.weight.detach()
            groups = weight.unflatten(1, (-1, options.get("group_size", weight.shape[1])))
            scale, zero = calculate_qparams(groups.amin(-1), groups.amax(-1), module.quantization_scheme.weights)
            module.weight_scale.data.copy_(scale)
            if not options["symmetric"]:
                module.weight_zero_point.data.copy_(zero)


def main():
    expected = {}
    shutil.rmtree(PLACE, ignore_errors=True)
    for name, (kind, options) in CASES.items():
        torch.manual_seed(len(name))
        model = AutoModelForCausalLM.from_config(kind(**SHAPE))
        for parameter in model.parameters():
            parameter.data.add_(0.1 * torch.randn_like(parameter))
        model = model.bfloat16()
        plain = AutoModelForCausalLM.from_config(kind(**SHAPE))
        plain.load_state_dict({name: value.float() for name, value in model.state_dict().items()})
        quantise(model, options)
        compressor = ModelCompressor.from_pretrained_model(model)
        compressor.compress_model(model)
        place = PLACE / name
        model.save_pretrained(place)
        compressor.update_config(place)
        (place / "generation_config.json").unlink(missing_ok=True)
        weights = {}
        for module_name, module in model.named_modules():
            if hasattr(module, "quantization_scheme"):
                stored = dict(module.named_parameters()) | dict(module.named_buffers())
                stored["weight_scale"] = stored["weight_scale"].float()
                weight = PackedQuantizationCompressor.decompress(stored, module.quantization_scheme)["weight"].float().contiguous()
                weights[f"{module_name}.weight"] = fnv1a(weight.numpy().tobytes())
                plain.get_submodule(module_name).weight.data = weight
        with torch.no_grad():
            logits = plain(torch.tensor([TOKENS])).logits[0, -1]
        expected[name] = {"weights": weights, "logits": [float(f"{value:.9g}") for value in logits]}
    (PLACE / "expected.json").write_text(json.dumps({"tokens": TOKENS, "cases": expected}, indent=1) + "\n")


if __name__ == "__main__":
    main()
