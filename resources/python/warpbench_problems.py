# SPDX-License-Identifier: Apache-2.0
"""Problems in KernelBench's form: class Model is the reference, class ModelNew the candidate, get_inputs() and
get_init_inputs() what both get. Everything that is needed here is bound at start, so that a kernel that patches modules
changes nothing."""

import builtins
import contextlib
import gc
import importlib
import os
import re
import sys
import types

import torch
import warpbench_code
import warpbench_inputs
import warpbench_kernels
import warpbench_left
import warpbench_made
import warpbench_models
import warpbench_opened
import warpbench_references
import warpbench_seeds
import warpbench_told
import warpbench_traces
from warpbench_error import KernelError
from warpbench_told import reference_tells  # noqa: F401, which the bridge asks

__builtins__ = dict(vars(builtins))  # functions below keep these, whatever a kernel deletes
_manual_seed, _device, _no_grad, _Library = torch.manual_seed, torch.device, torch.no_grad, torch.library.Library
_generator, _cuda, _is_cuda_begun = torch.default_generator, torch.cuda, torch.cuda.is_initialized
_may_begin_cuda = os.path.exists("/proc/driver/nvidia")
_objects, _collect, _freeze, _unfreeze = gc.get_objects, gc.collect, gc.freeze, gc.unfreeze
_Function, _read_only = types.FunctionType, types.MappingProxyType
_settled = 0  # how many modules there were when looks over all objects began to leave out what was there
_mark = []  # an object that was made just before a kernel's own
_kept = []  # what the models of the problem that is being loaded really do, where they say that they are called
_problems = {}  # name of a problem's operator -> the library that holds it
_model_seed = 0  # what parameters are drawn from, which no kernel's author knows
_trials = 3  # inputs that a problem is checked on; KernelBench takes five, of which it times one
loading = {"folder": "", "where": "cpu"}  # of the problem that is being loaded


def execute(path, text):
    """Runs a source that belongs to the problem that is being loaded as a module of its own."""
    return warpbench_kernels.execute(path, text, loading["folder"])


def _model(module, name, path):
    found = getattr(module, name, None)
    if not callable(found):
        raise KernelError(f"{os.path.basename(path)} has no class {name}",
                          "a problem has class Model and get_inputs(), a kernel for it class ModelNew")
    return found


def _made_there(where, make):
    """What make() gives, its tensors made on the device: gigabytes by torch.rand take seconds on a CPU and milliseconds
    on a GPU. A function that cannot do that, as one that goes by way of numpy, makes them on the CPU."""
    if _device(where).type == "cpu":
        return make()
    try:
        with _device(where):
            return make()
    except torch.OutOfMemoryError:
        raise
    except Exception:
        return make()


def seed(number):
    """Does what torch.manual_seed does. That takes half a millisecond, since it keeps a traceback of its caller for each
    kind of device that has not begun, also for those that are not there."""
    if _is_cuda_begun():
        for each in _cuda.default_generators:
            each.manual_seed(number)
    elif _may_begin_cuda or _device(loading["where"]).type != "cpu":
        _manual_seed(number)
    _generator.manual_seed(number)


def _seed_torch(number):
    seed(number)
    return _generator


def _begin():
    """Equal seeds give the reference's and the candidate's parameters the same values."""
    seed(_model_seed)


def _build(kind, module, where):
    _begin()
    return warpbench_models.build(kind, module, where)


def _without_memory(make):
    """The inputs without their contents, which take no memory; None where get_inputs() looks into them."""
    try:
        with _device("meta"):
            given = warpbench_inputs.as_list(make())
        return given if warpbench_inputs.size(given) > 0 else None
    except Exception:
        return None


def warm():
    """Does for the first time what kernels begin with, and for which torch and Triton import hundreds of modules, so
    that copies of this process need not."""
    gc.disable()
    _without_memory(lambda: torch.randn(1))
    with contextlib.suppress(Exception):  # not every environment has it
        importlib.import_module("triton.compiler.code_generator")
    settle()
    gc.enable()


def _problem_of(path, text, reference_path, reference_text, since):
    """What is known of a problem's source before any of its code runs."""
    is_apart = bool(reference_text)  # in another file than the kernel
    shown = reference_path if is_apart else path
    stem = re.sub(r"\W", "_", os.path.splitext(os.path.basename(shown))[0])
    name = stem if stem[:1].isalpha() else f"p{stem}"
    is_of_request = warpbench_made.is_of_request(reference_text or text)
    noted = _noting(since if is_apart and not is_of_request else 0, os.path.dirname(os.path.abspath(shown)))
    # Code that runs later finds this in our frames, and may not write to it.
    return _read_only({"path": shown, "text": reference_text or text, "name": name, "operator": f"problem::{name}",
                       "is_apart": is_apart, "is_of_request": is_of_request, "noted": noted})  # fmt: skip


def _noting(since, folder):
    return lambda: warpbench_opened.noted(since, folder, warpbench_kernels.shown_as)


