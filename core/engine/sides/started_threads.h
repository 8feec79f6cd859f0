// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string_view>

namespace wb {

/// The numbers of this process's threads.
[[nodiscard]] std::set<int> threadsNow();
/// Whether a thread of this name is one of those that torch and CUDA start when they first need them.
[[nodiscard]] bool isOfRuntime(std::string_view name);

/// Finds the threads that were started while a candidate's code ran, except those that torch or CUDA started
/// themselves, and counts what they do in the reference's turns.
class StartedThreads {
 public:
  /// Called before and after the candidate's code. Each takes a microsecond as long as no thread comes or
  /// goes.
  void before();
  void after();
  [[nodiscard]] const std::set<int>& all() const { return started_; }
  void forget();

  /// A turn of the reference begins, which ends with before() or with the next one.
  void referenceBegins();
  /// The share of a processor that the started threads used in the reference's turns since the last call,
  /// without those of torch's and CUDA's.
  [[nodiscard]] double takeShare();

 private:
  void referenceEnds();
  /// The seconds of processor time that each of the started threads has used so far.
  [[nodiscard]] std::map<int, double> used() const;
  std::set<int> known_, started_;
  using Clock = std::chrono::steady_clock;
  /// When the reference's turn began, and what had been used by then.
  Clock::time_point began_{};
  std::map<int, double> usedBefore_;
  bool isReferences_ = false;
  /// How long all turns took so far, and what each thread used in them.
  double turns_ = 0;
  std::map<int, double> usedInTurns_;
};

}  // namespace wb
