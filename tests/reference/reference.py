#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs training loops eagerly in Python on the null GPU and prints their memory, one JSON line a case.

  reference.py [CASES.jsonl] [--case JSON]… [--only REGEX] [--events] [--check] [-o FILE]

README.md describes the loop and the fields of a case. The output is the case with `base` (bytes allocated once
the model is on the device) and `iters` ([allocated, reserved] peaks of each iteration) as they came out, and with
--events also `events` of the last iteration (["alloc" or "free", bytes of the block] in order) and `phases` ([name,
number of allocator events of any kind until its end]). A case that fails has `error` instead. With --check a line a case says whether
`base` and `iters` are those of the case file, and the exit status is 1 when one is not. Run it with the Python that
has torch; it starts the null GPU itself.
"""
import argparse
import ctypes
import json
import os
import pathlib
import re
import subprocess
import sys
import traceback

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("TIDEMARK_BUILD", HERE.parent.parent / "build"))


def read_cases(path=None, texts=(), only=""):
    """Cases of a JSON-lines file and of texts, those whose id has a match of `only`."""
    lines = [line for line in pathlib.Path(path).read_text().splitlines() if line.strip()] if path else []
    cases = [json.loads(line) for line in [*lines, *texts]]
    for number, case in enumerate(cases):
        case.setdefault("id", f"{number}-{case['model']}")
    return [case for case in cases if re.search(only, case["id"])]


def card_of(case):
    """What is fixed for the life of a process: cases that agree in it share one."""
    return (case.get("gpu", "a100-80gb"), case.get("memory", 0), case.get("allocator", ""),
            case.get("workspace", "none"), tuple(sorted(case.get("environment", {}).items())))


def command_and_environment(card, arguments, build=BUILD):
    gpu, memory, allocator, workspace, extra = card
    environment = {**os.environ, "CUDA_MODULE_LOADING": "LAZY", "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1",
                   "TORCH_SYMBOLIZE_MODE": "dladdr", "TIDEMARK_WORKSPACE": workspace, **dict(extra)}
    if allocator:
        environment.update(PYTORCH_ALLOC_CONF=allocator, PYTORCH_CUDA_ALLOC_CONF=allocator)
    command = [str(build / "bin" / "nullgpu-run"), "--gpu", gpu, "--", sys.executable, str(HERE / "reference.py"),
               "--worker", "--memory", str(memory), *arguments]
    return command, environment


def run_cases(cases, events=False, build=BUILD):
    """Yields each case's result, in order. Neighbours with the same card share a process."""
    start = 0
    while start < len(cases):
        end = start
        while end < len(cases) and card_of(cases[end]) == card_of(cases[start]):
            end += 1
        yield from _run_in_worker(cases[start:end], events, build)
        start = end


def _run_in_worker(cases, events, build):
    command, environment = command_and_environment(card_of(cases[0]), ["--events"] if events else [], build)
    worker = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    done = 0
    with worker:
        for case in cases:
            try:
                worker.stdin.write(json.dumps(case) + "\n")
                worker.stdin.flush()
                line = worker.stdout.readline()
            except BrokenPipeError:
                line = ""
            if not line:
                break
            done += 1
            yield json.loads(line)
        worker.stdin.close()
    for case in cases[done:]:
        yield {**case, "error": f"the reference process ended with status {worker.returncode}"}


def serve(events, memory):
    """The worker: a case a line in, a result a line out, each in a forked child with a fresh device."""
    if memory:
        ctypes.CDLL(None).tidemarkNullSetTotalMemory(ctypes.c_uint64(memory))
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import torch  # noqa: F401  imported once, before the children
    import training
    for line in sys.stdin:
        case = json.loads(line)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            with os.fdopen(writing, "w") as pipe:
                pipe.write(json.dumps(_result(training, case, events)))
            os._exit(0)  # not exit(): LibTorch's autograd threads are not joined
        os.close(writing)
        with os.fdopen(reading) as pipe:
            text = pipe.read()
        _, status = os.waitpid(child, 0)
        answers.write((text or json.dumps({**case, "error": f"the run died with status {status}"})) + "\n")
        answers.flush()


def _result(training, case, events):
    try:
        return training.run(case, events)
    except Exception:
        return {**case, "error": traceback.format_exc().strip().splitlines()[-1]}


def check(cases):
    """Compares what the null GPU makes of the cases with the figures they carry."""
    different = 0
    for case, result in zip(cases, run_cases(cases)):
        same = "error" not in result and result["base"] == case["base"] and result["iters"] == case["iters"]
        different += not same
        found = result.get("error") or [result["base"], *result["iters"]]
        print(f"same       {case['id']}" if same else
              f"different  {case['id']}: {found}, not {[case['base'], *case['iters']]}", flush=True)
    print(f"{len(cases)} cases, {different} different")
    return int(different > 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="?", metavar="CASES.jsonl")
    parser.add_argument("--case", action="append", default=[], metavar="JSON")
    parser.add_argument("--only", default="", metavar="REGEX", help="cases whose id has a match of this")
    parser.add_argument("--events", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("-o", "--output", metavar="FILE")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--memory", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        return serve(options.events, options.memory)
    cases = read_cases(options.cases, options.case, options.only)
    if not cases:
        sys.exit("reference.py: no case to run")
    if options.check:
        return check(cases)
    failed = False
    with open(options.output, "w") if options.output else os.fdopen(os.dup(1), "w") as out:
        for result in run_cases(cases, options.events):
            failed |= "error" in result
            out.write(json.dumps(result) + "\n")
            out.flush()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
