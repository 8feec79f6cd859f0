# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def squares_kernel(x, part, n, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for begin in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        at = begin + tl.arange(0, BLOCK)
        v = tl.load(x + at, mask=at < n, other=0.0)
        acc += v * v
    tl.store(part + tl.program_id(0), tl.sum(acc, axis=0))


@triton.jit
def divide_kernel(x, y, part, n, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    norm = tl.sqrt(tl.sum(tl.load(part + tl.arange(0, PARTS)), axis=0))
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n) / norm, mask=at < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("part", torch.zeros(512), persistent=False)

    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        squares_kernel[(512,)](x, self.part, n, BLOCK=2048)
        divide_kernel[(triton.cdiv(n, 4096),)](x, y, self.part, n, PARTS=512, BLOCK=4096)
        return y
