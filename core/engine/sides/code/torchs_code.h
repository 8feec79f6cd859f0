// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace wb {

/// Where the code of torch's own libraries lies now, and that of all others. To ask dladdr() for each place
/// would search their hundred thousands of symbols each time.
class TorchsCode {
 public:
  TorchsCode();
  [[nodiscard]] bool has(std::uintptr_t at) const;
  /// Whether it is OpenMP's own code, in which threads mostly go round in circles until others are done.
  [[nodiscard]] bool waits(std::uintptr_t at) const;
  /// Whether it lies in no library or program at all: code that was made while the process runs, as oneDNN
  /// makes its convolutions.
  [[nodiscard]] bool isOfNoLibrary(std::uintptr_t at) const;
  /// Whether a library has come or gone since.
  [[nodiscard]] bool isOutdated() const;

 private:
  using Parts = std::vector<std::pair<std::uintptr_t, std::uintptr_t>>;
  Parts torchs_, openMps_, others_;
  unsigned long long changes_ = 0;
};

}  // namespace wb
