# SPDX-License-Identifier: Apache-2.0
"""The code of Triton's kernels, for the listing: what Triton has compiled in this process, or, where it interprets,
what it would compile for a GPU. Interpreted launches are noted for that, and compiled in a process of their own."""

import base64
import importlib
import json
import os
import subprocess
import sys

import torch

_texts = ("ttir", "ttgir", "llir", "ptx")
_most = 8  # forms of kernels that are listed
_seconds = 60
_launches = {}  # (file, function, types of the arguments) -> the launch, latest last
_dtypes = {"float32": "f32", "float64": "f64", "float16": "f16", "bfloat16": "bf16", "int64": "i64", "int32": "i32",
           "int16": "i16", "int8": "i8", "uint8": "u8", "bool": "b8"}  # fmt: skip


def described(value):
    """What another process needs to know of an argument; raises for what it cannot be told."""
    if isinstance(value, torch.Tensor):
        return "tensor", str(value.dtype).removeprefix("torch."), value.data_ptr() % 16 == 0
    if value is None or isinstance(value, (bool, int, float, str)):
        return "value", value
    if isinstance(value, torch.dtype):
        return "torch", str(value).removeprefix("torch.")
    name = getattr(value, "name", None)
    if type(value).__name__ == "dtype" and isinstance(name, str):
        return "triton", {"fp32": "float32", "fp16": "float16", "fp64": "float64", "bf16": "bfloat16"}.get(name, name)
    raise TypeError(type(value).__name__)


def _note(kernel, args, kwargs):
    try:
        given = [described(each) for each in args]
        named = {name: described(each) for name, each in kwargs.items()}
        file = kernel.fn.__code__.co_filename
    except Exception:  # it takes something that cannot be told; then it is not listed
        return
    tensors = [each for each in [*given, *named.values()] if each[0] == "tensor"]
    key = file, kernel.__name__, tuple(each[1] for each in tensors)
    _launches.pop(key, None)
    _launches[key] = {"file": file, "function": kernel.__name__, "args": given, "kwargs": named,
                      "dtype": _dtypes.get(tensors[0][1], "") if tensors else ""}  # fmt: skip
    while len(_launches) > _most:
        del _launches[next(iter(_launches))]


def watch():
    """Notes interpreted launches from now on."""
    if os.environ.get("TRITON_INTERPRET") != "1":
        return
    try:
        interpreter = importlib.import_module("triton.runtime.interpreter")
        run = interpreter.InterpretedFunction.run
    except Exception:  # without Triton, or with another one, there is nothing to note
        return

    def noted(self, *args, grid, warmup, **kwargs):
        if not warmup:
            _note(self, args, kwargs)
        return run(self, *args, grid=grid, warmup=warmup, **kwargs)

    interpreter.InterpretedFunction.run = noted
    _tune_without_gpu()


def _tune_without_gpu():
    """Has @triton.autotune take the first of its configurations. To time them it asks for a GPU's driver, and what
    an interpreted kernel takes says nothing."""
    try:
        autotuner = importlib.import_module("triton.runtime.autotuner").Autotuner
    except Exception:  # another Triton
        return

    def once(call, quantiles):
        call()
        return [0.0] * len(quantiles)

    autotuner.do_bench = property(lambda self: getattr(self, "_do_bench", None) or once)


def forget():
    """Forgets the launches of earlier kernels."""
    _launches.clear()


def versions():
    """The versions for "toolchain"."""
    said = f"Python {sys.version.split()[0]}"
    triton = sys.modules.get("triton")
    if triton is not None:
        said += f", Triton {triton.__version__}"
        if os.environ.get("TRITON_INTERPRET") == "1":
            said += " (interpreted)"
    return said


def _version(architecture):
    digits = "".join(c for c in architecture.removeprefix("sm_") if c.isdigit())
    return int(digits or 90)


def _of_interpreted(architecture):
    if not _launches:
        return []
    order = {"architecture": _version(architecture), "launches": list(_launches.values())}
    surroundings = {k: v for k, v in os.environ.items() if k != "TRITON_INTERPRET"}
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "warpbench_triton.py")
    ran = subprocess.run([sys.executable, script], input=json.dumps(order).encode(), env=surroundings,
                         capture_output=True, timeout=_seconds)  # fmt: skip
    if ran.returncode != 0:
        raise RuntimeError(ran.stderr.decode(errors="replace").strip().rsplit("\n", 1)[-1])
    found = []
    for made in json.loads(ran.stdout):
        if "error" in made:
            raise RuntimeError(f"{made['function']}: {made['error']}")
        name, dtype = made["function"], made["dtype"]
        found += [(name, dtype, kind, text) for kind, text in made["texts"].items()]
        found.append((name, dtype, "cubin", base64.b64decode(made["cubin"])))
    return found


def _of_compiled():
    """What is in the caches of the kernels of modules that are nobody's package."""
    found, seen = [], set()
    for module in list(sys.modules.values()):
        if "site-packages" in (getattr(module, "__file__", None) or "site-packages"):
            continue
        for kernel in list(vars(module).values()):
            for _ in range(_most):
                if type(kernel).__name__ == "JITFunction" or not hasattr(kernel, "fn"):
                    break
                kernel = kernel.fn
            if type(kernel).__name__ != "JITFunction" or id(kernel) in seen:
                continue
            seen.add(id(kernel))
            for caches in kernel.device_caches.values():
                for made in list(caches[0].values())[-_most:]:
                    found += [(kernel.__name__, "", kind, made.asm[kind]) for kind in _texts if kind in made.asm]
    return found


def listed(architecture):
    """(function, dtype, kind, text or binary) of what was launched; raises what went wrong."""
    if os.environ.get("TRITON_INTERPRET") == "1":
        return _of_interpreted(architecture)
    return _of_compiled()
