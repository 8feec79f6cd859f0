# SPDX-License-Identifier: Apache-2.0
"""What the worker's bridge (core/engine/python/bridge) asks of Python: loading kernels, words for exceptions, problems
in KernelBench's form. Everything it needs is bound here at start, so that a kernel that patches modules changes
nothing."""

import builtins
import contextlib
import gc
import hashlib
import importlib
import importlib.util
import inspect
import linecache
import os
import re
import sys
import traceback
import types

import torch
import warpbench_code
import warpbench_extensions
import warpbench_inputs
import warpbench_interpreter
import warpbench_made
import warpbench_models
import warpbench_opened
import warpbench_references
import warpbench_seeds
import warpbench_told
import warpbench_traces
from warpbench_code import listed, versions  # noqa: F401, which the bridge asks
from warpbench_error import KernelError
from warpbench_streams import mentions_stream  # noqa: F401, the same
from warpbench_told import reference_tells  # noqa: F401, the same

__builtins__ = dict(vars(builtins))  # functions below keep these, whatever a kernel deletes
_TracebackException = traceback.TracebackException
_extract_tb = traceback.extract_tb
_manual_seed, _device, _no_grad, _Library = torch.manual_seed, torch.device, torch.no_grad, torch.library.Library
_generator, _cuda, _is_cuda_begun = torch.default_generator, torch.cuda, torch.cuda.is_initialized
_may_begin_cuda = os.path.exists("/proc/driver/nvidia")
_objects, _collect, _freeze, _unfreeze = gc.get_objects, gc.collect, gc.freeze, gc.unfreeze
_Function = types.FunctionType
_own_files = [os.path.join(os.path.dirname(os.path.abspath(__file__)), f"warpbench_{name}.py")
              for name in ("kernels", "extensions", "code", "inputs", "interpreter", "io", "models", "opened", "requests",
                           "streams", "told", "traces", "worker")]  # fmt: skip
_settled = 0  # how many modules there were when looks over all objects began to leave out what was there
_mark = []  # an object that was made just before a kernel's own
_loaded = 0
_modules = []  # of the sources that were executed since a problem began to be loaded
_besides = set()  # the folders of those
_none = {}
loading = {"folder": "", "where": "cpu"}  # of the problem that is being loaded
_shown = {}  # file that was executed -> path that the user knows
_kept = []  # what the models of the problem that is being loaded really do, where they say that they are called
_problems = {}  # name of a problem's operator -> the library that holds it
warpbench_extensions.install()
warpbench_interpreter.mend()
warpbench_code.watch()


def _trace(error):
    """The traceback of an exception and of what led to it, without Warpbench's own frames."""
    whole = _TracebackException.from_exception(error)
    rest = [whole]
    while rest:
        trace = rest.pop()
        trace.stack[:] = [f for f in trace.stack if os.path.abspath(f.filename) not in _own_files]
        rest += [each for each in (trace.__cause__, trace.__context__) if each is not None]
    return "".join(whole.format())


def describe(error):
    """The (type, message, traceback, file, line, hint) of an exception, without Warpbench's own frames."""
    kind = type(error)
    frames = [f for f in _extract_tb(error.__traceback__) if os.path.abspath(f.filename) not in _own_files]
    text = _trace(error)
    for executed, shown in _shown.items():
        text = text.replace(executed, shown)
    file, line = "", 0
    for frame in frames:  # the innermost line of the user's own
        if frame.filename in _shown:
            file, line = _shown[frame.filename], frame.lineno or 0
    if isinstance(error, SyntaxError) and error.filename in _shown:
        file, line = _shown[error.filename], error.lineno or 0
        message = f"{kind.__name__}: {error.msg}"
    elif isinstance(error, KernelError):
        return "", str(error), "", file, error.line, error.hint
    elif isinstance(error, warpbench_extensions.NotRunHere):
        message = str(error)
    elif isinstance(error, SystemExit):
        message = f"the kernel called sys.exit({error.code!r})"
    else:
        said = str(error)
        message = f"{kind.__name__}: {said}" if said else kind.__name__
    return str(kind), message, text, file, line, ""


