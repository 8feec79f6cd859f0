# SPDX-License-Identifier: Apache-2.0
"""What a problem's inputs are: their types in an operator's schema, how the trace grammar spells them, how many bytes they
are."""

import torch
from warpbench_error import KernelError

dtypes = {
    "bf16": torch.bfloat16, "f64": torch.float64, "f32": torch.float32, "f16": torch.float16,
    "c32": torch.complex32, "c64": torch.complex64, "c128": torch.complex128, "i8": torch.int8,
    "i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "b8": torch.bool, "u8": torch.uint8,
}  # fmt: skip


def type_of(value):
    if isinstance(value, torch.Tensor):
        return "Tensor"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int"
    if isinstance(value, float):
        return "float"
    if isinstance(value, str):
        return "str"
    if isinstance(value, (list, tuple)) and value:
        inner = type_of(value[0])
        if inner in ("Tensor", "int", "float", "bool") and all(type_of(each) == inner for each in value):
            return inner + "[]"
    raise KernelError(f"get_inputs() gives a {type(value).__name__}", "inputs are tensors, numbers or lists of them")


def size(value):
    if isinstance(value, torch.Tensor):
        return value.numel() * value.element_size()
    return sum(size(each) for each in value) if isinstance(value, (list, tuple)) else 0


def versions(given):
    """Of each input, what counts how often it was changed in place."""
    return [each._version if isinstance(each, torch.Tensor) else versions(each) if isinstance(each, (list, tuple)) else 0
            for each in given]  # fmt: skip


def as_list(given):
    return list(given) if isinstance(given, (list, tuple)) else [given]


def literal(value):
    """A value in the trace grammar."""
    if isinstance(value, torch.Tensor):
        short = {kind: name for name, kind in dtypes.items()}.get(value.dtype)
        if short is None:
            raise KernelError(f"an input is of {value.dtype}", "use one of " + ", ".join(dtypes))
        stride = "" if value.is_contiguous() else f", {list(value.stride())}"
        return f"T({list(value.shape)}, {short}{stride})"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(literal(each) for each in value) + "]"
    return repr(value)
