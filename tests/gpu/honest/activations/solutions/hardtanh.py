# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        return torch.clamp(x, -1.0, 1.0, out=out)
