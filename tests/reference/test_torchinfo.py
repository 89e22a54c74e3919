#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The figures of torchinfo's summary against those that `tidemark summary --torchsummary` gives for it, as torchinfo prints
them: bytes in hundredths of a megabyte. Its input is the size of a Python object, 64 bytes more than the tensor's."""
import json
import os
import pathlib
import subprocess
import sys

import compare
import test_torchsummary

MODELS = ("resnet18", "vgg16", "densenet121", "vit_b_16")
BATCH = 4
PEER = """
import json, os, sys, torch, torchvision, torchinfo
torch.set_num_threads(2)
model = torchvision.models.get_model(sys.argv[1], weights=None)
s = torchinfo.summary(model, input_size=(int(sys.argv[2]), 3, 224, 224), device="cpu", verbose=0)
print(json.dumps({"input": s.total_input, "pass": s.total_output_bytes, "parameters": s.total_param_bytes,
                  "parameter_count": s.total_params, "trainable_count": s.trainable_params}))
sys.stdout.flush()
os._exit(0)
"""


def json_of(command):
    run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "2"})
    try:
        return json.loads(run.stdout)
    except ValueError:
        sys.exit(f"{command[0]} gave no figures: {run.stderr[-400:]}")


def printed(figures):
    return {key: f"{value / 1e6:.2f} MB" if key in ("input", "pass", "parameters") else value for key, value in figures.items()}


def main():
    build = pathlib.Path(os.environ["TIDEMARK_BUILD"])
    exporter = compare.Exporter(build)
    failed = 0
    for name in MODELS:
        path = test_torchsummary.exported(exporter, name)
        peer = json_of([str(build / "bin" / "nullgpu-run"), "--", sys.executable, "-c", PEER, name, str(BATCH)])
        ours = json_of([str(build / "bin" / "tidemark"), "summary", str(path), "--torchsummary", "--json", "--batch", str(BATCH)])
        peer, ours = printed(peer), printed(ours["torchinfo"])
        different = {key: (value, ours[key]) for key, value in peer.items() if value != ours[key]}
        print(f"{name}: {len(peer)} figures, {len(different)} different")
        for key, (theirs, own) in different.items():
            print(f"  {key}: torchinfo {theirs}, tidemark {own}")
        failed += bool(different)
    exporter.close()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
