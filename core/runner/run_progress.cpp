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
  for (const KernelSource& source : job.kernels) names_.push_back(shortNameOf(source));
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
  if (const auto* compile = std::get_if<CompileStarted>(&event)) {
    moved = compile->kernel < kernels_.size() && start(compile->kernel, {Stage::compile, 0});
    if (compile->kernel < kernels_.size()) {
      const Language* language = findLanguage(compile->language);
      kernels_[compile->kernel].tunes = language && language->needsPython;
    }
  } else if (const auto* compiled = std::get_if<Compiled>(&event)) {
    if (compiled->kernel >= kernels_.size()) return false;
    Kernel& kernel = kernels_[compiled->kernel];
    kernel.compiled = true;
    if (kernel.rows.size() != compiled->cases.size()) kernel.rows.assign(compiled->cases.size(), {});
    kernel_ = compiled->kernel;
    underWay_.reset();
    moved = true;
  } else if (const auto* started = std::get_if<CaseStarted>(&event)) {
    moved = rowOf(started->kernel, started->index) != nullptr &&
            start(started->kernel, {started->stage, started->index});
  } else if (const auto* side = std::get_if<SideStarted>(&event)) {
    moved = turn(*side);
  } else if (const auto* checked = std::get_if<CaseChecked>(&event)) {
    if (Row* row = rowOf(checked->kernel, checked->index)) {
      if (suspect_ == checked->index && checked->kernel == kernel_) {
        if (checked->check.verdict == Verdict::crashed) ++kernels_[kernel_].losses;
        suspect_.reset();
      }
      row->check = checked->check;
      row->checked = true;
      endedInCrash_ = checked->check.verdict == Verdict::crashed;
      underWay_.reset();
      moved = true;
    }
  } else if (const auto* timed = std::get_if<CaseTimed>(&event)) {
    if (Row* row = rowOf(timed->kernel, timed->index)) {
      row->timed = moved = true;
      underWay_.reset();
    }
  } else if (const auto* notTimed = std::get_if<CaseNotTimed>(&event)) {
    if (Row* row = rowOf(notTimed->kernel, notTimed->index)) {
      row->timed = moved = true;
      underWay_.reset();
    }
  } else if (const auto* profiled = std::get_if<CaseProfiled>(&event)) {
    moved = rowOf(profiled->kernel, profiled->index) != nullptr;
    if (moved && profiled->last) underWay_.reset();
  } else if (const auto* notProfiled = std::get_if<CaseNotProfiled>(&event)) {
    moved = rowOf(notProfiled->kernel, notProfiled->index) != nullptr;
    if (moved) underWay_.reset();
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
  if (underWay_->stage == Stage::compile) return "compiling " + kernel;
  const std::string_view doing = underWay_->stage == Stage::time      ? "timing"
                                 : underWay_->stage == Stage::profile ? "profiling"
                                                                      : "checking";
  return fmt::format("{} case {} of {}", doing, underWay_->index + 1, kernel);
}

bool RunProgress::toTime(const Row& row) const {
  if (!stages_.time || row.timed) return false;
  // Without the check stage every case is timed unless it has failed meanwhile.
  return row.checked ? row.check.verdict == Verdict::pass : !stages_.check;
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
    events.emplace_back(CaseNotProfiled{kernel_, underWay_->index,
                                        saidLast(loss.reason + ", while it was profiled", loss.lastWords)});
    return;
  }
  const Row& row = kernels_[kernel_].rows[underWay_->index];
  const bool timing = underWay_->stage == Stage::time;
  CaseCheck check = timing ? row.check : CaseCheck{};
  check.verdict = loss.verdict;
  check.message = saidLast(loss.reason + (timing ? ", while it was timed" : ""), loss.lastWords);
  events.emplace_back(CaseChecked{kernel_, underWay_->index, std::move(check)});
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
  for (std::uint32_t i = 0; i < kernel.rows.size(); ++i) events.emplace_back(CaseChecked{kernel_, i, check});
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
    if (!row.checked && (stages_.check || toTime(row)))
      events.emplace_back(CaseChecked{kernel_, i, check});
    else if (toTime(row))
      events.emplace_back(CaseNotTimed{kernel_, i, why});
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
      if (!row.checked && stages_.check && !unchecked) unchecked = i;
      if (toTime(row) && !untimed) untimed = i;
      if (row.checked ? row.check.verdict == Verdict::pass : !stages_.check) resume.passed.push_back(i);
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
