// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/watched_run.h"

#include <unistd.h>

#include <cstdio>

#include "app/cli/output/progress_printer.h"
#include "app/cli/output/terminal.h"
#include "app/cli/run/run_job.h"

namespace wb {

std::shared_ptr<const Report> runWatched(const Job& job, const Watching& watching) {
  ProgressPrinter printer(stderr, terminal(STDERR_FILENO), watching.verbose);
  RunWay way;
  way.workers = watching.workers;
  way.python = watching.python;
  way.runner = watching.runner;
  way.onEvent = [&](const Event& event) {
    printer.take(job, event);
    if (watching.onEvent) watching.onEvent(event);
  };
  way.onReport = [&](const Report& report) { printer.show(report); };
  auto report = runJob(job, way);
  printer.clear();
  return report;
}

}  // namespace wb
