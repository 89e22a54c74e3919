# SPDX-License-Identifier: Apache-2.0
"""Descriptions of a model's inputs: `[NAME=]DTYPE[D,D,…]`, each D a size or the name of an axis ("B" is the batch)."""
import re
from dataclasses import dataclass

import torch

from .models import ModelError

EXAMPLE_BATCH = 2  # not 1, so that nothing in a traced model takes the batch for a size to broadcast
EXAMPLE_AXIS = 16
PLANNED_AXIS = 128  # what the planner starts with where the command names no size


@dataclass(frozen=True)
class InputSpec:
    name: str
    dtype: torch.dtype
    shape: tuple  # int for a size, str for an axis

    @staticmethod
    def parse(text):
        match = re.fullmatch(r"\s*(?:(\w+)\s*=\s*)?(\w+)\s*\[([^]]*)\]\s*", text)
        dtype = getattr(torch, match.group(2), None) if match else None
        if not isinstance(dtype, torch.dtype):
            raise ModelError(f"'{text}' describes no input; write it as float32[B,3,224,224] or tokens=int64[B,128].")
        parts = [part.strip() for part in match.group(3).split(",") if part.strip()]
        if not all(re.fullmatch(r"\d+|[A-Za-z_]\w*", part) for part in parts):
            raise ModelError(f"'{text}' has a dimension that is neither a size nor a name.")
        return InputSpec(match.group(1) or "", dtype, tuple(int(p) if p.isdigit() else p for p in parts))

    def __str__(self):
        dtype = str(self.dtype).removeprefix("torch.")
        name = f"{self.name}=" if self.name else ""
        return f"{name}{dtype}[{','.join(map(str, self.shape))}]"

    def with_sizes(self, axes=None):
        """The text with a size for each named axis but the batch, so that the file can be planned as it is."""
        sizes = axes or {}
        parts = [f"{d}={sizes.get(d, PLANNED_AXIS)}" if isinstance(d, str) and d != "B" else d for d in self.shape]
        return str(InputSpec(self.name, self.dtype, tuple(parts)))

    def example(self, axes=None):
        """Zeros of this shape, all on one element, so that a file keeps the shape and nothing else."""
        sizes = {"B": EXAMPLE_BATCH, **(axes or {})}
        shape = [size if isinstance(size, int) else sizes.get(size, EXAMPLE_AXIS) for size in self.shape]
        return torch.zeros((), dtype=self.dtype).expand(shape)


def default_inputs(library, name, model):
    """What a model of a library takes, as its own configuration says; empty when it does not."""
    if library == "torchvision":
        return _torchvision(name, model)
    if library == "timm":
        size = model.default_cfg.get("input_size", (3, 224, 224))
        return [InputSpec("", torch.float32, ("B", *size))]
    if library == "transformers":
        return _transformers(model)
    return []


def _torchvision(name, model):
    side = {"inception_v3": 299}.get(name, getattr(model, "image_size", 224))
    if name.split("_")[0] in ("fasterrcnn", "maskrcnn", "keypointrcnn", "retinanet", "fcos", "ssd300", "ssdlite320"):
        return []
    if name.startswith("raft"):
        return [InputSpec(image, torch.float32, ("B", 3, 520, 960)) for image in ("image1", "image2")]
    if name.startswith(("r3d", "mc3", "r2plus1d", "s3d", "swin3d", "mvit")):
        side = 112 if name.startswith(("r3d", "mc3", "r2plus1d")) else 224
        return [InputSpec("", torch.float32, ("B", 3, 16, side, side))]
    return [InputSpec("", torch.float32, ("B", 3, side, side))]


def _transformers(model):
    config = model.config
    if hasattr(config, "text_config") and hasattr(config, "vision_config") and model.main_input_name == "input_ids":
        vision, text = config.vision_config, config.text_config
        return [InputSpec("input_ids", torch.int64, ("B", min(77, text.max_position_embeddings))),
                InputSpec("pixel_values", torch.float32, ("B", 3, vision.image_size, vision.image_size))]
    if model.main_input_name == "pixel_values":
        vision = getattr(config, "vision_config", config)
        side = vision.image_size if isinstance(vision.image_size, int) else vision.image_size[0]
        return [InputSpec("pixel_values", torch.float32, ("B", getattr(vision, "num_channels", 3), side, side))]
    if model.main_input_name == "input_features":
        return [InputSpec("input_features", torch.float32, ("B", config.num_mel_bins, 2 * config.max_source_positions)),
                InputSpec("decoder_input_ids", torch.int64, ("B", 128))]
    tokens = InputSpec("input_ids", torch.int64, ("B", 128))
    if config.is_encoder_decoder:
        return [tokens, InputSpec("decoder_input_ids", torch.int64, ("B", 128))]
    return [tokens]
