// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace wb {

/// Whether numbers look as if each was drawn for itself: nearly all are different, they neither rise nor fall
/// along the memory, and a square of them is not symmetric. Truths look as if a coin was tossed for each.
/// Nobody can say so of fewer numbers than `fewest`.
[[nodiscard]] bool looksDrawn(const at::Tensor& tensor, std::int64_t fewest = 256);

/// Whether all numbers of a floating-point type are whole, as those of masks, labels and one-hot rows are.
/// What is made of them may be right for such numbers alone.
[[nodiscard]] bool areWhole(const at::Tensor& tensor);

/// How many numbers that lie side by side in a tensor's memory belong together, so that what uses them may
/// rely on it: rows of one and the same sum, as probabilities and their logarithms have, or of one length, as
/// directions and rotations have, and rows in which one column is never above another one, as in boxes and
/// in what is sorted. All of it where the first dimension is one of such; 0 where nothing of the kind shows,
/// or the numbers are no real ones, or lie in memory with gaps. Rows of more than 2^18 are not looked at.
[[nodiscard]] std::int64_t numbersTogether(const at::Tensor& tensor);

}  // namespace wb
