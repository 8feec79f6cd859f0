// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

namespace wb {

/// The numbers of this process's threads.
[[nodiscard]] std::set<int> threadsNow();

/// Finds the threads that were started while a candidate's code ran, except those that torch or CUDA started
/// themselves.
class StartedThreads {
 public:
  /// Called before and after the candidate's code. Each takes a microsecond as long as no thread comes or
  /// goes.
  void before();
  void after();
  [[nodiscard]] const std::set<int>& all() const { return started_; }
  void forget() { started_.clear(); }

 private:
  std::set<int> known_, started_;
};

}  // namespace wb