def symbol(name):
    """A dtype, layout, memory format or number by the name that the trace grammar has for it."""
    known = {"inf": float("inf"), "nan": float("nan"), **warpbench_inputs.dtypes}
    if name in known:
        return known[name]
    for prefix in ("torch.", "th."):
        name = name.removeprefix(prefix)
    return getattr(torch, name)


def device(name, wanted):
    """The device that a case names; one recorded on a GPU means the job's."""
    return torch.device(wanted if str(name).startswith("cuda") else name)


def _file_for(path, text, folder):
    """A file with exactly this text, since Triton and tracebacks read the source from disk."""
    try:
        with open(path, encoding="utf-8", newline="") as there:
            if there.read() == text:
                return os.path.abspath(path)
    except (OSError, UnicodeDecodeError):
        pass
    place = os.path.join(folder, hashlib.sha256(text.encode()).hexdigest()[:20])
    os.makedirs(place, exist_ok=True)
    name = os.path.basename(path) or "kernel.py"
    file = os.path.join(place, name if name.endswith(".py") else name + ".py")
    if not os.path.exists(file):
        unfinished = f"{file}.{os.getpid()}"
        with open(unfinished, "w", encoding="utf-8", newline="") as out:
            out.write(text)
        os.replace(unfinished, file)
    return file


def _missing_imports(text):
    """Names that BackendBench puts before a kernel's text when it does not import torch itself."""
    if "import torch" in text:
        return {}
    names = {"torch": torch}
    if "triton" in text:
        import triton
        import triton.language as tl

        names.update(triton=triton, tl=tl)
    if "F." in text:
        import torch.nn.functional as F

        names["F"] = F
    if "nn." in text:
        names["nn"] = torch.nn
    return names


def _is_in(module, folders):
    """Whether one of these folders is where a module was found, which may be a package."""
    # There are thousands. Their own attributes are asked alone, since those of torch that make theirs on demand take
    # long.
    file = getattr(module, "__dict__", _none).get("__file__")
    if not isinstance(file, str):
        return False
    folder, name = os.path.split(file)
    return folder in folders or (name == "__init__.py" and os.path.dirname(folder) in folders)


def _forget_modules_of(folders, names=None):
    """Forgets the modules that were imported from these folders, all of them or those with these names."""
    wanted = {name for name, module in list(sys.modules.items()) if "." not in name
              and (names is None or name in names) and name not in _modules and _is_in(module, folders)}  # fmt: skip
    if wanted:
        for name in [each for each in sys.modules if each.partition(".")[0] in wanted]:
            del sys.modules[name]


def _begin_beside(path):
    """The folder of a source, from which it may import: "" where there is none. Its modules may have changed since they
    were imported, and others may have the same names."""
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        return ""
    # A service's worker stands in the root folder, where nobody has kernels.
    if "site-packages" in folder or folder == os.sep:
        return folder
    _forget_modules_of({folder})
    with contextlib.suppress(OSError):  # a kernel's process may not look into it with --strict
        _forget_modules_of(_besides - {folder}, {name.partition(".")[0] for name in os.listdir(folder)})
    _besides.add(folder)
    return folder


def _forget_earlier():
    """Forgets the modules of earlier kernels and problems: a worker that serves others loads thousands."""
    while _modules:
        sys.modules.pop(_modules.pop(), None)
    if _besides:
        _forget_modules_of(_besides)
        _besides.clear()


def _execute(path, text, folder):
    """Runs a source as a module of its own, its folder first among the places to import from."""
    global _loaded
    _loaded += 1
    file = _file_for(path, text, folder)
    _shown[file] = path
    if text.startswith(warpbench_made.first_line) and file not in _own_files:
        _own_files.append(file)
    warpbench_extensions.shown[file] = path, text
    linecache.checkcache(file)
    name = f"warpbench_kernel_{_loaded}"
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    vars(module).update(_missing_imports(text))
    sys.modules[name] = module
    _modules.append(name)
    beside = _begin_beside(path)
    if beside:
        sys.path.insert(0, beside)
    try:
        exec(compile(text, file, "exec"), vars(module))
    finally:
        if beside in sys.path:
            sys.path.remove(beside)
    return module


