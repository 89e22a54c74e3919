# SPDX-License-Identifier: Apache-2.0
"""The exporter, run over the null GPU as packaging/export runs it."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PACKAGING = HERE.parent.parent / "packaging"
BUILD = pathlib.Path(os.environ.get("TIDEMARK_BUILD", HERE.parent.parent / "build"))
SCALAR = 4  # bytes of one float

if "--inside" not in sys.argv:
    # A bare torch wheel imports over the stand-in libraries only.
    command = [str(BUILD / "bin" / "nullgpu-run"), "--", sys.executable, "-B", __file__, "--inside", *sys.argv[1:]]
    sys.exit(subprocess.run(command).returncode)
sys.argv.remove("--inside")
sys.path[:0] = [str(PACKAGING), str(HERE)]
import torch  # noqa: E402
import tidemark_export  # noqa: E402
from tidemark_export import __main__ as program  # noqa: E402
from tidemark_export import models  # noqa: E402
from tidemark_export.inputs import InputSpec  # noqa: E402


class Tied(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(64, 64, bias=False)
        self.second = torch.nn.Linear(64, 64, bias=False)
        self.last = torch.nn.Linear(64, 8)
        self.second.weight = self.first.weight

    def forward(self, x):
        return self.last(self.second(self.first(x)))


class Unscriptable(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(64, 64)
        self.drop = torch.nn.Dropout(0.5)

    def forward(self, *tensors):
        return self.drop(self.layer(tensors[0]))


class ExporterTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "model.pt")

    def load(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of TorchScript's age
            return torch.jit.load(self.path, map_location="cpu")

    def record(self, name):
        with zipfile.ZipFile(self.path) as archive:
            return archive.read(f"model/{name}").decode()

    def test_weightless_keeps_shapes_over_one_scalar(self):
        done = tidemark_export.export(models.build("torchvision", "resnet18"), self.path, weightless=True)
        self.assertEqual("scripted", done.method)
        weight = self.load().conv1.weight
        self.assertEqual((64, 3, 7, 7), tuple(weight.shape))
        self.assertEqual((0, 0, 0, 0), weight.stride())
        self.assertEqual(SCALAR, weight.untyped_storage().nbytes())
        self.assertTrue(weight.requires_grad)
        self.assertLess(os.path.getsize(self.path), 100_000)

    def test_full_export_has_every_weight(self):
        done = tidemark_export.export(models.build("torchvision", "squeezenet1_1"), self.path)
        self.assertEqual(done.parameters, sum(p.untyped_storage().nbytes() for p in self.load().parameters()) // SCALAR)

    def test_own_weights_are_kept_in_a_full_export(self):
        model = torch.nn.Linear(64, 64)
        tidemark_export.export(model, self.path)
        self.assertTrue(torch.equal(model.weight, self.load().weight))

    def test_tied_weights_stay_tied_and_others_apart(self):
        tidemark_export.export(Tied(), self.path, weightless=True)
        module = self.load()
        address = lambda tensor: tensor.untyped_storage().data_ptr()  # noqa: E731
        self.assertEqual(address(module.first.weight), address(module.second.weight))
        self.assertNotEqual(address(module.first.weight), address(module.last.weight))

    def test_what_cannot_be_scripted_is_traced_in_training_mode(self):
        done = tidemark_export.export(Unscriptable(), self.path, [InputSpec.parse("float32[B,64]")])
        self.assertEqual("traced", done.method)
        self.assertTrue(done.why_not_scripted)
        x = torch.ones(8, 64)
        self.assertGreater(int((self.load()(x) == 0).sum()), 0)

    def test_a_trace_shows_where_python_let_go(self):
        class Keeping(torch.nn.Module):
            def forward(self, x):
                kept = x * 2
                kept = (kept + 1).relu() + kept.sum()
                return kept.tanh().exp()

        tidemark_export.export(Keeping(), self.path, [InputSpec.parse("float32[B,64]")], method="trace")
        module = self.load()
        # `kept` outlives its last operator until it is bound anew, and then until forward() returns.
        self.assertEqual(2, module.code.count("= _0("), module.code)
        x = torch.ones(2, 64)
        self.assertTrue(torch.equal(Keeping()(x), module(x)))

    def test_tracing_leaves_gradients_and_functions_as_they_were(self):
        model, question = torch.nn.Linear(64, 64), torch.nn.functional.has_torch_function
        tidemark_export.export(model, self.path, [InputSpec.parse("float32[B,64]")], method="trace")
        self.assertTrue(model.weight.requires_grad)
        self.assertTrue(self.load().weight.requires_grad)
        self.assertIs(question, torch.nn.functional.has_torch_function)
        self.assertFalse(model._forward_hooks)

    def test_evaluation_mode_drops_nothing(self):
        tidemark_export.export(Unscriptable(), self.path, [InputSpec.parse("float32[B,64]")], train=False)
        self.assertEqual(0, int((self.load()(torch.ones(8, 64)) == 0).sum()))

    def test_traced_models_take_other_batches(self):
        tidemark_export.export(models.build("timm", "mobilevitv2_050"), self.path,
                               [InputSpec.parse("float32[B,3,64,64]")], weightless=True)
        self.assertEqual(3, self.load()(torch.zeros(3, 3, 64, 64)).shape[0])

    def test_inputs_are_described_in_the_file(self):
        tidemark_export.export(models.build("torchvision", "resnet18"), self.path,
                               [InputSpec.parse("float32[B, 3, 224, 224]")], weightless=True)
        self.assertEqual('["float32[B,3,224,224]"]', self.record("extra/tidemark_inputs.json"))

    def test_transformers_return_their_loss_when_asked(self):
        model = models.build("transformers", "gpt2", {"n_layer": 1, "n_embd": 64, "n_head": 2, "vocab_size": 100})
        tidemark_export.export(model, self.path, [InputSpec.parse("input_ids=int64[B,16]")], weightless=True, with_loss=True)
        tokens = torch.zeros(2, 16, dtype=torch.int64)
        self.assertEqual((), tuple(self.load()(tokens, tokens).shape))

    def test_seven_billion_parameters_are_built_in_no_memory(self):
        model = models.build("transformers", "llama")
        self.assertGreater(sum(p.numel() for p in model.parameters()), 6_000_000_000)
        self.assertLess(sum(p.untyped_storage().nbytes() for p in model.parameters()), 100_000)

    def test_errors_are_one_sentence(self):
        for arguments, part in (
                (["torchvision:resnet49"], "near ones are"), (["nonsense"], "names no model"),
                (["nowhere.py:model"], "no file"), (["transformers:nonsense"], "no model type"),
                (["torchvision:resnet18", "--input=float32(3)"], "describes no input")):
            with self.subTest(arguments), self.assertRaises(SystemExit) as raised:
                program.main([*arguments, "-o", self.path])
            self.assertIn(part, str(raised.exception.code))
            self.assertEqual(1, len(str(raised.exception.code).splitlines()))


if __name__ == "__main__":
    unittest.main()
