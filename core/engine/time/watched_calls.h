// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/cases/kernel_context.h"
#include "core/engine/sides/code/code_samples.h"
#include "core/engine/time/seen_there.h"

namespace wb {

/// Looks at what runs in calls like those that are timed, at moments of a measurement that nobody can
/// foresee: a kernel may do its work itself while it is checked, and leave it to ATen later. Both sides are
/// looked at, so that code of torch's is known again that is called past torch's dispatcher. Where the
/// candidate's code runs in a process of its own, that says which operators it called, and from outside it is
/// seen whether it comes to the code in which the reference spends its time, or from which it launches its
/// kernels. On a GPU some of the calls that are timed are looked at themselves, for the operators that they
/// call, and at the end from where they launch.
class WatchedCalls {
 public:
  /// `known`: what was seen of the same kernel before, which is said again and not looked for.
  WatchedCalls(const KernelContext& kernel, std::uint64_t seed, std::optional<SeenInCalls> known = {})
      : kernel_(kernel), random_(seed), known_(std::move(known)) {}

  /// Makes a call of the candidate's that is timed on a GPU, and perhaps sees which operators it calls: what
  /// that costs the host is no part of a time on the device.
  Result<void> runOnGpu(PreparedCall& call);
  /// Gives a call inputs that it has not met. A kernel that keeps its answers would do something else for
  /// those that it has.
  using Renew = std::function<void()>;
  /// A sample of a side has ended. Perhaps calls it again, as long as it takes to see something.
  void perhaps(bool candidate, PreparedCall& call, const Renew& renew);
  /// The measurement begins, by the thread that makes its calls.
  void begin() {
    if (works() && onHost() && !isThere()) unforeseen_.emplace();
  }
  /// Whether another sample is to be made, like the candidate's last one, in which somebody looks. From begin
  /// on nothing of that can be seen beforehand.
  [[nodiscard]] bool looksInNext();
  void beginLookInSample() { unforeseen_->begin(); }
  void endLookInSample() { timed_.add(unforeseen_->end()); }
  /// The measurement has ended: looks once more, and longer where too little was seen, as on a busy machine.
  void finish(PreparedCall& reference, PreparedCall& candidate, const Renew& renew);
  /// A call of the reference takes so many seconds at most, as its quickest one in this process did. Its own
  /// process may have been held up whenever it was looked at.
  void referenceTakes(double seconds) { referenceSeconds_ = std::min(referenceSeconds_, seconds); }
  /// What one of the candidate's takes, by the clock of who times it.
  void candidateTakes(double seconds) { candidateSeconds_ = seconds; }
  [[nodiscard]] SeenInCalls seen() const { return known_ ? *known_ : SeenInCalls{delegated_, hidden()}; }

 private:
  [[nodiscard]] std::string hidden() const;
  /// The sides run in processes of their own.
  [[nodiscard]] bool isThere() const { return kernel_.timedReference != nullptr; }
  [[nodiscard]] bool onHost() const { return kernel_.device == "cpu"; }
  [[nodiscard]] bool works() const { return !known_ && (kernel_.states != nullptr || isThere()); }
  /// Of n moments about ln(n) are chosen, later ones as likely as earlier ones on a scale of logarithms.
  [[nodiscard]] bool isChosen(bool candidate);
  void lookUnobserved(PreparedCall& call, double atLeast);
  /// Whether so many looks have told too little, of which there are `most` where they tell enough.
  [[nodiscard]] bool isWorthMore(const SeenCode& seen, int looks, int most) const;
  [[nodiscard]] bool mayLetOthersWork() const;
  [[nodiscard]] std::vector<HotCode> hotCode(PreparedCall& reference);
  void lookFromOutside(PreparedCall& reference, PreparedCall& call);
  void lookAtLaunches(PreparedCall& reference, PreparedCall& call);
  /// Calls one after the other, and how long they took together.
  struct Stretch {
    double seconds = 0;
    int calls = 0;
  };
  /// At least one call.
  static Stretch runFor(PreparedCall& call, double atLeast);
  void lookThere(bool candidate, PreparedCall& call, const Renew& renew);
  void look(bool candidate, PreparedCall& call, double atLeast, const Renew& renew);
  void lookAtUnmet(PreparedCall& call, const Renew& renew);

  const KernelContext& kernel_;
  std::mt19937_64 random_;
  std::optional<SeenInCalls> known_;
  std::array<std::uint64_t, 2> samples_{};
  std::array<int, 2> looks_{};
  std::optional<UnforeseenLooks> unforeseen_;
  std::uint64_t timedSamples_ = 0;
  int timedLooks_ = 0;
  std::array<SeenCode, 2> seen_;
  /// The candidate while nobody observes torch's calls.
  SeenCode unobserved_;
  /// The candidate in samples like those that are timed.
  SeenCode timed_;
  std::string delegated_;
  /// How long a call of either takes.
  double referenceSeconds_ = std::numeric_limits<double>::infinity();
  double candidateSeconds_ = std::numeric_limits<double>::infinity();
  /// The reference's own code, and what was seen of the candidate from outside of the process in which it
  /// runs.
  std::vector<HotCode> hot_;
  SeenThere seenThere_;
};

}  // namespace wb
