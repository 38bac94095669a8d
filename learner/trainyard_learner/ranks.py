"""Processes that share a model's weights and the work of each call (FSDP2).

Rank 0 serves HTTP and broadcasts each call; all ranks then run the same call on their part of the sequences. Calls travel
as JSON and raw bytes, never as pickled objects.
"""

import json
import os
from datetime import timedelta

import torch
import torch.distributed as dist

# Longest wait for another rank; shorter than the heartbeat would end an idle group.
COLLECTIVE_TIMEOUT = timedelta(minutes=10)
HEARTBEAT_SECONDS = 60


class Ranks:
    """The process group; one process without torchrun's variables in the environment."""

    def __init__(self, device_type: str):
        self.world, self.rank, self.mesh = int(os.environ.get("WORLD_SIZE", "1")), int(os.environ.get("RANK", "0")), None
        if self.world > 1:
            backend = "gloo" if device_type == "cpu" else "cpu:gloo,cuda:nccl"
            if device_type == "cuda":
                torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
            dist.init_process_group(backend, timeout=COLLECTIVE_TIMEOUT)
            self.mesh = dist.device_mesh.init_device_mesh(device_type, (self.world,))

    def send(self, name: str, arguments: dict, body: bytes) -> None:
        """Sends a call from rank 0 to all others. An empty name is a heartbeat."""
        if self.world > 1:
            head = json.dumps({"name": name, "arguments": arguments}).encode()
            dist.broadcast(torch.tensor([len(head), len(body)]), 0)
            dist.broadcast(torch.frombuffer(bytearray(head + body), dtype=torch.uint8), 0)

    def receive(self) -> tuple[str, dict, bytes]:
        """Waits for the next call of rank 0."""
        lengths = torch.zeros(2, dtype=torch.int64)
        dist.broadcast(lengths, 0)
        head_length, body_length = lengths.tolist()
        data = torch.empty(head_length + body_length, dtype=torch.uint8)
        dist.broadcast(data, 0)
        data = data.numpy().tobytes()
        head = json.loads(data[:head_length])
        return head["name"], head["arguments"], data[head_length:]

    def sum(self, tensor: torch.Tensor) -> torch.Tensor:
        """Adds up a tensor over all ranks, in place."""
        if self.world > 1:
            dist.all_reduce(tensor)
        return tensor

    def minimum(self, value: int) -> int:
        """Returns the smallest value of all ranks."""
        if self.world == 1:
            return value
        tensor = torch.tensor([value])
        dist.all_reduce(tensor, dist.ReduceOp.MIN)
        return int(tensor)

    def shard(self, decoder: torch.nn.Module) -> None:
        """Shards the frozen layers of a decoder. Embedding, final norm and head stay whole on each rank."""
        from torch.distributed.fsdp import fully_shard

        layers = list(decoder.layers)
        for layer in layers:
            fully_shard(layer, mesh=self.mesh, reshard_after_forward=True)
        sharded = {parameter for layer in layers for parameter in layer.parameters()}
        fully_shard(decoder, mesh=self.mesh, ignored_params=set(decoder.parameters()) - sharded)