def _refuse_without_size(model):
    if unmade := warpbench_models.without_size(model):
        raise KernelError(f"Model's {unmade[0]} has no size before its first call, which would draw other numbers "
                          "for the kernel", "give the layer its sizes, or call it once in __init__")  # fmt: skip


def _hold_own_forward(model, kind, own):
    """Gives the reference its own hold of what it does, so that nobody slows it down by putting another one into the
    class."""
    if own is not None:
        object.__setattr__(model, "forward", own.__get__(model))
        told = kind.forward.__get__(model)
        warpbench_told.holds.append((vars(model), vars(model)["forward"], told))


def _get_inputs_of(module, path):
    """The function of this name."""
    make = getattr(module, "get_inputs", None)
    if make is None:
        raise KernelError(f"{os.path.basename(path)} has no get_inputs()", "it gives a list of the model's inputs")
    return make


def _inputs_by_seed(problem, make, where):
    """The function that gives a problem's inputs from a number."""
    noted, is_of_request = problem["noted"], problem["is_of_request"]

    # A request says in which numbers its seeds result, and some of what is done with it; whoever writes a problem
    # may not hold on to one set of numbers, nor say how much is checked.
    def seeded(number):
        seed(number)
        with contextlib.nullcontext() if is_of_request else warpbench_seeds.anew(number, _seed_torch):
            return make()

    def inputs(number):
        with noted():
            given = warpbench_inputs.as_list(_made_there(where, lambda: seeded(number & 0x7FFFFFFFFFFFFFFF)))
        return [warpbench_models.moved(each, where) for each in given]

    return inputs


def _call_first(model, make, inputs, gives_list, room):
    """(inputs, or such without their contents, what the Model gives for them, which of them it changes in place). It is
    not called where it always gives a list, or where its inputs would take more than `room` bytes: None then."""
    example = _without_memory(make)
    if example is not None and (gives_list or warpbench_inputs.size(example) > room):
        return example, None, []
    example = inputs(0)
    begun = warpbench_inputs.versions(example)
    with _no_grad():
        result = None if gives_list else model(*example)
    if isinstance(model, torch.nn.Module):
        warpbench_traces.leave_out_changed()
    changes = [f"a{i}" for i, each in enumerate(warpbench_inputs.versions(example)) if each != begun[i]]
    return example, result, changes


def _tensors_of(result):
    """The tensors that a Model gave, without what is None."""
    given = [each for each in (result if isinstance(result, (list, tuple)) else [result]) if each is not None]
    strange = [type(each).__name__ for each in given if not isinstance(each, torch.Tensor)]
    if strange:
        within = " within its results" if isinstance(result, (list, tuple)) else ""
        raise TypeError(f"Model gives a {strange[0]}{within}: problems are judged whose Model gives a tensor, or a tuple "
                        "or list of nothing but tensors and None")
    return given


def _schema(name, example, result, gives_list):
    """That of an operator which takes such inputs and gives such results."""
    several = isinstance(result, (list, tuple))
    returns = "Tensor[]" if gives_list else ", ".join("Tensor" for _ in result) if several else "Tensor"
    parameters = ", ".join(f"{warpbench_inputs.type_of(value)} a{i}" for i, value in enumerate(example))
    return f"{name}({parameters}) -> ({returns})"


def _register(problem, model, example, result, gives_list):
    """Makes the model an operator. Gives what that calls."""
    given = _tensors_of(result)
    schema = _schema(problem["name"], example, result, gives_list)
    library = _problems[problem["name"]] = _Library("problem", "FRAGMENT")
    library.define(schema)
    call = warpbench_references.caller(model, example, given, isinstance(result, (list, tuple)))
    library.impl(problem["name"], call, "CompositeExplicitAutograd")
    warpbench_traces.remember_operator(problem["operator"])
    return call


class _Reference:
    """A problem's reference, which becomes an operator of torch's dispatcher, so that it is called, checked and timed as
    any of ATen's. It is complete before the code of a kernel runs whose file is another one."""

    def __init__(self, problem, module, kind, own, room):
        where, is_of_request = loading["where"], problem["is_of_request"]
        self.model = _made_there(where, lambda: _build(kind, module, where))
        if isinstance(self.model, torch.nn.Module):
            _refuse_without_size(self.model)
            _hold_own_forward(self.model, kind, own)
            warpbench_traces.remember_model(kind, self.model, module)
        make = _get_inputs_of(module, problem["path"])
        self.inputs = _inputs_by_seed(problem, make, where)
        # A request may say that its Model always gives a list, so that it need not be called to know that.
        gives_list = is_of_request and module.gives_list
        example, result, changes = _call_first(self.model, make, self.inputs, gives_list, room)
        self.call = _register(problem, self.model, example, result, gives_list)
        literal = "((" + "".join(warpbench_inputs.literal(value) + ", " for value in example) + "), {})"
        self.changes = ", ".join(changes)
        # It may also say that its inputs are the same each time.
        self.same = is_of_request and module.same_inputs
        self.literals = [literal] * (module.trials if is_of_request else _trials)


