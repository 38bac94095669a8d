#!/usr/bin/env python3
"""Judge `trainyard export` by the programs that its files are for: transformers, PEFT, gguf-py and llama.cpp.

    python3 -m venv venv && venv/bin/pip install torch transformers peft gguf xllamacpp
    venv/bin/python scripts/check_export.py --binary target/release/trainyard [--only llama3 gemma3]

Makes a random model of each family, trains an adapter on it for a step, and exports that. Compares the logits of the merged model
with those of base and adapter in transformers, and with those of llama.cpp on each GGUF file; the tensors of GGUF files with
gguf-py's own names and numbers; llama.cpp's tokens with those of the tokenizer. Prints what it measures; exits with 1 if a bar is
missed. Takes a few minutes.
"""
import argparse
import copy
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import gguf
import numpy as np
import torch
import xllamacpp
from peft import PeftModel
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

SEEDLING = Path(__file__).parent.parent / "assets/seedling"
SHAPE = dict(hidden_size=64, num_hidden_layers=4, intermediate_size=96, num_attention_heads=4, num_key_value_heads=2, head_dim=32,
             vocab_size=1536, max_position_embeddings=512, rms_norm_eps=1e-5, bos_token_id=None, eos_token_id=2, pad_token_id=0)
ROPE = dict(rope_type="default", rope_theta=10000.0)
LLAMA3 = dict(rope_type="llama3", rope_theta=500000.0, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=64)
YARN = dict(rope_type="yarn", rope_theta=10000.0, factor=4.0, original_max_position_embeddings=128)
LONG = dict(rope_type="longrope", rope_theta=10000.0, short_factor=[1.0 + 0.1 * k for k in range(16)], long_factor=[2.0 + k for k in range(16)])
CASES = {
    "seedling": None,
    "llama3": dict(model_type="llama", rope_parameters=LLAMA3, tie_word_embeddings=True),
    "llama-biases": dict(model_type="llama", rope_parameters=dict(ROPE, rope_type="linear", factor=2.0), attention_bias=True, mlp_bias=True),
    "mistral": dict(model_type="mistral", rope_parameters=ROPE, sliding_window=None),
    "qwen2-yarn": dict(model_type="qwen2", rope_parameters=YARN, tie_word_embeddings=True),
    "qwen3": dict(model_type="qwen3", rope_parameters=ROPE, tie_word_embeddings=False),
    "qwen3-moe": dict(model_type="qwen3_moe", rope_parameters=ROPE, num_experts=8, num_experts_per_tok=2, moe_intermediate_size=32, norm_topk_prob=True),
    "smollm3": dict(model_type="smollm3", rope_parameters=ROPE, no_rope_layer_interval=4),
    "olmo2": dict(model_type="olmo2", rope_parameters=ROPE),
    "olmo3": dict(model_type="olmo3", sliding_window=16, rope_parameters=dict(full_attention=ROPE, sliding_attention=ROPE)),
    "gemma3": dict(model_type="gemma3_text", num_hidden_layers=6, sliding_window=16, query_pre_attn_scalar=32,
                   rope_parameters=dict(full_attention=dict(ROPE, rope_theta=1e6, rope_type="linear", factor=2.0), sliding_attention=ROPE)),
    "lfm2": dict(model_type="lfm2", rope_parameters=ROPE, conv_L_cache=3, full_attn_idxs=[1, 3], block_auto_adjust_ff_dim=False, norm_eps=1e-5),
    "qwen3.5-moe": dict(model_type="qwen3_5_moe_text", full_attention_interval=2, linear_num_key_heads=2, linear_num_value_heads=2,
                        linear_key_head_dim=32, linear_value_head_dim=32, linear_conv_kernel_dim=4, num_experts=8, num_experts_per_tok=2,
                        moe_intermediate_size=32, shared_expert_intermediate_size=64,
                        rope_parameters=dict(ROPE, partial_rotary_factor=0.5, mrope_section=[4, 2, 2], mrope_interleaved=True)),
    "joint": dict(model_type="phi3", rope_parameters=ROPE, sliding_window=None),
    "joint-long": dict(model_type="phi3", rope_parameters=LONG, sliding_window=None, original_max_position_embeddings=256),
}
# llama.cpp's kernels round factors of products to f16 or integers in places, and random weights suffer from integers.
MERGED_BAR, GGUF_BAR = 2e-4, 3e-2
TEXTS = ["Hello, world! It's 12345 o'clock.", "naïve façade\n\n  def f(x):\treturn x  ", "What colour is snow? 你好 ☃", "<think>yes</think>"]
failures = []


def bar(name: str, met: bool, figure: object) -> None:
    print(f"{'ok  ' if met else 'MISS'} {name}: {figure}", flush=True)
    if not met:
        failures.append(name)


