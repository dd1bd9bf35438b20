"""A training script as torchrun users have it: nothing in it knows of Trainyard.

    trainyard run --workers 2 --torchrun -- train.py
"""
import argparse
import os
import signal
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=100)
steps = parser.parse_args().steps

signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(0)
network = DistributedDataParallel(nn.Linear(16, 4))
optimizer = torch.optim.SGD(network.parameters(), lr=0.5)
step = 0
if os.path.exists("checkpoint.pt"):
    kept = torch.load("checkpoint.pt")
    step = kept["step"]
    network.load_state_dict(kept["network"])
dist.barrier()  # all have read it before rank 0 writes the next
print(f"rank {rank} of {world}, pid {os.getpid()}, {'going on from' if step else 'begins at'} step {step}", flush=True)

while step < steps:
    random = torch.Generator().manual_seed(step * world + rank)
    points = torch.randn(64, 16, generator=random)
    loss = nn.functional.cross_entropy(network(points), points[:, :4].argmax(dim=1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    step += 1
    if rank == 0 and step % 20 == 0:
        torch.save({"step": step, "network": network.state_dict()}, "checkpoint.new")
        os.replace("checkpoint.new", "checkpoint.pt")
        print(f"step {step:3}/{steps}  loss {loss.item():.4f}", flush=True)

print(f"rank {rank} has weights of norm {network.module.weight.norm():.6f}", flush=True)
dist.destroy_process_group()
