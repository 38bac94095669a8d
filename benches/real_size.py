#!/usr/bin/env python3
"""Everything that the engine does with one model, beside llama.cpp and PyTorch with PEFT: start, chat, prompts, training.

    benches/real_size.py DIRECTORY --formats target/release/deps/formats-* --engine target/release/deps/training_engine-* \\
        --llama-bench PROGRAM --python VENV/bin/python --out target/real_size

DIRECTORY is a model of `peers/random_model.py` with `q8_0.gguf` and `q4_0.gguf`; llama-batched-bench lies beside llama-bench; VENV has
torch, transformers and peft. Contenders take turns: see the bench `formats` and `training_peers.py`, which this program runs
one after the other. Writes OUT.json and OUT.svg and prints a table. Memory is what is resident at the first token, or the peak
of a training step.
"""

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path

from ratio_bars import write_bars

HERE = Path(__file__).resolve().parent


def chat(options, directory):
    """Rows of the bench `formats`, with the limits of the machine."""
    out = directory / "formats.json"
    environment = {**os.environ, "FORMATS_MODEL": str(options.model), "FORMATS": options.weights, "FORMATS_OUT": str(out),
                   "FORMATS_ROUNDS": str(options.rounds), "LLAMA_BENCH": options.llama_bench}
    subprocess.run([options.formats, "--bench"], env=environment, check=True, stdout=subprocess.DEVNULL)
    figures = json.loads(out.read_text())
    memory = {row["weights"]: (row["ours"], row["llama.cpp"]) for row in figures["rows"] if row["work"] == "GB resident"}
    rows = []
    for row in figures["rows"]:
        if row["work"] == "GB resident" or row["ratio"] is None:
            continue
        unit = "s" if row["work"].startswith("seconds") else "tokens/s"
        name = row["work"].replace("seconds to the first token", "first token")
        rows.append({"work": f"{name}, {row['weights']}", "unit": unit, "ours": row["ours"], "peer": "llama.cpp",
                     "theirs": row["llama.cpp"], "ratio": row["ratio"], "of_limit": row["of_limit"],
                     "gigabytes": memory[row["weights"]]})
    return rows, {key: value for key, value in figures.items() if key != "rows"}


def training(options, directory):
    """Rows of the steps of `training_peers.py`."""
    out = directory / "training"
    command = [HERE / "training_peers.py", "--engine", options.engine, "--program", "none", "--python", options.python, "--models",
               options.model.parent, "--shapes", options.model.name, "--only", f"step, {options.model.name}, ", "--rounds",
               str(options.rounds), "--steps", "1", "--out", out, "--compile-all"]
    command += ["--one-at-a-time"] * options.one_at_a_time
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    rows = []
    for result in json.loads(out.with_suffix(".json").read_text()):
        ours = result["contenders"].pop("trainyard")
        for peer, theirs in result["contenders"].items():
            rows.append({"work": result["work"].replace(f"{options.model.name}, ", ""), "unit": "tokens/s", "peer": peer,
                         "ours": ours["tokens"] / ours["seconds"], "theirs": theirs["tokens"] / theirs["seconds"],
                         "ratio": theirs["seconds"] / ours["seconds"], "of_limit": ours["of_peak"],
                         "gigabytes": (ours["peak_bytes"] / 1e9, theirs["peak_bytes"] / 1e9)})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=lambda text: Path(text).resolve())
    parser.add_argument("--formats", required=True, help="the program of the bench formats")
    parser.add_argument("--engine", required=True, help="the program of the bench training_engine")
    parser.add_argument("--llama-bench", required=True)
    parser.add_argument("--python", help="leaves training out if it is not given")
    parser.add_argument("--one-at-a-time", action="store_true", help="see training_peers.py")
    parser.add_argument("--weights", default="bf16,int8,int4")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", default="target/real_size")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        rows, limits = chat(options, Path(directory))
        if options.python:
            rows += training(options, Path(directory))
    Path(options.out + ".json").write_text(json.dumps({"model": options.model.name, **limits, "rows": rows}, indent=1) + "\n")
    bars = [(row["work"], row["peer"], row["ratio"]) for row in rows]
    write_bars(options.out + ".svg", f"{options.model.name}: times as fast as the peer (same run; line: equal)", bars)
    print(f"{options.model.name} on {limits['threads']} threads, {limits['instructions']}: memory {limits['memory_gb_per_second']:.0f} GB/s, "
          f"{limits['bf16_gflops']:.0f} GFLOP/s in bf16, {limits['f32_gflops']:.0f} in f32\n")
    print("| work | ours | peer | | ratio | of the limit | GB, ours : peer |\n|---|---:|---|---:|---:|---:|---:|")
    for row in rows:
        limit = "" if row["of_limit"] is None else f"{row['of_limit']:.0%}"
        digits = 2 if row["unit"] == "s" else 0 if row["ours"] >= 100 else 1
        print(f"| {row['work']}, {row['unit']} | {row['ours']:.{digits}f} | {row['peer']} | {row['theirs']:.{digits}f} | "
              f"{row['ratio']:.2f} | {limit} | {' : '.join(f'{bytes:.2f}' for bytes in row['gigabytes'])} |")


main()
