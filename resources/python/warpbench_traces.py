# SPDX-License-Identifier: Apache-2.0
"""What kernels leave behind in an interpreter in which others run later. What it needs is bound here at start, so that a
kernel that patches modules changes nothing."""

import builtins
import copy
import dis
import functools
import gc
import itertools
import math
import operator
import os
import random
import sys
import threading
import time
import tracemalloc
import warnings

import torch
from torch._C._dynamo import eval_frame
from torch.utils._python_dispatch import TorchDispatchMode

__builtins__ = dict(vars(builtins))  # functions below keep these, whatever a kernel deletes
_is, _name_of = operator.is_, repr
_instructions = dis.get_instructions
_function, _no_grad, _float64, _tolist = type(lambda: None), torch.no_grad, torch.float64, torch.Tensor.tolist
_make_lazily = torch.nn.modules.lazy.LazyModuleMixin._infer_parameters
_module, _dump, _attribute = type(sys), torch._C._dispatch_dump, operator.attrgetter
_start = {}  # what kernels share, as it was before the first of them
_share = int.from_bytes(os.urandom(2), "little") / 65536  # up to where contents are added up once more


def remember_model(kind, reference, module):
    """A problem's reference as it is now."""
    _start["model"] = [(words, there, dict(there), _codes_in(there))
                       for words, there in _places_of(kind, reference, module)]  # fmt: skip
    _start["parts"] = [(words, there, dict(there)) for words, there in _parts_of(reference)]
    _start["classes"] = [(path, part, type(part)) for path, part in reference.named_modules()]
    _start["bases"] = [(each, each.__mro__) for each in {kind, *(type(part) for part in reference.modules())}]
    _start["keeping"] = [(path, part, name, there) for path, part in reference.named_modules()
                         for name, there in vars(part).items() if name[:1] == "_" and isinstance(there, dict)]  # fmt: skip
    _start["parameters"] = [(name, each, _digest(each), type(each)) for name, each in reference.named_parameters()]
    _start["globals"] = list(_globals_of(kind, reference, module))
    _start["numbers"] = list(_numbers_of(kind, reference, module))


def leave_out_changed():
    """Parameters that the reference itself has changed since, as a step of training does, are its own affair."""
    _start["parameters"] = [each for each in _start["parameters"] if _digest(each[1]) == each[2]]


def leave_out_parts():
    """The reference was made again: what its parts are and what they have is Warpbench's own doing. What others may have
    done to its class and to the functions that it calls is still looked at."""
    _start["model"] = [each for each in _start.get("model", ()) if type(each[1]) is _view_of_class]
    _start["numbers"] = [each for each in _start.get("numbers", ()) if not each[1].startswith("the reference's ")]
    for each in ("parts", "classes", "keeping", "parameters"):
        _start.pop(each, None)


def remember_operator(name):
    """What is registered for the operator that calls a problem's reference."""
    _start["operator"] = name, _dump(name)


def forget_model():
    for each in ("model", "parts", "classes", "bases", "keeping", "parameters", "globals", "numbers", "operator"):
        _start.pop(each, None)


def _globals_of(kind, reference, module):
    """What the reference's functions find among the names of their modules: who is asked, the name, what is there."""
    classes = [each for each in kind.__mro__[:-1] if not _is_torchs_class(each)]
    rest = [each for one in classes for each in vars(one).values() if type(each) is _function]
    # Its own hold of what the class had.
    rest += [each.__func__ for each in vars(reference).values() if type(getattr(each, "__func__", None)) is _function]
    seen = set()
    while rest:
        function = rest.pop()
        if function in seen or function.__globals__.get("__name__") != module.__name__:
            continue
        seen.add(function)
        for name in _names_in(function.__code__):
            there = function.__globals__.get(name)
            yield function.__globals__, name, there, getattr(there, "__code__", None)
            if type(there) is _function:
                rest.append(there)


