# SPDX-License-Identifier: Apache-2.0
"""The tensors of the evaluation server's requests (IOContract, core/jobs/evaluation): given as data, or made from a
seed by one of torch's generators on the device, so that equal specs are equal bits for everybody."""

import base64
import zlib

import torch

_default_seed = 67280421310721  # the seed of a generator of torch's that nobody has seeded

_dtypes = {name: getattr(torch, name) for name in (
    "float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool")}  # fmt: skip
_ranges = {torch.int8: (-128, 127), torch.uint8: (0, 255), torch.int16: (-(2**15), 2**15 - 1),
           torch.int32: (-(2**31), 2**31 - 1), torch.int64: (-1000000, 1000000), torch.bool: (0, 1)}  # fmt: skip


def dtype_of(name):
    if name not in _dtypes:
        raise ValueError(f"Unsupported dtype: {name}")
    return _dtypes[name]


def given(value, otherwise):
    return otherwise if value is None else value


def _decoded(data, device):
    """The tensor that a request holds as base64."""
    dtype, shape = dtype_of(data["dtype"]), data["shape"]
    size = torch.empty(shape, dtype=dtype, device="meta").numel() * dtype.itemsize
    raw = base64.b64decode(data["data_b64"])
    if data["compress"] == "zlib":  # of a stream that unpacks to more than was announced no more is unpacked
        raw = zlib.decompressobj().decompress(raw, size + 1)
    if len(raw) != size:
        raise ValueError(f"the data of a tensor of {data['dtype']} with the shape {shape} take {size} bytes, and "
                         f"{'more' if len(raw) > size else len(raw)} were given")
    if size == 0 or device.type == "meta":
        return torch.empty(shape, dtype=dtype, device=device)
    return torch.frombuffer(bytearray(raw), dtype=dtype).reshape(shape).to(device)


def _generator(init, device):
    generator = torch.Generator(device=device)
    generator.manual_seed(given(init["seed"], _default_seed))
    return generator


def _randn(init, shape, dtype, device):
    generator = _generator(init, device)
    if not dtype.is_floating_point:
        low, high = _ranges[dtype]
        return torch.randint(low, high + 1, shape, dtype=dtype, device=device, generator=generator)
    drawn = torch.randn(shape, dtype=dtype, device=device, generator=generator)
    if init["mean"] is None and init["std"] is None:
        return drawn
    return drawn * given(init["std"], 1.0) + given(init["mean"], 0.0)


def _uniform(init, shape, dtype, device):
    generator = _generator(init, device)
    if dtype.is_floating_point:
        low, high = given(init["low"], 0.0), given(init["high"], 1.0)
        return low + (high - low) * torch.rand(shape, dtype=dtype, device=device, generator=generator)
    low, high = (0, 1) if dtype == torch.bool else (int(given(init["low"], 0)), int(given(init["high"], 100)))
    return torch.randint(low, high + 1, shape, dtype=dtype, device=device, generator=generator)


def _arange(init, shape, dtype, device):
    start, step = given(init["start"], 0.0), given(init["step"], 1.0)
    length = shape[-1] if shape else 1
    line = (start + step * torch.arange(length, dtype=torch.float64, device=device)).to(dtype)
    return line.expand(shape).clone() if shape else line.reshape(())


def _full(value, shape, dtype, device):
    whole = not dtype.is_floating_point and dtype != torch.bool and float(value).is_integer()
    return torch.full(shape, int(value) if whole else value, dtype=dtype, device=device)


_kinds = {
    "randn": _randn, "uniform": _uniform, "arange": _arange,
    "zeros": lambda init, *how: _full(0, *how), "ones": lambda init, *how: _full(1, *how),
    "full": lambda init, *how: _full(given(init["fill_value"], 0.0), *how),
}  # fmt: skip


def tensor(spec, device):
    """The tensor of a TensorSpec: data win over a way to make it, and with neither its memory is as it lies."""
    if spec["data"] is not None:
        return _decoded(spec["data"], device)
    dtype, shape, init = dtype_of(spec["dtype"]), spec["shape"], spec["init"]
    if init is not None and init["kind"] not in _kinds:
        raise ValueError(f"Unsupported init kind: {init['kind']}")
    if init is None or device.type == "meta":
        return torch.empty(shape, dtype=dtype, device=device)
    return _kinds[init["kind"]](init, shape, dtype, device)
