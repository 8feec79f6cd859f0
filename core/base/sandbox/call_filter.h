// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/filter.h>

#include <vector>

#include "core/base/result.h"

namespace wb {

/// What a filter of system calls leaves open.
struct CallRules {
  /// Processes may be started, and not only threads.
  bool processes = false;
  /// What CUDA's driver does: sockets of this machine are made and offered, though not connected, and memory
  /// is made that no file and no process stands for.
  bool gpu = false;
  /// Modes, owners and times of files may be changed: nothing outside can be, since it is mounted read-only.
  /// Without this changing modes and times seems to succeed and does nothing.
  bool metadata = false;
  /// Files are guarded against being cut short by others than this filter.
  bool truncation = false;
};

/// The filter as a program for the kernel. Calls that the kernel learned after this was written are refused
/// as unknown. Others are refused with an error; no call ends the process.
[[nodiscard]] std::vector<sock_filter> callFilter(const CallRules& rules);

/// Holds from now on for this thread and all that it starts. no_new_privs must be set.
Result<void> enterCallFilter(const CallRules& rules);

/// Has the system refuse to this process, and to all that it starts, what has any thread interrupted wherever
/// one wants and is seen nowhere: its counters of events (perf_event_open), among them watchpoints, programs
/// inside the system (bpf), and who is told of page faults (userfaultfd); and what lets it answer itself who
/// reads a clock: system calls that are handed back to it, and a time stamp that traps (prctl). It holds for
/// good, and no program gets more rights any more. Errors: the system has no filters of calls.
Result<void> forgoCounters();

}  // namespace wb
