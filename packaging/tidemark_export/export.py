# SPDX-License-Identifier: Apache-2.0
"""From a torch.nn.Module to a TorchScript file."""
import collections
import contextlib
import copy
import json
import os
import sys
import tempfile
import warnings
from dataclasses import dataclass
from unittest import mock

import torch

from .lifetimes import kept_in_trace
from .models import ModelError, is_weightless

WEIGHTLESS_FROM = 32       # elements; smaller tensors keep their values
INPUTS_RECORD = "tidemark_inputs.json"
FLOAT32_RECORD = "tidemark_float32.json"


@dataclass(frozen=True)
class Exported:
    method: str            # "scripted" or "traced"
    why_not_scripted: str  # first line of the compiler's complaint; empty when scripted
    inputs: tuple          # of InputSpec
    parameters: int


def _tensors_in(value):
    """Every tensor of a model's output in order, those of a cache of keys and values too."""
    if torch.is_tensor(value):
        return [value]
    if hasattr(value, "self_attention_cache"):
        return _tensors_in([value.self_attention_cache, value.cross_attention_cache])
    if hasattr(value, "layers") and not isinstance(value, torch.nn.Module):
        return _tensors_in([[layer.keys, layer.values] for layer in value.layers])
    if hasattr(value, "values"):
        value = list(value.values())
    return [tensor for item in value for tensor in _tensors_in(item)] if isinstance(value, (tuple, list)) else []


class Logits(torch.nn.Module):
    """A transformers model as a function of tensors. It returns its loss with labels, else its logits; with `everything`
    also what else the model returns behind it, which a loop keeps that keeps the output."""

    def __init__(self, model, names, with_loss, everything):
        super().__init__()
        self.model = model
        self.names = names + (["labels"] if with_loss else [])
        self.with_loss = with_loss
        self.everything = everything

    def forward(self, *tensors):
        output = self.model(**dict(zip(self.names, tensors)))
        first = self._first(output)
        rest = [tensor for tensor in _tensors_in(output) if tensor is not first] if self.everything else []
        return (first, *rest) if rest else first

    def _first(self, output):
        if self.with_loss:
            return output.loss
        for name in ("logits", "logits_per_image", "prediction_logits", "last_hidden_state"):
            if getattr(output, name, None) is not None:
                return output[name]
        return output[0]


def make_weightless(model):
    """Puts a scalar behind every large float weight and buffer.

    All share one per dtype, which keeps files small. A tied weight has a scalar of its own, and so has everything when
    there is but one shape: tensors of one shape on one storage are what tied weights look like in a file.
    """
    places = collections.Counter(id(tensor) for tensor in _tensors(model))
    large = {id(tensor): tensor for tensor in _tensors(model)
             if tensor.numel() >= WEIGHTLESS_FROM and tensor.is_floating_point()}.values()
    alone = [tensor for tensor in large if places[id(tensor)] == 1]
    shapes = {dtype: {tensor.shape for tensor in alone if tensor.dtype == dtype} for dtype in {t.dtype for t in alone}}
    shared = {dtype: torch.zeros((), dtype=dtype) for dtype in shapes}
    for tensor in large:
        own = places[id(tensor)] > 1 or len(shapes[tensor.dtype]) == 1
        scalar = torch.zeros((), dtype=tensor.dtype) if own else shared[tensor.dtype]
        tensor.data = scalar.expand(tensor.shape)


def _named_tensors(model):
    """Every parameter and buffer, tied ones as often as they have names."""
    yield from model.named_parameters(remove_duplicate=False)
    yield from model.named_buffers(remove_duplicate=False)


def _tensors(model):
    return (tensor for _, tensor in _named_tensors(model))


def convert(model, dtype):
    """model.to(dtype) that leaves weightless tensors weightless."""
    with torch.no_grad():
        for tensor in list(model.parameters()) + list(model.buffers()):
            if tensor.is_floating_point() and is_weightless(tensor):
                tensor.data = torch.zeros((), dtype=dtype).expand(tensor.shape)
    model.to(dtype)


def kept_in_float32(model):
    """Names of the tensors that the model's own _apply() restores to float32 when the model is made half precision."""
    names = []
    for path, module in model.named_modules():
        own = type(module)._apply is not torch.nn.Module._apply and not type(module).__module__.startswith("torch.")
        if not own:
            continue
        half = copy.deepcopy(module).to(torch.bfloat16)
        names += [f"{path}.{name}" if path else name for name, tensor in _named_tensors(half) if tensor.dtype == torch.float32]
    return names


def materialise(model):
    """The opposite: zeros of full size behind every weightless tensor."""
    with torch.no_grad():
        for tensor in list(model.parameters()) + list(model.buffers()):
            if is_weightless(tensor):
                tensor.data = torch.zeros(tensor.shape, dtype=tensor.dtype)