def _numbers_of(kind, reference, module):
    """The numbers and texts that the reference and its inputs are made with: who has each, its words, its name, and what
    it is. Those that the reference's own functions change are left out."""
    classes = {each for part in (kind, *map(type, reference.modules())) for each in part.__mro__[:-1]
               if not _is_torchs_class(each)}  # fmt: skip
    rest = [each for one in classes for name, each in vars(one).items() if type(each) is _function and name != "__init__"]
    rest += [each.__func__ for each in vars(reference).values() if type(getattr(each, "__func__", None)) is _function]
    rest += [each for name in ("get_inputs", "get_init_inputs")
             if type(each := vars(module).get(name)) is _function]  # fmt: skip
    functions = set()
    while rest:
        function = rest.pop()
        if function in functions or function.__globals__ is not vars(module):
            continue
        functions.add(function)
        found = map(function.__globals__.get, _names_in(function.__code__))
        rest += [each for each in found if type(each) is _function]
    read = {name for each in functions for name in _names_in(each.__code__)}
    stored = {name for each in functions for name in _names_stored_in(each.__code__)}
    if not read.isdisjoint(_that_store):
        return
    for name in read - stored:
        if _is_plain(vars(module).get(name)):
            yield vars(module), f"{module.__name__}.", name, vars(module)[name]
    for path, part in reference.named_modules():
        if not isinstance(part, _lazy):
            yield from ((vars(part), f"the reference's {path + '.' if path else ''}", name, value)
                        for name, value in vars(part).items() if _is_plain(value) and name not in stored)  # fmt: skip


# By these anything may be set. A model that sets how it is used is left alone, too.
_that_store = {"setattr", "__setattr__", "__dict__", "vars", "globals", "train", "eval", "exec"}
_lazy = torch.nn.modules.lazy.LazyModuleMixin


def _is_plain(value):
    return type(value) in (int, float, bool, str, complex) or (type(value) is tuple and all(map(_is_plain, value)))


def _names_stored_in(code):
    yield from (each.argval for each in _instructions(code) if each.opname.startswith(("STORE_", "DELETE_")))
    for each in code.co_consts:
        if type(each) is type(code):
            yield from _names_stored_in(each)


def _names_in(code):
    yield from code.co_names
    for each in code.co_consts:
        if type(each) is type(code):
            yield from _names_in(each)


def _parts_of(reference):
    """Where a module has the modules and parameters that it works with."""
    for path, part in reference.named_modules():
        yield f"the reference's {path + '.' if path else ''}", part._modules
        yield f"the reference's {path + '.' if path else ''}", part._parameters


def _places_of(kind, reference, module):
    """Where somebody could put other code for the reference."""
    yield from ((f"{each.__name__}.", vars(each)) for each in kind.__mro__[:-1] if not _is_torchs_class(each))
    yield from ((f"{each.__name__}.", vars(each)) for each in list(vars(module).values())
                if isinstance(each, type) and each.__module__ == module.__name__ and each not in kind.__mro__)  # fmt: skip
    for path, part in reference.named_modules():
        there = f"the reference's {path or 'model'}."
        yield there, vars(part)
        yield there + "hook ", part._forward_hooks
        yield there + "hook ", part._forward_pre_hooks


_hooks_of_all = [each for name, each in vars(torch.nn.modules.module).items()
                 if name.startswith("_global_") and isinstance(each, dict)]  # fmt: skip
_calling = {"forward", "__call__", "_call_impl", "_wrapped_call_impl", "_slow_forward", "_compiled_call_impl"}


_view_of_class = type(vars(object))


def _is_special(name):
    return name.startswith("__") and name.endswith("__")


def _is_torchs_class(kind):
    return kind.__module__.startswith("torch.")


def _codes_in(there):
    return {name: each.__code__ for name, each in there.items() if type(each) is _function}


def _digest(parameter):
    """Numbers that the contents of a parameter have and hardly any others, and how they lie in memory."""
    with _no_grad():
        flat = parameter.detach().reshape(-1)
        if flat.is_complex() or flat.is_meta:
            return parameter.stride()
        wide = flat.to(_float64)
        sums = _tolist(wide.sum()), _tolist(wide[: int(_share * wide.numel())].sum())
        # Memory that nobody has written to may hold numbers that are not equal to themselves, and have equal names.
        return _name_of((parameter.stride(), _tolist(flat[:1]), sums))


