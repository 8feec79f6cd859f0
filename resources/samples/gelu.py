# Title: GELU in Python
# Summary: Plain torch, both approximations, in one expression each.
import math

import torch


def gelu_kernel_impl(self, *, approximate="none"):
    x = self.float() if self.dtype in (torch.float16, torch.bfloat16) else self
    if approximate == "tanh":
        inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)
        y = 0.5 * x * (1 + torch.tanh(inner))
    else:
        y = 0.5 * x * (1 + torch.erf(x * math.sqrt(0.5)))
    return y.to(self.dtype)
