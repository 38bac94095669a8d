"""Tensor work of training for a Trainyard worker: log-probabilities, gradients and optimizer steps over HTTP.

The protocol is `spec/learner.yaml`. Losses, advantages, packing and durability belong to the client.
"""

__version__ = "0.1.0"