@contextlib.contextmanager
def _quiet():
    """Tracing warns about every Python value it freezes, and TorchScript of its age."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _first_line(error):
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


@contextlib.contextmanager
def _positions_that_count_up():
    """transformers asks the positions whether several texts are packed into one row, and only while it is traced takes that
    for granted and makes a mask. Positions that count up say no, as they do in training."""
    masks = sys.modules.get("transformers.masking_utils")
    ask = getattr(masks, "find_packed_sequence_indices", None)
    if ask is None:
        yield
        return

    def asked(positions):
        with mock.patch.object(masks, "is_tracing", lambda *tensors: False):
            return ask(positions)

    with mock.patch.object(masks, "find_packed_sequence_indices", asked):
        yield


def _trace(model, inputs, axes):
    examples = [spec.example(axes) for spec in inputs]
    named = {spec.name: example for spec, example in zip(inputs, examples) if spec.name}
    options = {"strict": False, "check_trace": False}
    with _quiet(), _positions_that_count_up(), kept_in_trace(model):
        if named and len(named) == len(inputs) and not isinstance(model, Logits):
            return torch.jit.trace(model, example_kwarg_inputs=named, **options)
        return torch.jit.trace(model, tuple(examples), **options)


def _script_to_file(model, path, extra, finish):
    """Scripts and saves; what went wrong as a sentence, or "". Some models compile and then cannot be saved."""
    try:
        with _quiet():
            module = torch.jit.script(model)
        finish(module)
        _save(module, path, extra)
        return ""
    except ModelError:
        raise
    except Exception as error:  # the compiler raises many kinds; any of them means "trace instead"
        return _first_line(error)


def _trace_to_file(model, path, extra, finish, inputs, axes, complaint):
    if not inputs:
        raise ModelError("The model has to be traced, and for that its input must be known: describe it with "
                         f"--input, for example --input 'float32[B,3,224,224]'. (Scripting failed: {complaint})")
    try:
        module = _trace(model, inputs, axes)
    except Exception as error:
        raise ModelError(f"The model can neither be scripted nor traced with {', '.join(map(str, inputs))}: "
                         f"{_first_line(error)}") from error
    finish(module)
    _save(module, path, extra)


def export(model, path, inputs=(), train=True, weightless=False, method="auto", axes=None, with_loss=False,
           everything=False):
    """Writes the model to `path` and says how. `inputs` are InputSpecs; scripting does without them."""
    inputs = list(inputs)
    parameters = sum(parameter.numel() for parameter in model.parameters())
    model.train(train)
    if weightless:
        make_weightless(model)
    if with_loss or hasattr(model, "main_input_name") and hasattr(model, "config"):
        model, inputs = _as_function(model, inputs, with_loss, everything)
        method = "trace"
    extra = {INPUTS_RECORD: json.dumps([spec.with_sizes(axes) for spec in inputs])} if inputs else {}
    if float32 := kept_in_float32(model):
        extra[FLOAT32_RECORD] = json.dumps(float32)
    finish = (lambda module: None) if weightless else materialise
    complaint = "" if method == "trace" else _script_to_file(model, path, extra, finish)
    if method != "trace" and not complaint:
        return Exported("scripted", "", tuple(inputs), parameters)
    if method == "script":
        raise ModelError(f"The model cannot be scripted: {complaint}")
    _trace_to_file(model, path, extra, finish, inputs, axes, complaint)
    return Exported("traced", complaint, tuple(inputs), parameters)


def _as_function(model, inputs, with_loss, everything):
    from .inputs import InputSpec
    names = [spec.name or (model.main_input_name if i == 0 else "") for i, spec in enumerate(inputs)]
    if "" in names:
        raise ModelError(f"Give every input of a transformers model after the first its name, as in "
                         f"--input 'decoder_input_ids={inputs[names.index('')]}'.")
    if not inputs:
        raise ModelError("A transformers model has to be traced: describe its inputs with --input 'input_ids=int64[B,128]'.")
    inputs = [InputSpec("", spec.dtype, spec.shape) for spec in inputs]
    if with_loss:
        per_token = "CausalLM" in type(model).__name__ or "LMHead" in type(model).__name__ \
            or "ConditionalGeneration" in type(model).__name__ or "MaskedLM" in type(model).__name__
        inputs.append(InputSpec("", torch.int64, inputs[-1].shape if per_token else ("B",)))
    wrapper = Logits(model, names, with_loss, everything)
    wrapper.training = model.training
    return wrapper, inputs


def _save(module, path, extra):
    """Writes beside the target first, so that a failed export leaves no half file."""
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise ModelError(f"There is no folder '{folder}' to write '{os.path.basename(path)}' to.")
    # The archive carries the file's name inside, so the temporary one must have it too.
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        written = os.path.join(temporary, os.path.basename(path))
        with _quiet():
            torch.jit.save(module, written, _extra_files=extra)
        os.replace(written, path)
