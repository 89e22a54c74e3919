#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Memory snapshots both ways: torch.cuda._memory_viz reads what `tidemark snapshot export` writes, and `tidemark snapshot
show` finds the planned step in what torch.cuda.memory._dump_snapshot writes of the same loop."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import compare
import test_torchsummary

BATCH = 8
READER = """
import json, os, pickle, sys, warnings
warnings.simplefilter("ignore")
import torch
from torch.cuda import _memory_viz
with open(sys.argv[1], "rb") as file:
    data = pickle.load(file)
events = data["device_traces"][0]
live = sum(block["size"] for segment in data["segments"] for block in segment["blocks"] if block["state"] == "active_allocated")
# From the end back to the start, then forward again: what is there at the end is known.
change = {"alloc": 1, "free_requested": -1}
now = live - sum(change.get(e["action"], 0) * e["size"] for e in events)
highest = now
for e in events:
    now += change.get(e["action"], 0) * e["size"]
    highest = max(highest, now)
gaps = sum(segment["total_size"] != sum(b["size"] for b in segment["blocks"]) for segment in data["segments"])
print(json.dumps({"highest": highest, "gaps": gaps, "trace": len(_memory_viz.trace(data).splitlines()),
                  "segments": len(_memory_viz.segsum(data)), "page": len(_memory_viz.trace_plot(data)),
                  "segment_page": len(_memory_viz.segment_plot(data)), "events": len(events)}))
sys.stdout.flush()
os._exit(0)
"""
WRITER = """
import os, sys, warnings
warnings.simplefilter("ignore")
import torch, torchvision
model = torchvision.models.resnet50(weights=None).cuda().train()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
x, y = torch.zeros(int(sys.argv[2]), 3, 224, 224, device="cuda"), torch.zeros(int(sys.argv[2]), dtype=torch.long, device="cuda")

def step():
    loss = torch.nn.functional.cross_entropy(model(x), y)
    loss.backward()
    del loss
    optimizer.step()
    optimizer.zero_grad()

step()
torch.cuda.memory._record_memory_history(max_entries=1 << 20, context="alloc", stacks="python")
for _ in range(3):
    step()
torch.cuda.memory._dump_snapshot(sys.argv[1])
sys.stdout.flush()
os._exit(0)
"""


def main():
    build = pathlib.Path(os.environ["TIDEMARK_BUILD"])
    exporter = compare.Exporter(build)
    model = test_torchsummary.exported(exporter, "resnet50")
    exporter.close()
    python = [str(build / "bin" / "nullgpu-run"), "--gpu", "a100-80gb", "--", sys.executable, "-c"]
    tidemark = str(build / "bin" / "tidemark")
    step = [str(model), "--batch", str(BATCH), "--optimizer", "sgd", "--workspace", "none"]

    def output(command):
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode not in (0, 3) or not run.stdout and command[0] == tidemark:
            sys.exit(f"{command[:3]} ended with {run.returncode}: {run.stderr[-500:]}")
        return run.stdout

    failed = []
    with tempfile.TemporaryDirectory() as folder:
        written = os.path.join(folder, "plan.pickle")
        output([tidemark, "snapshot", "export", *step, "-o", written])
        seen = json.loads(output([*python, READER, written]))
        planned = json.loads(output([tidemark, "plan", *step, "--json"]))["peak"]["allocated"]
        print(f"peak in the exported snapshot {seen['highest']}, planned {planned}; {seen}")
        failed += ["peak"] * (seen["highest"] != planned) + ["gaps"] * (seen["gaps"] > 0)
        failed += ["views"] * (min(seen["trace"], seen["segments"], seen["page"], seen["segment_page"]) < 20)

        recorded = os.path.join(folder, "python.pickle")
        output([*python, WRITER, recorded, str(BATCH)])
        text = output([tidemark, "snapshot", "show", recorded, "--model", *step])
        print(text)
        # Sizes are those asked for there and blocks here, but the steps are the same, event by event.
        peaks = re.search(r"Peak ([\d.]+) MiB at its event (\d+); planned ([\d.]+) MiB at event (\d+)", text)
        failed += ["laid over"] * (not peaks or peaks[2] != peaks[4] or "from event 0 on" not in text)
        failed += ["size"] * (not peaks or not 0.98 < float(peaks[1]) / float(peaks[3]) <= 1)
        failed += ["source"] * ("resnet.py:" not in text)
    print("failed:", failed) if failed else None
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
