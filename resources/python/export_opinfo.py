# SPDX-License-Identifier: Apache-2.0
"""Exports torch's own operator samples (op_db) as the suite "opinfo": which calls, and the very bytes of their tensors.

Selection as BackendBench makes it (resources/help/suites.md): per sample of an operator, exactly one dispatched
overload, which must give the same again when it is called with the user's own arguments.

Writes PREFIX.index (text, one case a line) and PREFIX.values (binary), each under another name first. One process
exports, others wait for its lock and take what it made. Progress goes to standard output, a line "progress DONE ALL".

Index: lines "key value" up to an empty line, then "operator<TAB>group<TAB>record<TAB>arguments<TAB>label", the label
empty where it is the arguments' own text; a backslash escapes itself, line ends (\\n) and tabs (\\t).
Values, little-endian: "WBVALUE1", 16 hex digits that the index names too, u64 records, u64 offset of the table of
records' offsets, u64 size of the file, zeros up to 64 bytes. A record: u64 tensors, then for each its dtype (16 bytes,
zero-padded), u64 rank, i64 sizes, i64 strides, i64 offset in its memory (elements), u64 offset and u64 count of the
memory's bytes. That is all of the memory that the tensor is a view of, since as_strided looks beyond the view; only
where that is much more than the view, the extent from its first element to its last.
"""

import argparse
import collections
import fcntl
import glob
import hashlib
import os
import random
import struct
import sys
import traceback
import types
import unittest
import warnings

FORMAT = 1

# BackendBench's lists (op_categories.py at 66e0dbc). Some entries are two names that lack a comma between them; kept,
# since the counts of tests depend on them.
SKIPPED = frozenset(
    # creation and manipulation
    "cat.default cat.out cat.names cat.names_outclone.default clone.out copy_.default elu_backward.default "
    "elu_backward.grad_input masked_fill_.Scalarmasked_fill_.Tensor new_empty.default new_empty.out "
    "new_empty_strided.default new_empty_strided.out new_full.default new_full.out new_ones.default new_ones.out "
    "new_zeros.default new_zeros.out nonzero.default nonzero.out repeat.default repeat.out split.Tensor "
    "split_with_sizes.default unsqueeze_.default "
    # random
    "bernoulli.default bernoulli.out bernoulli.Tensor bernoulli.Tensor_out "
    # unsupported
    "embedding.default embedding.out scatter.src scatter.src_out scatter.reduce scatter.reduce_out scatter.value "
    "scatter.value_out scatter.value_reduce scatter.value_reduce_outgather.default gather.out gather.dimname "
    "gather.dimname_outindex.Tensor index.Tensor_outnll_loss.default nll_loss.outim2col_backward.default "
    "im2col_backward.default im2col_backward.grad_input col2im_backward.default col2im_backward.grad_input "
    "native_layer_norm_backward.default native_layer_norm_backward.out upsample_nearest2d_backward.default "
    "upsample_nearest2d_backward.grad_input upsample_bilinear2d_backward.default "
    "upsample_bilinear2d_backward.grad_input _cudnn_rnn_backward.default _cudnn_rnn_backward.out _fft_c2c.default "
    "_fft_c2c.out _cudnn_rnn.default _cudnn_rnn.out".split()
)


class CannotSay(Exception):
    """A value that the trace grammar has no form for."""


def abbreviations(torch):
    return {
        torch.bfloat16: "bf16", torch.float64: "f64", torch.float32: "f32", torch.float16: "f16",
        torch.complex32: "c32", torch.complex64: "c64", torch.complex128: "c128", torch.int8: "i8",
        torch.int16: "i16", torch.int32: "i32", torch.int64: "i64", torch.bool: "b8", torch.uint8: "u8",
    }  # fmt: skip


