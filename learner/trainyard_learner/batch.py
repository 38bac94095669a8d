"""Sequences of a `forward` call, and their layout in the model's input.

A **piece** is the part of a batch that the model computes together: padded rows, or one row that is a prefix tree. In a
tree each shared leading token stands once; a token attends to its ancestors, and its position is its depth.
"""

from dataclasses import dataclass

import numpy as np

from . import wire
from .errors import ApiError, invalid

MAX_TOKENS = 1 << 22
MAX_SEQUENCES = 1 << 16
# A dense or block mask makes attention dearer than the causal kernel; a tree pays off below this share of the tokens.
TREE_SHARE = 0.85


@dataclass
class Batch:
    """Sequences, the places in each whose log-probability is requested, and where their results begin."""

    sequences: list[np.ndarray]
    places: list[np.ndarray]
    offsets: np.ndarray
    gradient: np.ndarray | None

    @property
    def results(self) -> int:
        """Number of requested log-probabilities."""
        return int(self.offsets[-1])

    @classmethod
    def read(cls, body: bytes, known_gradient: bool, vocabulary: int, longest: int) -> "Batch":
        """Reads the body of `forward`. Raises `ApiError` where it contradicts itself or the model."""
        required = {"tokens": "I32", "lengths": "I32", "scored": "U8"} | ({"gradient": "F32"} if known_gradient else {})
        tensors = wire.read(body, required)
        tokens, lengths, scored = tensors["tokens"], tensors["lengths"].astype(np.int64), tensors["scored"]
        if not 1 <= len(tokens) <= MAX_TOKENS:
            raise invalid("tokens", f"has {len(tokens)} elements; 1 to {MAX_TOKENS} are allowed")
        if not 1 <= len(lengths) <= MAX_SEQUENCES:
            raise invalid("lengths", f"has {len(lengths)} elements; 1 to {MAX_SEQUENCES} are allowed")
        if lengths.min() < 1 or lengths.sum() != len(tokens):
            raise invalid("lengths", f"must be at least 1 each and add up to the {len(tokens)} elements of tokens")
        if lengths.max() > longest:
            raise invalid("lengths", f"a sequence has {lengths.max()} tokens; the model takes {longest}")
        if tokens.min() < 0 or tokens.max() >= vocabulary:
            raise invalid("tokens", f"ids must be at least 0 and below {vocabulary}, the size of the vocabulary")
        if len(scored) != len(tokens) or scored.max() > 1:
            raise invalid("scored", "must have one element for each of tokens, each 0 or 1")
        starts = np.concatenate([[0], np.cumsum(lengths)])
        if scored[starts[:-1]].any():
            raise invalid("scored", "must be 0 at the first token of each sequence: nothing comes before it")
        places = [np.flatnonzero(part) for part in np.split(scored, starts[1:-1])]
        offsets = np.concatenate([[0], np.cumsum([len(place) for place in places])])
        batch = cls(np.split(tokens, starts[1:-1]), places, offsets, tensors.get("gradient"))
        if known_gradient:
            check_gradient(batch.gradient, batch.results)
        return batch

    def result_indices(self, members: list[int]) -> np.ndarray:
        """Returns the indices of the results of some sequences, in their order."""
        return np.concatenate([np.arange(self.offsets[i], self.offsets[i + 1]) for i in members] or [np.zeros(0, np.int64)])


def check_gradient(gradient: np.ndarray, results: int) -> None:
    """Raises `ApiError` unless there is one finite derivative for each log-probability."""
    if len(gradient) != results:
        raise invalid("gradient", f"has {len(gradient)} elements; there are {results} log-probabilities")
    if not np.isfinite(gradient).all():
        raise ApiError(422, "not_finite", "gradient: a derivative is not finite", "gradient")


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
    indices = list(range(len(batch.sequences)))
    lengths = [len(sequence) for sequence in batch.sequences]
    tree, costs = False, lengths
    if tree_allowed and packing != "pad":
        # Sequences with common leading tokens become neighbours; any order of single tokens serves.
        ordered = sorted(indices, key=lambda i: batch.sequences[i].tobytes())
        pairs = zip(ordered, ordered[1:])
        added = [lengths[ordered[0]]] + [lengths[b] - shared_prefix(batch.sequences[a], batch.sequences[b]) for a, b in pairs]
        tree = packing == "tree" or sum(added) < TREE_SHARE * len(indices) * max(lengths)
        if tree:
            indices, costs = ordered, dict(zip(ordered, added))
    parts: list[list[int]] = [[] for _ in range(ranks)]
    done, total = 0, sum(costs[i] for i in indices)
    for i in indices:
        parts[min(ranks - 1, (done + costs[i] // 2) * ranks // max(total, 1))].append(i)
        done += costs[i]
    return [_pieces(batch, part, costs, lengths, tree, max_tokens) for part in parts]


def _pieces(batch: Batch, part: list[int], costs, lengths: list[int], tree: bool, max_tokens: int) -> list[Piece]:
    pieces: list[Piece] = []
    for i in part:
        if lengths[i] > max_tokens:
            message = f"a sequence has {lengths[i]} tokens; the learner's memory is enough for {max_tokens} at a time"
            raise ApiError(503, "out_of_memory", message, "lengths")
        if pieces:
            last = pieces[-1]
            together = last.tokens + costs[i]
            if not tree:
                together = (len(last.members) + 1) * max(lengths[i], *(lengths[m] for m in last.members))
            if together <= max_tokens:
                last.members.append(i)
                last.tokens = together
                continue
        pieces.append(Piece([i], lengths[i], tree))
    return pieces


@dataclass
class Rows:
    """Model input of a piece. Row `rows[k]` of the flattened output predicts `targets[k]`."""

    tokens: np.ndarray
    rows: np.ndarray
    targets: np.ndarray
    depths: np.ndarray | None = None
    exits: np.ndarray | None = None


def lay_out(batch: Batch, piece: Piece) -> Rows:
    """Lays out a piece as padded rows, or as a tree in depth-first order.

    The descendants of tree node `n` and itself are the nodes `n .. exits[n]`, so node `i` attends to `j` if
    `j <= i < exits[j]`. Rows are padded at the end: causal attention keeps the padding out of all results.
    """
    sequences = [batch.sequences[i] for i in piece.members]
    places = [batch.places[i] for i in piece.members]
    targets = np.concatenate([sequence[place] for sequence, place in zip(sequences, places)]).astype(np.int64)
    if not piece.tree:
        width = max(map(len, sequences))
        tokens = np.zeros((len(sequences), width), np.int64)
        for row, sequence in zip(tokens, sequences):
            row[: len(sequence)] = sequence
        rows = np.concatenate([number * width + place - 1 for number, place in enumerate(places)])
        return Rows(tokens, rows, targets)
    paths, tokens, depths, count = [], [], [], 0
    for number, sequence in enumerate(sequences):
        shared = shared_prefix(sequences[number - 1], sequence) if number else 0
        fresh = len(sequence) - shared
        head = paths[-1][:shared] if number else np.zeros(0, np.int64)
        paths.append(np.concatenate([head, np.arange(count, count + fresh)]))
        tokens.append(sequence[shared:])
        depths.append(np.arange(shared, len(sequence)))
        count += fresh
    exits = np.zeros(count, np.int64)
    for path in paths:
        # A node's last visit is by the last sequence below it, whose last node is the last of the subtree.
        exits[path] = path[-1] + 1
    rows = np.concatenate([path[place - 1] for path, place in zip(paths, places)])
    return Rows(np.concatenate(tokens).astype(np.int64)[None], rows, targets, np.concatenate(depths)[None], exits)
