# SPDX-License-Identifier: Apache-2.0
"""What Triton does for the first time in a process, done once in the one from which guests are forked instead of in
each of them: it reads its own files, of which it makes a number, finds its tools, imports what it needs, and builds the
functions by which it calls the driver. Nothing of that touches the GPU, which a fork could not use any more."""

import os
import tempfile

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.backends.nvidia.driver import CudaDriver
from triton.compiler import ASTSource


@triton.jit
def copied(given, result, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(result + at, tl.load(given + at, at < count), at < count)


def compile_kernel():
    # What is found out for one architecture serves the others, too.
    architecture, block = 90, 1024
    types = {"given": "*fp32", "result": "*fp32", "count": "i32", "BLOCK": "constexpr"}
    source = ASTSource(copied, types, {(3,): block}, {})
    triton.compile(source, target=GPUTarget("cuda", architecture, 32), options={"num_warps": 4})


def find_driver():
    """Fails where there is no driver, or no compiler. Kernels take this one; to look for it would use the GPU."""
    triton.runtime.driver.set_active(CudaDriver())


def warm():
    """Leaves nothing on disk."""
    before = os.environ.get("TRITON_CACHE_DIR")
    with tempfile.TemporaryDirectory() as cache:
        os.environ["TRITON_CACHE_DIR"] = cache
        try:
            compile_kernel()
            find_driver()
        finally:
            if before is None:
                del os.environ["TRITON_CACHE_DIR"]
            else:
                os.environ["TRITON_CACHE_DIR"] = before
