import torch  # SPDX-License-Identifier: Apache-2.0
# WRONG on purpose: must never be picked, because sorted() puts ..._v10.py before ..._v2.py
def mul__Tensor_kernel_impl(input, other):
    return input * other + 1
