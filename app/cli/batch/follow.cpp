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
#include "core/runner/batch/batch_place.h"
#include "core/runner/remote/slurm.h"

namespace wb {
namespace {

using Clock = std::chrono::steady_clock;

// The scheduler of many people is asked no more often than somebody can read.
constexpr std::chrono::seconds questionPeriod{3};

class Follower {
 public:
  Follower(const Batch& batch, bool verbose)
      : batch_(batch),
        events_(batch),
        report_(startReport(batch.job)),
        printer_(stderr, terminal(STDERR_FILENO), verbose) {
    if (batch.target.kind != TargetKind::local) tell(Log{std::string(targetSource), titleOf(batch.target)});
  }

  /// Takes what the shards have written since the last time.
  Result<void> gather() {
    WB_TRY(const std::vector<Event> events, events_.take());
    for (const Event& event : events) tell(event);
    if (!events.empty()) printer_.show(report_);
    return {};
  }

  [[nodiscard]] bool isDone() const { return events_.isDone(); }
  /// Nothing of it will go on by itself.
  [[nodiscard]] bool isOver() const { return isOver_; }

  /// Whether the scheduler has ever answered.
  [[nodiscard]] bool wasAnswered() const { return wasAnswered_; }

  /// Takes how the run stands, also in its scheduler's eyes where that was asked.
  void hear(const BatchNews& news, bool wasAsked) {
    wasAnswered_ = wasAnswered_ || news.queue;
    if (wasAsked) silence_ = news.unanswered && wasAnswered_ ? news.unanswered->text : "";
    tellConnection(news.lost.empty() ? silence_ : news.lost);
    if (news.queue) tellQueue(*news.queue);
  }

  /// A run that may go on by itself has no end yet.
  std::shared_ptr<const Report> finish(bool mayGoOn) {
    goesOn_ = mayGoOn && !isDone() && !isOver_;
    if (!goesOn_) tell(events_.finished());
    printer_.clear();
    return std::make_shared<const Report>(std::move(report_));
  }

  void sayWhatIsMissing() const {
    if (isDone()) return;
    if (goesOn_)
      return say(fmt::format("the run goes on: this is what there is so far; {} of {} parts have finished",
                             events_.done(), batch_.shards));
    say(fmt::format("{} of {} parts have finished; what the others left out is not in the report",
                    events_.done(), batch_.shards));
    if (!endedBy_.empty()) say(fmt::format("the run ended before its time: {}", endedBy_));
    if (isOver_) say(fmt::format("{} goes on with what is left", again()));
  }

 private:
  /// Where it stands in the queue, in words; said when they change.
  void tellQueue(const QueueState& queue) {
    isOver_ = queue.isOver();
    endedBy_ = queue.endedBy;
    std::string where;
    if (queue.waiting > 0 && queue.running == 0) where = slurmQueue(batch_.target, queue.reason);
    if (where != toldQueue_ && !where.empty()) tell(Log{std::string(waitingSource), where});
    toldQueue_ = where;
  }

  /// Whether the machine on which the run lies, and its scheduler, can be reached; said when that changes.
  void tellConnection(const std::string& lost) {
    if (lost.empty() != toldLost_.empty())
      say(lost.empty() ? fmt::format("{} is in reach again", titleOf(batch_.target))
                       : fmt::format("the run goes on there, and is asked for again and again: {}", lost));
    toldLost_ = lost;
  }

  void tell(const Event& event) {
    fold(report_, event);
    printer_.take(batch_.job, event);
  }

  /// How the script is started once more.
  [[nodiscard]] std::string again() const {
    const bool isThere = isBehindSsh(batch_.target);
    // What an earlier version has handed over does not say where it lies.
    if (isThere && batch_.folderThere.empty())
      return fmt::format("its script, started again on {},", titleOf(batch_.target));
    const std::string script =
        isThere ? batch_.folderThere + "/" + batch_.script().filename().string() : batch_.script().string();
    return fmt::format("`{} {}`{}", batch_.target.kind == TargetKind::slurm ? "sbatch" : "bash", script,
                       isThere ? fmt::format(" on {}", batch_.target.host) : "");
  }

  const Batch& batch_;
  BatchEvents events_;
  Report report_;
  ProgressPrinter printer_;
  /// `silence_` is why the scheduler did not answer the last question.
  std::string toldQueue_, toldLost_, silence_, endedBy_;
  bool isOver_ = false, wasAnswered_ = false, goesOn_ = false;
};

}  // namespace

Result<std::shared_ptr<const Report>> followBatch(const Batch& batch, const Following& how) {
  Follower follower(batch, how.verbose);
  const std::unique_ptr<BatchPlace> place = batchPlace(batch.target);
  Clock::time_point nextQuestion;
  while (true) {
    const bool asks = !how.cancelled && Clock::now() >= nextQuestion;
    if (asks) nextQuestion = Clock::now() + questionPeriod;
    // The scheduler is asked before the files are read, so that what has ended has written all.
    WB_TRY(const BatchNews news, place->look(batch, asks));
    WB_DO(follower.gather());
    follower.hear(news, asks);
    if (how.now || how.cancelled || follower.isDone() || follower.isOver()) break;
    // One that has never answered is not there; any other comes back.
    if (news.unanswered && !follower.wasAnswered()) return *news.unanswered;
    std::this_thread::sleep_for(place->pause());
  }
  auto report = follower.finish(!how.cancelled);
  follower.sayWhatIsMissing();
  return report;
}

}  // namespace wb
