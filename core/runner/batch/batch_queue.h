// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/runner/batch/batch.h"

namespace wb {

// All of this is about a batch that lies on this machine, on which a cluster's scheduler does it, or a
// process of this machine.

/// Submits the script to the scheduler, or starts it. Gives the number of the job, or of the process. Errors:
/// no sbatch on this machine, what it said, what the process said that did not begin.
Result<std::string> submitScript(const Batch& batch);

/// How a batch stands in the scheduler's eyes.
struct QueueState {
  /// How many of its tasks wait, and how many run or are being taken off their nodes.
  int waiting = 0, running = 0;
  /// Why the first of them waits: "Priority".
  std::string reason{};
  /// The state in which the last task is over that did not end well: "TIMEOUT". "" where none is known.
  std::string endedAs{};
  /// Why it is over before its parts have finished, where that is known.
  std::string endedBy{};

  /// No task will go on by itself. A task that makes room, or whose node is lost, waits again, and is never
  /// in a state that means this on its way there.
  [[nodiscard]] bool isOver() const { return waiting + running == 0; }
};
/// What squeue prints of all states, the oldest job first, with the format "%T|%r".
[[nodiscard]] QueueState queueState(std::string_view lines);
/// Asks the scheduler, which forgets a job some minutes after its end, and where it is over, its logs.
/// Errors: the scheduler does not answer.
Result<QueueState> askQueue(const Batch& batch);
/// Takes it out of the queue, and ends what runs of it.
Result<void> cancelBatch(const Batch& batch);

}  // namespace wb
