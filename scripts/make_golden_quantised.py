"""Makes tests/golden/quantised: small models that GPTQModel has quantised by GPTQ and AWQ, and the results of each.

    python scripts/make_golden_quantised.py   # with gptqmodel 7.7.0, torch 2.15 and transformers 5.23

Files and `config.json` are those that the package writes. `expected.json` has the FNV-1a hash of each quantised matrix, as the
package dequantises it with scales in f32, and the logits that transformers computes in f32 with these matrices.
"""

import json
import os
import pathlib
import shutil
import tempfile

os.environ.setdefault("GPTQMODEL_CPU_WORKERS", "4")  # the package wants more threads than a small machine has

import torch
from gptqmodel import BACKEND, GPTQModel, QuantizeConfig
from gptqmodel.nn_modules.qlinear import PackableQuantLinear
from gptqmodel.nn_modules.qlinear.torch_awq import AwqTorchLinear
from gptqmodel.quantization import FORMAT, METHOD
from gptqmodel.quantization.awq.utils.packing_utils import dequantize_gemm
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast, Qwen2Config, Qwen3Config

PLACE = pathlib.Path(__file__).parent.parent / "tests/golden/quantised"
TOKENIZER = pathlib.Path(__file__).parent.parent / "tests/golden/tiny_tokenizer/tokenizer.json"
SHAPE = dict(vocab_size=64, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
             head_dim=16, max_position_embeddings=128, tie_word_embeddings=True, bos_token_id=0, eos_token_id=1)
TOKENS = [3, 14, 15, 9, 26, 5, 35, 58]
CASES = {
    "gptq": (Qwen3Config, dict(bits=4, group_size=32, sym=True, desc_act=False)),
    "gptq-v2": (Qwen3Config, dict(bits=4, group_size=-1, sym=False, desc_act=False, act_group_aware=False, format=FORMAT.GPTQ_V2)),
    "gptq-reordered": (Qwen2Config, dict(bits=4, group_size=32, sym=False, desc_act=True, act_group_aware=False)),
    "gptq-8": (Qwen3Config, dict(bits=8, group_size=64, sym=True, desc_act=False)),
    "awq": (Qwen2Config, dict(bits=4, group_size=32, sym=False, quant_method=METHOD.AWQ, format=FORMAT.GEMM)),
}


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def dequantised(module):
    """The matrix [outputs, inputs] in f32 by the package's own functions."""
    scales = module.scales.float()
    if isinstance(module, AwqTorchLinear):
        weights = dequantize_gemm(module.qweight, module.qzeros, scales, module.bits, module.group_size)
    else:
        module.scales = scales
        weights = PackableQuantLinear.dequantize_weight(module)
    return weights.T.float().contiguous()


def quantise(name, kind, options, directory):
    """Quantises a random model, as users of the package do."""
    torch.manual_seed(len(name))
    # The package quantises the rows of a matrix by AWQ 64 at a time.
    shape = SHAPE | (dict(num_key_value_heads=4) if name == "awq" else {})
    model = AutoModelForCausalLM.from_config(kind(**shape))
    for parameter in model.parameters():
        parameter.data.add_(0.1 * torch.randn_like(parameter))
    model.half().save_pretrained(directory / "plain")
    PreTrainedTokenizerFast(tokenizer_file=str(TOKENIZER), eos_token="<|im_end|>", pad_token="<|endoftext|>").save_pretrained(directory / "plain")
    rows = [torch.randint(0, SHAPE["vocab_size"], (64,)) for _ in range(64)]
    calibration = [{"input_ids": row, "attention_mask": torch.ones_like(row)} for row in rows]
    quantised = GPTQModel.load(str(directory / "plain"), QuantizeConfig(**options), device="cpu")
    quantised.quantize(calibration, batch_size=4)
    quantised.save(str(directory / "quantised"))


def main():
    expected = {}
    shutil.rmtree(PLACE, ignore_errors=True)
    for name, (kind, options) in CASES.items():
        with tempfile.TemporaryDirectory() as directory:
            directory = pathlib.Path(directory)
            quantise(name, kind, options, directory)
            backend = BACKEND.AWQ_TORCH if name == "awq" else BACKEND.GPTQ_TORCH
            loaded = GPTQModel.load(str(directory / "quantised"), backend=backend, device="cpu", dtype=torch.float16)
            plain = AutoModelForCausalLM.from_pretrained(directory / "plain", dtype=torch.float32)
            stored = load_file(directory / "quantised/model.safetensors")
            weights = {}
            for module_name, module in loaded.model.named_modules():
                if hasattr(module, "qweight"):
                    weights[module_name] = dequantised(module)
            for parameter_name, parameter in plain.named_parameters():
                module_name = parameter_name.removesuffix(".weight")
                if module_name in weights:
                    parameter.data = weights[module_name]
                elif parameter_name != "lm_head.weight":
                    parameter.data = stored[parameter_name].float()
            with torch.no_grad():
                logits = plain(torch.tensor([TOKENS])).logits[0, -1]
            place = PLACE / name
            place.mkdir(parents=True)
            for file in ("config.json", "model.safetensors"):
                shutil.copy(directory / "quantised" / file, place)
            expected[name] = {
                "weights": {f"{module}.weight": fnv1a(values.numpy().tobytes()) for module, values in weights.items()},
                "logits": [float(f"{value:.9g}") for value in logits],
            }
    (PLACE / "expected.json").write_text(json.dumps({"tokens": TOKENS, "cases": expected}, indent=1) + "\n")


if __name__ == "__main__":
    main()
