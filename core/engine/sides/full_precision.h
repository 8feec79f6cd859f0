// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/Context.h>

#include <array>

namespace wb {

/// While it lives, a GPU's libraries multiply numbers of float32 as such in this process, and not as TF32,
/// which is torch's own setting for convolutions; and so they do in the process of a problem's reference, in
/// calls that this thread prepares there. Throws where torch refuses to tell, when its old and new settings
/// were mixed.
class FullPrecision {
 public:
  FullPrecision();
  ~FullPrecision();
  FullPrecision(const FullPrecision&) = delete;
  FullPrecision& operator=(const FullPrecision&) = delete;
  /// Whether something is computed otherwise than without it.
  [[nodiscard]] bool isOther() const { return isOther_; }
  /// Whether there is one on this thread.
  [[nodiscard]] static bool isInForce();

 private:
  struct Setting {
    at::Float32Op op;
    at::Float32Precision before = at::Float32Precision::NONE;
  };
  std::array<Setting, 3> settings_{Setting{at::Float32Op::MATMUL}, Setting{at::Float32Op::CONV},
                                   Setting{at::Float32Op::RNN}};
  bool isOther_ = false;
};

}  // namespace wb
