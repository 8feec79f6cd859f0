# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


# torch's own convolution uses TF32 here by default (cudnn.allow_tf32), and so does this one.
@triton.jit
def pointwise_kernel(x, w, y, S, O, C: tl.constexpr, BS: tl.constexpr, BO: tl.constexpr):
    n = tl.program_id(2).to(tl.int64)
    s = tl.program_id(0) * BS + tl.arange(0, BS)
    o = tl.program_id(1) * BO + tl.arange(0, BO)
    c = tl.arange(0, C)
    u = tl.load(w + o[:, None] * C + c[None, :], mask=o[:, None] < O, other=0.0)
    v = tl.load(x + n * C * S + c[:, None] * S + s[None, :], mask=s[None, :] < S, other=0.0)
    tl.store(
        y + n * O * S + o[:, None] * S + s[None, :],
        tl.dot(u, v, input_precision="tf32"),
        mask=(o[:, None] < O) & (s[None, :] < S),
    )


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.conv1d = nn.Conv2d(in_channels, out_channels, kernel_size=1, bias=False)

    def forward(self, x):
        w = self.conv1d.weight
        B, C, H, W = x.shape
        y = torch.empty((B, w.shape[0], H, W), device=x.device, dtype=x.dtype)
        pointwise_kernel[(triton.cdiv(H * W, 128), triton.cdiv(w.shape[0], 64), B)](
            x, w, y, H * W, w.shape[0], C, BS=128, BO=64
        )
        return y