def execute(path, text):
    """The same for a source that belongs to the problem that is being loaded."""
    return _execute(path, text, loading["folder"])


def _function(module, names, path):
    for name in names:
        found = getattr(module, name, None)
        if found is None:
            continue
        if not callable(found):
            raise KernelError(f"{name} is not a function", f"define `def {name}(…)`")
        return found, name
    there = [n for n, v in vars(module).items() if inspect.isfunction(v) and not n.startswith("_")]
    hint = f"it defines {', '.join(sorted(there))}" if there else "it defines no function"
    raise KernelError(f"{os.path.basename(path)} has no function {names[0]}", hint)


def load(path, text, names, folder):
    """(function, its name) of a kernel file."""
    warpbench_traces.begin()
    _forget_earlier()
    warpbench_code.forget()
    return _function(_execute(path, text, folder), names, path)


# Problems: class Model is the reference, class ModelNew the candidate, get_inputs() and get_init_inputs() what
# both get (KernelBench's form).

# What parameters are drawn from, which no kernel's author knows.
_model_seed = 0
_trials = 3  # inputs that a problem is checked on; KernelBench takes five, of which it times one


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
    _without_memory(lambda: torch.randn(1))
    with contextlib.suppress(Exception):  # not every environment has it
        importlib.import_module("triton.compiler.code_generator")
    settle()


class _Reference:
    """A problem's reference, which becomes an operator of torch's dispatcher, so that it is called, checked and timed as
    any of ATen's. It is complete before the code of a kernel runs whose file is another one."""

    def __init__(self, module, shown, name, made, room, kind, own, noted):
        where = loading["where"]
        self.model = model = _made_there(where, lambda: _build(kind, module, where))
        if isinstance(model, torch.nn.Module):
            if unmade := warpbench_models.without_size(model):
                raise KernelError(f"Model's {unmade[0]} has no size before its first call, which would draw other numbers "
                                  "for the kernel", "give the layer its sizes, or call it once in __init__")  # fmt: skip
            # It has its own hold of what it does, so that nobody slows it down by putting another one into the class.
            if own is not None:
                object.__setattr__(model, "forward", own.__get__(model))
                told = kind.forward.__get__(model)
                warpbench_told.holds.append((vars(model), vars(model)["forward"], told))
            warpbench_traces.remember_model(kind, model, module)
        make = getattr(module, "get_inputs", None)
        if make is None:
            raise KernelError(f"{os.path.basename(shown)} has no get_inputs()", "it gives a list of the model's inputs")

        # A request says in which numbers its seeds result, and some of what is done with it; whoever writes a problem
        # may not hold on to one set of numbers, nor say how much is checked.
        def seeded(number):
            seed(number)
            with contextlib.nullcontext() if made else warpbench_seeds.anew(number, _seed_torch):
                return make()

        def inputs(number):
            with noted():
                given = warpbench_inputs.as_list(_made_there(where, lambda: seeded(number & 0x7FFFFFFFFFFFFFFF)))
            return [warpbench_models.moved(each, where) for each in given]

        self.inputs = inputs
        # It may say that its Model always gives a list, so that it need not be called to know that.
        gives_list = made and module.gives_list
        example, result = _without_memory(make), None
        changes = []
        if example is None or (not gives_list and warpbench_inputs.size(example) <= room):
            example = inputs(0)
            begun = warpbench_inputs.versions(example)
            with _no_grad():
                result = None if gives_list else model(*example)
            if isinstance(model, torch.nn.Module):
                warpbench_traces.leave_out_changed()
            changes = [f"a{i}" for i, each in enumerate(warpbench_inputs.versions(example)) if each != begun[i]]
        several = isinstance(result, (list, tuple))
        given = [each for each in (result if several else [result]) if each is not None]
        strange = [type(each).__name__ for each in given if not isinstance(each, torch.Tensor)]
        if strange:
            raise TypeError(f"Model gives a {strange[0]}: problems are judged whose Model gives a tensor, or some of them "
                            "in a tuple or list")
        returns = "Tensor[]" if gives_list else ", ".join("Tensor" for _ in result) if several else "Tensor"
        parameters = ", ".join(f"{warpbench_inputs.type_of(value)} a{i}" for i, value in enumerate(example))
        library = _problems[name] = _Library("problem", "FRAGMENT")
        library.define(f"{name}({parameters}) -> ({returns})")
        self.call = warpbench_references.caller(model, example, given, several)
        library.impl(name, self.call, "CompositeExplicitAutograd")
        warpbench_traces.remember_operator(f"problem::{name}")
        literal = "((" + "".join(warpbench_inputs.literal(value) + ", " for value in example) + "), {})"
        self.changes = ", ".join(changes)
        # It may also say that its inputs are the same each time.
        self.same = made and module.same_inputs
        self.literals = [literal] * (module.trials if made else _trials)


