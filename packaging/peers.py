# SPDX-License-Identifier: Apache-2.0
"""Times the Python tools that answer the same question; run over the null GPU. One JSON line a result.

  peers.py MODEL BATCH OPTIMIZER
"""
import json
import statistics
import sys
import time
import warnings

import torch
import torchvision

warnings.simplefilter("ignore")
REPEATS = 3


def optimizer_of(kind, parameters):
    if kind == "momentum":
        return torch.optim.SGD(parameters, lr=0.01, momentum=0.9)
    return torch.optim.AdamW(parameters, lr=1e-3)


def timed(run, repeats=REPEATS):
    """Median milliseconds after one run that is not counted."""
    run()
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        run()
        times.append(1000 * (time.perf_counter() - begin))
    return statistics.median(times)


def model_of(name):
    """Without torchvision's truncated normal values: drawing them looks at the tensor, which fake ones forbid."""
    torch.nn.init.trunc_normal_ = lambda tensor, *_, **__: tensor
    return torchvision.models.get_model(name, weights=None)


def memory_tracker(name, batch, kind):
    """A training step under FakeTensorMode, watched by torch.distributed's MemTracker."""
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.distributed._tools.mem_tracker import MemTracker
    with FakeTensorMode():
        with torch.device("cuda"):
            model = model_of(name)
            inputs = torch.zeros(batch, 3, 224, 224)
            target = torch.zeros(batch, dtype=torch.int64)
        optimizer = optimizer_of(kind, model.parameters())
        tracker = MemTracker()
        tracker.track_external(model, optimizer, inputs, target)

        def step():
            torch.nn.functional.cross_entropy(model(inputs), target).backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            tracker.reset_mod_stats()

        with tracker:
            milliseconds = timed(step)
        peak = tracker.get_tracker_snapshot("peak")
    total = next(values["Total"] for device, values in peak.items() if device.type == "cuda")
    return {"tool": "MemTracker", "ms": milliseconds, "bytes": total}


def eager(name, batch, kind):
    """The same step in eager Python on the null GPU."""
    model = torchvision.models.get_model(name, weights=None).cuda()
    inputs = torch.zeros(batch, 3, 224, 224).cuda()
    target = torch.zeros(batch, dtype=torch.int64).cuda()
    optimizer = optimizer_of(kind, model.parameters())

    def step():
        torch.nn.functional.cross_entropy(model(inputs), target).backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    milliseconds = timed(step)
    return {"tool": "eager Python", "ms": milliseconds, "bytes": torch.cuda.max_memory_allocated()}


def torchinfo_summary(name, batch, _):
    """torchinfo's table on the meta device: parameters and forward outputs, no training step."""
    import torchinfo
    with torch.device("meta"):
        model = torchvision.models.get_model(name, weights=None)
    found = []
    milliseconds = timed(lambda: found.append(torchinfo.summary(model, (batch, 3, 224, 224), device="meta", verbose=0)))
    result = found[-1]
    return {"tool": "torchinfo", "ms": milliseconds,
            "bytes": int(result.total_input + result.total_output_bytes + result.total_param_bytes)}


def main():
    name, batch, kind = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    for tool, peer in (("MemTracker", memory_tracker), ("eager Python", eager), ("torchinfo", torchinfo_summary)):
        try:
            print(json.dumps(peer(name, batch, kind)), flush=True)
        except Exception as error:
            print(json.dumps({"tool": tool, "error": f"{type(error).__name__}: {error}"}), flush=True)


if __name__ == "__main__":
    main()
