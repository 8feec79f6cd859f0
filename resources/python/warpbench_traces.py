# SPDX-License-Identifier: Apache-2.0
"""What kernels leave behind in an interpreter in which others run later. What it needs is bound here at start, so that a
kernel that patches modules changes nothing."""

import builtins
import copy
import functools
import gc
import itertools
import math
import operator
import os
import random
import sys
import time

import torch
from torch._C._dynamo import eval_frame

__builtins__ = dict(vars(builtins))  # functions below keep these, whatever a kernel deletes
_is, _name_of = operator.is_, repr
_function, _no_grad, _float64, _tolist = type(lambda: None), torch.no_grad, torch.float64, torch.Tensor.tolist
_start = {}  # what kernels share, as it was before the first of them
_share = int.from_bytes(os.urandom(2), "little") / 65536  # up to where contents are added up once more


def remember_model(kind, reference, module):
    """A problem's reference as it is now."""
    _start["model"] = [(words, there, dict(there), _codes_in(there))
                       for words, there in _places_of(kind, reference, module)]  # fmt: skip
    _start["parameters"] = [(name, each, _digest(each)) for name, each in reference.named_parameters()]


def forget_model():
    _start.pop("model", None)
    _start.pop("parameters", None)


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
            is_new = name not in before and name not in _calling and "hook" not in words
            if now is not then and not is_new and (callable(now) or callable(then)):
                yield f"{words}{name}"
        for name, code in codes.items():
            if there.get(name) is before[name] and before[name].__code__ is not code:
                yield f"{words}{name}"
    for name, parameter, before in _start.get("parameters", ()):
        if _digest(parameter) != before:
            yield f"the reference's {name}"


def _shared():
    """What a kernel may patch although the next one, or a reference in Python, calls it too."""
    return {
        "the built-in ": vars(builtins), "torch.": vars(torch), "torch.Tensor.": vars(torch.Tensor),
        "torch.nn.functional.": vars(torch.nn.functional), "torch.nn.Module.": vars(torch.nn.Module),
        "torch.cuda.": vars(torch.cuda), "torch.linalg.": vars(torch.linalg), "torch.special.": vars(torch.special),
        "time.": vars(time), **_libraries, **_layers, **_inner,
    }  # fmt: skip


# What a reference in Python calls beside torch, as far as it is loaded.
_libraries = {f"{each.__name__}.": vars(each)
              for each in (math, operator, functools, itertools, random, copy, sys.modules.get("numpy"))
              if each is not None}  # fmt: skip


_layers = {f"torch.nn.{name}.": vars(layer) for name, layer in vars(torch.nn).items()
           if isinstance(layer, type) and issubclass(layer, torch.nn.Module)}  # fmt: skip

# What the functions above call in their turn.
_inner = {f"torch._C.{name}.": vars(there if hasattr(there, "__dict__") else type(there))
          for name in ("TensorBase", "_VariableFunctions", "_nn", "_linalg", "_special", "_fft")
          for there in (getattr(torch._C, name),)}  # fmt: skip

# What slows down or watches all of Python: (what it is called, how it is asked, how it is set).
_interpreters = (
    ("a trace function of Python's (sys.settrace)", sys.gettrace, sys.settrace),
    ("a profile function of Python's (sys.setprofile)", sys.getprofile, sys.setprofile),
    ("how often Python's threads take turns", sys.getswitchinterval, sys.setswitchinterval),
    ("the thresholds of the garbage collector", gc.get_threshold, lambda values: gc.set_threshold(*values)),
    ("the garbage collector", gc.isenabled, lambda on: gc.enable() if on else gc.disable()),
    ("what is asked about Python's frames (torch._dynamo)", eval_frame.get_eval_frame_callback,
     eval_frame.set_eval_frame),
    ("callbacks of the garbage collector", lambda: tuple(gc.callbacks),
     lambda before: gc.callbacks.__setitem__(slice(None), before)),
)  # fmt: skip


def _is_torchs(function):
    """torch.compile wraps some functions of torch's own when it is first used."""
    code = getattr(function, "__code__", None)
    return code is not None and code.co_filename.startswith(os.path.dirname(torch.__file__) + os.sep)


def _overrides():
    """Kernels that torch.library has put into the place of torch's own since the start: "aten/relu/CPU"."""
    new = set(getattr(torch.library, "_impls", ())) - _start["overrides"]
    return {key for key in new if key.startswith("aten/") and not key.endswith("/Meta") and "Autograd" not in key}


def remember():
    """Takes the present state as the one without traces."""
    _start.update(
        shared={prefix: {k: v for k, v in there.items() if callable(v)} for prefix, there in _shared().items()},
        values={prefix: list(there.values()) for prefix, there in _shared().items()},
        interpreter=[get() for _, get, _ in _interpreters],
        tensor=set(vars(torch.Tensor)), modules=set(sys.modules), overrides=set(getattr(torch.library, "_impls", ())),
        environment=dict(os.environ), hooks=[set(each) for each in _hooks_of_all],
    )  # fmt: skip


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
    for prefix, there in _shared().items():
        before, known = _start["shared"][prefix], _start["values"][prefix]
        if len(there) == len(known) and all(map(_is, there.values(), known)):
            continue
        if all(map(_is, map(there.get, before), before.values())):
            _start["values"][prefix] = list(there.values())  # numbers and the like, which are their owner's affair
            continue
        for name, value in before.items():
            if there.get(name) is not value and not _is_torchs(there.get(name)):
                patched.append(prefix + name)
    for name in vars(torch.Tensor).keys() - _start["tensor"]:
        if hasattr(torch._C.TensorBase, name):
            patched.append("torch.Tensor." + name)
    patched.extend(_patched_model())
    if any(not before.issuperset(now) for now, before in zip(_hooks_of_all, _start["hooks"])):
        patched.append("hooks of all modules (torch.nn.modules.module)")
    gone = sorted(_start["modules"].difference(sys.modules))
    if gone:
        patched.append(f"sys.modules ({gone[0]} and {len(gone) - 1} more are gone)" if gone[1:] else f"sys.modules ({gone[0]} is gone)")
    for key in sorted(_overrides()):
        patched.append("the operator " + key.replace("/", "::", 1).replace("/", " on "))
    return changed, patched
