# SPDX-License-Identifier: Apache-2.0
"""Requests of the evaluation server (core/jobs/evaluation) as problems. A request becomes two small modules, one with a
Model and one with a ModelNew made here, so that the rest of the worker knows problems alone.
resources/help/evaluation-server.md says what a request may hold."""

import importlib.machinery
import importlib.util
import json
import re
import sys
import types

import torch
import warpbench_extensions
import warpbench_kernels
import warpbench_models
import warpbench_problems
from warpbench_io import dtype_of, given, tensor

KernelError = warpbench_kernels.KernelError

# Where the reference fails, its error begins with these words: core/service/evaluation knows them.
reference_failed = "the reference kernel cannot be used: "
_model_seed = 42


class _RawKernel:
    """What sequences of kernels use of CuPy's class of this name."""

    def __init__(self, code, name, options=(), **_):
        self.code, self.name, self.options = code, name, [str(each) for each in options]
        self.launches = {}

    def __call__(self, grid, block, args, *, shared_mem=0, **_):
        shape = (*grid, *(1,) * (3 - len(grid)), *block, *(1,) * (3 - len(block)), shared_mem)
        if shape not in self.launches:
            self.launches[shape] = warpbench_extensions.launched_kernel(
                "kernel.cu", self.code, self.name, self.options, [int(each) for each in shape])  # fmt: skip
        self.launches[shape](*args)


def _stand_in_for_cupy():
    """A module with which a sequence launches CUDA, where CuPy itself is not installed."""
    if "cupy" in sys.modules or importlib.util.find_spec("cupy") is not None:
        return
    cupy = types.ModuleType("cupy", "Warpbench's stand-in for CuPy: RawKernel and asarray.")
    cupy.RawKernel, cupy.asarray = _RawKernel, lambda tensor: tensor
    cupy.__spec__ = importlib.machinery.ModuleSpec("cupy", None)
    sys.modules["cupy"] = cupy


def _execute(kernel, name):
    if "cupy" in kernel["source_code"]:
        _stand_in_for_cupy()
    return warpbench_problems.execute(name, kernel["source_code"])


def _arguments(kernel):
    """The arguments of a kernel's contract; None where it has none."""
    io = kernel["io"]
    if io is None or (not io["args"] and kernel["kernel_type"] in ("torch", "torch_cuda")):
        return None
    for each in io["args"]:
        if each["type"] == "tensor" and each["tensor_spec"] is None:
            raise ValueError(f"Tensor argument '{each['name']}' requires tensor_spec")
        if each["type"] in ("int", "float", "str", "bool") and each["value"] is None:
            raise ValueError(f"Scalar argument '{each['name']}' requires value")
        if each["type"] not in ("tensor", "int", "float", "str", "bool"):
            raise ValueError(f"Unsupported argument type: {each['type']}")
        if each["role"] not in ("input", "output", "inout"):
            raise ValueError(f"Unknown role of argument '{each['name']}': {each['role']}")
    return io["args"]


def _target(kernel, module, make_init, standard):
    """The function, or the method of a new object, that a torch kernel means."""
    metadata = kernel["metadata"] or {}
    if metadata.get("function_name"):
        name = metadata["function_name"]
        if not callable(getattr(module, name, None)):
            raise KeyError(f"Function '{name}' not found in source code")
        return getattr(module, name)
    name = metadata.get("class_name") or standard
    kind = getattr(module, name, None)
    if not isinstance(kind, type):
        raise KeyError(f"Class '{name}' not found in source code")
    warpbench_problems.seed(_model_seed)
    init = make_init() if make_init else []
    where = warpbench_problems.loading["where"]
    made = kind(**init) if isinstance(init, dict) else kind(*warpbench_models.moved(list(init), where))
    made = made.to(where) if isinstance(made, torch.nn.Module) else made
    method = metadata.get("method_name") or "forward"
    if not hasattr(made, method):
        raise AttributeError(f"Method '{method}' not found in class '{name}'")
    return made if method == "forward" and callable(made) else getattr(made, method)


def _entry_point(kernel, module):
    metadata = kernel["metadata"] or {}
    name = metadata.get("entry_point")
    if not name:
        raise ValueError("Metadata with 'entry_point' is required")
    if not hasattr(module, name):
        there = [each for each in dir(module) if not each.startswith("_")]
        raise RuntimeError(f"Entry point '{name}' not found in source. Available: {there}")
    return getattr(module, name)


def _grid(kernel):
    grid = (kernel["io"]["launch"] or {}).get("grid")
    return tuple(max(1, grid[axis]) for axis in "xyz") if grid else (1, 1, 1)


