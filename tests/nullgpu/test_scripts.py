#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the null GPU's scripts: test_scripts.py SOURCE_FOLDER NULLGPU_RUN."""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

SOURCE, RUN = pathlib.Path(sys.argv[1]), sys.argv[2]


def load(path, name):
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


sys.dont_write_bytecode = True
inspect_torch = load(SOURCE / "inspect_torch.py", "inspect_torch")
write_stubs = load(SOURCE / "write_stubs.py", "write_stubs")


class Names(unittest.TestCase):
    def test_a_bundled_library_is_of_the_same_family(self):
        for soname in ("libcudart.so.13", "libcudart-0a1b2c3d.so.13", "libcudart.0a1b2c3d.so.13"):
            self.assertEqual(inspect_torch.family(soname), "cudart")
        self.assertEqual(inspect_torch.family("libnvidia-ml.so.1"), "nvidia-ml")

    def test_version_numbers_are_padded(self):
        self.assertEqual(inspect_torch.numbers("9.26", 3), [9, 26, 0])
        self.assertEqual(inspect_torch.numbers(None, 2), [0, 0])

    def test_harmless_functions_are_no_queries(self):
        """A function with a result must be written by hand, not be silenced."""
        harmless = write_stubs.patterns(SOURCE / "harmless.txt")
        for name in ("cublasSaxpy_v2", "cublasZtrsm_v2", "cublasCsscal_v2", "cusolverDnSgesvd", "cusparseSpMM",
                     "cudaFuncSetAttribute"):
            self.assertTrue(harmless.fullmatch(name), name)
        for name in ("cudaMemPoolGetAttribute", "cublasSdot_v2", "cublasGetVersion_v2", "cusolverDnSgesvd_bufferSize",
                     "cusparseSpMM_bufferSize", "cusparseCreateCsr", "cudaGraphLaunch", "ncclCommGrow"):
            self.assertFalse(harmless.fullmatch(name), name)


class Run(unittest.TestCase):
    def run_null(self, *arguments, **environment):
        show = "import os, json; print(json.dumps([os.environ['LD_PRELOAD'], os.environ.get('TIDEMARK_NULL_DEVICE')]))"
        done = subprocess.run([RUN, *arguments, sys.executable, "-c", show], capture_output=True, text=True,
                              env={**os.environ, **environment})
        return done if done.returncode else json.loads(done.stdout)

    def test_the_driver_is_loaded_first(self):
        preload, device = self.run_null()
        self.assertTrue(preload.split(":")[0].endswith("/libcuda.so.1"), preload)
        self.assertTrue(all(os.path.exists(path) for path in preload.split(":")))
        self.assertIsNone(device)

    def test_the_card_is_described(self):
        _, device = self.run_null("--gpu", "rtx 4090")
        self.assertEqual(json.loads(device)["name"], "NVIDIA GeForce RTX 4090")
        self.assertEqual(json.loads(device)["capability_minor"], 9)
        _, device = self.run_null("--gpu", "A100 40GB")
        self.assertEqual(json.loads(device)["name"], "NVIDIA A100-SXM4-40GB")

    def test_an_unknown_card_is_an_error(self):
        done = self.run_null("--gpu", "voodoo 2")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("voodoo 2", done.stderr)

    def test_a_description_that_is_none_ends_the_process(self):
        code = "import ctypes; ctypes.CDLL('libcuda.so.1').cuDeviceTotalMem_v2(ctypes.byref(ctypes.c_size_t()), 0)"
        for text, why in (("{", "parse error"), ("[]", "JSON object"), ('{"multiprocessors": 0}', "positive"),
                          ('{"memory": "much"}', "number")):
            done = subprocess.run([RUN, sys.executable, "-c", code], capture_output=True, text=True,
                                  env={**os.environ, "TIDEMARK_NULL_DEVICE": text})
            self.assertNotEqual(done.returncode, 0, text)
            self.assertRegex(done.stderr, "TIDEMARK_NULL_DEVICE.*" + re.escape(why))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
