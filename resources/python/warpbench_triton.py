# SPDX-License-Identifier: Apache-2.0
"""Compiles Triton kernels for a GPU that need not be there. It runs in a process of its own, since Triton decides when
it is imported whether it compiles or interprets. Standard input is JSON: {"architecture": 90, "launches": [...]}, each
launch with its `file`, `function`, `args` and `kwargs` as warpbench_kernels.described() gives them. Standard output is
JSON: a list of {"function", "dtype", "texts": {"ttir": …}, "cubin": base64} or {"function", "error"}."""

import base64
import importlib.util
import json
import os
import sys


def value_of(described, torch, triton):
    kind, value = described[0], described[1]
    if kind == "tensor":
        return Pointer(getattr(torch, value), described[2])
    if kind == "torch":
        return getattr(torch, value)
    if kind == "triton":
        return getattr(triton.language, value)
    return value


class Pointer:
    """What a launch needs to know of a tensor."""

    def __init__(self, dtype, aligned):
        self.dtype = dtype
        self.aligned = aligned

    def data_ptr(self):
        return 0 if self.aligned else 4

    @staticmethod
    def ptr_range():
        return 0


def module_of(file, known):
    if file not in known:
        folder = os.path.dirname(file)
        if folder not in sys.path:
            sys.path.insert(0, folder)
        spec = importlib.util.spec_from_file_location(f"warpbench_kernel_{len(known)}", file)
        known[file] = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = known[file]
        spec.loader.exec_module(known[file])
    return known[file]


def kernel_of(module, name, triton):
    """The kernel itself, without the tuners and heuristics around it."""
    for found in vars(module).values():
        for _ in range(8):
            if isinstance(found, triton.JITFunction) or not hasattr(found, "fn"):
                break
            found = found.fn
        if isinstance(found, triton.JITFunction) and found.__name__ == name:
            return found
    raise LookupError(f"{name} is not in the module")


def compiled(launch, architecture, modules):
    import torch
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource, make_backend
    from triton.runtime.jit import create_function_from_signature

    kernel = kernel_of(module_of(launch["file"], modules), launch["function"], triton)
    target = GPUTarget("cuda", architecture, 32)
    backend = make_backend(target)
    args = [value_of(each, torch, triton) for each in launch["args"]]
    kwargs = {name: value_of(each, torch, triton) for name, each in launch["kwargs"].items()}
    binder = create_function_from_signature(kernel.signature, kernel.params, backend)
    bound, specialization, options = binder(*args, **kwargs)
    options, signature, constants, attributes = kernel._pack_args(backend, kwargs, bound, specialization, options)
    made = triton.compile(ASTSource(kernel, signature, constants, attributes), target=target, options=options.__dict__)
    texts = {kind: text for kind, text in made.asm.items() if kind in ("ttir", "ttgir", "llir", "ptx")}
    return {"texts": texts, "cubin": base64.b64encode(made.asm["cubin"]).decode()}


def main():
    order = json.load(sys.stdin)
    # What a kernel's module prints is nobody's answer.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    modules, results = {}, []
    for launch in order["launches"]:
        result = {"function": launch["function"], "dtype": launch["dtype"]}
        try:
            result.update(compiled(launch, order["architecture"], modules))
        except BaseException as error:
            result["error"] = f"{type(error).__name__}: {error}"
        results.append(result)
    json.dump(results, answers)
    answers.close()


if __name__ == "__main__":
    main()
