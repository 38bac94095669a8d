"""Processes that share a model's weights and the work of each call (FSDP2).

Rank 0 serves HTTP and broadcasts each call; all ranks then run the same call on their part of the sequences.
"""

import os
from datetime import timedelta

import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard

# Longest wait for another rank: many heartbeats of rank 0.
COLLECTIVE_TIMEOUT = timedelta(minutes=10)


class Ranks:
    """The process group; one process without torchrun's variables in the environment."""

    def __init__(self, device_type: str):
        self.world, self.rank, self.mesh = int(os.environ.get("WORLD_SIZE", "1")), int(os.environ.get("RANK", "0")), None
        if self.world > 1:
            if device_type == "cuda":
                torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
            dist.init_process_group("gloo" if device_type == "cpu" else "cpu:gloo,cuda:nccl", timeout=COLLECTIVE_TIMEOUT)
            self.mesh = dist.device_mesh.init_device_mesh(device_type, (self.world,))

    def broadcast(self, value=None):
        """Returns rank 0's value on all ranks."""
        values = [value]
        if self.world > 1:
            dist.broadcast_object_list(values, 0)
        return values[0]

    def reduce(self, tensor: torch.Tensor, operation=dist.ReduceOp.SUM) -> torch.Tensor:
        """Adds up a tensor over all ranks, in place, or reduces it by another operation."""
        if self.world > 1:
            dist.all_reduce(tensor, operation)
        return tensor

    def shard(self, decoder: torch.nn.Module) -> None:
        """Shards the frozen layers of a decoder. Embedding, final norm and head stay whole on each rank."""
        for layer in decoder.layers:
            fully_shard(layer, mesh=self.mesh)
        others = {parameter for name, parameter in decoder.named_parameters() if not name.startswith("layers.")}
        fully_shard(decoder, mesh=self.mesh, ignored_params=others)
