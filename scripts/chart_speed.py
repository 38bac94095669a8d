#!/usr/bin/env python3
"""Writes docs/images/speed.svg: Trainyard's speed over that of other programs, from the tables of benches/README.md.

    venv/bin/pip install -r scripts/pictures_requirements.txt
    venv/bin/python scripts/chart_speed.py
"""
from pathlib import Path

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "trainyard", "font.family": ["sans-serif"], "font.size": 11}
import matplotlib.pyplot as plt

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs/images/speed.svg"
SERVING, TRAINING = "#2f6f9f", "#c2703d"
# First cell of a row in benches/README.md, its label, its peer, the unit of both figures, and its group.
ROWS = [
    ("one stream, tokens/s, llama.cpp", "chat, one stream", "llama.cpp", "tokens/s", SERVING),
    ("prompt of 512, tokens/s, llama.cpp", "prompt of 512 tokens", "llama.cpp", "tokens/s", SERVING),
    ("8 clients, 128 in and out, logprobs, tokens/s, llama-server", "8 clients over HTTP", "llama-server", "tokens/s", SERVING),
    ("the same, vLLM on the CPU", "8 clients over HTTP", "vLLM (CPU)", "tokens/s", SERVING),
    ("the same, the base model and 3 adapters, vLLM", "8 clients, base and 3 adapters", "vLLM (CPU)", "tokens/s", SERVING),
    ("107m, f32; torch whose MKL may use AVX-512", "training step, 107m, f32", "PyTorch + PEFT", "tokens/s", TRAINING),
    ("54m, bf16; torch with autocast, compiled", "training step, 54m, bf16", "PyTorch + PEFT, compiled", "tokens/s", TRAINING),
    ("107m, bf16; torch with autocast", "training step, 107m, bf16", "PyTorch + PEFT", "tokens/s", TRAINING),
    ("SFT: 24 conversations, 6 steps; TRL", "whole SFT job, 54m, bf16", "TRL", "s", TRAINING),
    ("RL: 8 groups of 8 completions of 64 on a prompt of 512; torch, prompts repeated", "whole RL job, 54m, bf16", "PyTorch", "s", TRAINING),
]


def recorded() -> dict[str, list[str]]:
    """The cells of each table row of benches/README.md by its first cell."""
    lines = (ROOT / "benches/README.md").read_text().splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return {row[0]: row[1:] for row in rows}


def main() -> None:
    rows = recorded()
    figure, axes = plt.subplots(figsize=(9.2, 4.6))
    figure.patch.set_facecolor("white")
    for place, (name, label, peer, unit, colour) in enumerate(reversed(ROWS)):
        ours, other, ratio = rows[name][:3]
        axes.barh(place, float(ratio), color=colour, height=0.66)
        axes.text(float(ratio) + 0.06, place, f"{ratio}×", va="center", weight="bold", color="#222222")
        axes.text(8.45, place, f"{ours} : {other} {unit}", va="center", ha="right", size=10, color="#555555")
        axes.text(-0.08, place + 0.16, label, va="center", ha="right", color="#222222")
        axes.text(-0.08, place - 0.23, f"against {peer}", va="center", ha="right", size=9, color="#777777")
    axes.axvline(1, color="#222222", linewidth=1, linestyle=(0, (3, 3)))
    axes.text(1, len(ROWS) - 0.35, "as fast as the peer", ha="center", va="bottom", size=9, color="#222222")
    axes.text(8.45, len(ROWS) - 0.35, "Trainyard : peer", ha="right", va="bottom", size=9, color="#555555")
    axes.set(xlim=(0, 8.5), ylim=(-0.6, len(ROWS) - 0.1), yticks=[], xticks=[])
    axes.spines[:].set_visible(False)
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour) for colour in (SERVING, TRAINING)]
    axes.legend(handles, ["serving, 107m, bf16", "training, LoRA"], loc="center right", bbox_to_anchor=(0.78, 0.36), frameon=False)
    figure.suptitle("Speed as a multiple of the peer's, two CPU cores, longer is faster", x=0.5, y=0.98, size=13, weight="bold")
    figure.subplots_adjust(left=0.3, right=0.985, top=0.88, bottom=0.02)
    PICTURE.parent.mkdir(exist_ok=True)
    figure.savefig(PICTURE, metadata={"Date": None, "Creator": None})
    print(PICTURE.relative_to(ROOT), f"{PICTURE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