def _forget_earlier():
    """Forgets the problem or kernel before this one."""
    warpbench_traces.begin()
    warpbench_traces.forget_model()
    warpbench_kernels.forget_earlier()
    warpbench_told.holds.clear()
    _kept.clear()
    while _problems:  # the models of an earlier problem take memory
        _problems.popitem()[1]._destroy()
    settle()


def _load_reference(problem, part, room):
    """(module of the problem's source, its reference: None of the part "candidate")."""
    with problem["noted"]():
        module = execute(problem["path"], problem["text"])
        if part == "candidate":
            _tell_callers(getattr(module, "Model", None), problem["operator"])
            return module, None
        kind = _model(module, "Model", problem["path"])
        own = _tell_callers(kind, problem["operator"])
        return module, _Reference(problem, module, kind, own, room)


def let_go():
    """A kernel is done. What its objects do when they go away is done now, and not while the next one runs; the problem
    stays, to be looked at. Gives ([what would reach the next kernel], [new files that later Pythons find])."""
    warpbench_kernels.forget_earlier()
    warpbench_code.forget()
    return warpbench_left.left(), warpbench_left.new_files()


def load_problem(path, text, reference_path, reference_text, folder, where, room, part, model_seed, since):
    """(candidate, its name, operator, [arguments' literal], inputs from a seed, whether another seed makes others, what
    can be asked of [reference, candidate], each of which may be None, which inputs Model changes in place, the reference
    as it is timed). Inputs of
    more than `room` bytes are not made: their check will say why not. Of the part "reference" the candidate is the
    reference itself; of the part "candidate" only the first two and the last are given. Parameters are drawn from
    `model_seed`. A problem in a file of its own may read none that was changed after `since`, in nanoseconds since
    1970; 0 where it may."""
    global _model_seed
    _model_seed = model_seed
    loading.update(folder=folder, where=where)
    _forget_earlier()
    problem = _problem_of(path, text, reference_path, reference_text, since)
    apart, operator = problem["is_apart"], problem["operator"]
    module, reference = _load_reference(problem, part, room)
    candidate = module
    if apart and part != "reference":
        candidate = warpbench_kernels.execute(path, text, folder)
    wanted = "Model"
    if part != "reference" and (hasattr(candidate, "ModelNew") or not apart):
        wanted = "ModelNew"
    # The kernel's file may have a Model of its own from the same text, whose code is equal.
    if apart and wanted == "ModelNew":
        _tell_callers(getattr(candidate, "Model", None), operator)
    # Both are made in the same place, since a CPU's generator and a GPU's draw different parameters.
    model = reference.model if reference else None
    if part != "reference":
        model = _made_there(where, lambda: _build(_model(candidate, wanted, path), module, where))
    theirs = None if reference and model is reference.model else model
    asked = _asked(reference.model if reference else None, module, where, True), _asked(theirs, module, where, False)
    if reference is None:
        return model, wanted, "", [], None, False, asked, "", None
    called, varies = reference.call if part == "reference" else model, not reference.same
    more = asked, reference.changes, reference.model
    return called, wanted, operator, reference.literals, reference.inputs, varies, *more


def _asked(model, module, where, is_reference):
    """What can be asked of a model, or None."""
    is_module = isinstance(model, torch.nn.Module)
    return warpbench_models.Asked(model, module, where, _begin, is_reference) if is_module else None


def _tell_callers(kind, name):
    """The forward of this class says so when anybody calls it, as a ModelNew does that is Model or has kept the function,
    and so does each function with equal code. Gives what it really does, for the reference, so that nobody slows it
    down by putting another one there."""
    global _settled
    original = getattr(kind, "forward", None)
    if type(original) is not _Function or warpbench_told.is_told(original.__code__):
        return original
    if original.__code__.co_filename not in warpbench_kernels.shown_as:
        return original
    code, kept = original.__code__, original
    everything = _objects()
    if not any(each is _mark for each in everything):  # the kernel has frozen what is there, which hides it
        _unfreeze()
        _settled = 0
        everything = _objects()
    for each in everything:
        if type(each) is _Function and each.__code__ == code and not any(each is own for own in _kept):
            own, told = warpbench_told.telling(each, name)
            _kept.append(own)
            if each is original:
                kept = own
            each.__code__ = told
    return kept


def settle():
    """Looks over all objects (_tell_callers) leave out what is here now, before anything of the next kernel's is: with
    torch's 160 000 they would take 25 ms of every problem, and 18 ms more with what torch imports for an extension."""
    global _mark, _settled
    if len(sys.modules) > _settled + 20:
        _collect()
        _freeze()
        _settled = len(sys.modules)
    _mark = []


warpbench_traces.remember()
warpbench_left.remember()
settle()
