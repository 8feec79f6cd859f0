# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    """Separable: means along the last two dimensions, then along depth."""

    def __init__(self, kernel_size, stride, padding):
        super().__init__()
        self.k, self.s, self.p = kernel_size, stride, padding

    def forward(self, x):
        B, C, D, H, W = x.shape
        planes = F.avg_pool2d(x.view(B, C * D, H, W), self.k, self.s, self.p)
        OH, OW = planes.shape[-2:]
        return F.avg_pool2d(planes.view(B, C, D, OH * OW), (self.k, 1), (self.s, 1), (self.p, 0)).view(
            B, C, -1, OH, OW
        )
