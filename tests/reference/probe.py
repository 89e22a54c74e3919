# SPDX-License-Identifier: Apache-2.0
"""Drives tidemark-probe with the cases of the reference."""
import json
import os
import pathlib
import subprocess

from reference import card_of


class ProbeDied(Exception):
    """The probe ended instead of answering."""


class Probe:
    """One tidemark-probe process."""

    def __init__(self, card, build):
        gpu, memory, allocator, workspace, extra = card
        command = [str(pathlib.Path(build) / "bin" / "tidemark-probe"), "--gpu", gpu, "--workspace", workspace]
        if memory:
            command += ["--memory", str(memory)]
        if allocator:
            command += ["--allocator", allocator]
        self.card = card
        self._process = subprocess.Popen(command, env={**os.environ, **dict(extra)}, stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def ask(self, **request):
        try:
            self._process.stdin.write(json.dumps({"id": 1, **request}) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise ProbeDied(f"tidemark-probe ended with status {self._process.wait()}")
        return json.loads(line)

    def close(self):
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


class Probes:
    """Hands out the probe for a case's card, a new one when the card changes or the old one died."""

    def __init__(self, build):
        self._build = build
        self._probe = None
        self._used_up = False

    def measure(self, case, path, detail=(), keep_output=False):
        """(measurement, None) or (None, sentence)."""
        # A recurrent layer's dropout leaves its generators in the process, in Python as well: the next case starts anew.
        if self._probe is None or self._probe.card != card_of(case) or self._used_up:
            self.close()
            self._probe = Probe(card_of(case), self._build)
        self._used_up = case["model"] == "rnn" or "lstm" in case["model"]
        settings = {**settings_of(case), "keep_output": keep_output}
        try:
            for request in ({"op": "open", "path": str(path)},
                            {"op": "measure", "settings": settings, "detail": list(detail)}):
                answer = self._probe.ask(**request)
                if not answer["ok"]:
                    return None, answer["error"]["message"]
            return answer["measurement"], None
        except ProbeDied as error:
            self._probe = None
            return None, str(error)

    def close(self):
        if self._probe:
            self._probe.close()
        self._probe = None


def settings_of(case):
    """The probe's settings for a case of the reference (already completed with the defaults)."""
    settings = {
        "batch": case["batch"],
        "mode": case["mode"],
        "precision": case["precision"],
        "matmul_tf32": case["matmul_tf32"],
        "optimizer": {"kind": case["optimizer"], "impl": case["impl"], "amsgrad": case["amsgrad"],
                      "weight_decay": bool(case["weight_decay"])},
        "accumulate": case["accumulate"],
        "checkpoint": str(case["checkpoint"]),
        "channels_last": case["channels_last"],
        "zero_grad_to_none": case["set_to_none"],
        "clip_grad_norm": bool(case["clip"]),
        "workspace": case.get("workspace", "none"),
        "cudnn_benchmark": case["benchmark"],
        "cudnn_deterministic": case["deterministic"],
        "data_parallel": case["data_parallel"] or {},
        "iterations": case["iterations"],
        "loss": "model" if case["lib"] == "transformers" and case["mode"] == "train" else case["loss"],
    }
    return settings