def _patched_model():
    """What of the reference is another one than when it was made; tensors and numbers are its own affair."""
    for words, there, before, codes in _start.get("model", ()):
        for name in list(before.keys() | there.keys()):
            now, then = there.get(name), before.get(name)
            # A model may keep what it makes in its first call; torch's own names are not for that.
            is_own = name not in _calling and not (type(there) is _view_of_class and _is_special(name))
            is_new = name not in before and is_own and "hook" not in words
            # A lazy layer takes away the hook that made its parameters.
            is_done = now is None and getattr(then, "__func__", None) is _make_lazily
            if now is not then and not is_new and not is_done and (callable(now) or callable(then)):
                yield f"{words}{name}"
        for name, code in codes.items():
            if there.get(name) is before[name] and before[name].__code__ is not code:
                yield f"{words}{name}"
    for words, there, before in _start.get("parts", ()):
        now = dict(there)  # a scripted part's are no dictionary
        yield from (words + name for name, part in before.items() if now.get(name) is not part)
    for path, part, kind in _start.get("classes", ()):
        # A lazy layer takes its true class in its first call.
        if type(part) is not kind and type(part) is not getattr(kind, "cls_to_become", None):
            yield f"the class of the reference's {path or 'model'}"
    for name, parameter, before, kind in _start.get("parameters", ()):
        is_kind = type(parameter) is kind or type(parameter) is getattr(kind, "cls_to_become", None)
        if not is_kind or _digest(parameter) != before:
            yield f"the reference's {name}"
    for kind, bases in _start.get("bases", ()):
        if kind.__mro__ != bases:
            yield f"the bases of {kind.__name__}"
    for path, part, name, before in _start.get("keeping", ()):
        if vars(part).get(name) is not before:
            yield f"the reference's {path + '.' if path else ''}{name}"
    for there, name, before, code in _start.get("globals", ()):
        now = there.get(name)
        if now is not before and (_does(before) or (before is None and callable(now))):
            yield f"{there.get('__name__')}.{name}"
        elif code is not None and now is before and now.__code__ is not code:
            yield f"{there.get('__name__')}.{name}"
    for there, words, name, before in _start.get("numbers", ()):
        now = there.get(name)
        if now is not before and (type(now) is not type(before) or now != before):
            yield words + name
    if "operator" in _start and _dump(_start["operator"][0]) != _start["operator"][1]:
        yield f"the kernels of {_start['operator'][0]}"


def _shared():
    """What a kernel may patch although the next one, or a reference in Python, calls it too."""
    return {
        "the built-in ": vars(builtins), "torch.": vars(torch), "torch.Tensor.": vars(torch.Tensor),
        "torch.nn.functional.": vars(torch.nn.functional), "torch.nn.Module.": vars(torch.nn.Module),
        "torch.cuda.": vars(torch.cuda), "torch.linalg.": vars(torch.linalg), "torch.special.": vars(torch.special),
        "time.": vars(time), **_libraries, **_layers, **_inner, **_around,
    }  # fmt: skip


# What a reference in Python calls beside torch, as far as it is loaded.
_libraries = {f"{each.__name__}.": vars(each)
              for each in (math, operator, functools, itertools, random, copy, sys.modules.get("numpy"))
              if each is not None}  # fmt: skip


# What torch.Storage may be: that of the default dtype.
_storages = {each for name, each in vars(torch).items() if name.endswith("Storage") and isinstance(each, type)}

_layers = {f"torch.nn.{name}.": vars(layer) for name, layer in vars(torch.nn).items()
           if isinstance(layer, type) and issubclass(layer, torch.nn.Module)}  # fmt: skip

# What the functions above call in their turn.
_inner = {f"torch._C.{name}.": vars(there if hasattr(there, "__dict__") else type(there))
          for name in ("TensorBase", "_VariableFunctions", "_nn", "_linalg", "_special", "_fft")
          for there in (getattr(torch._C, name),)}  # fmt: skip

# Where layers look for what they call, and what draws their parameters and inputs; Warpbench's own come to these when
# they are loaded (remember).
_around = {f"{name}.": vars(there) for name, there in list(sys.modules.items())
           if name.startswith("torch.nn.modules.") or
           name in ("torch.nn.init", "torch.nn.parameter", "torch._C", "torch.functional", "torch.random",
                    "torch._tensor", "torch._jit_internal", "torch.library", "torch.utils._python_dispatch")}  # fmt: skip
_around["torch.utils._python_dispatch.TorchDispatchMode."] = vars(TorchDispatchMode)

# What slows down or watches all of Python: (what it is called, how it is asked, how it is set).
def _trace_memory(frames):
    tracemalloc.stop()
    if frames:
        tracemalloc.start(frames)


