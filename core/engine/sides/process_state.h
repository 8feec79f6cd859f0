// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/engine/call.h"
#include "core/engine/sides/started_threads.h"

namespace wb {

/// What user code can set in this process, and torch, the processor or the system then obeys for everybody:
/// numbers of threads, rounding and flushing of denormals, torch's precisions and deterministic mode, its
/// default dtype, gradient mode, modes and callbacks, interval timers, the processors that it runs on. It is
/// a value that is taken and put back in a few hundred nanoseconds; it holds the settings of this thread and,
/// where that matters, of torch's pool.
class ProcessState {
 public:
  /// Takes the present state.
  ProcessState();
  ~ProcessState();
  ProcessState(const ProcessState&);
  ProcessState& operator=(const ProcessState&);

  /// Puts this state back. Only what differs from `now` is touched.
  void putBack(const ProcessState& now) const;
  /// What is different now, in words: "the number of threads (2, was 1)".
  [[nodiscard]] std::vector<std::string> differences(const ProcessState& now) const;
  [[nodiscard]] bool same(const ProcessState& now) const;

 private:
  struct Modes;
  /// One value per setting.
  std::vector<std::int64_t> values_;
  std::vector<unsigned long> processors_;
  /// This is null where no mode of Python is on, as always at the start.
  std::shared_ptr<const Modes> modes_;
};

/// Keeps the two sides of a comparison apart: whatever the candidate sets is set while its code runs, and at
/// no other time. It belongs to one thread, on which all kernels of a worker run.
class SideStates {
 public:
  /// Takes the present state as the reference's; it must be made before any user code runs.
  SideStates();

  /// While it lives, the candidate's state is in force. Several may be nested; the outermost one counts.
  class Candidate {
   public:
    explicit Candidate(SideStates& states) : states_(states) { states_.enter(true); }
    Candidate(const Candidate&) = delete;
    Candidate& operator=(const Candidate&) = delete;
    ~Candidate() { states_.enter(false); }

   private:
    SideStates& states_;
  };

  /// The same for clocks, which have no scope for it: true before a sample of the candidate, false after it.
  /// False without a true before it makes sure of the reference's state, since a thread of the kernel may
  /// have changed it.
  void enter(bool candidate);
  [[nodiscard]] bool entered() const { return depth_ > 0; }

  /// What the candidate was seen to change since the last call of forget(), in words.
  [[nodiscard]] std::vector<std::string> changed() const { return {changed_.begin(), changed_.end()}; }
  /// The threads that were started while its code ran.
  [[nodiscard]] const std::set<int>& threads() const { return threads_.all(); }
  /// The share of a processor that they used while clocks sampled the reference, since the last call.
  [[nodiscard]] double takeThreadShare() { return threads_.takeShare(); }
  /// Forgets what the kernel set, since the next one begins.
  void forget();

 private:
  void leave();
  void makeSure();
  ProcessState start_, candidate_;
  int depth_ = 0;
  std::set<std::string> changed_;
  StartedThreads threads_;
};

/// A candidate whose code always runs in its own state.
[[nodiscard]] std::unique_ptr<Candidate> keptApart(std::unique_ptr<Candidate> candidate, SideStates& states);

}  // namespace wb
