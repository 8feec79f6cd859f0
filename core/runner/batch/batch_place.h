// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/runner/batch/batch.h"
#include "core/runner/batch/batch_queue.h"

namespace wb {

/// What became of a batch that was handed over.
struct HandedOver {
  /// The text of its script, and where that lies.
  std::string script, path;
};

/// How a batch stands.
struct BatchNews {
  /// Nothing where the scheduler was not asked, or gave no answer.
  std::optional<QueueState> queue{};
  /// Why the scheduler gave no answer, though what the run has written was read.
  std::optional<Error> unanswered{};
  /// Why nothing was heard this time, though it may be the next; "" where all is well.
  std::string lost{};
};

/// Where batches lie and are done: on this machine and its cluster, or on a machine that is reached by ssh.
class BatchPlace {
 public:
  virtual ~BatchPlace() = default;
  /// Writes the folder of the batch, and where the job lies elsewhere also that there, and submits its script
  /// if that is wanted. `say` hears what takes time.
  virtual Result<HandedOver> handOver(Batch& batch, bool submit,
                                      const std::function<void(const std::string&)>& say) = 0;
  /// Brings what was written since the last time into the folder here. The queue's state is never newer than
  /// what was brought.
  virtual Result<BatchNews> look(const Batch& batch, bool asksQueue) = 0;
  virtual Result<void> cancel(const Batch& batch) = 0;
  /// How long to wait between two looks: nobody can read faster, and files and networks belong to many.
  [[nodiscard]] virtual std::chrono::milliseconds pause() const = 0;
};

[[nodiscard]] std::unique_ptr<BatchPlace> batchPlace(const RunTarget& target);

}  // namespace wb
