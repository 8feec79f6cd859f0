# SPDX-License-Identifier: Apache-2.0
"""The two models of a problem in KernelBench's form: how they are made, and what they are asked beside their calls. What
it needs is bound here at start, so that a kernel that patches modules changes nothing."""

import builtins
import contextlib
import itertools

import torch
import warpbench_traces

__builtins__ = dict(vars(builtins))  # functions below keep these, whatever a kernel deletes
_Module, _Tensor, _Generator, _init = torch.nn.Module, torch.Tensor, torch.Generator, torch.nn.init
_no_grad, _equal, _rand, _eye = torch.no_grad, torch.equal, torch.rand, torch.eye
_Unmade, _Parameter = torch.nn.parameter.UninitializedTensorMixin, torch.nn.Parameter
_most_bytes = 1 << 28
_few = 16  # fewer numbers than these may be none that are drawn
_larger = 64.0
_Norm = torch.nn.modules.batchnorm._NormBase
_reset_statistics = _Norm.reset_running_stats
_enter, _count = contextlib.contextmanager, itertools.count
# By what layers begin their parameters.
_begins = ("ones_", "zeros_", "constant_", "eye_", "dirac_", "uniform_", "normal_", "trunc_normal_", "xavier_uniform_",
           "xavier_normal_", "kaiming_uniform_", "kaiming_normal_", "orthogonal_", "sparse_")  # fmt: skip


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


def _parts(model):
    """[(path, module)] of a model and what is in it, each once. Nothing of their classes is called, since a kernel could
    learn from it that it is about to be asked."""
    parts, found = [("", model)], {}
    while parts:
        path, part = parts.pop()
        if id(part) not in found:
            found[id(part)] = path, part
            inner = vars(part).get("_modules") or {}
            parts += [(f"{path}.{name}" if path else name, each) for name, each in inner.items() if each is not None]
    return list(found.values())


def _held(model, kind):
    """{name: tensor} of the "_parameters" or "_buffers" of all parts, each tensor once."""
    held, there = {}, set()
    for path, part in _parts(model):
        for name, each in (vars(part).get(kind) or {}).items():
            if each is not None and id(each) not in there:
                there.add(id(each))
                held[f"{path}.{name}" if path else name] = each
    return held


def without_size(model):
    """The names of a lazy layer's parameters, before its first call."""
    return [name for name, each in _held(model, "_parameters").items() if isinstance(each, _Unmade)]


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


def _is_constant(values):
    return bool((values == values.flatten()[0]).all())


def _is_identity(values):
    return values.dim() == 2 and _equal(values, _eye(*values.shape, dtype=values.dtype, device=values.device))


def _is_sparse(values):
    """Whether most are zeros but not all, as of dirac_(), which a convolution begins with to be the identity."""
    return values.numel() >= _few and not _is_constant(values) and 2 * int((values == 0).sum()) > values.numel()


def _is_positive(values):
    return values.numel() >= _few and bool((values >= 0).all()) and not _is_constant(values) and not _is_identity(values)


class _Draws:
    """Other numbers for what parameters begin as, each tensor's from the seed by its turn among those of its shape."""

    def __init__(self, seed):
        self.seed, self.turns = seed, {}

    def another(self, tensor, values):
        """What is made of a tensor that begins so; None where nothing is."""
        turn = next(self.turns.setdefault(tuple(tensor.shape), _count()))
        if values == "constants":
            first = tensor.flatten()[0].item()
            return first + self._around_zero(tensor, turn) if abs(first) <= 1 and _is_constant(tensor) else None
        if values == "large":
            return None if _is_constant(tensor) else tensor * _larger
        if _is_identity(tensor) or _is_sparse(tensor):
            return tensor + self._around_zero(tensor, turn) / tensor.shape[0]
        if _is_positive(tensor):
            return tensor * (2 * (self._around_zero(tensor, turn) > 0).to(tensor) - 1)
        return None

    def _around_zero(self, tensor, turn):
        """As many numbers between -0.5 and 0.5."""
        generator = _Generator().manual_seed(self.seed + turn)
        return _rand(tensor.shape, generator=generator, device="cpu").to(tensor) - 0.5