_interpreters = (
    ("a trace function of Python's (sys.settrace)", sys.gettrace, sys.settrace),
    ("a profile function of Python's (sys.setprofile)", sys.getprofile, sys.setprofile),
    ("how often Python's threads take turns", sys.getswitchinterval, sys.setswitchinterval),
    ("the thresholds of the garbage collector", gc.get_threshold, lambda values: gc.set_threshold(*values)),
    ("the garbage collector", gc.isenabled, lambda on: gc.enable() if on else gc.disable()),
    ("what is asked about Python's frames (torch._dynamo)", eval_frame.get_eval_frame_callback,
     eval_frame.set_eval_frame),
    ("the fast path of attention's layers (torch.backends.mha)", torch.backends.mha.get_fastpath_enabled,
     torch.backends.mha.set_fastpath_enabled),
    ("the tracing of Python's memory (tracemalloc)",
     lambda: tracemalloc.get_traceback_limit() if tracemalloc.is_tracing() else 0, _trace_memory),
    ("callbacks of the garbage collector", lambda: tuple(gc.callbacks),
     lambda before: gc.callbacks.__setitem__(slice(None), before)),
)  # fmt: skip


_add_audit_hook, _audit_hooks = sys.addaudithook, []


def _note_audit_hook(hook):
    """Nobody can take one away, and it is called at much of what Python does."""
    _audit_hooks.append(hook)
    _add_audit_hook(hook)


def _filter_warnings(before):
    warnings.resetwarnings()
    warnings.filters.extend(before)


# What many an honest kernel sets for itself, and never for the next one: (how it is asked, how it is set).
_settings = [
    (sys.getrecursionlimit, sys.setrecursionlimit),
    (threading.stack_size, threading.stack_size),
    (lambda: list(warnings.filters), _filter_warnings),
]  # fmt: skip
if hasattr(sys, "get_int_max_str_digits"):
    _settings.append((sys.get_int_max_str_digits, sys.set_int_max_str_digits))
_numpy = sys.modules.get("numpy")
if _numpy is not None:
    _settings.append((_numpy.geterr, lambda before: _numpy.seterr(**before)))


def begin():
    """A kernel begins with the settings that the first one found."""
    for (get, put), value in zip(_settings, _start["settings"]):
        if get() != value:
            put(value)


def _is_wrapped_by_torch(now, before):
    """torch.compile wraps some functions of torch's own when it is first used. Anybody can have torch wrap another
    function, and give code the name of a file of torch's: it has to be torch's code around the same function."""
    if type(now) is not _function or not now.__code__.co_filename.startswith(_folder_of_torch):
        return False
    within = [cell.cell_contents for cell in now.__closure__ or ()]
    if [each for each in within if callable(each)] != [before]:
        return False
    there = sys.modules.get(now.__globals__.get("__name__"))
    return there is not None and vars(there) is now.__globals__ and _is_in_its_file(now.__code__)


_folder_of_torch = os.path.dirname(torch.__file__) + os.sep


def _is_in_its_file(code):
    try:
        with open(code.co_filename, encoding="utf-8") as file:
            rest = [compile(file.read(), code.co_filename, "exec")]
    except (OSError, SyntaxError, ValueError):  # a file that is not there, or is none of Python's
        return False
    while rest:
        each = rest.pop()
        if each == code:
            return True
        rest += [within for within in each.co_consts if type(within) is type(code)]
    return False


def _overrides():
    """Kernels that torch.library has put into the place of torch's own since the start: "aten/relu/CPU"."""
    new = set(getattr(torch.library, "_impls", ())) - _start["overrides"]
    # Torch adds some under these keys late, which a plain call never meets (core/engine/sides/registrations.cpp).
    unmet = ("Meta", "Autograd", "Tracer", "FuncTorch", "Batched", "Functionalize")
    return {key for key in new if key.startswith("aten/") and not key.rsplit("/", 1)[-1].startswith(unmet)}


def _does(value):
    """Whether it is something that others call, or find there what they call."""
    return callable(value) or type(value) is _module or type(value) is torch.Generator


_name_of_module = operator.attrgetter("__spec__.name")


def _modules():
    """The modules in which a reference finds what it calls."""
    shared = [id(there) for there in _shared().values()]
    return [each for each in list(sys.modules.values()) if type(each) is _module and id(vars(each)) in shared]


