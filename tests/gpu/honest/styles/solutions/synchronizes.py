# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def divide_kernel(x, y, by, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n) / by, mask=at < n)


class ModelNew(nn.Module):
    """Looks at a number on the host in the middle, and waits for the device at its end, as many do."""

    def forward(self, x):
        largest = float(x.abs().max().item())
        y = torch.empty_like(x)
        divide_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, largest, x.numel(), BLOCK=1024)
        if x.is_cuda:
            torch.cuda.synchronize()
        return y
