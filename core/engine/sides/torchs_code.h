// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace wb {

/// Where the code of torch's own libraries lies now. To ask dladdr() for each place would search their
/// hundred thousands of symbols each time.
class TorchsCode {
 public:
  TorchsCode();
  [[nodiscard]] bool has(std::uintptr_t at) const;

 private:
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> parts_;
};

}  // namespace wb
