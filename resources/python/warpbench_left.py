# SPDX-License-Identifier: Apache-2.0
"""What a kernel leaves in Python by which the next one would do something else, although torch is as it was: another
number for math.pi, a module of its own under a name that others import, a file that every Python reads when it starts.
Some is put back; else the next kernel gets a fresh process. It is asked for when a kernel has gone, and nobody who used
it is told off. What is needed is bound here at start, so that a kernel that patches modules changes nothing."""

import builtins
import functools
import gc
import importlib.machinery
import operator
import os
import re
import site
import sys
import types

import torch
import warpbench_traces

__builtins__ = dict(vars(builtins))  # functions below keep these, whatever a kernel deletes
_is, _collect, _listdir, _join, _print = operator.is_, gc.collect, os.listdir, os.path.join, print
_looks = [operator.attrgetter(name) for name in ("__code__", "__defaults__", "__kwdefaults__")]
_Function, _Module, _Partial = types.FunctionType, types.ModuleType, functools.partial
_plain = (int, float, complex, str, bytes, bool, torch.dtype, torch.layout, torch.memory_format)
_ops, _Namespace, _Packet = torch.ops, torch._ops._OpNamespace, torch._ops.OpOverloadPacket
_library, _jit, _is_wrapped = torch.library, torch.jit._state, warpbench_traces._is_wrapped_by_torch
_find = importlib.machinery.PathFinder.find_spec
_environment, _names_of_builtins = os.environ, set(vars(builtins))
_start = {}
# What torch.compile has written, by names that are made of its contents; what modules of Cython's share, the module
# that setuptools gives for one of Python's, and one that torch writes.
_usual = re.compile(r"c[a-z2-7]{51}|_?cython_\w+|distutils|_remote_module_non_scriptable")
# Modules of torch's that are imported late define operators under these names.
_torchs_own = ("problem", "prims", "fsdp", "streams", "flex_lib", "quantized_decomposed", "c10d_functional",
               "_c10d_functional", "_c10d_functional_autograd", "_inductor_test", "inductor", "onnx", "onnx_symbolic",
               "symm_mem", "_dtensor", "rngprims", "debugprims", "bundled_autograd_cache", "export")  # fmt: skip
_interpreter = sys.modules.get("triton.runtime.interpreter")
# They count and remember things there all the time.
_busy = ("torch", "triton")
_looked_at = ("torch.autograd.function", "torch.utils.cpp_extension", "triton.runtime.jit", "torch.jit._state")
_lists = [(sys, name, getattr(sys, name)) for name in ("path", "meta_path", "path_hooks")]
_streams = [(name, getattr(sys, name)) for name in ("stdin", "stdout", "stderr", "displayhook", "excepthook",
                                                    "unraisablehook", "breakpointhook")]  # fmt: skip


def _places():
    """Where names of modules and their classes are looked up: what each is called, the names, whether numbers there
    change all the time."""
    seen = set()
    for name, module in list(sys.modules.items()):
        if type(module) is not _Module or name.startswith("warpbench_") or name in ("__main__", "__mp_main__", "sys"):
            continue
        is_torchs = name.partition(".")[0] in _busy
        yield name, vars(module), is_torchs and name != "torch"
        # Torch's thousands of classes take as long as all the rest; those that kernels use are looked at anyway
        # (warpbench_traces).
        for kind in () if is_torchs and name not in _looked_at else list(vars(module).values()):
            if isinstance(kind, type) and kind.__module__ == name and kind not in seen:
                seen.add(kind)
                yield f"{name}.{kind.__qualname__}", kind, True


def _folders():
    """Where each Python looks for modules, or for what it runs when it starts."""
    return {*sys.path, *site.getsitepackages(), *([site.getusersitepackages()] if site.ENABLE_USER_SITE else [])} - {""}


def _names_in(folder):
    try:
        return {each for each in _listdir(folder) if each != "__pycache__"}
    except OSError:
        return set()


def environment_is_now():
    """What there is of the environment from now on is not left by a kernel."""
    _start["environment"] = set(_environment)


def remember():
    """Takes the present state as the one without anything left."""
    found = list(_places())
    # A class gives another view of its names each time; this one is kept.
    views = [(words, vars(each) if isinstance(each, type) else each, is_busy) for words, each, is_busy in found]
    inherited = {id(view): set(dir(each)) for (_, each, _), (_, view, _) in zip(found, views) if isinstance(each, type)}
    places = [(words, there, is_busy, list(there), list(there.values())) for words, there, is_busy in views]
    functions = list({each for *_, values in places for each in values if type(each) is _Function})
    _start.update(
        places=places, inherited=inherited, functions=functions, does=[list(map(look, functions)) for look in _looks],
        modules=set(sys.modules), lists=[list(there) for _, _, there in _lists], environment=set(_environment),
        files={folder: _names_in(folder) for folder in _folders()}, defined=set(_library._defs),
        roots=tuple({os.path.dirname(os.__file__) + os.sep, *(each.rstrip(os.sep) + os.sep for each in _folders())}),
    )  # fmt: skip


