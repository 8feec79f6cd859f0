import torch  # SPDX-License-Identifier: Apache-2.0
# right (lexicographically first)
def mul__Tensor_kernel_impl(input, other):
    return input * other
