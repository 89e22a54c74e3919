#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What cuDNN once said needs no cuDNN: a second process makes the same allocations without starting its libraries, and a
damaged memory changes nothing. Exits 77 (skip) without a cuDNN."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

RUN = """
import json, os, sys, torch
sys.path.insert(0, {folder!r})
from workspaces import source
if not source()[0].startswith("cudnn"):
    os._exit(77)
torch.backends.cudnn.benchmark = {benchmark}
net = torch.nn.Sequential(torch.nn.Conv2d(3, 32, 3), torch.nn.Conv2d(32, 32, 3, groups=32), torch.nn.Conv2d(32, 64, 1),
                          torch.nn.ConvTranspose2d(64, 16, 3, stride=2), torch.nn.Conv2d(16, 8, 5, padding=2)).cuda()
torch.cuda.memory._record_memory_history(max_entries=100000, context=None)
for channels_last in (False, True):
    for dtype in (None, torch.float16):
        x = torch.zeros(8, 3, 64, 64, device="cuda")
        x = x.to(memory_format=torch.channels_last) if channels_last else x
        with torch.autocast("cuda", dtype=dtype or torch.float16, enabled=dtype is not None):
            net(x).float().sum().backward()
sizes = [e["size"] for e in torch.cuda.memory._snapshot()["device_traces"][0] if e["action"] == "alloc"]
started = any("libcudnn_graph" in line for line in open("/proc/self/maps"))
print(json.dumps([sizes, started]))
sys.stdout.flush()
os._exit(0)
"""


def run(answers, benchmark=False):
    script = RUN.format(folder=str(pathlib.Path(__file__).parent), benchmark=benchmark)
    environment = {**os.environ, "TIDEMARK_WORKSPACE": "cudnn", "TIDEMARK_CUDNN_ANSWERS": answers}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    if done.returncode == 77:
        sys.exit(77)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def main():
    for benchmark in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            expected, started = run("", benchmark)
            assert started and len(expected) > 100
            assert run(folder, benchmark) == [expected, True], "answers that are being kept differ"
            assert run(folder, benchmark) == [expected, False], "remembered answers differ, or cuDNN was started for them"
            [file] = pathlib.Path(folder).iterdir()
            content = bytearray(file.read_bytes())
            content[len(content) // 2] ^= 0xFF
            file.write_bytes(content)
            assert run(folder, benchmark) == [expected, True], "a damaged memory changed an answer"
            assert run(folder, benchmark) == [expected, False], "a damaged memory was not repaired"


if __name__ == "__main__":
    main()
