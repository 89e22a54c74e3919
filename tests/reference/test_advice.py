#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `tidemark advise` and `tidemark plan` say of real models: the layers that structure hints name, a plan that makes a
large step fit, and the largest batch against trying every batch."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

import compare
from probe import Probe

BUILD = pathlib.Path(os.environ["TIDEMARK_BUILD"])
TIDEMARK = str(BUILD / "bin" / "tidemark")
SAMPLES = compare.HERE.parent.parent / "resources" / "samples"


def tidemark(*arguments):
    run = subprocess.run([TIDEMARK, *map(str, arguments), "--json"], capture_output=True, text=True)
    assert run.returncode in (0, 3), run.stderr
    return json.loads(run.stdout)


class Exported:
    exporter = None

    @classmethod
    def file(cls, **case):
        cls.exporter = cls.exporter or compare.Exporter(BUILD)
        path, _, problem = cls.exporter.file_for(compare.completed(case))
        assert path, problem
        return path


class StructureHints(unittest.TestCase):
    def hints(self, path, *arguments):
        answer = tidemark("advise", path, "--batch", 16, "--gpu", "a100-80gb", "--workspace", "none", *arguments)
        return {hint["kind"]: hint for hint in answer["structure"]}

    def test_vgg16(self):
        hints = self.hints(Exported.file(model="vgg16"))
        self.assertIn("features.0", hints["downsample_earlier"]["title"])
        self.assertTrue(set(hints["downsample_earlier"]["layers"]) <= {f"features.{i}" for i in range(5)})
        self.assertEqual(hints["pool_before_linear"]["layers"], ["classifier.0"])
        # 1 − 1/49 of 25088 × 4096 weights, with gradient and two states of AdamW.
        weights = 25088 * 4096 * 4
        self.assertAlmostEqual(hints["pool_before_linear"]["saves"], weights * (1 - 1 / 49) * 4, delta=0.01 * weights)
        separable = set(hints.get("separable_convolutions", {"layers": []})["layers"])
        self.assertTrue(separable <= {f"features.{i}" for i in (10, 12, 14, 17, 19, 21, 24, 26, 28)})

    def test_unet(self):
        hints = self.hints(Exported.file(lib="own", model="unet", input=[3, 256, 256]), "--input", "float32[B,3,256,256]")
        first = hints["downsample_earlier"]
        self.assertIn("outer.0", first["title"])
        self.assertTrue(all(path.startswith(("outer", "join0", "up0", "head")) for path in first["layers"]), first["layers"])
        self.assertGreater(first["share"], 0.4)

    def test_what_fits_the_hint_is_not_hinted_at(self):
        hints = self.hints(SAMPLES / "resnet50.pt")
        self.assertNotIn("downsample_earlier", hints)   # its first convolution has stride 2
        self.assertNotIn("pool_before_linear", hints)   # it averages before its linear layer


class Advice(unittest.TestCase):
    def test_gpt2_medium_is_led_onto_a_card_of_12_gb(self):
        path = Exported.file(lib="transformers", model="gpt2", config={"n_layer": 24, "n_embd": 1024, "n_head": 16},
                             batch=16, seq=1024)
        answer = tidemark("advise", path, "--batch", 16, "--set", "loss=model", "--gpu", "rtx-3060")
        self.assertFalse(answer["plan"]["fits"])
        steps = answer["together"] or answer["single"][:1]
        self.assertTrue(steps[-1]["fits"])
        self.assertTrue(all(step["saved"] > 0 for step in steps))
        # The plan that the last step leads to, asked for by itself, is the one that was promised.
        settings = steps[-1]["settings"]
        self.assertEqual(settings["batch"] * settings["accumulate"], 16)
        for step in steps:
            print(f"  {step['title']}: saves {step['saved'] / 2**30:.2f} GiB, process {step['process'] / 2**30:.2f} GiB")


class LargestBatch(unittest.TestCase):
    PAIRS = (("resnet50", "rtx-3050-ti-laptop"), ("resnet50", "gtx-1650"), ("vit_b_16", "rtx-3050"),
             ("late-downsampling", "gtx-1650"), ("small-gpt2", "gtx-1650"), ("vit_b_16", "rtx-2060"))

    def test_equals_trying_every_batch(self):
        cards = {card["id"]: card for card in tidemark("gpus")["gpus"]}
        for model, gpu in self.PAIRS:
            with self.subTest(model=model, gpu=gpu):
                path = SAMPLES / f"{model}.pt"
                plan = tidemark("plan", path, "--batch", 4, "--gpu", gpu, "--workspace", "none")
                limit = plan["capacity"] - cards[gpu]["context"]["expected"]
                self.assertEqual(plan["largest_batch"], self.first_failure(path, gpu, plan["settings"], limit) - 1)

    def first_failure(self, path, gpu, settings, limit):
        probe = Probe((gpu, 0, "", "none", ()), BUILD)
        self.assertTrue(probe.ask(op="open", path=str(path))["ok"])
        for batch in range(1, 2000):
            answer = probe.ask(op="measure", settings={**settings, "batch": batch}, memory_limit=limit)
            if "out_of_memory" in answer["measurement"]:
                break
        probe.close()
        return batch


if __name__ == "__main__":
    if not os.path.exists(TIDEMARK):
        sys.exit(77)
    unittest.main()
