"""Sequences of a `forward` call, and their layout in the model's input.

A **piece** is the part of a batch that the model computes together: padded rows, or one row that is a prefix tree. In a
tree each shared leading token stands once; a token attends to its ancestors, and its position is its depth.
"""

from dataclasses import dataclass

import numpy as np
import torch

from .protocol import ApiError, invalid

MAX_TOKENS = 1 << 22
MAX_SEQUENCES = 1 << 16
# A dense or block mask makes attention dearer than the causal kernel; a tree pays off below this share of the tokens.
TREE_SHARE = 0.85


NOTHING = np.zeros(0, np.int64)


@dataclass
class Batch:
    """Sequences, the places in each whose log-probability is requested, and the indices of these results."""

    sequences: list[np.ndarray]
    places: list[np.ndarray]
    results: list[np.ndarray]

    @classmethod
    def split(cls, tokens: np.ndarray, lengths: np.ndarray, scored: np.ndarray) -> "Batch":
        """Splits the tensors of `forward`."""
        ends = np.cumsum(lengths)[:-1]
        places = [np.flatnonzero(part) for part in np.split(scored, ends)]
        results = np.split(np.arange(scored.sum()), np.cumsum([len(place) for place in places])[:-1])
        return cls(np.split(tokens, ends), places, results)

    @classmethod
    def read(cls, tokens: np.ndarray, lengths: np.ndarray, scored: np.ndarray, vocabulary: int, longest: int) -> "Batch":
        """Checks and splits the tensors of `forward`. Raises `ApiError` where they contradict each other or the model."""
        for name, tensor, most in (("tokens", tokens, MAX_TOKENS), ("lengths", lengths, MAX_SEQUENCES)):
            if not 1 <= len(tensor) <= most:
                raise invalid(name, f"has {len(tensor)} elements; 1 to {most} are allowed")
        if lengths.min() < 1 or lengths.sum(dtype=np.int64) != len(tokens):
            raise invalid("lengths", f"must be at least 1 each and add up to the {len(tokens)} elements of tokens")
        if lengths.max() > longest:
            raise invalid("lengths", f"a sequence has {lengths.max()} tokens; the model takes {longest}")
        if tokens.min() < 0 or tokens.max() >= vocabulary:
            raise invalid("tokens", f"ids must be at least 0 and below {vocabulary}, the size of the vocabulary")
        if len(scored) != len(tokens) or scored.max() > 1:
            raise invalid("scored", "must have one element for each of tokens, each 0 or 1")
        if scored[np.cumsum(lengths) - lengths].any():
            raise invalid("scored", "must be 0 at the first token of each sequence: nothing comes before it")
        return cls.split(tokens, lengths, scored)


def check_gradient(gradient: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Returns the derivatives. Raises `ApiError` unless there is a finite one for each log-probability."""
    results = sum(map(len, batch.places))
    if len(gradient) != results:
        raise invalid("gradient", f"has {len(gradient)} elements; there are {results} log-probabilities")
    if not gradient.isfinite().all():
        raise ApiError(422, "not_finite", "gradient: a derivative is not finite", "gradient")
    return gradient


@dataclass
class Piece:
    """Sequences that are computed together, by their index in the batch."""

    members: list[int]
    tokens: int
    tree: bool


def shared_prefix(left: np.ndarray, right: np.ndarray) -> int:
    """Returns the number of leading tokens that two sequences share."""
    length = min(len(left), len(right))
    differs = np.flatnonzero(left[:length] != right[:length])
    return int(differs[0]) if len(differs) else length


def divide(batch: Batch, packing: str, tree_allowed: bool, max_tokens: int, ranks: int) -> list[list[Piece]]:
    """Divides a batch among ranks of about equal work, and each part into pieces of at most `max_tokens`."""
    lengths = [len(sequence) for sequence in batch.sequences]
    order, costs, tree = list(range(len(lengths))), lengths, False
    if max(lengths) > max_tokens:
        message = f"a sequence has {max(lengths)} tokens; the learner's memory is enough for {max_tokens} at a time"
        raise ApiError(503, "out_of_memory", message, "lengths")
    if tree_allowed and packing != "pad":
        # Sequences with common leading tokens become neighbours; any order of single tokens serves.
        ordered = sorted(order, key=lambda i: batch.sequences[i].tobytes())
        added = {ordered[0]: lengths[ordered[0]]}
        added |= {b: lengths[b] - shared_prefix(batch.sequences[a], batch.sequences[b]) for a, b in zip(ordered, ordered[1:])}
        if packing == "tree" or sum(added.values()) < TREE_SHARE * len(order) * max(lengths):
            order, costs, tree = ordered, added, True
    parts: list[list[Piece]] = [[] for _ in range(ranks)]
    done, total = 0, sum(costs[i] for i in order)
    for i in order:
        part = parts[min(ranks - 1, (done + costs[i] // 2) * ranks // total)]
        done += costs[i]
        if part:
            last = part[-1]
            width = max(lengths[i], last.tokens // len(last.members))  # Of padded rows.
            tokens = last.tokens + costs[i] if tree else (len(last.members) + 1) * width
            if tokens <= max_tokens:
                last.members.append(i)
                last.tokens = tokens
                continue
        part.append(Piece([i], lengths[i], tree))
    return parts


@dataclass
class Rows:
    """Model input of a piece. Row `rows[k]` of the flattened output predicts `targets[k]`, the batch's result `results[k]`."""

    tokens: np.ndarray
    rows: np.ndarray
    targets: np.ndarray
    results: np.ndarray
    depths: np.ndarray | None = None
    exits: np.ndarray | None = None


def lay_out(batch: Batch, piece: Piece) -> Rows:
    """Lays out a piece as padded rows, or as a tree in depth-first order; a piece of nothing as one token without results.

    The descendants of tree node `n` and itself are the nodes `n .. exits[n]`, so node `i` attends to `j` if
    `j <= i < exits[j]`. Rows are padded at the end: causal attention keeps the padding out of all results.
    """
    sequences = [batch.sequences[i] for i in piece.members] or [np.zeros(1, np.int32)]
    places = [batch.places[i] for i in piece.members] or [NOTHING]
    targets = np.concatenate([sequence[place] for sequence, place in zip(sequences, places)])
    results = np.concatenate([batch.results[i] for i in piece.members] or [NOTHING])
    if not piece.tree:
        width = max(map(len, sequences))
        tokens = np.stack([np.pad(sequence, (0, width - len(sequence))) for sequence in sequences])
        rows = np.concatenate([number * width + place - 1 for number, place in enumerate(places)])
        return Rows(tokens, rows, targets, results)
    paths, tokens, depths, count = [NOTHING], [], [], 0
    for previous, sequence in zip([NOTHING, *sequences], sequences):
        shared = shared_prefix(previous, sequence)
        fresh = np.arange(count, count := count + len(sequence) - shared)
        paths.append(np.concatenate([paths[-1][:shared], fresh]))
        tokens.append(sequence[shared:])
        depths.append(np.arange(shared, len(sequence)))
    exits = np.zeros(count, np.int64)
    for path in paths[1:]:
        # A node's last visit is by the last sequence below it, whose last node is the last of the subtree.
        exits[path] = path[-1] + 1
    rows = np.concatenate([path[place - 1] for path, place in zip(paths[1:], places)])
    return Rows(np.concatenate(tokens)[None], rows, targets, results, np.concatenate(depths)[None], exits)