def make(case: str, directory: Path) -> None:
    if CASES[case] is None:
        shutil.copytree(SEEDLING, directory)
        return
    # llama.cpp has no other width of a head in some families; transformers keeps and changes what it gets.
    wide = dict(hidden_size=128, head_dim=32) if case.split("-")[0] in ("qwen2", "olmo2", "olmo3", "joint", "lfm2") else {}
    config = AutoConfig.for_model(**copy.deepcopy(SHAPE | wide | CASES[case]))
    torch.manual_seed(1)
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    with torch.no_grad():
        for name, value in model.named_parameters():
            value.copy_(torch.randn_like(value) * (1.5 / value.shape[-1] ** 0.5 if value.dim() > 1 else 0.1))
            if name.endswith("norm.weight") and "gemma" not in case:
                value += 1.0
    model.to(torch.bfloat16).save_pretrained(directory)
    for name in ["tokenizer.json", "tokenizer_config.json", "chat_template.jinja", "generation_config.json"]:
        shutil.copy(SEEDLING / name, directory)


def logits(model, tokens: list[int]) -> np.ndarray:
    with torch.no_grad():
        return model(torch.tensor([tokens])).logits[0, -1].float().numpy()


class LlamaCpp:
    """A server of llama.cpp in this process."""

    def __init__(self, file: Path, adapter: Path | None = None):
        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(file)
        # Beyond its original length, llama.cpp takes the factors of long sequences for short ones too.
        parameters.n_ctx, parameters.warmup, parameters.port = 256, False, 0
        parameters.cache_type_k = parameters.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
        parameters.n_parallel = 1
        if adapter:
            lora = xllamacpp.CommonAdapterLoraInfo()
            lora.path, lora.scale = str(adapter), 1.0
            parameters.lora_adapters = [lora]
        self.server = xllamacpp.Server(parameters)

    def ask(self, path: str, body: dict) -> dict:
        address = f"{self.server.listening_address.rstrip('/')}/{path}"
        request = urllib.request.Request(address, json.dumps(body).encode(), {"content-type": "application/json"})
        return json.load(urllib.request.urlopen(request))

    def logprobs(self, tokens: list[int]) -> np.ndarray:
        body = dict(prompt=tokens, n_predict=1, n_probs=SHAPE["vocab_size"], temperature=1.0, cache_prompt=False, samplers=[])
        # Nothing is told of a token that ends the answer.
        answers = (self.ask("completion", body | dict(seed=seed)) for seed in range(20))
        top = next(answer["completion_probabilities"][0]["top_logprobs"] for answer in answers if answer.get("completion_probabilities"))
        found = np.full(SHAPE["vocab_size"], -np.inf)
        for entry in top:
            found[entry["id"]] = entry["logprob"]
        return found


def log_softmax(values: np.ndarray) -> np.ndarray:
    values = values.astype(np.float64) - values.max()
    return values - np.log(np.exp(values).sum())


def compare_tensors(case: str, file: Path, merged: dict[str, torch.Tensor], config, element: gguf.GGMLQuantizationType) -> None:
    """Compares each tensor with that of transformers: by gguf-py's names, as its quantiser rounds it."""
    reader = gguf.GGUFReader(file)
    architecture = reader.get_field("general.architecture").contents()
    numbers = {name: number for number, name in gguf.MODEL_ARCH_NAMES.items()}
    names = gguf.get_tensor_name_map(numbers[architecture], config.num_hidden_layers)
    found = {tensor.name: tensor for tensor in reader.tensors}
    compared, before = 0, len(failures)
    for name, value in merged.items():
        value = value.float().numpy()
        # transformers has the matrices of all experts in one tensor, and gate and up in one.
        if ".experts.gate_up_proj" in name:
            half = value.shape[1] // 2
            parts = {name.replace("gate_up", "gate"): value[:, :half], name.replace("gate_up", "up"): value[:, half:]}
        else:
            parts = {name: value}
        for name, value in parts.items():
            base, _, kind = name.rpartition(".")
            key = names.get_name(name) if ".experts." in name else names.get_name(base)
            if kind in ("A_log", "dt_bias"):
                block = name.split(".")[2]
                key, kind, value = (f"blk.{block}.ssm_a", "", -np.exp(value)) if kind == "A_log" else (f"blk.{block}.ssm_dt", "bias", value)
            key = key and f"{key}.{kind if kind in ('weight', 'bias') else 'weight'}" if kind else key
            if key not in found:
                failures.append(f"{case}: {name} is not in {file.name}")
                continue
            if architecture in ("llama", "smollm3") and (".q_proj." in name or ".k_proj." in name):
                heads = config.num_attention_heads if ".q_proj." in name else config.num_key_value_heads
                value = value.reshape(heads, 2, -1, *value.shape[1:]).swapaxes(1, 2).reshape(value.shape)
            if architecture in ("gemma3", "qwen35moe") and name.endswith("norm.weight") and "linear_attn" not in name:
                value = value + np.float32(1)
            tensor = found[key]
            if tensor.tensor_type != gguf.GGMLQuantizationType.F32:
                value = gguf.quants.dequantize(gguf.quants.quantize(value, tensor.tensor_type), tensor.tensor_type)
            held = gguf.quants.dequantize(tensor.data, tensor.tensor_type).reshape(value.shape)
            if not np.array_equal(held, value):
                failures.append(f"{case}: {key} of {file.name} differs by {np.abs(held - value).max()}")
            compared += 1
    rest = {name for name in found if name.startswith("rope_f")}
    if compared + len(rest) != len(found):
        failures.append(f"{case}: {file.name} has {len(found)} tensors, {compared} were compared")
    bar(f"{case}: tensors of {file.name} are those of gguf-py ({element.name})", len(failures) == before, compared)


