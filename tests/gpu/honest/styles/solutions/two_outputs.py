# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def both_kernel(x, top, total, D, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < D
    v = tl.load(x + row * D + at, mask=inside, other=0.0)
    tl.store(total + row, tl.sum(v, axis=0))
    tl.store(top + row, tl.max(tl.where(inside, v, -float("inf")), axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty((2, x.shape[0]), device=x.device, dtype=x.dtype)
        both_kernel[(x.shape[0],)](x, out[0], out[1], x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out[0], out[1]