def _triton(kernel, module):
    """The launch of a Triton kernel with all arguments by position."""
    name = (kernel["metadata"] or {}).get("kernel_name")
    there = {k: v for k, v in vars(module).items()
             if hasattr(v, "fn") and hasattr(v, "__getitem__") and not isinstance(v, type)}  # fmt: skip
    if not there:
        raise RuntimeError("No @triton.jit kernels found in source.")
    if name and name not in there:
        raise RuntimeError(f"Kernel '{name}' not found. Available: {list(there)}")
    launch = kernel["io"]["launch"] or {}
    how = {each: launch[each] for each in ("num_warps", "num_stages") if launch.get(each) is not None}
    start = there[name or next(iter(there))][_grid(kernel)]
    numbers = [isinstance(each["value"], bool) for each in kernel["io"]["args"]]

    def run(*arguments):
        start(*(int(a) if is_truth else a for a, is_truth in zip(arguments, numbers)), **how)

    return run


_shared = re.compile(r"extern\s+__shared__\s+(?:(?:__align__|alignas)\s*\(\s*\d+\s*\)\s*)?([\w:\s]+?)\s*\b\w+\s*\[\s*\]")
_sizes = {"char": 1, "bool": 1, "int8_t": 1, "uint8_t": 1, "half": 2, "__half": 2, "short": 2, "double": 8, "long": 8,
          "int64_t": 8, "uint64_t": 8, "float2": 8, "float4": 16, "int4": 16, "double2": 16}  # fmt: skip


def _shared_bytes(source, launch, threads):
    """The dynamic shared memory: what the request says, else an element a thread of `extern __shared__ T name[]`."""
    if launch.get("shared_memory_bytes") is not None:
        return launch["shared_memory_bytes"]
    found = _shared.search(source)
    return threads * _sizes.get(found.group(1).split()[-1].removeprefix("std::"), 4) if found else 0


def _cuda(kernel):
    """The launch of a CUDA kernel. Its own text says the types of its parameters."""
    metadata, launch = kernel["metadata"] or {}, kernel["io"]["launch"] or {}
    options = [str(each) for each in metadata.get("compiler_options") or ()]
    names = [str(each) for each in metadata.get("name_expressions") or ()]
    name = metadata.get("kernel_name") or (names[0] if names else "")
    whole = [each for each in names if each.split("<")[0] == name]
    block = launch.get("block")
    block = [max(1, block[axis]) for axis in "xyz"] if block else [256, 1, 1]
    shape = [*_grid(kernel), *block, _shared_bytes(kernel["source_code"], launch, block[0] * block[1] * block[2])]
    name = whole[0] if whole else name
    return warpbench_extensions.launched_kernel("kernel.cu", kernel["source_code"], name, options, shape)


def _tensors(value, into):
    """The tensors in what a kernel gave, however they lie in it; numbers are tensors, too."""
    if isinstance(value, torch.Tensor):
        into.append(value)
    elif isinstance(value, (bool, int, float)):
        into.append(torch.tensor(value))
    elif isinstance(value, dict):
        for each in value.values():
            _tensors(each, into)
    elif isinstance(value, (list, tuple)):
        for each in value:
            _tensors(each, into)
    return into


def _same_bits(a, b):
    return all(torch.equal(x.reshape(-1).view(torch.uint8), y.reshape(-1).view(torch.uint8)) for x, y in zip(a, b))


def _dtype_in(spec):
    return dtype_of((spec["data"] or spec)["dtype"])