def _functions():
    """All functions in Python among what is shared, each once: their names, themselves, and what they do."""
    names = {value: prefix + name for prefix, there in _shared().items() for name, value in there.items()
             if type(value) is _function}  # fmt: skip
    return list(names.values()), list(names), [list(map(look, names)) for look in _what_it_does]


_what_it_does = [_attribute(name) for name in ("__code__", "__defaults__", "__kwdefaults__")]


def _other_code():
    """Functions that are the same objects as ever, and do something else."""
    names, functions, before = _start["functions"]
    for look, then in zip(_what_it_does, before):
        now = list(map(look, functions))
        if not all(map(_is, now, then)):
            yield from (name for name, a, b in zip(names, now, then) if a is not b)


def remember():
    """Takes the present state as the one without traces. By now Warpbench's own modules have bound what they need, such
    as sys.addaudithook."""
    sys.addaudithook = _note_audit_hook
    _around.update((f"{name}.", vars(there)) for name, there in list(sys.modules.items())
                   if name.startswith("warpbench_"))  # fmt: skip
    _start.update(
        shared={prefix: {k: v for k, v in there.items() if _does(v)} for prefix, there in _shared().items()},
        values={prefix: list(there.values()) for prefix, there in _shared().items()},
        names={prefix: set(there) for prefix, there in _shared().items() if type(there) is _view_of_class},
        kinds=[(each, type(each)) for each in _modules()],
        functions=_functions(),
        interpreter=[get() for _, get, _ in _interpreters], settings=[get() for get, _ in _settings],
        tensor=set(vars(torch.Tensor)), modules=dict(sys.modules), overrides=set(getattr(torch.library, "_impls", ())),
        environment=dict(os.environ), hooks=[set(each) for each in _hooks_of_all],
    )  # fmt: skip


def environment_is_now():
    """What there is of the environment from now on is what no kernel has changed."""
    _start["environment"] = dict(os.environ)


def traces():
    """([what was changed and is put back now], [what is patched and stays so])"""
    changed, patched = [], []
    for name, value in _start["environment"].items():
        if os.environ.get(name) != value:
            os.environ[name] = value
            changed.append(f"the environment variable {name}")
    for (words, get, put), value in zip(_interpreters, _start["interpreter"]):
        if get() != value:
            put(value)
            changed.append(words)
    for each, kind in _start["kinds"]:
        if type(each) is not kind:
            patched.append(f"the class of the module {_name_of_module(each)}")
    for prefix, there in _shared().items():
        before, known = _start["shared"][prefix], _start["values"][prefix]
        # A name that hides what a class has from its bases.
        for name in there.keys() - _start["names"].get(prefix, there.keys()):
            if (name in _calling or _is_special(name)) and callable(there[name]):
                patched.append(prefix + name)
        if len(there) == len(known) and all(map(_is, there.values(), known)):
            continue
        if all(map(_is, map(there.get, before), before.values())):
            _start["values"][prefix] = list(there.values())  # numbers and the like, which are their owner's affair
            continue
        for name, value in before.items():
            if there.get(name) is not value and not _is_wrapped_by_torch(there.get(name), value):
                if name == "Storage" and there is vars(torch) and there.get(name) in _storages:
                    torch.Storage = value  # torch.set_default_dtype() sets this, too
                    continue
                patched.append(prefix + name)
    patched.extend(_other_code())
    for name in vars(torch.Tensor).keys() - _start["tensor"]:
        if hasattr(torch._C.TensorBase, name):
            patched.append("torch.Tensor." + name)
    patched.extend(_patched_model())
    if any(not before.issuperset(now) for now, before in zip(_hooks_of_all, _start["hooks"])):
        patched.append("hooks of all modules (torch.nn.modules.module)")
    patched.extend(f"sys.modules ({name} is another one)" for name, there in _start["modules"].items()
                   if sys.modules.get(name, there) is not there)  # fmt: skip
    gone = sorted(_start["modules"].keys() - sys.modules.keys())
    if gone:
        patched.append(f"sys.modules ({gone[0]} and {len(gone) - 1} more are gone)" if gone[1:] else f"sys.modules ({gone[0]} is gone)")
    if _audit_hooks:
        patched.append("the hooks of what Python does (sys.addaudithook)")
    for key in sorted(_overrides()):
        patched.append("the operator " + key.replace("/", "::", 1).replace("/", " on "))
    return changed, patched
