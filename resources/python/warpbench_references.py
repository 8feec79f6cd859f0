# SPDX-License-Identifier: Apache-2.0
"""A problem's Model as an operator of torch's dispatcher calls it. What it needs is bound here at start, so that a kernel
that patches modules changes nothing."""

import builtins
import contextlib
import types

import torch

__builtins__ = dict(vars(builtins))  # functions below keep these, whatever a kernel deletes
_Module, _Tensor, _Method = torch.nn.Module, torch.Tensor, types.MethodType
_float64, _halves = torch.float64, (torch.float16, torch.bfloat16)
_enter = contextlib.contextmanager


def caller(reference, example, several):
    """What the operator does. It is a method bound for good; nobody can put another reference into it, as into a
    function's closure. A Model whose weights are of a short type could not be called in float64, which tells what its
    own roundings come to: with inputs of float64, where its own are not, its weights are such for the call, too."""
    floating = [i for i, each in enumerate(example) if isinstance(each, _Tensor) and each.is_floating_point()]
    if floating and _has_halves(reference) and all(example[i].dtype != _float64 for i in floating):
        return _Method(_call_widened_for_several if several else _call_widened, (reference, floating[0]))
    return _Method(_call_for_several if several else _call, reference)


def _has_halves(reference):
    if not isinstance(reference, _Module):
        return False
    return any(each.dtype in _halves for held in (reference.parameters(), reference.buffers()) for each in held)


def _call(reference, *given):
    return reference(*given)


def _call_for_several(reference, *given):
    return (*reference(*given),)


def _call_widened(held, *given):
    reference, first = held
    if given[first].dtype is not _float64:
        return reference(*given)
    with _widened(reference):
        return reference(*given)


def _call_widened_for_several(held, *given):
    return (*_call_widened(held, *given),)


def _wide(each):
    return each.detach().to(_float64) if each.is_floating_point() else each.detach().clone()


@_enter
def _widened(model):
    """All weights of the model are float64 for a while. Then it is as it was, whatever a call has changed or kept."""
    modules = list(model.modules())
    before = [(vars(each), dict(vars(each))) for each in modules]
    before += [(held, dict(held)) for each in modules for held in (each._parameters, each._buffers)]
    made = {}  # weights that two layers share stay shared
    try:
        for each in modules:
            for held in (each._parameters, each._buffers):
                for name, tensor in held.items():
                    if tensor is not None:
                        if id(tensor) not in made:
                            made[id(tensor)] = _wide(tensor)
                        held[name] = made[id(tensor)]
            if "_flat_weights_names" in vars(each):  # a recurrent layer has a list of them
                each._flat_weights = [getattr(each, name, None) for name in each._flat_weights_names]
        yield
    finally:
        for now, then in before:
            now.clear()
            now.update(then)
