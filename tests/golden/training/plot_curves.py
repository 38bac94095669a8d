#!/usr/bin/env python3
"""Draw loss_curves.svg: the recorded losses of make_jobs.py with those of the engine laid over them.

    TRAINING_CURVES=curves.json cargo test --release jobs_of_twenty_steps
    venv/bin/pip install matplotlib && venv/bin/python tests/golden/training/plot_curves.py curves.json
"""
import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot as plt  # noqa: E402
from matplotlib.ticker import MultipleLocator  # noqa: E402

HERE = Path(__file__).resolve().parent
REFERENCE, OURS, GREY = "#e07b39", "#1f4e79", "#666666"


def main():
    jobs, curves = json.loads((HERE / "jobs.json").read_text()), json.loads(Path(sys.argv[1]).read_text())
    plt.rcParams.update({"font.family": "DejaVu Sans", "font.size": 10, "svg.hashsalt": "training", "axes.edgecolor": GREY,
                         "xtick.color": GREY, "ytick.color": GREY, "axes.labelcolor": GREY})
    figure, axes = plt.subplots(2, 2, figsize=(10, 7), sharex=True)
    for axis, job in zip(axes.flat, jobs):
        recorded, ours = job["losses"], curves[job["name"]]
        steps = range(1, len(recorded) + 1)
        axis.plot(steps, recorded, color=REFERENCE, linewidth=5, alpha=0.55, solid_capstyle="round", label="PyTorch + PEFT (float64)")
        axis.plot(steps, ours["losses"], color=OURS, linewidth=1.2, marker="o", markersize=3.5, label="Trainyard (float32)")
        off = max(abs(found / wanted - 1) for found, wanted in zip(ours["losses"], recorded))
        axis.text(0, 1.1, job["name"], transform=axis.transAxes, fontsize=11, fontweight="bold", color="#222222")
        axis.text(0, 1.03, f"losses within {off:.0e}, adapter at the end within {ours['adapter_difference']:.0e} of its change",
                  transform=axis.transAxes, fontsize=8.5, color=GREY, in_layout=False)
        if "groups" in job:
            axis.axhline(0, color="#bbbbbb", linewidth=0.8, zorder=0)
        axis.grid(axis="y", color="#eeeeee")
        axis.set_axisbelow(True)
        axis.spines[["top", "right"]].set_visible(False)
        axis.xaxis.set_major_locator(MultipleLocator(5))
        axis.set_xlim(0.5, len(recorded) + 0.5)
        axis.set_ylabel("loss")
    for axis in axes[-1]:
        axis.set_xlabel("optimizer step")
    handles, names = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, names, loc="upper center", ncols=2, frameon=False, fontsize=10)
    figure.text(0.5, 0.008, "Reinforcement learning: the sign follows each rollout's advantage. Supervised: every step has other rows.",
                ha="center", fontsize=8.5, color=GREY)
    figure.tight_layout(rect=(0, 0.02, 1, 0.95), h_pad=1.2, w_pad=2)
    figure.savefig(HERE / "loss_curves.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
