# SPDX-License-Identifier: Apache-2.0
import torch
import torch.nn as nn
import torch.nn.functional as F


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv3d = nn.Conv3d(in_channels, out_channels, kernel_size, bias=False)

    def forward(self, x):
        with torch.backends.cudnn.flags(enabled=True, benchmark=True, allow_tf32=True):
            return F.conv3d(x, self.conv3d.weight)
