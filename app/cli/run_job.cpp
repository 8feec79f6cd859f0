// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_job.h"

#include "app/cli/interrupts.h"
#include "core/runner/report_feed.h"
#include "core/runner/runner.h"

namespace wb {

std::shared_ptr<const Report> runJob(Job job, const RunWay& way) {
  std::shared_ptr<const Report> last;
  auto feed = std::make_shared<ReportFeed>(
      job,
      [&](std::shared_ptr<const Report> report) {
        if (way.onReport) way.onReport(*report);
        last = std::move(report);
      },
      std::chrono::milliseconds{100});
  Runner runner(localLauncher(), job.device, {.warmSpare = false});
  const auto run = runner.submit(
      std::move(job), [&, take = ReportFeed::listener(feed)](Runner::RunId id, const Event& event) {
        if (way.onEvent) way.onEvent(event);
        take(id, event);
      });
  {
    const Interrupts interrupts([&] { runner.cancel(run); });
    runner.wait();
  }
  feed.reset();
  return last;
}

}  // namespace wb
