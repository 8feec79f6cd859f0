// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace wb {

/// The two models of a problem that brings its own reference: what can be asked of them beside their calls.
/// It is asked in a fork of the process, since it changes them.
class ProblemModels {
 public:
  virtual ~ProblemModels() = default;
  /// Keeps what the buffers of both hold now.
  virtual void rememberBuffers() = 0;
  /// A buffer that the reference has changed since then while the kernel's of the same name has stayed as it
  /// was: "layer.running_mean"; "" where there is none.
  [[nodiscard]] virtual std::string bufferLeft() = 0;
  /// Makes both again. Layers draw, from the seed, the parameters that begin as the same number everywhere,
  /// as a norm's weight does. False where there are none, or the kernel's model has others.
  [[nodiscard]] virtual bool drawParameters(std::uint64_t seed) = 0;
};

}  // namespace wb
