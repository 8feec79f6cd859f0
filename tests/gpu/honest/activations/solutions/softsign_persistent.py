# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def softsign_kernel(x, y, n, programs, BLOCK: tl.constexpr):
    for begin in range(tl.program_id(0) * BLOCK, n, programs * BLOCK):
        at = begin + tl.arange(0, BLOCK)
        v = tl.load(x + at, mask=at < n)
        tl.store(y + at, v / (1.0 + tl.abs(v)), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        programs = 1056
        softsign_kernel[(programs,)](x, y, x.numel(), programs, BLOCK=2048)
        return y