def _put_back():
    for (owner, name, there), before in zip(_lists, _start["lists"]):
        if getattr(owner, name) is not there:
            setattr(owner, name, there)
        if there != before:
            there[:] = before
    for name, there in _streams:
        if getattr(sys, name, None) is not there:
            setattr(sys, name, there)
    for name in [each for each in _environment if each not in _start["environment"]]:
        del _environment[name]


def _counts(name, before, is_busy):
    """Whether others would do something else with another value."""
    if callable(before) or type(before) is _Module:
        return not (is_busy and name.startswith("__"))
    return type(before) in _plain and not is_busy and name[:1] != "_"


def _is_usual(now, before):
    """Torch wraps some functions when it first compiles, and Triton's interpreter puts its own where kernels call them."""
    does = now.func if type(now) is _Partial else now
    if now is _print and getattr(before, "__module__", None) == "triton.language.core":  # its static_print
        return True
    if _interpreter is not None and type(does) is _Function and does.__globals__ is vars(_interpreter):
        return True
    return _is_wrapped(now, before)


def _changed_names():
    inherited = _start["inherited"]
    for words, there, is_busy, names, values in _start["places"]:
        if len(there) == len(values) and all(map(_is, there.values(), values)):
            continue
        for name, before in zip(names, values):
            now = there.get(name)
            if now is not before and _counts(name, before, is_busy) and not _is_usual(now, before):
                yield f"{words}.{name}"
        # A name that hides what was found before among the built-in ones, or in a base.
        hides = inherited.get(id(there), _names_of_builtins)
        yield from (f"{words}.{name}" for name in there.keys() - set(names) if name in hides and callable(there[name]))
    functions = _start["functions"]
    for look, before in zip(_looks, _start["does"]):
        now = list(map(look, functions))
        if not all(map(_is, now, before)):
            yield from (f"what {each.__module__}.{each.__qualname__} does"
                        for each, a, b in zip(functions, now, before) if a is not b)  # fmt: skip


def _changed_operators():
    for space, there in list(vars(_ops).items()):
        if type(there) is _Namespace and space != "problem":
            yield from (f"torch.ops.{space}.{name}" for name, each in list(vars(there).items())
                        if callable(each) and type(each) is not _Packet)  # fmt: skip
    yield from (f"the operator {each}" for each in set(_library._defs) - _start["defined"]
                if str(each).partition("::")[0] not in _torchs_own)  # fmt: skip


def _changed_settings():
    if not _jit._enabled.enabled:
        yield "torch.jit"
    for name in ("torch._dynamo.config", "torch._inductor.config", "torch._functorch.config"):
        entries = getattr(sys.modules.get(name), "_config", {})
        unset = getattr(sys.modules.get("torch.utils._config_module"), "_UNSET_SENTINEL", None)
        yield from (f"{name}.{key}" for key, each in list(entries.items())
                    if getattr(each, "user_override", unset) is not unset)  # fmt: skip


def _is_known(name, module):
    """Whether it is what somebody else who imports that name would get."""
    if name in sys.builtin_module_names:
        return True
    origin = getattr(getattr(module, "__spec__", None), "origin", None)
    found = _find(name)
    if found is None or found.origin != origin or not isinstance(origin, str) or not origin.startswith(_start["roots"]):
        return False
    return all(each.__code__.co_filename == origin for each in list(vars(module).values())
               if type(each) is _Function and each.__module__ == name)  # fmt: skip


def _strange_modules():
    for name in sys.modules.keys() - _start["modules"]:
        if "." not in name and not _usual.fullmatch(name) and not _is_known(name, sys.modules[name]):
            yield f"the module {name}"


def new_files():
    """Files and folders that every Python with these packages will find from now on."""
    return [_join(folder, name) for folder, before in _start["files"].items() for name in _names_in(folder) - before]


def left():
    """What would reach the next kernel in this process, in words."""
    # What objects do when they go away counts, too.
    is_there_again = _collect() and _collect() and _collect()
    _put_back()
    found = [*_changed_names(), *_changed_operators(), *_changed_settings(), *_strange_modules()]
    return [*found, "objects that are there again whenever they go away"] if is_there_again else found
