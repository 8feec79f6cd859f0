# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def argmax_kernel(x, y, N, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * N + at, mask=at < N, other=-float("inf"))
    tl.store(y + row, tl.argmax(v, axis=0).to(tl.int64))


class ModelNew(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        x = x.movedim(self.dim, -1).contiguous()
        y = torch.empty(x.shape[:-1], device=x.device, dtype=torch.int64)
        argmax_kernel[(y.numel(),)](x, y, x.shape[-1], BLOCK=triton.next_power_of_2(x.shape[-1]), num_warps=4)
        return y
