// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

namespace wb {

/// Tells whether another process executes some places of its code, by the registers that processors have for
/// that (ptrace). They are set from outside for every thread, also for those that begin meanwhile, and for
/// processes that it starts, which have the same code at the same places. The
/// process cannot see them, nor can it see that somebody does this when it is in a view of processes of its
/// own; no mask of signals keeps the traps away, and it does not matter who calls the code or whether anybody
/// else observes it. What a thread does is held up for some microseconds where it reaches a place for the
/// first time.
class CodeTraps {
 public:
  /// Processors have so many of these registers.
  static constexpr std::size_t most = 4;

  /// Sets traps at the first `most` places; the process must not be held still. Null where that cannot be
  /// done: it is gone, it is traced already, or this machine has no such registers.
  static std::unique_ptr<CodeTraps> set(pid_t process, std::span<const std::uint64_t> places);
  /// Takes them away, and lets all threads go on.
  ~CodeTraps();
  CodeTraps(const CodeTraps&) = delete;
  CodeTraps& operator=(const CodeTraps&) = delete;

  /// Lets threads go on that stand still because of this. To be called again and again by the thread that has
  /// set the traps: the process may wait for it.
  void attend();
  /// The places to which a thread has come.
  [[nodiscard]] const std::set<std::uint64_t>& reached() const { return reached_; }

 private:
  CodeTraps(pid_t process, std::span<const std::uint64_t> places)
      : process_(process), places_(places.begin(), places.end()) {}
  bool takeThreads();
  /// Sets a thread's traps at the places that nobody has come to.
  [[nodiscard]] bool arm(pid_t thread) const;
  /// Does with a thread that stands still what `status` asks for, but for letting it go on: gives the signal
  /// that it gets then.
  int attendTo(pid_t thread, int status);
  void letGo(pid_t thread);

  pid_t process_;
  std::vector<std::uint64_t> places_;
  /// The threads that are traced, and whether they have their traps.
  std::map<pid_t, bool> threads_;
  std::set<std::uint64_t> reached_;
  bool isChildOfOurs_ = false;
};

}  // namespace wb
