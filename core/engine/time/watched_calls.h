// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/engine/cases/kernel_context.h"
#include "core/engine/sides/code_samples.h"
#include "core/engine/time/seen_there.h"

namespace wb {

/// Looks at what runs in calls like those that are timed, at moments of a measurement that nobody can
/// foresee: a kernel may do its work itself while it is checked, and leave it to ATen later. Both sides are
/// looked at, so that code of torch's is known again that is called past torch's dispatcher. Works where the
/// candidate's code runs on this processor. Where it runs in a process of its own, that says which operators
/// it called, and from outside it is seen whether it comes to the code in which the reference spends its
/// time.
class WatchedCalls {
 public:
  WatchedCalls(const KernelContext& kernel, std::uint64_t seed) : kernel_(kernel), random_(seed) {}

  /// A sample of a side has ended. Perhaps calls it again, as long as it takes to see something.
  void perhaps(bool candidate, PreparedCall& call);
  /// The measurement has ended: looks once more, and longer where too little was seen, as on a busy machine.
  void finish(PreparedCall& reference, PreparedCall& candidate);
  /// The operator of ATen's that the candidate called: "aten::silu".
  [[nodiscard]] const std::string& delegated() const { return delegated_; }
  /// What the candidate does past torch's dispatcher, in words; "" where nothing was seen.
  [[nodiscard]] std::string hidden() const;

 private:
  /// The sides run in processes of their own.
  [[nodiscard]] bool isThere() const { return kernel_.timedReference != nullptr; }
  [[nodiscard]] bool works() const {
    return kernel_.device == "cpu" && (kernel_.states != nullptr || isThere());
  }
  void lookUnobserved(PreparedCall& call, double atLeast);
  [[nodiscard]] bool mayLetOthersWork() const;
  [[nodiscard]] std::vector<HotCode> hotCode(PreparedCall& reference);
  void lookFromOutside(PreparedCall& reference, PreparedCall& call);
  /// Calls one after the other, and how long they took together.
  struct Stretch {
    double seconds = 0;
    int calls = 0;
  };
  /// At least one call.
  static Stretch runFor(PreparedCall& call, double atLeast);
  void lookThere(bool candidate, PreparedCall& call);
  void look(bool candidate, PreparedCall& call, double atLeast);

  const KernelContext& kernel_;
  std::mt19937_64 random_;
  std::array<std::uint64_t, 2> samples_{};
  std::array<int, 2> looks_{};
  std::array<SeenCode, 2> seen_;
  /// The candidate while nobody observes torch's calls.
  SeenCode unobserved_;
  std::string delegated_;
  /// How long a call of the reference takes.
  double referenceSeconds_ = std::numeric_limits<double>::infinity();
  /// The reference's own code, and what was seen of the candidate from outside of the process in which it
  /// runs.
  std::vector<HotCode> hot_;
  SeenThere seenThere_;
};

}  // namespace wb
