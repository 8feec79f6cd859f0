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
_Unmade, _Parameter = torch.nn.parameter.UninitializedTensorMixin, torch.nn.Parameter
_most_bytes = 1 << 26
_Norm = torch.nn.modules.batchnorm._NormBase
_reset_statistics = _Norm.reset_running_stats
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


def without_size(model):
    """The names of a lazy layer's parameters, before its first call."""
    return [name for name, each in model.named_parameters() if isinstance(each, _Unmade)]


def _build_again(model, module, where, is_bound):
    """The same object, since others hold it; what it has kept from its calls is gone. `is_bound`: it was given a hold
    of its own of what it does, which stays. What it had is given back, to stay where it is: a kernel may know what it
    has made of parameters by where these lie."""
    there = vars(model)
    had = dict(there)
    kept = {name: there[name] for name in ("forward",) if is_bound and name in there}
    there.clear()
    positional, keywords = arguments(module, where)
    type(model).__init__(model, *positional, **keywords)
    there.update(kept)
    model.to(where)
    return had


@_enter
def _drawing(seed, drawn, begun):
    """Layers draw what they begin as the same number everywhere, each from a seed by its turn, and the statistics that
    a norm keeps, which are its answer's where it is not in training. `begun` gets the parameters that are made of a
    constant, as of torch.ones(), with what was drawn for them: whoever begins them otherwise later writes over that."""
    turn, turn_of_norms, turns_of_shapes = _count(), _count(), {}

    def reset(norm):
        _reset_statistics(norm)
        if norm.track_running_stats:
            generator = _Generator().manual_seed(seed + (1 << 20) + next(turn_of_norms))
            with _no_grad():
                for each in (norm.running_mean, norm.running_var):
                    each.add_(_rand(each.shape, generator=generator, device="cpu").to(each.device) - 0.5)

    def draw(tensor, around):
        drawn.append(tensor)
        generator = _Generator().manual_seed(seed + next(turn))
        with _no_grad():
            return tensor.copy_(around + _rand(tensor.shape, generator=generator, device="cpu") - 0.5)

    def parameter(kind, data=None, requires_grad=True):
        each = make(kind, data, requires_grad)
        if type(each) is not kind or not each.is_floating_point() or each.numel() < 2 or each.is_meta:
            return each
        number = next(turns_of_shapes.setdefault(each.shape, _count()))
        first = each.detach().flatten()[0].item()
        if abs(first) <= 1 and bool((each == first).all()):
            generator = _Generator().manual_seed(seed + (1 << 21) + number)
            each.data = first + _rand(each.shape, generator=generator, device="cpu").to(each) - 0.5
            begun.append((each, each.detach().clone()))
        return each

    new = vars(_Parameter)["__new__"]
    make = _Parameter.__new__
    mine = {"ones_": lambda tensor: draw(tensor, 1), "zeros_": lambda tensor: draw(tensor, 0), "constant_": draw}
    before, reset_before = {name: getattr(_init, name) for name in mine}, _Norm.reset_running_stats
    try:
        vars(_init).update(mine)
        _Norm.reset_running_stats = reset
        _Parameter.__new__ = staticmethod(parameter)
        yield
    finally:
        vars(_init).update(before)
        _Norm.reset_running_stats = reset_before
        _Parameter.__new__ = new


def _buffers(model):
    """Those of numbers with a fraction, and of several whole ones, a counter being nobody's result; and other tensors
    that a model has as attributes."""
    all = dict(model.named_buffers())
    for path, part in model.named_modules():
        for name, each in list(vars(part).items()) if isinstance(getattr(part, "__dict__", None), dict) else ():
            if type(each) is _Tensor:
                all[f"{path}.{name}" if path else name] = each
    return {name: each for name, each in all.items() if each.is_floating_point() or each.numel() > 1}


def _begins_constant(model):
    """Whether some parameter may be ones or zeros, and there is memory to make all of them again."""
    parameters = list(model.parameters())
    if sum(each.numel() * each.element_size() for each in parameters) > _most_bytes:
        return False
    return any(each.numel() > 0 and bool((each == each.flatten()[0]).all()) for each in parameters)


def _drawn(parameters, made):
    """The parameters that were drawn, by their names; none where something else was, too."""
    found = sorted(name for name, each in parameters.items() if any(each is one for one in made))
    return found if len({id(each) for each in made}) == len(found) else []


class Asked:
    """One of a problem's two models. `begin` seeds what parameters are drawn from."""

    def __init__(self, model, module, where, begin, is_reference):
        self.model, self.module, self.where, self.begin = model, module, where, begin
        self.is_reference, self.before = is_reference, {}

    def remember_buffers(self):
        self.before = {name: each.clone() for name, each in _buffers(self.model).items()}

    def buffers(self):
        """[(name, shape, whether it has changed since)]"""
        now = _buffers(self.model)
        kept = [(name, each, now[name]) for name, each in self.before.items() if name in now]
        return [(name, str(list(each.shape)), not _equal(was, each)) for name, was, each in kept]

    def draw_parameters(self, seed):
        """[(name, tensor)]. The reference alone says whether there is something to draw."""
        if self.is_reference and not _begins_constant(self.model):
            return []
        made, begun = [], []
        self.begin()
        with _drawing(seed, made, begun):
            self.had = _build_again(self.model, self.module, self.where, self.is_reference)
        parameters = dict(self.model.named_parameters())
        others = {id(each) for each in parameters.values()} - {id(each) for each in made}
        made += [each for each, values in begun if id(each) in others and _equal(each, values.to(each.device))]
        return [(name, parameters[name]) for name in _drawn(parameters, made)]
