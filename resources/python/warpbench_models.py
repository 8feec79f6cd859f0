# SPDX-License-Identifier: Apache-2.0
"""The two models of a problem in KernelBench's form: how they are made, and what they are asked beside their calls. What
it needs is bound here at start, so that a kernel that patches modules changes nothing."""

import builtins
import contextlib
import itertools

import torch

__builtins__ = dict(vars(builtins))  # functions below keep these, whatever a kernel deletes
_Module, _Tensor, _Generator, _init = torch.nn.Module, torch.Tensor, torch.Generator, torch.nn.init
_no_grad, _equal, _rand = torch.no_grad, torch.equal, torch.rand
_enter, _count = contextlib.contextmanager, itertools.count


def moved(value, where):
    if isinstance(value, _Tensor):
        return value.to(where)
    if isinstance(value, (list, tuple)):
        return type(value)(moved(each, where) for each in value)
    return value


def _init_inputs(module):
    make = getattr(module, "get_init_inputs", None)
    given = make() if make else []
    return (given, {}) if not isinstance(given, dict) else ([], given)


def arguments(module, where):
    """(positional, keywords) that get_init_inputs() gives a model."""
    positional, keywords = _init_inputs(module)
    if len(positional) == 2 and isinstance(positional[1], dict) and isinstance(positional[0], (list, tuple)):
        positional, keywords = positional  # KernelBench's other spelling: [[…], {…}]
    return moved(positional, where), {name: moved(value, where) for name, value in keywords.items()}


def build(kind, module, where):
    positional, keywords = arguments(module, where)
    model = kind(*positional, **keywords)
    return model.to(where) if isinstance(model, _Module) else model


def _build_again(model, module, where):
    """The same object, since others hold it; what it has kept from its calls is gone."""
    there = vars(model)
    kept = {name: there[name] for name in ("forward",) if name in there}  # the reference's own hold of what it does
    there.clear()
    positional, keywords = arguments(module, where)
    type(model).__init__(model, *positional, **keywords)
    there.update(kept)
    model.to(where)


@_enter
def _drawing(seed, drawn):
    """Layers draw what they begin as the same number everywhere, each from a seed by its turn."""
    turn = _count()

    def draw(tensor, around):
        drawn.append(tensor)
        generator = _Generator().manual_seed(seed + next(turn))
        with _no_grad():
            return tensor.copy_(around + _rand(tensor.shape, generator=generator, device="cpu") - 0.5)

    mine = {"ones_": lambda tensor: draw(tensor, 1), "zeros_": lambda tensor: draw(tensor, 0), "constant_": draw}
    before = {name: getattr(_init, name) for name in mine}
    try:
        vars(_init).update(mine)
        yield
    finally:
        vars(_init).update(before)


def _buffers(model):
    """Those of numbers with a fraction: counters are nobody's result."""
    return {name: each for name, each in model.named_buffers() if each.is_floating_point()}


class Both:
    """A problem's reference and the kernel's model. `begin` seeds what parameters are drawn from."""

    def __init__(self, reference, model, module, where, begin):
        self.both, self.module, self.where, self.begin = (reference, model), module, where, begin
        self.before = [{}, {}]

    def remember_buffers(self):
        self.before = [{name: each.clone() for name, each in _buffers(model).items()} for model in self.both]

    def left_buffer(self):
        reference, model = (_buffers(each) for each in self.both)
        before, theirs = self.before
        for name, each in reference.items():
            is_alike = name in theirs and name in model and theirs[name].shape == each.shape
            if is_alike and not _equal(before[name], each) and _equal(theirs[name], model[name]):
                return name
        return ""

    def draw_parameters(self, seed):
        drawn = []
        for each in self.both:
            self.begin()
            with _drawing(seed, drawn):
                _build_again(each, self.module, self.where)
        reference, model = (dict(each.named_parameters()) for each in self.both)
        found = [name for name, each in reference.items() if any(each is one for one in drawn)]
        return bool(found) and all(name in model and _equal(reference[name], model[name]) for name in found)
