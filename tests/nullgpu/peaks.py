#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains over the null GPU and compares PyTorch's own peaks with known ones. Exits 77 (skip) without torchvision or
with another PyTorch than the one the figures are of."""
import os
import sys

import torch

VERSION = "2.15.0"
MIB = float(1 << 20)
# torchvision model: allocated and reserved in MiB at the steady state; fp32, batch 32, SGD with momentum, 224 x 224.
PEAKS = {"resnet50": (2868.31, 3270), "vit_b_16": (4610.49, 4918)}


def train(name):
    import torchvision
    model = getattr(torchvision.models, name)().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    images = torch.randn(32, 3, 224, 224, device="cuda")
    target = torch.randint(0, 1000, (32,), device="cuda")
    for _ in range(3):
        torch.cuda.reset_peak_memory_stats()
        loss = torch.nn.functional.cross_entropy(model(images), target)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        del loss
    return torch.cuda.max_memory_allocated() / MIB, torch.cuda.max_memory_reserved() / MIB


def leave(code):
    sys.stdout.flush()
    os._exit(code)  # PyTorch's autograd thread sometimes aborts while Python shuts down


def main():
    try:
        import torchvision  # noqa: F401
    except ImportError:
        print("skipped: torchvision is not installed")
        leave(77)
    if torch.__version__.split("+")[0] != VERSION:
        print(f"skipped: the peaks are of torch {VERSION}, this is {torch.__version__}")
        leave(77)
    wrong = 0
    for name in sys.argv[1:] or PEAKS:
        allocated, reserved = train(name)
        right = round(allocated, 2) == PEAKS[name][0] and reserved == PEAKS[name][1]
        wrong += not right
        print(f"{'ok  ' if right else 'FAIL'} {name}: {allocated:.2f} MiB allocated, {reserved:g} MiB reserved")
        torch.cuda.empty_cache()
    leave(1 if wrong else 0)


if __name__ == "__main__":
    main()
