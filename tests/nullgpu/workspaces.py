#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the workspace of single convolutions, as the caching allocator sees it over the null GPU, with a table:
workspaces.py TABLE.csv COLUMN. Exits 1 when a row differs, 77 (skip) when the user's cuDNN is not the table's."""
import csv
import ctypes
import os
import re
import sys

import torch

DTYPES = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}
VERSION = "cudnn 9.26."  # of the table


def source():
    library = ctypes.CDLL("libcuda.so.1")
    library.tidemarkNullWorkspaceSource.restype = ctypes.c_char_p
    library.tidemarkNullWorkspaceProblem.restype = ctypes.c_char_p
    return library.tidemarkNullWorkspaceSource().decode(), library.tidemarkNullWorkspaceProblem().decode()


def tensors(row):
    """Input, weight, gradient of the output and the arguments of the row's convolution."""
    match = re.fullmatch(r".*_b(\d+)_c(\d+)h(\d+)k(\d+)r(\d+)s(\d+)g(\d+)", row["conv"])
    b, c, h, k, r, s, g = map(int, match.groups())
    out = (h + 2 * (r // 2) - r) // s + 1
    kind = dict(device="cuda", dtype=DTYPES[row["dtype"]])
    format = torch.channels_last if row["layout"] == "nhwc" else torch.contiguous_format
    shapes = (b, c, h, h), (k, c // g, r, r), (b, k, out, out)
    return [torch.empty(shape, **kind).to(memory_format=format) for shape in shapes], ([s, s], [r // 2] * 2, g)


def run(row):
    """All allocations of the operator, in order."""
    (x, w, dy), (stride, padding, groups) = tensors(row)
    torch.backends.cudnn.allow_tf32 = row["tf32"] == "1"
    torch.cuda.memory._record_memory_history(max_entries=1000, context=None)
    if row["op"] == "fprop":
        torch.ops.aten.convolution(x, w, None, stride, padding, [1, 1], False, [0, 0], groups)
    else:
        mask = [row["op"] == "dgrad", row["op"] == "wgrad", False]
        torch.ops.aten.convolution_backward(dy, x, w, None, stride, padding, [1, 1], False, [0, 0], groups, mask)
    trace = torch.cuda.memory._snapshot()["device_traces"][0]
    torch.cuda.memory._record_memory_history(enabled=None)
    return [event["size"] for event in trace if event["action"] == "alloc"]


def main():
    table, column = sys.argv[1:]
    found, problem = source()
    if not found.startswith(VERSION):
        print(f"skipped: the table is of {VERSION}x, this is {found} {problem}")
        sys.stdout.flush()
        os._exit(77)
    rows = [row for row in csv.DictReader(open(table)) if row[column]]
    wrong = 0
    for row in rows:
        _, *workspace = run(row)  # the first allocation is the result
        expected = int(row[column])
        actual = workspace[0] if workspace else 0
        if actual != expected:
            wrong += 1
            print(f"{row['conv']} {row['op']} {row['dtype']} {row['layout']} tf32={row['tf32']}: "
                  f"{actual} instead of {expected} {workspace[1:] or ''}")
    print(f"{column}: {len(rows) - wrong} of {len(rows)} workspaces equal {found}")
    sys.stdout.flush()
    os._exit(1 if wrong or not rows else 0)


if __name__ == "__main__":
    main()
