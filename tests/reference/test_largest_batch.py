#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The largest batch of a plan is the one that trying every batch finds. Without arguments: small cards, every batch from 1 on.
MODEL.pt CARD …: these models on whole cards, every batch from 1 on as well (`--from N`: from N on), and prints what it found."""
import argparse
import json
import os
import pathlib
import subprocess
import sys

from probe import Probe

BUILD = pathlib.Path(os.environ.get("TIDEMARK_BUILD", "build")).resolve()
TIDEMARK = str(BUILD / "bin" / "tidemark")
SAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "resources" / "samples"
GIB = 1 << 30
# What is left of the card besides the reserve decides how many batches there are to try. Where batches fit and fail in turn
# below the limit, by fragmentation, the search names one that fits beside one that does not: early-downsampling with all blocks
# checkpointed in 2 GiB of an H100, say, whose 1456 fits, 1457 does not, and neither does 1378.
PAIRS = [("resnet50", "t4", 3 * GIB, []), ("resnet50", "rtx-4090", 4 * GIB, ["--precision", "amp-fp16", "--channels-last"]),
         ("vit_b_16", "a100-40gb", 5 * GIB, ["--precision", "amp-bf16"]), ("small-gpt2", "rtx-3090", 3 * GIB, []),
         ("early-downsampling", "l4", 1 * GIB, []),
         ("late-downsampling", "rtx-5090", 3 * GIB, ["--optimizer", "sgd"])]
BEYOND = 12  # batches tried after the first that does not fit: none of them may fit by chance


def plan(model, *arguments):
    run = subprocess.run([TIDEMARK, "plan", str(model), "--json", *arguments], capture_output=True, text=True)
    assert run.returncode in (0, 3), run.stderr
    return json.loads(run.stdout)


def fits(probe, settings, batch, limit):
    answer = probe.ask(op="measure", settings={**settings, "batch": batch}, memory_limit=limit)
    assert answer["ok"], answer
    return answer["measurement"].get("out_of_memory") is None


def check(model, gpu, arguments, first=1):
    answer = plan(model, "--gpu", gpu, *arguments)
    context = answer["peak"]["process"]["value"] - max(answer["peak"]["reserved"], answer["first"]["reserved"])
    limit, largest = answer["capacity"] - context, answer["largest_batch"]
    assert largest and not answer["largest_batch_limit_reached"], answer["verdict"]
    probe = Probe((answer["gpu"]["id"], None, None, answer["settings"]["workspace"], ()), BUILD)
    assert probe.ask(op="open", path=str(model))["ok"]
    tried = {batch: fits(probe, answer["settings"], batch, limit) for batch in range(first, largest + BEYOND + 1)}
    probe.close()
    smallest_failure = min(batch for batch, good in tried.items() if not good)
    stray = [batch for batch, good in tried.items() if good and batch > smallest_failure]
    right = smallest_failure == largest + 1
    print(f"{pathlib.Path(model).stem} {gpu} {' '.join(arguments)}: largest {largest}, {len(tried)} batches tried, the first "
          f"failure {smallest_failure}, beyond it fit {stray or 'none'}: {'equal' if right else 'DIFFERENT'}", flush=True)
    return right


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", nargs="*", metavar="MODEL CARD")
    parser.add_argument("--from", type=int, default=1, dest="first")
    options = parser.parse_args()
    if options.pairs:
        results = [check(model, gpu, [], options.first) for model, gpu in zip(options.pairs[::2], options.pairs[1::2])]
    else:
        memory = {card["id"]: card["memory"] for card in json.loads((BUILD / "lib/nullgpu/gpus.json").read_text())["gpus"]}
        results = [check(SAMPLES / f"{model}.pt", gpu, ["--reserve", f"{memory[gpu] - left}", *arguments])
                   for model, gpu, left, arguments in PAIRS]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    if not os.path.exists(TIDEMARK):
        sys.exit(77)
    main()