def check(case: str, base: Path, export) -> None:
    merged, peft = export("merged", "f32"), export("peft")
    torch.set_num_threads(2)
    plain = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32, attn_implementation="eager")
    tokenizer = AutoTokenizer.from_pretrained(merged)
    tokens = tokenizer.encode("Tell me: what day comes after Monday, and what colour is snow on a hill?", add_special_tokens=False)
    without = logits(plain, tokens)
    expected = logits(PeftModel.from_pretrained(plain, peft).eval(), tokens)
    whole = AutoModelForCausalLM.from_pretrained(merged, dtype="auto", attn_implementation="eager")
    found = logits(whole, tokens)
    distance = np.abs(found - expected).max()
    effect = np.abs(expected - without).max()
    bar(f"{case}: merged in transformers, of an effect of {effect:.2g}", whole.dtype == torch.float32 and distance <= MERGED_BAR < effect, distance)
    tensors = {name: value for name, value in whole.state_dict().items() if not (whole.config.tie_word_embeddings and name == "lm_head.weight")}
    goal = log_softmax(expected)
    for element in ["f32", "f16", "bf16", "q8_0", "q4_0"]:
        file = next(export("gguf", element).glob("*.gguf"))
        compare_tensors(case, file, tensors, whole.config, gguf.GGMLQuantizationType[element.upper()])
        if element in ("f32", "q8_0", "q4_0"):
            llama = LlamaCpp(file)
            found = llama.logprobs(tokens)
            distance = np.abs(found - goal).max()
            # Integers may choose other experts, and their rounding is compared above.
            limit = GGUF_BAR if element == "f32" else np.inf
            bar(f"{case}: llama.cpp on {element}", distance <= limit, distance)
            if element == "f32":
                same = [llama.ask("tokenize", dict(content=text, parse_special=True))["tokens"] == tokenizer.encode(text, add_special_tokens=False) for text in TEXTS]
                bar(f"{case}: llama.cpp's tokens", all(same), same)
                messages = [dict(role="user", content="One?")]
                prompt = llama.ask("apply-template", dict(messages=messages))["prompt"]
                bar(f"{case}: llama.cpp's prompt", prompt == tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True), repr(prompt[:40]))
            del llama
    plain_file = next(export("gguf", "f32", ":step0").glob("*.gguf"))
    adapter = next(export("adapter-gguf", "f32").glob("*.gguf"))
    llama = LlamaCpp(plain_file, adapter)
    distance = np.abs(llama.logprobs(tokens) - goal).max()
    bar(f"{case}: llama.cpp on base and adapter", distance <= GGUF_BAR, distance)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path("target/release/trainyard"))
    parser.add_argument("--only", nargs="*", choices=CASES, default=list(CASES))
    arguments = parser.parse_args()
    binary = str(arguments.binary.resolve())
    with tempfile.TemporaryDirectory(prefix="export-") as name:
        work = Path(name)
        bases = {case: "trainyard/seedling" if CASES[case] is None else f"random/{case}" for case in arguments.only}
        options = []
        for case, base in bases.items():
            make(case, work / case)
            options += [] if CASES[case] is None else ["--base-model", f"{base}={work / case}"]
        environment = {key: value for key, value in os.environ.items() if not key.startswith("TRAINYARD")}
        environment |= dict(TRAINYARD_DATA_DIR=str(work / "data"), TRAINYARD_BASE_URL="http://127.0.0.1:18973", HOME=name)
        server = subprocess.Popen([binary, "serve", "--listen", "127.0.0.1:18973", *options], env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
        try:
            for line in server.stdout:
                key = next((word for word in line.split() if word.startswith("ty_")), None)
                if key and "TRAINYARD_API_KEY" not in environment:
                    environment["TRAINYARD_API_KEY"] = key
                if line.startswith("listening on"):
                    break
            row = dict(messages=[dict(role="user", content="the code?"), dict(role="assistant", content="blue seven, red nine")])
            (work / "rows.jsonl").write_text(json.dumps(row) + "\n")
            def run(*line: str) -> None:
                ended = subprocess.run([binary, *line], env=environment, capture_output=True, text=True)
                if ended.returncode:
                    raise RuntimeError(f"{line[:2]}: {ended.stderr}")

            for case, base in bases.items():
                run("sft", f"p/{case}", str(work / "rows.jsonl"), "--base-model", base, "--epochs", "3", "--learning-rate", "0.01", "--watch")

            for case, base in bases.items():
                def export(form: str, element: str | None = None, step: str = "") -> Path:
                    out = work / f"{case}{step}-{form}-{element}"
                    weights = ["--weights", element] if element else []
                    run("export", f"p/{case}{step}", "--form", form, "--out", str(out), *weights, *options)
                    return out
                try:
                    check(case, work / case, export)
                except RuntimeError as error:
                    bar(case, False, error)
        finally:
            server.terminate()
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