class _Kernel:
    """A kernel of a request with everything that it is called with but the tensors that both sides share. Those come as
    the problem's inputs, `slots`: a list of the positions that this kernel's inputs have among them."""

    def __init__(self, kernel, name, arguments, make_init, standard):
        kind = kernel["kernel_type"]
        if kind in ("triton", "cuda", "multi_kernel") and kernel["io"] is None:
            what = {"triton": "Triton kernels", "cuda": "CUDA kernels", "multi_kernel": "multi-kernel sequences"}[kind]
            raise ValueError(f"IOContract is required for {what}. Please provide input/output specifications.")
        self.module = None if kind == "cuda" else _execute(kernel, name)
        self.writes = kind in ("triton", "cuda")
        self.arguments, self.kernel, self.kind, self.standard = arguments, kernel, kind, standard
        self.make_init = make_init
        self.call, self.slots = None, None
        self.fixed, self.inputs, self.changed, self.outputs = [], [], [], []
        self.where = torch.device(warpbench_problems.loading["where"])
        if arguments is not None:
            self._sort(arguments)

    def _sort(self, arguments):
        """Who makes which argument: inputs come from outside, and what the kernel writes is made anew for each call."""
        none_written = not any(each["role"] != "input" for each in arguments if each["type"] == "tensor")
        for place, each in enumerate(arguments):
            self.fixed.append(None if each["type"] == "tensor" else each["value"])
            if each["type"] != "tensor":
                continue
            if each["role"] == "output":
                self.outputs.append((place, each["tensor_spec"]))
            elif each["role"] == "inout" or (none_written and self.writes):
                self.changed.append(place)
                self.inputs.append(place)
            else:
                self.inputs.append(place)
        self.dtypes = [_dtype_in(arguments[place]["tensor_spec"]) for place in self.inputs]
        self.results = sorted([place for place, _ in self.outputs] + self.changed)
        self.templates = {place: tensor(spec, self.where) for place, spec in self.outputs
                          if spec["init"] is not None or spec["data"] is not None}  # fmt: skip
        self.keeps = None if self.templates else False  # whether the first contents of outputs matter

    def specs(self):
        """The specs of the inputs, in the order of the call."""
        return [self.arguments[place]["tensor_spec"] for place in self.inputs]

    def prepare(self):
        """Makes the call; apart from reading the source, since objects are made after everybody's source was read."""
        if self.kind == "cuda":
            self.call = _cuda(self.kernel)
        elif self.kind == "triton":
            self.call = _triton(self.kernel, self.module)
        elif self.kind == "multi_kernel":
            self.call = _entry_point(self.kernel, self.module)
        else:
            self.call = _target(self.kernel, self.module, self.make_init, self.standard)

    def _run(self, slots, contents):
        """One call. `contents` says what outputs hold before it: "template", "poison" or None for what lies there."""
        arguments = list(self.fixed)
        for place, slot, dtype in zip(self.inputs, self.slots, self.dtypes):
            arguments[place] = slots[slot]
            # Whoever would know a result in more digits calls a reference with wider inputs. A kernel that was written
            # for one type cannot say them.
            if self.kind not in ("torch", "torch_cuda") and slots[slot].dtype is not dtype:
                raise TypeError(f"an input is of {slots[slot].dtype}, and the kernel takes {dtype}")
        for place in self.changed:
            arguments[place] = arguments[place].clone()
        for place, spec in self.outputs:
            template = self.templates.get(place)
            if template is None:
                arguments[place] = torch.empty(spec["shape"], dtype=dtype_of(spec["dtype"]), device=self.where)
            elif contents == "template":
                arguments[place] = template.clone()
            else:
                arguments[place] = torch.empty_like(template)
                if contents == "poison":
                    arguments[place].fill_(float("nan") if template.is_floating_point() else 1)
        result = self.call(*arguments)
        if self.writes or (result is None and self.results):
            return [arguments[place] for place in self.results]
        return _tensors(result, [])

    def __call__(self, *slots):
        if self.arguments is None:
            return _tensors(self.call(*(slots if self.slots is None else [slots[each] for each in self.slots])), [])
        if self.keeps is None:  # no output is initialised on the clock whose contents the kernel overwrites anyway
            if self.where.type == "cuda" and torch.cuda.is_current_stream_capturing():
                return self._run(slots, "template")
            results = self._run(slots, "template")
            self.keeps = not _same_bits(results, self._run(slots, "poison"))
            return results
        return self._run(slots, "template" if self.keeps else None)


# The two modules of a request.


def _matched(specs, slots):
    """The position of each spec among the slots, each of which is taken once; None where one is missing."""
    free, found = list(range(len(slots))), []
    for spec in specs:
        same = next((each for each in free if slots[each] == spec), None)
        if same is None:
            return None
        free.remove(same)
        found.append(same)
    return found


def _plain(spec):
    """A spec in one spelling, since equal tensors have to be one and the same for both sides."""
    init = spec["init"]
    if spec["data"] is not None:
        return {"data": spec["data"]}
    if init is not None and init["kind"] in ("zeros", "ones", "full"):
        value = {"zeros": 0.0, "ones": 1.0}.get(init["kind"], given(init["fill_value"], 0.0))
        init = {"kind": "full", "value": value}
    return {"shape": spec["shape"], "dtype": spec["dtype"], "init": init}


class _Side:
    def __init__(self, request):
        text = json.loads(request)
        self.alone = text["ref"] is None
        self.custom, self.ref = text["custom"], text["custom"] if self.alone else text["ref"]

    def _arguments(self):
        """The arguments of (reference, custom kernel)."""
        ref = _arguments(self.ref)
        custom = ref if self.alone else _arguments(self.custom)
        return ref, custom


