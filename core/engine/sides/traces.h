// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <csignal>
#include <map>
#include <set>
#include <string>

#include "core/base/process/process_start.h"

namespace wb {

/// What user code may leave in this process beyond settings (process_state.h), compared with the state before
/// any ran: signal handlers, blocked signals, the locale, threads and child processes.
class Traces {
 public:
  /// Takes the present state.
  Traces();

  /// This child is Warpbench's own, and was started since.
  void knows(int child) { children_.insert(child); }

  /// Puts back signals, the locale, and what rememberStart() remembered. `stuck` also names those of the
  /// `started` threads that still run, and those new child processes that still exist. Threads that sleep, as
  /// those of a pool do, are nobody's fault; remain() tells of them.
  [[nodiscard]] PutBack putBack(const std::set<int>& started) const;

  /// Whether any of the started threads still exists.
  [[nodiscard]] static bool remain(const std::set<int>& started);

  /// The started threads and new child processes that are not asleep, and what processes have left behind
  /// that ended, wherever it went: "2 threads (worker) and 1 child process (python3)"; "" when there are
  /// none. A thread of a pool that has just handed over its result may still be
  /// awake, so nobody is named who sleeps at one of a few looks.
  [[nodiscard]] std::string running(const std::set<int>& started) const;

  /// The seconds of a processor that each new process has worked, whether a child or left behind by one, and
  /// under 0 what those have worked that ended.
  using Worked = std::map<int, double>;
  [[nodiscard]] Worked worked() const;

  /// What was made since then and can interrupt again and again: timers of the system's (timer_create), "1
  /// timer", or descriptors that send signals; "" when there is nothing.
  [[nodiscard]] std::string timers() const;
  /// Who serves this process's page faults, and did not then: "the handling of SIGSEGV", "a userfaultfd"; ""
  /// for nobody. Whoever does can hand over memory in which nothing was computed yet.
  [[nodiscard]] std::string faultHandler() const;

 private:
  /// Whether what sleeps is looked for too.
  struct AlsoAsleep {
    bool threads = true, children = true;
  };
  [[nodiscard]] std::string found(const std::set<int>& started, AlsoAsleep alsoAsleep) const;
  std::array<struct sigaction, NSIG> signals_{};
  sigset_t blocked_{};
  std::string locale_;
  std::set<int> children_, daemons_;
  int timers_ = 0, signallers_ = 0;
};

}  // namespace wb
