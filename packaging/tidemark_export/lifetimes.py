# SPDX-License-Identifier: Apache-2.0
"""Keeps in a trace how long Python kept each tensor.

A trace is a list of operators: the variables that held their results are gone, and with them the moment at which each
memory was given back. While the model is traced, the death of every tensor is watched, and a call of an empty function is
recorded where Python let it go. PyTorch runs such a file as any other; Tidemark reads the marks.
"""
import contextlib
import warnings
import weakref
from typing import List, Optional, Tuple
from unittest import mock

import torch
from torch.overrides import TorchFunctionMode

# Here functions of Python ask first whether a mode takes them over as a whole. They are to be seen from the inside.
ASKING = (torch.nn.functional, torch.functional, torch._tensor, torch.overrides)
QUESTIONS = ("has_torch_function", "has_torch_function_unary", "has_torch_function_variadic")


def tidemark_kept_until_here(tensor: torch.Tensor) -> torch.Tensor:
    return tensor


def gru_cell(input: torch.Tensor, hx: torch.Tensor, w_ih: torch.Tensor, w_hh: torch.Tensor,
             b_ih: Optional[torch.Tensor] = None, b_hh: Optional[torch.Tensor] = None) -> torch.Tensor:
    return torch.gru_cell(input, hx, w_ih, w_hh, b_ih, b_hh)


def lstm_cell(input: torch.Tensor, hx: List[torch.Tensor], w_ih: torch.Tensor, w_hh: torch.Tensor,
              b_ih: Optional[torch.Tensor] = None,
              b_hh: Optional[torch.Tensor] = None) -> Tuple[torch.Tensor, torch.Tensor]:
    return torch.lstm_cell(input, hx, w_ih, w_hh, b_ih, b_hh)


with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # TorchScript warns of its age
    MARK = torch.jit.script(tidemark_kept_until_here)
    # Tracing looks into these and writes down the many operators that they are on the CPU; a GPU has one for all.
    WHOLE = {function.__name__: torch.jit.script(function) for function in (gru_cell, lstm_cell)}


class Lifetimes(TorchFunctionMode):
    """Active while torch.jit.trace() runs: every function and method of torch passes here."""

    def __init__(self):
        super().__init__()
        self._watched = set()  # ids of living tensors
        self._died = []        # values of tensors whose death the trace does not show yet
        self._stand_in = torch.empty(0)
        self._patches = contextlib.ExitStack()

    def __enter__(self):
        for module in ASKING:
            for name in QUESTIONS:
                if hasattr(module, name):
                    self._patches.enter_context(mock.patch.object(module, name, lambda *tensors: False))
        for name, function in WHOLE.items():
            self._patches.enter_context(mock.patch.object(torch._VF, name, function))
        # What dies with the variables of a module's forward dies inside that module, what died before it outside.
        state = torch._C.TracingState
        enter, leave = state.push_scope, state.pop_scope
        self._patches.enter_context(mock.patch.object(
            state, "push_scope", lambda tracing, name: (self.mark_deaths(), enter(tracing, name))[1]))
        self._patches.enter_context(mock.patch.object(
            state, "pop_scope", lambda tracing: (self.mark_deaths(), leave(tracing))[1]))
        return super().__enter__()

    def __exit__(self, *error):
        self._patches.close()
        return super().__exit__(*error)

    def __torch_function__(self, function, types, arguments=(), keywords=None):
        if not _is_tracing():
            return function(*arguments, **(keywords or {}))
        self.mark_deaths()
        result = function(*arguments, **(keywords or {}))
        if _is_tracing():
            for tensor in result if isinstance(result, (tuple, list)) else (result,):
                # Without dimensions, a tensor may be a number: the tracer follows sizes so.
                if isinstance(tensor, torch.Tensor) and id(tensor) not in self._watched and tensor.ndim:
                    self._watch(tensor)
        return result

    def _watch(self, tensor):
        value = torch._C._get_value_trace(tensor)
        if value.node().kind() in ("prim::Constant", "prim::GetAttr", "prim::Param"):
            return  # lives as long as the model, or the call
        self._watched.add(id(tensor))
        weakref.finalize(tensor, self._note_death, id(tensor), value).atexit = False

    def _note_death(self, identity, value):
        """A tensor may die inside an operator, when nothing can be recorded."""
        self._watched.discard(identity)
        if _is_tracing():
            self._died.append(value)

    def mark_deaths(self):
        """Shows in the trace what died since the last operator."""
        died, self._died = self._died, []
        for value in died:
            if not _is_in_use(value):
                with torch._C.DisableTorchFunction():
                    torch._C._set_value_trace(self._stand_in, value)
                    MARK(self._stand_in)


def _is_tracing():
    return torch._C._get_tracing_state() is not None


def _is_in_use(value):
    """The last operator made the value or used it: it needs no mark to live until now."""
    last = torch._C._get_tracing_state().graph().return_node().prev()
    return value.node() == last or any(use.user == last for use in value.uses())


@contextlib.contextmanager
def kept_in_trace(model):
    """torch.jit.trace(model, …) inside records the marks. Gradients are off: what backward keeps, it keeps in every run;
    only Python's share matters here."""
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    for parameter in parameters:
        parameter.requires_grad_(False)
    lifetimes = Lifetimes()
    # The outermost module has no scope of its own to leave.
    hook = model.register_forward_hook(lambda module, arguments, result: lifetimes.mark_deaths())
    try:
        with lifetimes:
            yield
    finally:
        hook.remove()
        for parameter in parameters:
            parameter.requires_grad_(True)
