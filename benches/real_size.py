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


def picture(path, title, rows):
    """Bars: how many times as fast each work is."""
    left, row, longest = 400, 24, max(entry["ratio"] for entry in rows)
    scale = 380 / longest
    height = 60 + row * len(rows)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + 470}" height="{height}" font-family="sans-serif" font-size="12">'
             f'<rect width="100%" height="100%" fill="white"/><text x="12" y="22" font-size="14">{title}: times as fast as the peer '
             "(same run; line: equal)</text>"]
    for place, entry in enumerate(rows):
        y = 40 + row * place
        long = scale * entry["ratio"]
        parts.append(f'<text x="12" y="{y + 14}">{entry["work"]}</text><text x="{left - 8}" y="{y + 14}" text-anchor="end" fill="#555">'
                     f'{entry["peer"]}</text><rect x="{left}" y="{y + 2}" width="{long:.1f}" height="16" fill="#1f6feb" opacity="0.8"/>'
                     f'<text x="{left + long + 6:.1f}" y="{y + 14}">{entry["ratio"]:.2f}</text>')
    x = left + scale
    parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="36" y2="{height - 16}" stroke="#d1603d"/></svg>\n')
    Path(path).write_text("\n".join(parts))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=lambda text: Path(text).resolve())
    parser.add_argument("--formats", required=True, help="the program of the bench formats")
    parser.add_argument("--engine", required=True, help="the program of the bench training_engine")
    parser.add_argument("--llama-bench", required=True)
    parser.add_argument("--python", help="leaves training out if it is not given")
    parser.add_argument("--weights", default="bf16,int8,int4")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", default="target/real_size")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        rows, limits = chat(options, Path(directory))
        if options.python:
            rows += training(options, Path(directory))
    Path(options.out + ".json").write_text(json.dumps({"model": options.model.name, **limits, "rows": rows}, indent=1) + "\n")
    picture(options.out + ".svg", options.model.name, rows)
    print(f"{options.model.name} on {limits['threads']} threads, {limits['instructions']}: memory {limits['memory_gb_per_second']:.0f} GB/s, "
          f"{limits['bf16_gflops']:.0f} GFLOP/s in bf16, {limits['f32_gflops']:.0f} in f32\n")
    print("| work | ours | peer | | ratio | of the limit | GB, ours : peer |\n|---|---:|---|---:|---:|---:|---:|")
    for row in rows:
        limit = "" if row["of_limit"] is None else f"{row['of_limit']:.0%}"
        digits = 2 if row["unit"] == "s" else 0 if row["ours"] >= 100 else 1
        print(f"| {row['work']}, {row['unit']} | {row['ours']:.{digits}f} | {row['peer']} | {row['theirs']:.{digits}f} | "
              f"{row['ratio']:.2f} | {limit} | {' : '.join(f'{bytes:.2f}' for bytes in row['gigabytes'])} |")


main()
