// SPDX-License-Identifier: Apache-2.0
#include "app/cli/batch/follow.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "app/cli/output/output.h"
#include "app/cli/output/progress_printer.h"
#include "app/cli/output/terminal.h"
#include "core/model/log_sources.h"
#include "core/runner/batch/batch_events.h"
#include "core/runner/batch/batch_script.h"

namespace wb {
namespace {

using std::chrono::milliseconds;

// Files on other machines are looked at, and the scheduler of many people is asked, no more often than
// somebody can read.
constexpr milliseconds look{300};
constexpr int looksPerQuestion = 10;

class Follower {
 public:
  Follower(const Batch& batch, bool verbose)
      : batch_(batch),
        events_(batch),
        report_(startReport(batch.job)),
        printer_(stderr, terminal(STDERR_FILENO), verbose) {}

  /// Takes what the shards have written since the last time.
  Result<void> gather() {
    WB_TRY(const std::vector<Event> events, events_.take());
    for (const Event& event : events) tell(event);
    if (!events.empty()) printer_.show(report_);
    return {};
  }

  [[nodiscard]] bool isDone() const { return events_.isDone(); }

  /// Where it stands in the queue, in words; said when they change.
  void tellQueue(const QueueState& queue) {
    std::string where;
    if (queue.waiting > 0 && queue.running == 0)
      where = fmt::format("the queue{}{}",
                          batch_.target.partition.empty() ? "" : " of " + batch_.target.partition,
                          queue.reason.empty() ? "" : ": " + queue.reason);
    if (where != toldQueue_ && !where.empty()) tell(Log{std::string(waitingSource), where});
    toldQueue_ = where;
  }

  std::shared_ptr<const Report> finish() {
    tell(events_.finished());
    printer_.clear();
    return std::make_shared<const Report>(std::move(report_));
  }

  void sayWhatIsMissing() const {
    if (!isDone())
      say(fmt::format("{} of {} parts have finished; what the others left out is not in the report",
                      events_.done(), batch_.shards));
  }

 private:
  void tell(const Event& event) {
    fold(report_, event);
    printer_.take(batch_.job, event);
  }

  const Batch& batch_;
  BatchEvents events_;
  Report report_;
  ProgressPrinter printer_;
  std::string toldQueue_;
};

}  // namespace

Result<std::shared_ptr<const Report>> followBatch(const Batch& batch, const Following& how) {
  Follower follower(batch, how.verbose);
  WB_DO(follower.gather());
  for (int turn = 0; !how.now && !follower.isDone(); ++turn) {
    if (turn % looksPerQuestion == 0) {
      WB_TRY(const QueueState queue, askQueue(batch));
      follower.tellQueue(queue);
      if (queue.waiting + queue.running == 0) {
        // It may have ended after the files were read.
        WB_DO(follower.gather());
        break;
      }
    }
    std::this_thread::sleep_for(look);
    WB_DO(follower.gather());
  }
  auto report = follower.finish();
  follower.sayWhatIsMissing();
  return report;
}

}  // namespace wb
