// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>

#include "core/base/result.h"

namespace wb {

/// Memory of the host for the bytes of a tensor on a GPU, which the GPU's copy engines carry there and back.
///
/// A plain copy of less than some 24 KB is not theirs, as an H100 showed (driver 580): the GPU turns to this
/// process for it, and only 0.15 ms later back to the one that it worked for. A copy of rows that lie apart
/// on the host is theirs, whatever its size.
class CarriedBytes {
 public:
  /// For as many bytes as `like` has, which lies on a GPU.
  explicit CarriedBytes(const at::Tensor& like);

  /// Copies all bytes of `memory`, which is contiguous, on torch's current stream. Whoever reads them waits.
  [[nodiscard]] Result<void> takeFrom(const at::Tensor& memory);
  [[nodiscard]] Result<void> giveTo(const at::Tensor& memory) const;

 private:
  enum class Way { toHost, toDevice };
  [[nodiscard]] Result<void> carry(const at::Tensor& memory, Way way) const;
  std::size_t rows_, width_, pitch_;
  at::Tensor host_;
};

/// In how many rows of one length so many bytes are carried.
[[nodiscard]] std::size_t carriedRows(std::size_t bytes);

}  // namespace wb
