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

/// What user code can set in this process and torch, the processor or the system then obeys for everybody:
/// numbers of threads, rounding and flushing of denormals, torch's precisions and deterministic mode, its
/// default dtype, gradient mode, modes and callbacks, interval timers, the processors it runs on. A value,
/// taken and put back in some hundred nanoseconds; of this thread and, where that matters, of torch's pool.
class ProcessState {
 public:
  /// As it is now.
  ProcessState();
  ~ProcessState();
  ProcessState(const ProcessState&);
  ProcessState& operator=(const ProcessState&);

  /// Makes it as it was. What differed from `now` alone is touched.
  void putBack(const ProcessState& now) const;
  /// What differs, in words: "the number of threads (2, was 1)".
  [[nodiscard]] std::vector<std::string> differences(const ProcessState& now) const;
  [[nodiscard]] bool same(const ProcessState& now) const;

 private:
  struct Modes;
  std::vector<std::int64_t> values_;  ///< one a setting
  std::vector<unsigned long> processors_;
  std::shared_ptr<const Modes> modes_;  ///< null where no mode of Python's is on, as always at the start
};

/// Keeps the two sides of a comparison apart: whatever the candidate sets is set while its code runs, and at
/// no other time. Of one thread: all kernels of a worker run on it.
class SideStates {
 public:
  /// The state of now is the reference's from here on: before any user code.
  SideStates();

  /// While it lives, the candidate's state is in force. They nest; the outermost one counts.
  class Candidate {
   public:
    explicit Candidate(SideStates& states) : states_(states) {
      if (states_.depth_ == 0) states_.threads_.before();
      states_.enter(true);
    }
    Candidate(const Candidate&) = delete;
    Candidate& operator=(const Candidate&) = delete;
    ~Candidate() {
      states_.enter(false);
      if (states_.depth_ == 0) states_.threads_.after();
    }

   private:
    SideStates& states_;
  };

  /// The same for clocks, which have no scope for it: true before a sample of the candidate, false after it.
  /// False without true before it makes sure of the reference's state: a thread of the kernel's may have
  /// changed it.
  void enter(bool candidate);
  [[nodiscard]] bool entered() const { return depth_ > 0; }

  /// What the candidate was seen to change, in words, since the last call of forget().
  [[nodiscard]] std::vector<std::string> changed() const { return {changed_.begin(), changed_.end()}; }
  /// Threads that were started while its code ran, except in timing.
  [[nodiscard]] const std::set<int>& threads() const { return threads_.all(); }
  /// The kernel has been done with: nothing that it set is of interest any more.
  void forget();

 private:
  void leave();
  void makeSure();
  ProcessState start_, candidate_;
  int depth_ = 0;
  std::set<std::string> changed_;
  StartedThreads threads_;
};

/// Runs each piece of a candidate's code in its own state.
[[nodiscard]] std::unique_ptr<Candidate> keptApart(std::unique_ptr<Candidate> candidate, SideStates& states);

}  // namespace wb