class Reference(_Side):
    """The reference of a request: inputs() and model() are the problem's get_inputs and Model."""

    trials = 2
    gives_list = True

    def __init__(self, request):
        super().__init__(request)
        try:
            self._load()
        except Exception as error:
            raise self._blamed(error) from error

    def _blamed(self, error):
        if self.alone:
            return error
        kind, message, _, _, line, hint = warpbench_kernels.describe(error)
        return KernelError(reference_failed + message, hint, line)

    def _load(self):
        arguments, custom = self._arguments()
        standard = "ModelNew" if self.ref["kernel_type"] == "torch_cuda" else "Model"
        name = "kernel.py" if self.alone else "ref_kernel.py"
        self.kernel = _Kernel(self.ref, name, arguments, None, standard)
        module = self.kernel.module
        self.kernel.make_init = getattr(module, "get_init_inputs", None)
        self.make = getattr(module, "get_inputs", None)
        if arguments is None and self.make is None:
            more = "or send an io" if self.ref["io"] is None else "the io that was sent has no args"
            raise KernelError("the source has no get_inputs()", "it gives a list of the model's inputs; " + more)
        self.specs = [] if arguments is None else self.kernel.specs()
        self.kernel.slots = list(range(len(self.specs))) if arguments is not None else None
        self.more = []
        if not self.alone and custom is not None:
            wanted = _custom_specs(custom, self.custom["kernel_type"])
            if arguments is None or _slots(wanted, self.specs) is None:
                self.more = wanted
        # The inputs of a contract are the same in each trial, and what is timed changes them.
        self.same_inputs = arguments is not None
        self.trials = 1 if self.same_inputs else Reference.trials

    def inputs(self):
        device = torch.get_default_device()
        try:
            inputs = [tensor(spec, device) for spec in self.specs]
            if self.kernel.arguments is None:
                inputs = list(self.make())
                self.kernel.slots = list(range(len(inputs)))
        except Exception as error:
            raise self._blamed(error) from error
        return inputs + [tensor(spec, device) for spec in self.more]

    def model(self):
        try:
            self.kernel.prepare()
        except Exception as error:
            raise self._blamed(error) from error
        return self.kernel


def _custom_specs(arguments, kind):
    """The specs of the inputs that a custom kernel's contract has."""
    return [each["tensor_spec"] for each in arguments if each["type"] == "tensor" and each["role"] != "output"]


def _slots(wanted, there):
    return _matched([_plain(each) for each in wanted], [_plain(each) for each in there])


class Candidate(_Side):
    """The custom kernel of a request: model() is the problem's ModelNew."""

    def __init__(self, request):
        super().__init__(request)
        if self.alone:
            ref, custom = (_arguments(self.custom),) * 2
        else:
            custom = _arguments(self.custom)
            try:
                ref = _arguments(self.ref)
            except ValueError:
                ref = None  # the reference's own module says so
        standard = "ModelNew" if self.custom["kernel_type"] == "torch_cuda" else "Model"
        self.kernel = _Kernel(self.custom, "kernel.py" if self.alone else "custom_kernel.py", custom, None, standard)
        module = self.kernel.module
        self.kernel.make_init = getattr(module, "get_init_inputs", None)
        if standard == "ModelNew" and self.kernel.make_init is None and not self.alone:
            self.kernel.make_init = self._init_of_reference
        if custom is None and ref is not None:
            self._take_all_of(ref)
        elif custom is not None:
            wanted = self.kernel.specs()
            there = [] if ref is None else _custom_specs(ref, self.ref["kernel_type"])
            found = None if ref is None else _slots(wanted, there)
            # What the reference lacks comes after all that it has.
            self.kernel.slots = found if found is not None else list(range(-len(wanted), 0))

    def _take_all_of(self, arguments):
        """Without a contract of its own the kernel is called with the reference's arguments."""
        self.kernel.arguments = arguments
        self.kernel._sort(arguments)
        self.kernel.slots = list(range(len(self.kernel.inputs)))

    def _init_of_reference(self):
        """What the reference's get_init_inputs() gives, for a kernel whose source has none."""
        if self.ref["kernel_type"] not in ("torch", "torch_cuda"):
            return []
        make = getattr(_execute(self.ref, "ref_kernel.py"), "get_init_inputs", None)
        return make() if make else []

    def model(self):
        self.kernel.prepare()
        return self.kernel