class Writer:
    """Spells calls, and writes the tensors that they mention."""

    def __init__(self, torch, path):
        import numpy

        self.torch, self.numpy = torch, numpy
        self.abbreviations = abbreviations(torch)
        self.file = open(path, "wb")
        self.file.write(bytes(64))
        self.digest = hashlib.sha256()
        self.records = []

    def tensor_text(self, tensor):
        if tensor.layout != self.torch.strided or tensor.is_quantized or tensor.dtype not in self.abbreviations:
            raise CannotSay(f"a tensor of layout {tensor.layout} and dtype {tensor.dtype}")
        text = f"T({list(tensor.shape)}, {self.abbreviations[tensor.dtype]}"
        return text + (")" if tensor.is_contiguous() else f", {list(tensor.stride())})")

    def literal(self, value, tensors):
        """The value in the trace grammar; its tensors are appended to `tensors` in the text's order."""
        torch = self.torch
        if isinstance(value, torch.Tensor):
            tensors.append(value)
            return self.tensor_text(value)
        if isinstance(value, (list, tuple)):
            items = [self.literal(item, tensors) for item in value]
            if isinstance(value, list):
                return "[" + ", ".join(items) + "]"
            return "(" + ", ".join(items) + ("," if len(items) == 1 else "") + ")"
        if isinstance(value, self.numpy.generic):
            value = value.item()
        if value is None or isinstance(value, (bool, int, float, complex, str)):
            return repr(value)
        if isinstance(value, (torch.dtype, torch.layout, torch.memory_format)):
            return repr(value)
        if isinstance(value, torch.device):
            return f"device('{value.type}')"
        raise CannotSay(f"a {type(value).__name__}")

    def label(self, value):
        """As BackendBench prints it: tensors inside a tuple by their contents."""
        if isinstance(value, self.torch.Tensor):
            return self.tensor_text(value)
        if isinstance(value, list):
            return "[" + ", ".join(self.label(item) for item in value) + "]"
        return repr(value)

    def call(self, args, kwargs):
        """(text in the trace grammar, BackendBench's label or "" where it is the same, tensors)."""
        tensors = []
        positional = [self.literal(value, tensors) for value in args]
        keywords = [f"{key!r}: {self.literal(value, tensors)}" for key, value in kwargs.items()]
        text = joined(positional, keywords)
        label = joined(
            [self.label(value) for value in args], [f"{key!r}: {self.label(value)}" for key, value in kwargs.items()]
        )
        return text, "" if label == text else label, tensors

    def put(self, data):
        self.digest.update(data)
        self.file.write(data)

    def record(self, tensors):
        """Writes one call's tensors; the record's number."""
        places = []
        for tensor in tensors:
            tensor = tensor.detach().resolve_conj().resolve_neg()
            start, memory = tensor.storage_offset(), tensor.untyped_storage().nbytes() // tensor.element_size()
            extent = 0 if 0 in tensor.shape else 1 + sum((n - 1) * s for n, s in zip(tensor.shape, tensor.stride()))
            if extent and memory <= max(4 * extent, 4096):
                flat = tensor.as_strided((memory,), (1,), 0)
            else:
                flat, start = tensor.as_strided((extent,), (1,), start), 0
            data = flat.cpu().contiguous().view(self.torch.uint8).numpy().tobytes() if extent else b""
            self.put(bytes(-self.file.tell() % 64))
            places.append((tensor, start, self.file.tell(), len(data)))
            self.put(data)
        self.put(bytes(-self.file.tell() % 8))
        self.records.append(self.file.tell())
        self.put(struct.pack("<Q", len(tensors)))
        for tensor, start, offset, size in places:
            dtype = self.abbreviations[tensor.dtype].encode().ljust(16, b"\0")
            rank = tensor.dim()
            self.put(
                struct.pack(f"<16sQ{2 * rank}qqQQ", dtype, rank, *tensor.shape, *tensor.stride(), start, offset, size)
            )
        return len(self.records) - 1

    def finish(self):
        """Closes the file; its id and size."""
        table = self.file.tell()
        self.put(struct.pack(f"<{len(self.records)}Q", *self.records))
        identity, size = self.digest.hexdigest()[:16], self.file.tell()
        self.file.seek(0)
        self.file.write(struct.pack("<8s16sQQQ", b"WBVALUE1", identity.encode(), len(self.records), table, size))
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        return identity, size


def joined(positional, keywords):
    return "((" + "".join(f"{text}, " for text in positional)[:-1] + "), {" + ", ".join(keywords) + "})"


