"""Recorded optimizer steps of the golden Qwen3."""

import json

import numpy as np
from client import Client, moment_name, relative
from conftest import TINY
from safetensors.numpy import load, load_file


class Steps:
    """Sequences, derivatives and expected results of `step-supervised` or `step-reinforce`."""

    def __init__(self, name: str):
        self.arrays = load_file(TINY / f"{name}.safetensors")
        self.expected = json.loads((TINY / f"{name}.json").read_text())
        indices = range(self.expected["sequences"])
        self.sequences = [self.arrays[f"ids.{i}"] for i in indices]
        factors = [self.arrays[f"coefficients.{i}"] for i in indices]
        self.scored = [factor != 0 for factor in factors]
        self.factors = [factor[scored] for factor, scored in zip(factors, self.scored)]
        self.logprobs = [self.arrays[f"logprobs.{i}"][scored] for i, scored in enumerate(self.scored)]

    def loss(self, logprobs) -> float:
        return sum(float((factor.astype(np.float64) * scores).sum()) for factor, scores in zip(self.factors, logprobs))

    def accumulate(self, client: Client, known: bool = False):
        if known:
            return client.accumulate_known(self.sequences, self.scored, self.factors)[0]
        return client.accumulate(self.sequences, self.scored, lambda *_: self.factors)[0]

    def check_gradients(self, client: Client, bound: float = 1e-5) -> None:
        """Compares the accumulated gradients with the recorded ones."""
        found, names = client.gradients(), [name for name in self.arrays if name.startswith("gradient.")]
        assert len(found) == len(names) > 0
        for name in names:
            assert relative(found[moment_name(name.removeprefix("gradient."))], self.arrays[name]) < bound, name

    def check_steps(self, client: Client, known: bool = False) -> None:
        """Makes the three recorded steps and compares losses, norms, and the parameters after the first."""
        for step in range(3):
            logprobs = self.accumulate(client, known)
            assert abs(self.loss(logprobs) / self.expected["losses"][step] - 1) < 1e-5
            if step == 0:
                assert max(np.abs(a - b).max() for a, b in zip(logprobs, self.logprobs)) < 2e-5
            assert abs(client.step(**self.expected)["norm"] / self.expected["gradient_norms"][step] - 1) < 1e-5
            if step == 0:
                after = load(client.state()[0])
                for name, value in after.items():
                    assert np.abs(value - self.arrays[f"after.{name}"]).max() < 2e-5, name
