# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x, y, s, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(y + at, tl.load(x + at, mask=inside) * s, mask=inside)


class ModelNew(nn.Module):
    def forward(self, A, s):
        y = torch.empty_like(A)
        n = A.numel()
        scale_kernel[(triton.cdiv(n, 2048),)](A, y, s, n, BLOCK=2048)
        return y
