# SPDX-License-Identifier: Apache-2.0
"""Writes the models that the checks on a real GPU run: models.py FOLDER. Those that are there already stay."""
import pathlib
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "packaging"))
from tidemark_export import models  # noqa: E402
from tidemark_export.export import export  # noqa: E402
from tidemark_export.inputs import InputSpec, default_inputs  # noqa: E402

NETWORKS = (
    *("torchvision:" + name for name in (
        "resnet18", "resnet50", "wide_resnet50_2", "vgg16_bn", "mobilenet_v2", "mobilenet_v3_large", "efficientnet_b0",
        "densenet121", "convnext_tiny", "swin_t", "vit_b_16", "regnet_y_8gf", "shufflenet_v2_x1_0", "mnasnet1_0")),
    *("timm:" + name for name in ("mixer_b16_224", "vit_small_patch16_224", "resnext50_32x4d")),
    *("transformers:" + name for name in ("gpt2", "bert", "distilbert")),
)
TOKENS = "int64[B,128]"

# Single convolutions: input channels, output channels, kernel, stride, groups, side of the input.
CONVOLUTIONS = (
    (3, 64, 7, 2, 1, 224), (64, 64, 1, 1, 1, 56), (64, 64, 3, 1, 1, 56), (64, 256, 1, 1, 1, 56), (256, 512, 1, 2, 1, 56),
    (128, 128, 3, 2, 1, 56), (256, 256, 3, 1, 1, 14), (1024, 256, 1, 1, 1, 14), (512, 512, 3, 1, 1, 7), (512, 2048, 1, 1, 1, 7),
    (3, 768, 16, 16, 1, 224), (32, 32, 5, 1, 1, 112), (256, 256, 3, 1, 32, 28), (96, 96, 3, 1, 96, 56), (64, 128, 3, 1, 1, 112),
)


def write_networks(folder):
    for source in NETWORKS:
        library, name = models.parse_source(source)
        file = folder / f"{name}.pt"
        if file.exists():
            continue
        model = models.build(library, name, {})
        inputs = [InputSpec.parse(TOKENS)] if library == "transformers" else default_inputs(library, name, model)
        export(model, str(file), inputs, True, True, "auto", {}, False, False)
        print(file.name, flush=True)


def write_convolutions(folder):
    for inputs, outputs, kernel, stride, groups, side in CONVOLUTIONS:
        file = folder / f"conv-{inputs}-{outputs}-k{kernel}-s{stride}-g{groups}-{side}.pt"
        if file.exists():
            continue
        padding = 0 if kernel == stride else kernel // 2
        model = torch.nn.Sequential(torch.nn.Conv2d(inputs, outputs, kernel, stride, padding, groups=groups, bias=False))
        export(model, str(file), [InputSpec.parse(f"float32[B,{inputs},{side},{side}]")], True, False, "script", {}, False, False)


def main(folder):
    folder = pathlib.Path(folder)
    (folder / "networks").mkdir(parents=True, exist_ok=True)
    (folder / "convolutions").mkdir(parents=True, exist_ok=True)
    write_networks(folder / "networks")
    write_convolutions(folder / "convolutions")


if __name__ == "__main__":
    main(sys.argv[1])
