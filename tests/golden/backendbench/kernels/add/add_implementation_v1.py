import torch  # SPDX-License-Identifier: Apache-2.0
# folder without an overload whose op has no .default: not loaded
def add_kernel_impl(input, other):
    return input + other
