# SPDX-License-Identifier: Apache-2.0
import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return x.sum()


rows = 2048
dim = 4096


def get_inputs():
    return [torch.rand(rows, dim)]


def get_init_inputs():
    return []
