#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A plan answers with an estimate and its range where cuDNN cannot be asked: no library, a card beyond belief, a worker that
is killed."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BUILD = pathlib.Path(os.environ["TIDEMARK_BUILD"])
TIDEMARK = str(BUILD / "bin" / "tidemark")
MODEL = str(pathlib.Path(__file__).resolve().parent.parent.parent / "resources" / "samples" / "resnet50.pt")
PLAN = [TIDEMARK, "plan", MODEL, "--no-largest", "--json"]
PROBE = str(BUILD / "bin" / "tidemark-probe")


def plan(*arguments, **environment):
    run = subprocess.run([*PLAN, *arguments], capture_output=True, text=True, env={**os.environ, **environment})
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def reserved(settings, workspace):
    requests = [{"op": "open", "path": MODEL, "id": 1}, {"op": "measure", "settings": settings, "id": 2}]
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    run = subprocess.run([PROBE, "--workspace", workspace], input=lines, capture_output=True, text=True)
    measurement = json.loads(run.stdout.splitlines()[1])["measurement"]
    return max(peak["reserved"] for peak in measurement["iterations"])


def width(answer):
    return answer["peak"]["process"]["high"] - answer["peak"]["process"]["low"]


def children_of(pid):
    try:
        return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


class Fallback(unittest.TestCase):
    def check_estimate(self, answer):
        process = answer["peak"]["process"]
        self.assertEqual(answer["workspace"], "estimate")
        self.assertLess(process["low"], process["value"])
        self.assertLess(process["value"], process["high"])

    def test_missing_library(self):
        answer = plan(TIDEMARK_CUDNN="/nowhere/libcudnn.so.9")
        self.check_estimate(answer)
        self.assertIn("cannot be loaded", answer["workspace_problem"])

    def test_range_is_two_runs(self):
        estimated = plan(TIDEMARK_CUDNN="/nowhere/libcudnn.so.9")
        context = width(plan("--workspace", "none"))
        # Blocks that suit a workspace by chance may make the expected step the smallest.
        runs = [reserved(estimated["settings"], workspace) for workspace in ("estimate-low", "estimate", "estimate-high")]
        self.assertGreater(runs[2], runs[1])
        self.assertEqual(width(estimated) - context, max(runs) - min(runs))

    def test_library_that_is_none(self):
        with tempfile.NamedTemporaryFile(suffix=".so.9") as file:
            file.write(b"no library")
            file.flush()
            self.check_estimate(plan(TIDEMARK_CUDNN=file.name))

    def test_absurd_card(self):
        cards = {"schema": "tidemark.own-cards/1",
                 "gpus": [{"id": "absurd", "like": "a100-80gb", "multiprocessors": 5000, "memory": 2**40}]}
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(cards, file)
            file.flush()
            answer = plan("--gpu", "absurd", TIDEMARK_CARDS=file.name)
        self.check_estimate(answer)
        self.assertIn("5000 multiprocessors", answer["workspace_problem"])

    def test_killed_worker(self):
        process = subprocess.Popen(PLAN, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        killed, end = False, time.monotonic() + 60
        while not killed and process.poll() is None and time.monotonic() < end:
            for child in children_of(process.pid):
                os.kill(child, signal.SIGKILL)
                killed = True
            time.sleep(0.01)
        output, problem = process.communicate(timeout=120)
        self.assertTrue(killed)
        self.assertEqual(process.returncode, 0, problem)
        answer = json.loads(output)
        self.assertGreater(answer["peak"]["allocated"], 2**30)
        self.assertLess(answer["peak"]["process"]["low"], answer["peak"]["process"]["high"])


if __name__ == "__main__":
    if not os.path.exists(TIDEMARK):
        sys.exit(77)
    unittest.main()
