# SPDX-License-Identifier: Apache-2.0
"""A problem's Model as an operator of torch's dispatcher calls it. What it needs is bound here at start, so that a kernel
that patches modules changes nothing."""

import builtins
import contextlib
import types

import torch
from torch.utils._python_dispatch import TorchDispatchMode

__builtins__ = dict(vars(builtins))  # functions below keep these, whatever a kernel deletes
_Module, _Tensor, _Type, _Method = torch.nn.Module, torch.Tensor, torch.dtype, types.MethodType
_Scripted = torch.jit.ScriptModule
_view_bits = torch.ops.aten.view.dtype
_float64, _halves = torch.float64, (torch.float16, torch.bfloat16)
_narrow = (*_halves, torch.float32)
_enter = contextlib.contextmanager
_most_bytes = 1 << 30  # of weights, which take up to four times as much in float64


def caller(reference, example, results, several):
    """What the operator does. It is a method bound for good; nobody can put another reference into it, as into a
    function's closure. A Model of a short type could not be called in float64, which tells what its own roundings come
    to: with inputs of float64, where its own are not, its weights and all that it computes are such for the call, too.
    Where its inputs are whole numbers alone, it is asked for that by giving these as float64. Nobody asks a Model of
    gigabytes, whose copies could take all memory."""
    places = list(_places(example))
    floating = [place for place, dtype in places if dtype.is_floating_point]
    answered = [each.dtype for each in results if isinstance(each, _Tensor)]
    weights = [*reference.parameters(), *reference.buffers()] if isinstance(reference, _Module) else []
    types = [*(each.dtype for each in weights), *answered, *(dtype for _, dtype in places)]
    is_widened = (isinstance(reference, _Module) and any(each in _halves for each in types)
                  and all(dtype != _float64 for _, dtype in places)
                  and sum(each.numel() * each.element_size() for each in weights) <= _most_bytes)  # fmt: skip
    if places and (is_widened or not floating):
        first = floating[0] if floating else places[0][0]
        whole = [] if floating else [(i, dtype) for (i, within), dtype in places if within is None]
        held = reference, first, whole, is_widened
        return _Method(_call_widened_for_several if several else _call_widened, held)
    return _Method(_call_for_several if several else _call, reference)


def _places(example):
    """Where tensors are among the arguments, of which some may be lists, and their types."""
    for i, value in enumerate(example):
        if isinstance(value, _Tensor):
            yield (i, None), value.dtype
        elif isinstance(value, (list, tuple)):
            yield from (((i, within), each.dtype) for within, each in enumerate(value) if isinstance(each, _Tensor))


def _call(reference, *given):
    return reference(*given)


def _call_for_several(reference, *given):
    return (*reference(*given),)


def _call_widened(held, *given):
    reference, (first, within), whole, is_widened = held
    if (given[first] if within is None else given[first][within]).dtype is not _float64:
        return reference(*given)
    if not is_widened:
        raise TypeError("this Model takes whole numbers and computes in float32 or more")
    given = list(given)
    for place, dtype in whole:
        given[place] = given[place].to(dtype)
    with _widened(reference), _InFloat64():
        return reference(*given)


def _call_widened_for_several(held, *given):
    return (*_call_widened(held, *given),)


def _wide(each):
    return each.detach().to(_float64) if each.is_floating_point() else each.detach().clone()


class _InFloat64(TorchDispatchMode):
    """What a model converts to a type between float64 and float16, as `x.float()` and `y.to(torch.bfloat16)` do, or
    makes in one, stays float64, and so does what it has kept in one: such a tensor has one stand-in for the call."""

    def __init__(self):
        super().__init__()
        self.wide = {}

    def __torch_dispatch__(self, function, types_there, arguments=(), keywords=None):
        arguments = self._stand_in(arguments)
        keywords = {name: self._stand_in(each) for name, each in (keywords or {}).items()}
        if function is _view_bits and _float64 in (arguments[0].dtype, arguments[1]):
            raise TypeError("these bits are of a type that is another one in float64")
        return function(*arguments, **keywords)

    def _stand_in(self, value):
        if isinstance(value, (list, tuple)):
            return type(value)(self._stand_in(each) for each in value)
        if isinstance(value, _Type):
            return _float64 if value in _narrow else value
        if not isinstance(value, _Tensor) or value.dtype not in _narrow:
            return value
        if id(value) not in self.wide:
            self.wide[id(value)] = value, value.detach().to(_float64)  # it is kept, so that its id stays its own
        return self.wide[id(value)][1]


@_enter
def _widened(model):
    """All weights of the model are float64 for a while. Then it is as it was, whatever a call has changed or kept. The
    weights of a scripted part stay as they are: code that is not Python's holds them."""
    modules = [each for each in model.modules() if not isinstance(each, _Scripted)]
    held = [vars(each) for each in modules]
    # Tables that are made at the first call of their kind are kept in a dictionary or a list.
    held += [each for there in list(held) for each in there.values() if type(each) in (dict, list, set)]
    before = [(each, each.copy()) for each in held]
    made = {}  # weights that two layers share stay shared
    try:
        for each in modules:
            for weights in (each._parameters, each._buffers):
                for name, tensor in weights.items():
                    if tensor is not None:
                        if id(tensor) not in made:
                            made[id(tensor)] = _wide(tensor)
                        weights[name] = made[id(tensor)]
            if "_flat_weights_names" in vars(each):  # a recurrent layer has a list of them
                each._flat_weights = [getattr(each, name, None) for name in each._flat_weights_names]
        yield
    finally:
        for now, then in before:
            now.clear()
            (now.extend if type(now) is list else now.update)(then)
