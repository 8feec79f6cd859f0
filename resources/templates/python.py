# Title: ReLU in Python
# Summary: A function over torch tensors, called as the operator is: from plain torch to whatever your packages offer.
import torch


# The operator comes from the function's name: relu_kernel_impl implements aten::relu.
def relu_kernel_impl(self):
    return torch.clamp_min(self, 0)
