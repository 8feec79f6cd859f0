// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/backendbench/skips.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/model/operators/operator_name.h"

namespace wb {
namespace {

/// "+" stands where BackendBench's list lacks a comma between two names.
constexpr std::string_view lists =
    // creation and manipulation
    "cat.default cat.out cat.names cat.names_out+clone.default clone.out copy_.default elu_backward.default "
    "elu_backward.grad_input masked_fill_.Scalar+masked_fill_.Tensor new_empty.default new_empty.out "
    "new_empty_strided.default new_empty_strided.out new_full.default new_full.out new_ones.default "
    "new_ones.out new_zeros.default new_zeros.out nonzero.default nonzero.out repeat.default repeat.out "
    "split.Tensor split_with_sizes.default unsqueeze_.default "
    // random
    "bernoulli.default bernoulli.out bernoulli.Tensor bernoulli.Tensor_out "
    // unsupported
    "embedding.default embedding.out scatter.src scatter.src_out scatter.reduce scatter.reduce_out "
    "scatter.value scatter.value_out scatter.value_reduce scatter.value_reduce_out+gather.default gather.out "
    "gather.dimname gather.dimname_out+index.Tensor index.Tensor_out+nll_loss.default "
    "nll_loss.out+im2col_backward.default im2col_backward.default im2col_backward.grad_input "
    "col2im_backward.default col2im_backward.grad_input native_layer_norm_backward.default "
    "native_layer_norm_backward.out upsample_nearest2d_backward.default "
    "upsample_nearest2d_backward.grad_input "
    "upsample_bilinear2d_backward.default upsample_bilinear2d_backward.grad_input "
    "_cudnn_rnn_backward.default "
    "_cudnn_rnn_backward.out _fft_c2c.default _fft_c2c.out _cudnn_rnn.default _cudnn_rnn.out";

/// Calls `take(entry)` for each entry between separators.
template <class Take>
bool anyEntry(std::string_view separators, Take&& take) {
  for (std::size_t start = 0; start < lists.size();) {
    const std::size_t end = std::min(lists.find_first_of(separators, start), lists.size());
    if (take(lists.substr(start, end - start))) return true;
    start = end + 1;
  }
  return false;
}

}  // namespace

bool skippedInTraces(const std::string& schemaName, bool like) {
  const std::string name = shortName(schemaName);
  if (!like) return anyEntry(" +", [&](std::string_view entry) { return entry == name; });
  const std::string full = "aten." + name;
  return anyEntry(" ", [&](std::string_view entry) {
    std::string literal(entry);
    std::erase(literal, '+');
    return full.find(literal) != std::string::npos;
  });
}

}  // namespace wb
