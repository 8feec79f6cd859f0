// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/process/code_traps.h"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <thread>

#if defined(__x86_64__)
#include <sys/user.h>
#endif

#include "core/base/process/process_tree.h"

namespace wb {
namespace {

using Steady = std::chrono::steady_clock;

/// A thread that waits for a disk, say, stops when it has got what it waits for.
constexpr std::chrono::seconds longestStop{2};
constexpr int eventShift = 8;
constexpr int sleepingLooks = 50;

std::vector<pid_t> threadsOf(pid_t process) {
  std::vector<pid_t> threads;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(fmt::format("/proc/{}/task", process).c_str()),
                                                   ::closedir);
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr)
    if (const pid_t thread = std::atoi(entry->d_name); thread > 0) threads.push_back(thread);
  return threads;
}

/// One that has ended is nobody else's to wait for before who traces it has.
void letEnd(pid_t thread) {
  siginfo_t ended{};
  ::waitid(P_PID, static_cast<id_t>(thread), &ended, WEXITED | WNOHANG | __WALL);
}

/// How a thread stands still, if it does: si_status of its stop. Its end is left to whoever waits for that.
std::optional<int> stopOf(pid_t thread) {
  siginfo_t stop{};
  if (::waitid(P_PID, static_cast<id_t>(thread), &stop, WSTOPPED | WNOHANG | __WALL) != 0 || stop.si_pid == 0)
    return std::nullopt;
  return stop.si_status;
}

/// Stops are told here too, whatever is asked for, and stay to be told again.
bool hasEnded(pid_t thread) {
  siginfo_t how{};
  const int failed = ::waitid(P_PID, static_cast<id_t>(thread), &how, WEXITED | WNOHANG | WNOWAIT | __WALL);
  const bool isEnd = how.si_code == CLD_EXITED || how.si_code == CLD_KILLED || how.si_code == CLD_DUMPED;
  return failed != 0 || (how.si_pid != 0 && isEnd);
}

void goOn(pid_t thread, int signal) {
  ::ptrace(PTRACE_CONT, thread, nullptr, reinterpret_cast<void*>(std::intptr_t{signal}));
}

#if defined(__x86_64__)
constexpr std::size_t control = 7;

bool setDebugRegister(pid_t thread, std::size_t number, std::uint64_t value) {
  const std::size_t at = offsetof(struct user, u_debugreg) + number * sizeof(std::uint64_t);
  return ::ptrace(PTRACE_POKEUSER, thread, reinterpret_cast<void*>(at), reinterpret_cast<void*>(value)) == 0;
}

void disarm(pid_t thread) {
  (void)setDebugRegister(thread, control, 0);
}
#else
void disarm(pid_t) {}
#endif

/// Lets a thread stand still, and gives how it does; nothing where it is gone.
std::optional<int> interrupt(pid_t thread) {
  ::ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr);
  const auto until = Steady::now() + longestStop;
  for (int look = 0; Steady::now() < until; ++look) {
    if (const auto status = stopOf(thread)) return status;
    if (hasEnded(thread)) return std::nullopt;
    if (look > sleepingLooks) std::this_thread::sleep_for(std::chrono::microseconds{100});
  }
  return std::nullopt;
}

/// The place at which a thread has come to a trap of ours; nothing where its signal is another one.
std::optional<std::uint64_t> trapOf(pid_t thread) {
  siginfo_t info{};
  constexpr int byRegister = 4;  // TRAP_HWBKPT
  if (::ptrace(PTRACE_GETSIGINFO, thread, nullptr, &info) != 0 || info.si_code != byRegister)
    return std::nullopt;
  return reinterpret_cast<std::uint64_t>(info.si_addr);
}

}  // namespace

std::unique_ptr<CodeTraps> CodeTraps::set(pid_t process, std::span<const std::uint64_t> places) {
  if (places.empty()) return nullptr;
  std::unique_ptr<CodeTraps> traps(new CodeTraps(process, places.first(std::min(places.size(), most))));
  const auto state = processState(process);
  traps->isChildOfOurs_ = state && state->parent == ::getpid();
  if (!traps->takeThreads()) return nullptr;
  return traps;
}

/// Threads may begin while the others are taken, so it looks until there are no new ones. Those that are
/// begun by one that is taken are taken with it.
bool CodeTraps::takeThreads() {
  for (bool more = true; more;) {
    more = false;
    for (const pid_t thread : threadsOf(process_)) {
      if (threads_.contains(thread)) continue;
      const auto options = reinterpret_cast<void*>(
          std::intptr_t{PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK});
      if (::ptrace(PTRACE_SEIZE, thread, nullptr, options) != 0) continue;
      more = true;
      threads_[thread] = false;
      const std::optional<int> status = interrupt(thread);
      if (!status) continue;
      if (!arm(thread)) {
        // Somebody else has the registers. It stands still already, and would not stop once more to be let
        // go.
        const std::intptr_t signal = attendTo(thread, *status);
        disarm(thread);
        ::ptrace(PTRACE_DETACH, thread, nullptr, reinterpret_cast<void*>(signal));
        threads_.erase(thread);
        return false;
      }
      threads_[thread] = true;
      goOn(thread, attendTo(thread, *status));
    }
  }
  return threads_.contains(process_) && threads_[process_];
}

bool CodeTraps::arm(pid_t thread) const {
#if defined(__x86_64__)
  std::uint64_t enabled = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (reached_.contains(places_[i])) continue;
    if (!setDebugRegister(thread, i, places_[i])) return false;
    enabled |= std::uint64_t{1} << (2 * i);
  }
  return setDebugRegister(thread, control, enabled);
#else
  (void)thread;
  return false;
#endif
}

int CodeTraps::attendTo(pid_t thread, int status) {
  const int signal = status & 0xff, event = status >> eventShift;
  if (event == 0 && signal == SIGTRAP) {
    if (const auto place = trapOf(thread)) {
      reached_.insert(*place);
      (void)arm(thread);
      return 0;
    }
  }
  if (event == 0) return signal;  // the kernel's own signals are its own affair
  if (event == PTRACE_EVENT_CLONE || event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK) {
    unsigned long begun = 0;
    if (::ptrace(PTRACE_GETEVENTMSG, thread, nullptr, &begun) == 0)
      threads_.emplace(static_cast<pid_t>(begun), false);
  } else if (event == PTRACE_EVENT_STOP && !threads_[thread]) {
    threads_[thread] = arm(thread);
  }
  return 0;
}

void CodeTraps::attend() {
  std::vector<pid_t> all;
  all.reserve(threads_.size());
  for (const auto& [thread, isArmed] : threads_) all.push_back(thread);
  for (const pid_t thread : all) {
    if (const auto status = stopOf(thread)) {
      goOn(thread, attendTo(thread, *status));
    } else if (thread != process_ && hasEnded(thread)) {
      // Whoever has started a process hears of its end after who traces it has.
      letEnd(thread);
      threads_.erase(thread);
    }
  }
}

CodeTraps::~CodeTraps() {
  while (!threads_.empty()) letGo(threads_.begin()->first);
}

void CodeTraps::letGo(pid_t thread) {
  const std::optional<int> status = interrupt(thread);
  int signal = 0;
  if (status) {
    threads_[thread] = true;
    signal = attendTo(thread, *status);  // it may have begun another one
    disarm(thread);
    ::ptrace(PTRACE_DETACH, thread, nullptr, reinterpret_cast<void*>(std::intptr_t{signal}));
  } else if (thread != process_ || !isChildOfOurs_) {
    letEnd(thread);
  }
  threads_.erase(thread);
}

}  // namespace wb
