#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which layers hold GPT-2's peak: the planner's names against Python's own allocator history on the null GPU.

PyTorch notes the Python stack of every allocation of the forward pass (backward runs without Python). What is alive at
the peak is summed by the class whose code asked for it, and by layer in the probe's timeline.
"""
import collections
import json
import os
import pathlib
import subprocess
import sys

import compare
from probe import Probes

BATCH, SEQ = 4, 1024
PEER = """
import collections, inspect, json, linecache, os, sys, warnings
warnings.simplefilter("ignore")
import torch, transformers
from transformers.models.gpt2 import modeling_gpt2 as source
batch, seq = int(sys.argv[1]), int(sys.argv[2])
model = transformers.GPT2LMHeadModel(transformers.GPT2Config()).cuda().train()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
tokens = torch.zeros(batch, seq, dtype=torch.long, device="cuda")

def step():
    loss = model(input_ids=tokens, labels=tokens).loss
    loss.backward()
    del loss
    optimizer.step()
    optimizer.zero_grad()

step()
step()
torch.cuda.memory._record_memory_history(max_entries=1 << 20, context="alloc", stacks="python")
step()
live, now, highest, at_peak = {}, 0, 0, {}
for entry in torch.cuda.memory._snapshot()["device_traces"][0]:
    if entry["action"] == "alloc":
        live[entry["addr"]] = entry
        now += entry["size"]
    elif entry["action"] == "free_requested" and entry["addr"] in live:
        now -= live.pop(entry["addr"])["size"]
    if now > highest:
        highest, at_peak = now, dict(live)

def group(frames):
    if any(frame["name"] == "cross_entropy" for frame in frames):
        return "loss"
    for frame in frames:
        if frame["filename"] != source.__file__:
            continue
        for name in ("GPT2Attention", "GPT2MLP"):
            lines, start = inspect.getsourcelines(getattr(source, name))
            if start <= frame["line"] < start + len(lines):
                return name
        if "self.lm_head(" in linecache.getline(source.__file__, frame["line"]):
            return "lm_head"
    return "other" if frames else "backward"

sums = collections.Counter()
for entry in at_peak.values():
    sums[group(entry["frames"])] += -(-entry["size"] // 512) * 512
print(json.dumps(sums))
sys.stdout.flush()
os._exit(0)
"""


def layer_group(path):
    parts = path.split(".")
    return {"attn": "GPT2Attention", "mlp": "GPT2MLP", "lm_head": "lm_head"}.get(
        next((part for part in parts if part in ("attn", "mlp", "lm_head")), ""), "other")


def planned(build, path, case):
    """Bytes alive at the peak that the forward pass allocated, by group, and all of the model's paths."""
    probes = Probes(build)
    measurement, problem = probes.measure(case, path, detail=("layers", "timeline"))
    model = probes._probe.ask(op="open", path=str(path))["model"]
    probes.close()
    if problem:
        sys.exit(problem)
    timeline = measurement["timeline"]
    forward = [(begin, end) for name, begin, end in timeline["phases"] if name.startswith("forward")]
    peak, rows = timeline["peak_event"], timeline["allocations"]
    sums = collections.Counter()
    for born, freed, size, layer, op in zip(*(rows[key] for key in ("born", "freed", "bytes", "layer", "op"))):
        alive = born <= peak and not 0 <= freed <= peak
        if alive and any(begin <= born < end for begin, end in forward):
            loss = op >= 0 and "cross_entropy" in timeline["ops"][op]
            sums["loss" if loss else layer_group(model["layers"][layer]["path"] if layer >= 0 else "")] += size
    return sums


def main():
    build = pathlib.Path(os.environ["TIDEMARK_BUILD"])
    case = compare.completed({"lib": "transformers", "model": "gpt2", "batch": BATCH, "seq": SEQ})
    exporter = compare.Exporter(build)
    path, _, problem = exporter.file_for(case)
    exporter.close()
    if problem:
        sys.exit(f"gpt2 was not exported: {problem}")
    run = subprocess.run([str(build / "bin" / "nullgpu-run"), "--gpu", "a100-80gb", "--", sys.executable, "-c", PEER,
                          str(BATCH), str(SEQ)], capture_output=True, text=True)
    if not run.stdout:
        sys.exit(run.stderr[-600:])
    peer, ours = collections.Counter(json.loads(run.stdout)), planned(build, path, case)
    failed = 0
    for name in ("GPT2MLP", "GPT2Attention", "lm_head", "loss"):
        # History notes what was asked for; the allocator leaves up to 1 MiB of a large block unsplit.
        same = 0 <= ours[name] - peer[name] <= 1 << 20 and (peer[name] > 0 or name == "lm_head")
        print(f"{name}: Python {peer[name]}, planned {ours[name]}{'' if same else '  differs'}")
        failed += not same
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
