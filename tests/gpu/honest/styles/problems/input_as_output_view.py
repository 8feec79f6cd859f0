# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return x.transpose(1, 2)


n = 1024


def get_inputs():
    return [torch.randn(8, n, n)]


def get_init_inputs():
    return []