@_enter
def _drawing(seed, values, drawn, begun):
    """Layers draw what they begin as other numbers than usual, and the statistics that a norm keeps, which are its
    answer's where it is not in training. The `values`: "constants", what begins as one number everywhere is another one
    in each place; "others", the identity is nearly that, and what is never negative has signs; "large", all are larger.
    `begun` gets the parameters that a model makes without a layer, with what was drawn for them: whoever begins them
    otherwise later writes over that."""
    turn, turn_of_norms = _count(), _count()
    draws, by_layers = _Draws(seed + (1 << 21)), _Draws(seed + (1 << 22))

    def reset(norm):
        _reset_statistics(norm)
        if norm.track_running_stats and values == "constants":
            generator = _Generator().manual_seed(seed + (1 << 20) + next(turn_of_norms))
            with _no_grad():
                for each in (norm.running_mean, norm.running_var):
                    each.add_(_rand(each.shape, generator=generator, device="cpu").to(each.device) - 0.5)

    def draw(tensor, around):
        drawn.append(tensor)
        generator = _Generator().manual_seed(seed + next(turn))
        with _no_grad():
            return tensor.copy_(around + _rand(tensor.shape, generator=generator, device="cpu") - 0.5)

    def changed(begin):
        def begin_otherwise(*args, **keywords):
            tensor = begin(*args, **keywords)
            other = by_layers.another(tensor.detach(), values) if tensor.numel() else None
            if other is not None:
                drawn.append(tensor)
                with _no_grad():
                    tensor.copy_(other)
            return tensor

        return begin_otherwise

    def parameter(kind, data=None, requires_grad=True):
        each = make(kind, data, requires_grad)
        if type(each) is not kind or not each.is_floating_point() or not each.numel() or each.is_meta:
            return each
        other = draws.another(each.detach(), values)
        if other is not None:
            each.data = other
            begun.append((each, other.clone()))
        return each

    new = vars(_Parameter)["__new__"]
    make = _Parameter.__new__
    before, reset_before = {name: getattr(_init, name) for name in _begins}, _Norm.reset_running_stats
    mine = {"ones_": lambda tensor: draw(tensor, 1), "zeros_": lambda tensor: draw(tensor, 0), "constant_": draw}
    if values != "constants":
        mine = {name: changed(begin) for name, begin in before.items()}
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
    all = _held(model, "_buffers")
    for path, part in _parts(model):
        for name, each in list(vars(part).items()):
            if type(each) is _Tensor:
                all[f"{path}.{name}" if path else name] = each
    return {name: each for name, each in all.items() if each.is_floating_point() or each.numel() > 1}


def _may_be_others(model, values):
    """Whether some parameter may be drawn so, and there is memory to make all of them again."""
    held = [each.detach() for each in _held(model, "_parameters").values()]
    parameters = [each for each in held if each.numel() and each.is_floating_point()]
    if sum(each.numel() * each.element_size() for each in parameters) > _most_bytes:
        return False
    if values == "constants":
        return any(_is_constant(each) for each in parameters)
    if values == "large":
        return any(not _is_constant(each) for each in parameters)
    return any(_is_identity(each) or _is_sparse(each) or _is_positive(each) for each in parameters)


def _drawn(parameters, made):
    """The parameters that were drawn, by their names; none where something else was, too."""
    found = sorted(name for name, each in parameters.items() if any(each is one for one in made))
    return found if len({id(each) for each in made}) == len(found) else []


class Asked:
    """One of a problem's two models. `begin` seeds what parameters are drawn from."""

    def __init__(self, model, module, where, begin, is_reference):
        self.model, self.module, self.where, self.begin = model, module, where, begin
        self.is_reference, self.before, self.had, self.unchanged = is_reference, {}, [], []

    def remember_buffers(self):
        self.before = {name: each.clone() for name, each in _buffers(self.model).items()}

    def buffers(self):
        """[(name, shape, whether it has changed since)]"""
        now = _buffers(self.model)
        kept = [(name, each, now[name]) for name, each in self.before.items() if name in now]
        return [(name, str(list(each.shape)), not _equal(was, each)) for name, was, each in kept]

    def _change(self, seed):
        """Changes the parameters of the model that is there, each by up to a half of what it is."""
        held = sorted(_held(self.model, "_parameters").items())
        parameters = [(name, each) for name, each in held if each.is_floating_point() and each.numel()]
        if sum(each.numel() * each.element_size() for _, each in parameters) > _most_bytes:
            return []
        self.unchanged = [(each, each.detach().clone()) for _, each in parameters]
        for turn, (each, before) in enumerate(self.unchanged):
            generator = _Generator().manual_seed(seed + turn)
            by = _rand(each.shape, generator=generator, device="cpu").to(each) - 0.5
            with _no_grad():
                each.copy_(before + by * (before if before.any() else 1))
        return parameters

    def _put_back(self):
        unchanged, self.unchanged = self.unchanged, []
        for each, before in unchanged:
            with _no_grad():
                each.copy_(before)
        return [("", before) for _, before in unchanged[:1]]

    def draw_parameters(self, seed, values):
        """[(name, tensor)]. The reference alone says whether there is something to draw."""
        if values in ("changed", "put back"):
            return self._change(seed) if values == "changed" else self._put_back()
        if self.is_reference and not _may_be_others(self.model, values):
            return []
        made, begun = [], []
        self.begin()
        with _drawing(seed, values, made, begun):
            self.had.append(_build_again(self.model, self.module, self.where, self.is_reference))
        if self.is_reference:
            warpbench_traces.leave_out_parts()
        parameters = _held(self.model, "_parameters")
        others = {id(each) for each in parameters.values()} - {id(each) for each in made}
        made += [each for each, values in begun if id(each) in others and _equal(each, values.to(each.device))]
        return [(name, parameters[name]) for name in _drawn(parameters, made)]