def load_problem(path, text, reference_path, reference_text, folder, where, room, part, model_seed, since):
    """(candidate, its name, operator, [arguments' literal], inputs from a seed, whether another seed makes others, what
    can be asked of [reference, candidate], each of which may be None, which inputs Model changes in place). Inputs of
    more than `room` bytes are not made: their check will say why not. Of the part "reference" the candidate is the
    reference itself; of the part "candidate" only the first two and the last are given. Parameters are drawn from
    `model_seed`. A problem in a file of its own may read none that was changed after `since`, in nanoseconds since
    1970; 0 where it may."""
    global _model_seed
    _model_seed = model_seed
    warpbench_traces.begin()
    warpbench_traces.forget_model()
    loading.update(folder=folder, where=where)
    _forget_earlier()
    warpbench_told.holds.clear()
    _kept.clear()
    while _problems:  # the models of an earlier problem take memory
        _problems.popitem()[1]._destroy()
    settle()
    shown = reference_path if reference_text else path
    stem = re.sub(r"\W", "_", os.path.splitext(os.path.basename(shown))[0])
    name = stem if stem[:1].isalpha() else f"p{stem}"
    made = warpbench_made.is_of_request(reference_text or text)
    apart = bool(reference_text)
    reference = kind = None
    beside = os.path.dirname(os.path.abspath(shown))

    def noted():
        return warpbench_opened.noted(since if apart and not made else 0, beside, _shown)

    with noted():
        module = _execute(shown, reference_text or text, folder)
        if part != "candidate":
            kind = _model(module, "Model", shown)
            own = _tell_callers(kind, f"problem::{name}")
            reference = _Reference(module, shown, name, made, room, kind, own, noted)
        else:
            _tell_callers(getattr(module, "Model", None), f"problem::{name}")
    candidate = module
    if apart and part != "reference":
        candidate = _execute(path, text, folder)
    wanted = "Model"
    if part != "reference" and (hasattr(candidate, "ModelNew") or not apart):
        wanted = "ModelNew"
    # The kernel's file may have a Model of its own from the same text, whose code is equal.
    if apart and wanted == "ModelNew":
        _tell_callers(getattr(candidate, "Model", None), f"problem::{name}")
    # Both are made in the same place, since a CPU's generator and a GPU's draw different parameters.
    model = reference.model if reference else None
    if part != "reference":
        model = _made_there(where, lambda: _build(_model(candidate, wanted, path), module, where))
    theirs = None if reference and model is reference.model else model
    asked = _asked(reference.model if reference else None, module, where, True), _asked(theirs, module, where, False)
    if reference is None:
        return model, wanted, "", [], None, False, asked, ""
    called, varies = reference.call if part == "reference" else model, not reference.same
    return called, wanted, f"problem::{name}", reference.literals, reference.inputs, varies, asked, reference.changes


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
    if type(original) is not _Function or original.__code__.co_filename not in _shown:
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


def traces():
    """([what was changed and is put back now], [what is patched and stays so])"""
    return warpbench_traces.traces()


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
settle()
