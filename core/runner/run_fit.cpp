// SPDX-License-Identifier: Apache-2.0
// Which events a worker of ours may say when. A kernel runs in the worker's process and can write to its
// descriptors; what comes out of order was not said by us.
#include <fmt/format.h>

#include <variant>

#include "core/runner/run_progress.h"

namespace wb {

namespace {

/// The kernel that an event speaks of; nullopt for those of the whole job.
std::optional<std::uint32_t> kernelIn(const Event& event) {
  return std::visit(
      [](const auto& one) -> std::optional<std::uint32_t> {
        if constexpr (requires { one.kernel; })
          return one.kernel;
        else
          return std::nullopt;
      },
      event);
}

/// Those that only the runner says. A worker says "tampered" too, of a kernel in the reference's place.
bool runnersOwn(Verdict verdict) {
  return verdict == Verdict::notRun || verdict == Verdict::quarantined || verdict == Verdict::missing;
}

}  // namespace

std::string RunProgress::misfitOfStart(const StepStarted& started) const {
  const Kernel& kernel = kernels_[started.kernel];
  if (started.stage == Stage::compile) {
    const bool compiling = underWay_ && underWay_->stage == Stage::compile && started.kernel == kernel_;
    const bool due = !started.index && (preparing_ || (!compiling && !kernel.compiled));
    return due ? "" : "a kernel was compiled a second time";
  }
  if (!started.index || started.kernel != kernel_ || !kernel.compiled || *started.index >= kernel.rows.size())
    return "a case was begun that is not there";
  const UnderWay what{started.stage, *started.index};
  if (underWay_ && underWay_->stage != Stage::compile && *underWay_ != what)
    return "a case was begun while another was under way";
  const Row& row = kernel.rows[*started.index];
  const bool due = started.stage == Stage::check  ? stages_.has(Stage::check) && !row.checked
                   : started.stage == Stage::time ? toTime(row)
                                                  : stages_.has(started.stage);
  return due ? "" : fmt::format("case {} was begun, which was not due", *started.index + 1);
}

std::string RunProgress::misfitOfResult(const StepDone& done) const {
  const StageRow& row = stageRow(done.stage);
  const bool here = done.kernel == kernel_;
  if (!canGive(done.stage, done.result)) return fmt::format("a result came that {} does not give", row.doing);
  if (std::holds_alternative<Compiled>(done.result)) {
    const bool compiling = here && underWay_ && underWay_->stage == Stage::compile;
    return compiling ? "" : "a kernel was compiled that was not being compiled";
  }
  if (std::holds_alternative<Listed>(done.result)) return "";
  if (!done.index) return "a result came of no case";
  if (const auto* check = std::get_if<CaseCheck>(&done.result)) {
    const bool underWay = here && underWay_ && underWay_->index == *done.index &&
                          (underWay_->stage == Stage::check || underWay_->stage == Stage::time);
    if (!underWay) return fmt::format("a verdict came on case {}, which was not under way", *done.index + 1);
    return runnersOwn(check->verdict) ? "a verdict came that only the supervisor gives" : "";
  }
  // A case that cannot be profiled here was never begun.
  if (std::holds_alternative<NoResult>(done.result) && row.loss == LossMeans::noResult)
    return here && stages_.has(done.stage) ? "" : "a kernel was left without a result that is not at work";
  const bool begun = here && last_ == UnderWay{done.stage, *done.index};
  return begun ? "" : fmt::format("a result came of a case that was not being {}", row.done);
}

RunProgress::Fit RunProgress::fit(const Event& event) const {
  if (std::holds_alternative<WorkerLost>(event)) return {false, "a worker reported its own loss"};
  if (std::holds_alternative<JobStarted>(event) && started_) return {false, "the job was begun twice"};
  const std::optional<std::uint32_t> kernel = kernelIn(event);
  if (!kernel) return {};
  if (*kernel >= kernels_.size()) return {false, fmt::format("there is no kernel {}", *kernel)};
  if (kernels_[*kernel].failed) return {true, ""};
  if (const auto* started = std::get_if<StepStarted>(&event)) return {false, misfitOfStart(*started)};
  if (const auto* done = std::get_if<StepDone>(&event)) return {false, misfitOfResult(*done)};
  if (const auto* side = std::get_if<SideStarted>(&event)) {
    const bool fits = *kernel == kernel_ && underWay_ && underWay_->stage != Stage::compile &&
                      underWay_->index == side->index && side->seconds == 0;
    return {false, fits ? "" : "a side began in a case that was not under way"};
  }
  return {};
}

}  // namespace wb
