// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace wb {

/// What the calls of one side take that are enqueued on a GPU, in seconds by a clock outside of the process
/// that makes them.
struct EnqueuedCalls {
  /// One of many, from the first order to the end of the last one's work.
  double together = 0;
  /// Of those, until the next one may be enqueued.
  double enqueued = 0;
  /// One that comes to a device that is done with the one before, with nothing after it: all of it …
  double alone = 0;
  /// … and how much of that comes after it was enqueued.
  double waited = 0;
};

/// Says that several calls of the candidate's run beside each other, so that one of many takes less than its
/// work does; "" where they do not. Each of many calls takes what its work takes or what it takes to enqueue
/// it, whichever is more; so one alone cannot be longer than both. `reference` shows what a launch and a wait
/// cost here. Where it does not, nothing is said, unless it waits for so long that somebody hides by it what
/// calls alone would show.
[[nodiscard]] std::string besideEachOther(const EnqueuedCalls& candidate, const EnqueuedCalls& reference);

}  // namespace wb
