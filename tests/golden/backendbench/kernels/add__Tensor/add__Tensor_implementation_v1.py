import torch  # SPDX-License-Identifier: Apache-2.0
# right, including alpha and scalar "other"
def add__Tensor_kernel_impl(input, other, *, alpha=1):
    if isinstance(other, torch.Tensor):
        dt = torch.result_type(input, other)
        return (input.to(dt) + other.to(dt) * alpha).to(dt)
    return input + other * alpha
