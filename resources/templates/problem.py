# Title: A problem with its own reference
# Summary: KernelBench's form: class Model is the reference, ModelNew the kernel, get_inputs() what both get.
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features, outputs):
        super().__init__()
        self.linear = nn.Linear(features, outputs)

    def forward(self, x):
        return torch.relu(self.linear(x))


class ModelNew(nn.Module):
    def __init__(self, features, outputs):
        super().__init__()
        self.linear = nn.Linear(features, outputs)  # made from the same seed as Model's: equal weights

    def forward(self, x):
        return torch.addmm(self.linear.bias, x, self.linear.weight.t()).clamp_(min=0)


def get_inputs():
    return [torch.randn(256, 512)]


def get_init_inputs():
    return [512, 128]
