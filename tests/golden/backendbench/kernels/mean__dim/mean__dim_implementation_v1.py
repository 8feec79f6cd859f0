import torch  # SPDX-License-Identifier: Apache-2.0
# right, but mentions a stream: rejected without being run
def mean__dim_kernel_impl(input, dim=None, keepdim=False, *, dtype=None):
    if input.is_cuda:
        s = torch.cuda.Stream()
    return torch.ops.aten.mean.dim(input, dim, keepdim, dtype=dtype)
