"""Sequences of a `forward` call, and their layout in the model's input.

A **piece** is the part of a batch that the model computes together: padded rows, or one row that is a prefix tree. In a
tree each shared leading token stands once; a token attends to its ancestors, and its position is its depth.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .protocol import ApiError, invalid

# Paths or a block mask make attention dearer than the causal kernel; a tree pays off below this share of the tokens.
TREE_SHARE = 0.85


@dataclass
class Sequence:
    """Tokens, the places of those whose log-probability is requested, and the indices of these results in the batch."""

    tokens: np.ndarray
    places: np.ndarray
    results: np.ndarray


@dataclass
class Piece:
    """Sequences that are computed together, and the tokens that the model sees."""

    sequences: list[Sequence]
    tokens: int
    tree: bool

    @property
    def results(self) -> np.ndarray:
        """Indices of the results in the batch, in the order of the sequences."""
        return np.concatenate([sequence.results for sequence in self.sequences])


# A piece for ranks that have no work while others do: collectives need equally many passes.
NOTHING = Piece([Sequence(np.zeros(1, np.int32), np.zeros(0, np.int64), np.zeros(0, np.int64))], 1, False)


def split(tokens: np.ndarray, lengths: np.ndarray, scored: np.ndarray) -> list[Sequence]:
    """Splits the tensors of `forward` into sequences."""
    ends = np.cumsum(lengths)[:-1]
    places = [np.flatnonzero(part) for part in np.split(scored, ends)]
    results = np.split(np.arange(scored.sum()), np.cumsum([len(part) for part in places])[:-1])
    return [Sequence(*parts) for parts in zip(np.split(tokens, ends), places, results)]


def check(tokens: np.ndarray, lengths: np.ndarray, scored: np.ndarray, vocabulary: int, longest: int) -> None:
    """Raises `ApiError` where the tensors of `forward` contradict each other or the model."""
    for name, tensor, most in (("tokens", tokens, 1 << 22), ("lengths", lengths, 1 << 16)):
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


def shared_prefix(left: np.ndarray, right: np.ndarray) -> int:
    """Returns the number of leading tokens that two sequences share."""
    length = min(len(left), len(right))
    differs = np.flatnonzero(left[:length] != right[:length])
    return int(differs[0]) if len(differs) else length


def divide(sequences: list[Sequence], packing: str, tree_allowed: bool, max_tokens: int, ranks: int) -> list[list[Piece]]:
    """Divides a batch among ranks of about equal work, and each part into pieces of at most `max_tokens`."""
    costs = [len(sequence.tokens) for sequence in sequences]
    longest, tree = max(costs), False
    if longest > max_tokens:
        message = f"a sequence has {longest} tokens; the learner's memory is enough for {max_tokens} at a time"
        raise ApiError(503, "out_of_memory", message, "lengths")
    if tree_allowed and packing != "pad":
        # Sequences with common leading tokens become neighbours; any order of single tokens serves.
        ordered = sorted(sequences, key=lambda sequence: sequence.tokens.tobytes())
        shared = [0] + [shared_prefix(left.tokens, right.tokens) for left, right in pairwise(ordered)]
        added = [len(sequence.tokens) - length for sequence, length in zip(ordered, shared)]
        if packing == "tree" or sum(added) < TREE_SHARE * len(sequences) * longest:
            sequences, costs, tree = ordered, added, True
    parts: list[list[Piece]] = [[] for _ in range(ranks)]
    middles, total = np.cumsum(costs) - np.array(costs) / 2, sum(costs)
    for sequence, cost, middle in zip(sequences, costs, middles):
        part = parts[min(ranks - 1, int(middle / total * ranks))]
        if part:
            last = part[-1]
            width = max(len(sequence.tokens), last.tokens // len(last.sequences))  # Of padded rows.
            tokens = last.tokens + cost if tree else (len(last.sequences) + 1) * width
            if tokens <= max_tokens:
                last.sequences.append(sequence)
                last.tokens = tokens
                continue
        part.append(Piece([sequence], len(sequence.tokens), tree))
    rounds = max(map(len, parts))
    return [part + [NOTHING] * (rounds - len(part)) for part in parts]


def lay_out(piece: Piece) -> tuple[np.ndarray, np.ndarray, np.ndarray | None, list[np.ndarray]]:
    """Lays out a piece as padded rows, or as a tree in depth-first order.

    Returns token ids [rows, width], the row of the flattened output that predicts each result's token, and of a tree the
    positions [1, width] and the nodes on the path of each sequence, of which the last ones are its own: those beyond all
    paths before. Rows are padded at the end: causal attention keeps the padding out of all results.
    """
    sequences, places = [sequence.tokens for sequence in piece.sequences], [sequence.places for sequence in piece.sequences]
    if not piece.tree:
        width = max(map(len, sequences))
        tokens = np.stack([np.pad(sequence, (0, width - len(sequence))) for sequence in sequences])
        return tokens, np.concatenate([number * width + place - 1 for number, place in enumerate(places)]), None, []
    paths, tokens, positions, count = [], [], [], 0
    for number, sequence in enumerate(sequences):
        shared = shared_prefix(sequences[number - 1], sequence) if number else 0
        own = np.arange(count, count := count + len(sequence) - shared)
        paths.append(np.concatenate([paths[-1][:shared], own]) if number else own)
        tokens.append(sequence[shared:])
        positions.append(np.arange(shared, len(sequence)))
    rows = np.concatenate([path[place - 1] for path, place in zip(paths, places)])
    return np.concatenate(tokens)[None], rows, np.concatenate(positions)[None], paths