def escaped(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")


def make_close(torch):
    """BackendBench's comparison: torch.testing.assert_close with 1e-2 for everything, NaN equal to NaN."""

    def close(ours, theirs):
        if isinstance(ours, (list, tuple)) and isinstance(theirs, (list, tuple)):
            return len(ours) == len(theirs) and all(close(a, b) for a, b in zip(ours, theirs))
        if isinstance(ours, torch.Tensor) and isinstance(theirs, torch.Tensor):
            same = (
                ours.shape == theirs.shape and ours.dtype == theirs.dtype and ours.layout == theirs.layout
                and ours.layout == torch.strided and not ours.is_quantized and torch.equal(ours, theirs)
            )  # fmt: skip
            if same:  # the common case, many times cheaper
                return True
            try:
                torch.testing.assert_close(ours, theirs, equal_nan=True, atol=1e-2, rtol=1e-2)
                return True
            except Exception:
                return False
        return bool(ours == theirs)

    return close


def make_tracer():
    from torch.utils._python_dispatch import TorchDispatchMode

    class Tracer(TorchDispatchMode):
        """Notes every overload that the dispatcher is asked for."""

        def __init__(self):
            super().__init__()
            self.calls = []

        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            self.calls.append(function)
            return function(*args, **(kwargs or {}))

    return Tracer


def seed(torch, number):
    import numpy

    torch.manual_seed(number)
    random.seed(number)
    numpy.random.seed(number % 2**32)


def overloads_of_sample(torch, Tracer, close, entry, sample, dropped):
    """The one overload that a sample comes down to, or None with the reason counted."""
    with Tracer() as tracer:
        try:
            expected = entry.op(sample.input, *sample.args, **sample.kwargs)
        except Exception:
            dropped["the operator raised"] += 1
            return None
    if len(tracer.calls) != 1:
        dropped["no operator" if not tracer.calls else "several operators"] += 1
        return None
    overload = tracer.calls[0]
    try:
        actual = overload(sample.input, *sample.args, **sample.kwargs)
    except Exception:
        dropped["the overload raised"] += 1
        return None
    try:
        if not close(expected, actual):
            dropped["the overload gave another result"] += 1
            return None
    except Exception:
        dropped["the results could not be compared"] += 1
        return None
    if str(overload).removeprefix("aten.") in SKIPPED:
        dropped["on a skip list"] += 1
        return None
    return overload


def wanted_entries(op_db, device, dtype, only):
    for entry in op_db:
        if "." in entry.name and "nn.functional" not in entry.name:
            continue
        if entry.name == "nonzero_static" or dtype not in entry.supported_dtypes(device):
            continue
        if not only or entry.name in only:
            yield entry


def export(torch, op_db, device, dtype, only, prefix, partial):
    close, Tracer = make_close(torch), make_tracer()
    writer = Writer(torch, partial + ".values")
    lines, groups, dropped = [], 0, collections.Counter()
    entries = list(wanted_entries(op_db, device, dtype, only))
    for done, entry in enumerate(entries):
        if done % 10 == 0:
            print(f"progress {done} {len(entries)}", flush=True)
        seed(torch, int.from_bytes(hashlib.sha256(entry.name.encode()).digest()[:4], "little"))
        try:
            samples = list(entry.sample_inputs(device, dtype))
        except Exception:
            dropped["no samples"] += 1
            continue
        kept = collections.defaultdict(list)
        for sample in samples:
            overload = overloads_of_sample(torch, Tracer, close, entry, sample, dropped)
            if overload is not None:
                kept[str(overload)].append(sample)
        groups += len(kept)
        for overload, chosen in kept.items():
            for sample in chosen:
                try:
                    text, label, tensors = writer.call((sample.input, *sample.args), sample.kwargs)
                except CannotSay as reason:
                    dropped[f"cannot be written: {reason}"] += 1
                    continue
                record = writer.record(tensors)
                lines.append("\t".join([overload, entry.name, str(record), escaped(text), escaped(label)]))
    identity, size = writer.finish()
    header = [
        f"warpbench-opinfo {FORMAT}", f"torch {torch.__version__}", f"device {device}",
        f"dtype {str(dtype).removeprefix('torch.')}", f"values {identity} {size}", f"groups {groups}",
        f"cases {len(lines)}",
    ]  # fmt: skip
    header += [f"dropped {count} {reason}" for reason, count in sorted(dropped.items())]
    with open(partial + ".index", "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(header) + "\n\n" + "".join(line + "\n" for line in lines))
        file.flush()
        os.fsync(file.fileno())
    os.rename(partial + ".values", prefix + ".values")
    os.rename(partial + ".index", prefix + ".index")
    print(f"progress {len(entries)} {len(entries)}", flush=True)
    print(f"done {len(lines)} cases in {groups} groups", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Export torch's operator samples as a suite of Warpbench.")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--dtype", default="bfloat16", help="torch's name")
    parser.add_argument("--out", required=True, metavar="PREFIX", help="writes PREFIX.index and PREFIX.values")
    parser.add_argument("--only", default="", help="names of op_db entries, comma-separated")
    options = parser.parse_args()
    os.makedirs(os.path.dirname(os.path.abspath(options.out)), exist_ok=True)
    with open(options.out + ".lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("waiting for another export of the same", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
            if os.path.exists(options.out + ".index"):
                return
        run(options)


def stand_in_for_expecttest():
    """torch's test helpers, which op_db comes with, derive a class for tests from expecttest's. Samples need none of it,
    and not every environment has the package."""
    try:
        import expecttest  # noqa: F401
    except ImportError:
        module = types.ModuleType("expecttest")
        module.TestCase, module.ACCEPT = unittest.TestCase, False
        sys.modules["expecttest"] = module


def run(options):
    print("progress 0 0", flush=True)
    warnings.simplefilter("ignore")
    import torch

    torch.set_num_threads(1)  # the samples are tiny: threads only wait for each other
    dtype = getattr(torch, options.dtype, None)
    if not isinstance(dtype, torch.dtype):
        sys.exit(f"there is no dtype {options.dtype}")
    if options.device == "cuda" and not torch.cuda.is_available():
        sys.exit("torch sees no CUDA device")
    stand_in_for_expecttest()
    from torch.testing._internal.common_methods_invocations import op_db

    only = {name for name in options.only.split(",") if name}
    for left in glob.glob(glob.escape(options.out) + ".*.[iv]*"):
        os.remove(left)  # by an export that was killed: the lock says that none is at work
    partial = f"{options.out}.{os.getpid()}"
    try:
        export(torch, op_db, options.device, dtype, only, options.out, partial)
    finally:
        for ending in (".index", ".values"):
            if os.path.exists(partial + ending):
                os.remove(partial + ending)


if __name__ == "__main__":
    try:
        main()
    except Exception as error:
        traceback.print_exc()
        sys.exit(f"{type(error).__name__}: {error}")
