# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    """Written into a shifted view of the answer."""

    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        out = torch.empty_like(x)
        out.select(self.dim, 0).zero_()
        length = x.size(self.dim) - 1
        out.narrow(self.dim, 1, length).copy_(torch.cumsum(x.narrow(self.dim, 0, length), dim=self.dim))
        return out
