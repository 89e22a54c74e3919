#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`tidemark compare` of real models: the layers' differences at the peak sum to the difference of the peaks, exactly."""
import json
import os
import pathlib
import subprocess
import sys

import compare


def compared(tidemark, arguments):
    run = subprocess.run([str(tidemark), "compare", *arguments, "--batch", "32", "--json"], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"compare {arguments} failed: {run.stderr}")
    return json.loads(run.stdout)


def problems_of(result):
    """What is wrong with a comparison."""
    rows = result["layers"]
    found = []
    for column in ("a", "b", "delta"):
        total = sum(row["live_at_peak"][column] for row in rows)
        if total != result["allocated"][column]:
            found.append(f"{column}: layers sum to {total}, the peak is {result['allocated'][column]}")
        kinds = sum(kind[column] for kind in result["categories"].values())
        if kinds != result["allocated"][column]:
            found.append(f"{column}: kinds sum to {kinds}, the peak is {result['allocated'][column]}")
    for side in ("a", "b"):
        if result["allocated"][side] != result[side]["peak"]["allocated"]:
            found.append(f"the peak of {side} is another one in its own plan")
    if result["allocated"]["delta"] == 0:
        found.append("nothing differs")
    if sum(row["live_at_peak"]["delta"] != 0 for row in rows) < 10:
        found.append("hardly any layer differs")
    return found


def main():
    build = pathlib.Path(os.environ["TIDEMARK_BUILD"])
    tidemark = build / "bin" / "tidemark"
    exporter = compare.Exporter(build)
    files = {}
    for name in ("resnet50", "resnext50_32x4d"):
        path, _, problem = exporter.file_for(compare.completed({"lib": "torchvision", "model": name}))
        if problem:
            sys.exit(f"{name} was not exported: {problem}")
        files[name] = str(path)
    exporter.close()
    cheaper = [files["resnet50"], "--set-b", "precision=amp-bf16", "--set-b", "checkpoint=all"]
    cases = {"resnet50 against AMP and checkpointing": cheaper, "resnet50 against resnext50_32x4d": list(files.values())}
    failed = 0
    for name, arguments in cases.items():
        result = compared(tidemark, arguments)
        found = problems_of(result)
        print(f"{name}: {len(result['layers'])} rows, Δ {result['allocated']['delta']} bytes")
        for problem in found:
            print(f"  {problem}")
        failed += bool(found)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
