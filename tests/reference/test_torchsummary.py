#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""torchsummary's own output, line by line, against `tidemark summary --torchsummary`."""
import itertools
import os
import pathlib
import subprocess
import sys

import compare

MODELS = ("resnet18", "vgg16", "resnet50")  # of DenseNets torchsummary fails: their layers take lists
PEER = """
import sys, torch, torchvision, torchsummary
torch.set_num_threads(2)
model = torchvision.models.get_model(sys.argv[1], weights=None)
torchsummary.summary(model, (3, 224, 224), device="cpu")
sys.stdout.flush()
import os
os._exit(0)
"""


def own_lines(text):
    """What torchsummary prints: from its first rule to its last."""
    lines = [line.rstrip() for line in text.splitlines()]
    rules = [i for i, line in enumerate(lines) if line and set(line) <= {"-"}]
    return lines[rules[0]:rules[2] + 1] if len(rules) > 2 else lines


def output_of(command):
    run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "2"})
    return own_lines(run.stdout) if run.stdout else [run.stderr]


def exported(exporter, name):
    """The TorchScript file of a torchvision model."""
    path, _, problem = exporter.file_for(compare.completed({"lib": "torchvision", "model": name}))
    if problem:
        sys.exit(f"{name} was not exported: {problem}")
    return path


def main():
    build = pathlib.Path(os.environ["TIDEMARK_BUILD"])
    exporter = compare.Exporter(build)
    failed = 0
    for name in MODELS:
        path = exported(exporter, name)
        peer = output_of([str(build / "bin" / "nullgpu-run"), "--", sys.executable, "-c", PEER, name])
        ours = output_of([str(build / "bin" / "tidemark"), "summary", str(path), "--torchsummary"])
        different = [(a, b) for a, b in itertools.zip_longest(peer, ours, fillvalue="(no line)") if a != b]
        print(f"{name}: {len(peer)} lines, {len(different)} different")
        for theirs, own in different[:6]:
            print(f"  torchsummary: {theirs}\n  tidemark:     {own}")
        failed += bool(different) or len(peer) < 10
    exporter.close()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
