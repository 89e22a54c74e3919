# SPDX-License-Identifier: Apache-2.0
"""Models by name: torchvision, timm and transformers from their constructors, or a factory in a file.

Nothing here downloads weights: their values never matter to memory.
"""
import difflib
import importlib
import importlib.util
import inspect
import os
import sys

import torch
from torch.overrides import TorchFunctionMode


class ModelError(Exception):
    """A model that cannot be built or exported; the text is one sentence for people."""


class WeightlessConstruction(TorchFunctionMode):
    """Gives large float tensors one shared scalar instead of storage, and leaves out what would fill them.

    Weights made inside have their shape and stride 0, so that a model of any size is built at once and in no memory.
    """

    FACTORIES = frozenset(("empty", "zeros", "ones", "full", "randn", "rand", "normal"))
    HARMLESS = frozenset(("requires_grad_", "detach_", "share_memory_", "register_hook"))

    def __init__(self, least_elements=32):
        super().__init__()
        self._least = least_elements

    def __torch_function__(self, func, types, args=(), kwargs=None):
        name = getattr(func, "__name__", "")
        if name in self.FACTORIES:
            return self._made(func, args, kwargs or {})
        if name.endswith("_") and not name.endswith("__") and name not in self.HARMLESS:
            target = args[0] if args else (kwargs or {}).get("tensor")
            if isinstance(target, torch.Tensor) and is_weightless(target):
                return target
        return func(*args, **(kwargs or {}))

    def _made(self, func, args, kwargs):
        with torch._C.DisableTorchFunction(), torch.device("meta"):
            shape = func(*args, **{**kwargs, "device": "meta"}) if "out" not in kwargs else None
        if shape is None or not shape.is_floating_point() or shape.numel() < self._least:
            return func(*args, **kwargs)
        scalar = torch.zeros((), dtype=shape.dtype, device=kwargs.get("device"))
        return scalar.expand(shape.shape).requires_grad_(bool(kwargs.get("requires_grad")))


def is_weightless(tensor):
    """A tensor of several elements that all lie on one."""
    return tensor.numel() > 1 and tensor.layout == torch.strided and not any(tensor.stride())


def build(library, name, config=None):
    """Builds a model: a library's with weightless weights, whose values are never needed, a file's as the file has it."""
    builders = {"torchvision": _torchvision, "timm": _timm, "transformers": _transformers}
    if library not in builders and library != "file":
        raise ModelError(f"'{library}' is no model library; known are torchvision, timm and transformers, "
                         "or give a file as path/to/file.py:factory.")
    if library == "file":
        return _file(name, dict(config or {}))
    with WeightlessConstruction():
        return builders[library](name, dict(config or {}))


def parse_source(text):
    """'timm:resnet50' or 'path/to/file.py:factory' as (library, name)."""
    head, separator, tail = text.partition(":")
    if separator and head in ("torchvision", "timm", "transformers"):
        return head, tail
    path, separator, factory = text.rpartition(":")
    if separator and path.endswith(".py"):
        return "file", text
    if text.endswith(".py"):
        return "file", text + ":model"
    raise ModelError(f"'{text}' names no model; write torchvision:NAME, timm:NAME, transformers:NAME or "
                     "path/to/file.py:factory.")


def _import(module):
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ModelError(f"The Python package '{module}' is not installed ({error}); install it with pip and try "
                         "again.") from error


def _torchvision(name, config):
    torchvision = _import("torchvision")
    try:
        builder = torchvision.models.get_model_builder(name)
    except ValueError as error:
        raise ModelError(f"torchvision has no model '{name}'{_near(name, torchvision.models.list_models())}.") from error
    for option in inspect.signature(builder).parameters:
        if option in ("weights", "weights_backbone"):
            config.setdefault(option, None)
    if name in ("googlenet", "inception_v3"):
        config.setdefault("init_weights", False)
    return builder(**config)


def _timm(name, config):
    timm = _import("timm")
    if not timm.is_model(name):
        raise ModelError(f"timm has no model '{name}'{_near(name, timm.list_models())}.")
    return timm.create_model(name, pretrained=False, **config)


def _file(name, config):
    path, _, factory = name.rpartition(":")
    if not os.path.isfile(path):
        raise ModelError(f"There is no file '{path}'.")
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    specification = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    specification.loader.exec_module(module)
    if not hasattr(module, factory):
        raise ModelError(f"'{path}' defines no '{factory}'; name a function that returns the model.")
    found = getattr(module, factory)
    model = found if isinstance(found, torch.nn.Module) else found(**config)
    if not isinstance(model, torch.nn.Module):
        raise ModelError(f"'{factory}' in '{path}' returned a {type(model).__name__}, not a torch.nn.Module.")
    return model


def _near(name, known):
    near = difflib.get_close_matches(name, known, 3)
    return "; near ones are " + ", ".join(near) if near else ""


TASKS = ("SpeechSeq2Seq", "CausalLM", "Seq2SeqLM", "SequenceClassification", "ImageClassification", "MaskedLM", "Base")


def _transformers(name, config):
    """NAME is a model type ('bert'), with the head after a slash ('bert/MaskedLM'), or a class ('BertForMaskedLM')."""
    transformers = _import("transformers")
    transformers.logging.set_verbosity_error()
    model_type, _, task = name.partition("/")
    if hasattr(transformers, model_type) and isinstance(getattr(transformers, model_type), type):
        model_class = getattr(transformers, model_type)
        return model_class(model_class.config_class(**config))
    auto = transformers.models.auto.modeling_auto
    try:
        built = transformers.AutoConfig.for_model(model_type, **config)
    except ValueError as error:
        known = list(transformers.models.auto.configuration_auto.CONFIG_MAPPING_NAMES)
        raise ModelError(f"transformers has no model type '{model_type}'{_near(model_type, known)}.") from error
    heads = {
        "CausalLM": (auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES, "AutoModelForCausalLM"),
        "Seq2SeqLM": (auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES, "AutoModelForSeq2SeqLM"),
        "SequenceClassification": (auto.MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES,
                                   "AutoModelForSequenceClassification"),
        "ImageClassification": (auto.MODEL_FOR_IMAGE_CLASSIFICATION_MAPPING_NAMES, "AutoModelForImageClassification"),
        "SpeechSeq2Seq": (auto.MODEL_FOR_SPEECH_SEQ_2_SEQ_MAPPING_NAMES, "AutoModelForSpeechSeq2Seq"),
        "MaskedLM": (auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES, "AutoModelForMaskedLM"),
        "Base": (auto.MODEL_MAPPING_NAMES, "AutoModel"),
    }
    if task and task not in heads:
        raise ModelError(f"'{task}' is no head known here; write one of {', '.join(TASKS)} after {model_type}/.")
    encoder_only = model_type in auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES
    if hasattr(built, "text_config") and hasattr(built, "vision_config"):
        task = task or "Base"
    for candidate in (task,) if task else TASKS:
        names, auto_class = heads[candidate]
        if not task and candidate == "CausalLM" and encoder_only:
            continue
        if model_type in names:
            return getattr(transformers, auto_class).from_config(built)
    raise ModelError(f"transformers has no {task or 'usable'} head for '{model_type}'.")
