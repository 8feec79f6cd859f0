// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

namespace wb {

/// The threads of this process, by number.
[[nodiscard]] std::set<int> threadsNow();

/// Which threads were started while a candidate's code ran, and not by torch's or CUDA's own doing meanwhile.
class StartedThreads {
 public:
  /// Around the candidate's code. A microsecond each as long as no thread comes or goes.
  void before();
  void after();
  [[nodiscard]] const std::set<int>& all() const { return started_; }
  void forget() { started_.clear(); }

 private:
  std::set<int> known_, started_;
};

}  // namespace wb
