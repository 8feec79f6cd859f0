// SPDX-License-Identifier: Apache-2.0
#include "core/runner/run_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "core/base/quantity.h"
#include "core/model/languages.h"

namespace wb {

namespace {

/// What a worker may need on top of a stage's own limit, which it enforces itself where it can.
constexpr double slackSeconds = 10;
constexpr double blocksOverCap = 3;

std::string shortNameOf(const KernelSource& source) {
  if (!source.path.empty()) return std::filesystem::path(source.path).filename().string();
  return source.op.empty() ? "the kernel" : source.op;
}

}  // namespace

std::string saidLast(const std::string& text, const std::string& lastWords) {
  return lastWords.empty() ? text : fmt::format("{}; it last printed:\n{}", text, lastWords);
}

RunProgress::RunProgress(const Job& job, int lossesToQuarantine)
    : stages_(job.stages),
      limits_(job.limits),
      capSeconds_(job.timing.capSeconds),
      lossesToQuarantine_(std::max(lossesToQuarantine, 1)),
      kernels_(job.kernels.size()) {
  for (std::size_t i = 0; i < job.kernels.size(); ++i) {
    names_.push_back(shortNameOf(job.kernels[i]));
    const Language* language = languageOf(job.kernels[i]);
    kernels_[i].tunes = language && language->needsPython;
  }
}

RunProgress::Row* RunProgress::rowOf(std::uint32_t kernel, std::uint32_t index) {
  if (kernel >= kernels_.size() || index >= kernels_[kernel].rows.size()) return nullptr;
  return &kernels_[kernel].rows[index];
}

bool RunProgress::start(std::uint32_t kernel, UnderWay what) {
  // Saying the same again does not win time.
  if (!preparing_ && kernel == kernel_ && underWay_ == what) return false;
  kernel_ = kernel;
  underWay_ = last_ = what;
  turn_ = {};
  endedInCrash_ = false;
  return true;
}

bool RunProgress::take(const Event& event) {
  bool moved = false;
  if (const auto* started = std::get_if<StepStarted>(&event)) {
    const bool known = started->index ? rowOf(started->kernel, *started->index) != nullptr
                                      : started->kernel < kernels_.size();
    moved = known && start(started->kernel, {started->stage, started->index.value_or(0)});
  } else if (const auto* side = std::get_if<SideStarted>(&event)) {
    moved = turn(*side);
  } else if (const auto* done = std::get_if<StepDone>(&event)) {
    moved = finish(*done);
  } else if (const auto* failed = std::get_if<StageFailed>(&event)) {
    if (failed->kernel && *failed->kernel < kernels_.size()) kernels_[*failed->kernel].failed = true;
    underWay_.reset();
    moved = true;
  } else if (std::holds_alternative<JobStarted>(event)) {
    started_ = true;
    ++step_;
    return true;
  }
  if (moved) preparing_ = false;
  if (moved && !std::holds_alternative<SideStarted>(event)) ++step_;
  return moved;
}

/// A result of a step. False where it is about nothing that there is, or about no step.
bool RunProgress::finish(const StepDone& done) {
  if (done.kernel >= kernels_.size() || std::holds_alternative<Listed>(done.result)) return false;
  Kernel& kernel = kernels_[done.kernel];
  if (const auto* compiled = std::get_if<Compiled>(&done.result)) {
    kernel.compiled = true;
    if (kernel.rows.size() != compiled->cases.size()) kernel.rows.assign(compiled->cases.size(), {});
    kernel_ = done.kernel;
    underWay_.reset();
    return true;
  }
  Row* row = done.index ? rowOf(done.kernel, *done.index) : nullptr;
  if (!row) return false;
  if (const auto* check = std::get_if<CaseCheck>(&done.result)) {
    if (suspect_ == done.index && done.kernel == kernel_) {
      if (check->verdict == Verdict::crashed) ++kernels_[kernel_].losses;
      suspect_.reset();
    }
    row->check = *check;
    row->checked = true;
    endedInCrash_ = check->verdict == Verdict::crashed;
  } else if (done.stage == Stage::time) {
    row->timed = true;
  }
  const auto* part = std::get_if<ProfilePart>(&done.result);
  if (!part || part->last) underWay_.reset();
  return true;
}

void RunProgress::handOver() {
  underWay_.reset();
  last_.reset();
  endedInCrash_ = false;
  preparing_ = true;
  ++step_;
  if (const auto next = rest()) kernel_ = next->kernel;
}

void RunProgress::leaveKernel() {
  // A worker that has said nothing yet of the job it got has done with none of its kernels.
  if (!preparing_ && kernel_ < kernels_.size()) kernels_[kernel_].left = true;
  underWay_.reset();
}

double RunProgress::patience() const {
  const bool compiling = (underWay_ && underWay_->stage == Stage::compile) || preparing_;
  if (compiling) return limits_.compileSeconds + slackSeconds;
  if (!underWay_) return limits_.caseSeconds + slackSeconds;
  if (underWay_->stage == Stage::profile) return limits_.profileSeconds + slackSeconds;
  const double side = sidePatience();
  return underWay_->stage == Stage::time && purse() == Purse::common ? blocksOverCap * capSeconds_ + side
                                                                     : side;
}

std::string RunProgress::activity() const {
  if (kernel_ >= names_.size()) return "between two steps";
  const std::string& kernel = names_[kernel_];
  if (!underWay_) return fmt::format("{} {}", preparing_ ? "preparing" : "between two steps of", kernel);
  const StageRow& row = stageRow(underWay_->stage);
  if (row.scope == Scope::perKernel) return fmt::format("{} {}", row.doing, kernel);
  return fmt::format("{} case {} of {}", row.doing, underWay_->index + 1, kernel);
}

bool RunProgress::toTime(const Row& row) const {
  if (!stages_.has(Stage::time) || row.timed) return false;
  // Without the check stage every case is timed unless it has failed meanwhile.
  return row.checked ? row.check.verdict == Verdict::pass : !stages_.has(Stage::check);
}

std::vector<Event> RunProgress::lose(const Loss& loss) {
  std::vector<Event> events;
  const Blame whose = blame(loss);
  WorkerLost lost{whose, std::nullopt, activity(), loss.reason, loss.lastWords, 0};
  if (kernel_ < kernels_.size()) lost.kernel = kernel_;
  events.emplace_back(std::move(lost));
  if (kernel_ >= kernels_.size()) return events;
  Kernel& kernel = kernels_[kernel_];
  if (whose != Blame::reference) ++(whose == Blame::warpbench ? kernel.ourLosses : kernel.losses);
  if (whose == Blame::kernel && loss.verdict == Verdict::hung && underWay_ && turn_.side && !kernel.hung)
    kernel.hung = underWay_->index;
  if (loss.verdict == Verdict::tampered) {
    discredit(loss, events);
  } else if (underWay_ && underWay_->stage != Stage::compile &&
             (whose == Blame::reference || whose == Blame::warpbench)) {
    leaveVoid(loss, events);
  } else if (underWay_ && underWay_->stage == Stage::compile && !kernel.compiled) {
    const std::string text = fmt::format(
        "The worker {} while compiling {}",
        loss.verdict == Verdict::hung ? loss.reason : "was lost (" + loss.reason + ")", names_[kernel_]);
    events.emplace_back(StageFailed{kernel_,
                                    {Stage::compile,
                                     saidLast(text, loss.lastWords),
                                     "code that runs while the kernel is loaded, such as the initialisation "
                                     "of globals, counts as compiling",
                                     {}}});
  } else if (underWay_ && underWay_->stage != Stage::compile) {
    verdictOfCase(loss, events);
  }
  for (const Event& event : events) take(event);
  if (std::max(kernel.losses, kernel.ourLosses) < lossesToQuarantine_ || kernel.failed) return events;
  const std::size_t before = events.size();
  quarantine(loss, events);
  for (std::size_t i = before; i < events.size(); ++i) take(events[i]);
  return events;
}

void RunProgress::verdictOfCase(const Loss& loss, std::vector<Event>& events) const {
  if (underWay_->stage == Stage::profile) {
    // The answer was right and stays so: it may well be the profiler that this process did not survive.
    events.emplace_back(
        StepDone{Stage::profile, kernel_, underWay_->index,
                 NoResult{saidLast(loss.reason + ", while it was profiled", loss.lastWords)}});
    return;
  }
  const Row& row = kernels_[kernel_].rows[underWay_->index];
  const bool timing = underWay_->stage == Stage::time;
  CaseCheck check = timing ? row.check : CaseCheck{};
  check.verdict = loss.verdict;
  check.message = saidLast(loss.reason + (timing ? ", while it was timed" : ""), loss.lastWords);
  events.emplace_back(StepDone{underWay_->stage, kernel_, underWay_->index, std::move(check)});
}

/// A kernel that spoke in Warpbench's name may have made up any verdict on itself.
void RunProgress::discredit(const Loss& loss, std::vector<Event>& events) const {
  const Kernel& kernel = kernels_[kernel_];
  const std::string why = fmt::format(
      "no verdict on this kernel can be believed: {}. It, or what it loads, writes to descriptors "
      "that are Warpbench's",
      loss.reason);
  CaseCheck check;
  check.verdict = Verdict::tampered;
  check.message = why;
  for (std::uint32_t i = 0; i < kernel.rows.size(); ++i)
    events.emplace_back(StepDone{Stage::check, kernel_, i, check});
  if (!kernel.compiled) events.emplace_back(StageFailed{kernel_, {Stage::compile, why, {}, {}}});
}

void RunProgress::quarantine(const Loss& loss, std::vector<Event>& events) const {
  const Kernel& kernel = kernels_[kernel_];
  const bool ours = kernel.losses < lossesToQuarantine_;
  if (!kernel.compiled) {
    const std::string text = fmt::format("The worker was lost {} times before it began to compile {}: {}",
                                         kernel.losses + kernel.ourLosses, names_[kernel_], loss.reason);
    events.emplace_back(
        StageFailed{kernel_, {Stage::setup, saidLast(text, loss.lastWords), "see `warpbench doctor`", {}}});
    return;
  }
  const std::string why =
      ours ? fmt::format("not run: Warpbench lost its worker {} times between the steps of this kernel",
                         kernel.ourLosses)
           : fmt::format("not run: this kernel has ended its worker {} times", kernel.losses);
  for (std::uint32_t i = 0; i < kernel.rows.size(); ++i) {
    const Row& row = kernel.rows[i];
    CaseCheck check;
    check.verdict = ours ? Verdict::missing : Verdict::quarantined;
    check.message = why;
    if (!row.checked && (stages_.has(Stage::check) || toTime(row)))
      events.emplace_back(StepDone{Stage::check, kernel_, i, check});
    else if (toTime(row))
      events.emplace_back(StepDone{Stage::time, kernel_, i, NoResult{why}});
  }
}

std::optional<Resume> RunProgress::rest() const {
  for (std::uint32_t k = kernel_; k < kernels_.size(); ++k) {
    const Kernel& kernel = kernels_[k];
    if (kernel.failed || kernel.left) continue;
    if (!kernel.compiled) return Resume{k, "compile", 0, {}};
    Resume resume{k, "check", 0, {}};
    std::optional<std::uint32_t> unchecked, untimed;
    for (std::uint32_t i = 0; i < kernel.rows.size(); ++i) {
      const Row& row = kernel.rows[i];
      if (!row.checked && stages_.has(Stage::check) && !unchecked) unchecked = i;
      if (toTime(row) && !untimed) untimed = i;
      if (row.checked ? row.check.verdict == Verdict::pass : !stages_.has(Stage::check))
        resume.passed.push_back(i);
    }
    if (unchecked) {
      resume.index = *unchecked;
      resume.referenceAlone = k == kernel_ && suspect_ == *unchecked;
      return resume;
    }
    if (untimed) {
      resume.stage = "time";
      resume.index = *untimed;
      return resume;
    }
  }
  return std::nullopt;
}

}  // namespace wb
