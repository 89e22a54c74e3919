#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ResNet-50 in fp32 on an A100 without workspaces, with cuDNN's, and with cudnn.benchmark and cudnn.deterministic: how far the
plans lie apart. Exits 77 (skip) without the cuDNN 9.26 whose figures these are."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

TIDEMARK = str(pathlib.Path(os.environ["TIDEMARK_BUILD"]) / "bin" / "tidemark")
MODEL = str(pathlib.Path(__file__).resolve().parent.parent.parent / "resources" / "samples" / "resnet50.pt")


def plan(batch, *arguments, gpu="A100 40GB"):
    run = subprocess.run([TIDEMARK, "plan", MODEL, "--gpu", gpu, "--optimizer", "momentum", "--batch", str(batch), "--no-largest",
                          "--json", *arguments], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


class Workspaces(unittest.TestCase):
    def test_workspaces_add_what_is_published(self):
        without, with_them = plan(32, "--workspace", "none")["peak"], plan(32)["peak"]
        self.assertAlmostEqual((with_them["allocated"] - without["allocated"]) / 1e6, 3.0, delta=0.05)
        self.assertAlmostEqual((with_them["reserved"] - without["reserved"]) / 1e6, 151, delta=0.5)

    def test_benchmark_shows_in_the_first_step(self):
        without, with_them, benchmark = plan(64, "--workspace", "none"), plan(64), plan(64, "--cudnn-benchmark")
        self.assertEqual(without["cudnn_version"], "")
        self.assertEqual(benchmark["cudnn_version"], with_them["cudnn_version"])
        # One buffer of the largest candidate's workspace beside what is live; the cache is emptied afterwards.
        self.assertGreater(benchmark["first"]["allocated"], with_them["first"]["allocated"] + 2**30)
        self.assertLess(abs(benchmark["peak"]["allocated"] - with_them["peak"]["allocated"]), 2**24)
        reserved = [p["peak"]["reserved"] for p in (without, with_them, benchmark)]
        self.assertEqual(len(set(reserved)), 3)
        self.assertLess(reserved[0], min(reserved[1:]))

    def test_deterministic_takes_other_algorithms(self):
        # On an A100 the first choices repeat anyway.
        any_algorithm, repeatable = plan(32, gpu="RTX 4090"), plan(32, "--cudnn-deterministic", gpu="RTX 4090")
        self.assertTrue(repeatable["settings"]["cudnn_deterministic"])
        self.assertNotEqual(repeatable["peak"]["reserved"], any_algorithm["peak"]["reserved"])
        again = plan(32, "--set", "cudnn_deterministic=true", gpu="RTX 4090")
        self.assertEqual(repeatable["peak"], again["peak"])


if __name__ == "__main__":
    if not os.path.exists(TIDEMARK) or not plan(1)["cudnn_version"].startswith("9.26."):
        sys.exit(77)
    unittest.main()
