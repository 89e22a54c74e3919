# SPDX-License-Identifier: Apache-2.0
"""Writes PyTorch models as TorchScript files that Tidemark opens."""
from .export import Exported, export
from .inputs import InputSpec
from .models import ModelError, build, parse_source

__all__ = ["Exported", "InputSpec", "ModelError", "build", "export", "parse_source"]
