// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/report.h"

namespace wb::samples {

// Reports as a worker would have made them: folds of events over a job. Everything in them is fixed, so that
// golden files hold.

[[nodiscard]] Report allPass();  ///< relu in torch C++, 6 cases, faster on 4
[[nodiscard]] Report
mixedFailures();  ///< gelu in raw CUDA: mismatch, wrong shape, thrown, hung, void, untimed
[[nodiscard]] Report compileFailure();    ///< two errors, a warning and a note with places
[[nodiscard]] Report crash();             ///< a case crashed its worker, the others went on
[[nodiscard]] Report cancelledHalfWay();  ///< in the check stage
[[nodiscard]] Report timingHalfWay();     ///< still running
[[nodiscard]] Report compileOnly();       ///< raw CUDA without a GPU
[[nodiscard]] Report severalKernels();    ///< two kernels of relu and one of add that does not compile
[[nodiscard]] Report noWorker();          ///< the job failed before its start
[[nodiscard]] Report emptyJob();          ///< nothing to run
[[nodiscard]] Report hostile();           ///< names, messages and source with < > & " ' | , and </script>
[[nodiscard]] Report many(int cases);     ///< `cases` checked and timed cases of 12 operators, some failing

/// The events of `many` one by one, for what follows a run.
struct Run {
  Job job;
  std::vector<Event> events;
};
[[nodiscard]] Run manyEvents(int cases, int blocks = 8);

}  // namespace wb::samples
