// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace wb {

/// Has the system refuse to this process, and to all that it starts, what has any thread interrupted wherever
/// one wants and is seen nowhere: its counters of events (perf_event_open), among them watchpoints, programs
/// inside the system (bpf), and who is told of page faults (userfaultfd). It holds for good. False where the
/// system has no filters of calls.
bool forgoCounters();

}  // namespace wb
