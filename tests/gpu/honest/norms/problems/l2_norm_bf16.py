# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return x / torch.norm(x, p=2, dim=1, keepdim=True)


batch_size = 4096
dim = 8192


def get_inputs():
    return [torch.randn(batch_size, dim).to(torch.bfloat16)]


def get_init_inputs():
    return []
