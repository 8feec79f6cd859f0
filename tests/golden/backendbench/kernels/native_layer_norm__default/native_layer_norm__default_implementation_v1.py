import torch  # SPDX-License-Identifier: Apache-2.0
# a tuple of three; the last element (rstd) is wrong by a factor
def native_layer_norm__default_kernel_impl(input, normalized_shape, weight, bias, eps):
    y, m, r = torch.ops.aten.native_layer_norm.default(input, normalized_shape, weight, bias, eps)
    return y, m, r * 2
