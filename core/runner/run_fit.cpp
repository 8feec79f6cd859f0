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

std::string RunProgress::misfitOfStart(const CaseStarted& started) const {
  const Kernel& kernel = kernels_[started.kernel];
  if (started.kernel != kernel_ || !kernel.compiled || started.index >= kernel.rows.size())
    return "a case was begun that is not there";
  const UnderWay what{started.stage, started.index};
  if (underWay_ && underWay_->stage != Stage::compile && *underWay_ != what)
    return "a case was begun while another was under way";
  const Row& row = kernel.rows[started.index];
  const bool due = started.stage == Stage::check  ? stages_.check && !row.checked
                   : started.stage == Stage::time ? toTime(row)
                                                  : started.stage == Stage::profile && stages_.profile;
  return due ? "" : fmt::format("case {} was begun, which was not due", started.index + 1);
}

std::string RunProgress::misfitOfVerdict(const CaseChecked& checked) const {
  const bool underWay = underWay_ && underWay_->index == checked.index && checked.kernel == kernel_ &&
                        (underWay_->stage == Stage::check || underWay_->stage == Stage::time);
  if (!underWay) return fmt::format("a verdict came on case {}, which was not under way", checked.index + 1);
  return runnersOwn(checked.check.verdict) ? "a verdict came that only the supervisor gives" : "";
}

RunProgress::Fit RunProgress::fit(const Event& event) const {
  if (std::holds_alternative<WorkerLost>(event)) return {false, "a worker reported its own loss"};
  if (std::holds_alternative<JobStarted>(event) && started_) return {false, "the job was begun twice"};
  const std::optional<std::uint32_t> kernel = kernelIn(event);
  if (!kernel) return {};
  if (*kernel >= kernels_.size()) return {false, fmt::format("there is no kernel {}", *kernel)};
  if (kernels_[*kernel].failed) return {true, ""};
  const auto lastWas = [&](Stage stage, std::uint32_t index) {
    return *kernel == kernel_ && last_ == UnderWay{stage, index};
  };
  const auto unless = [](bool fits, std::string_view misfit) {
    return Fit{false, fits ? std::string() : std::string(misfit)};
  };
  const bool compiling = underWay_ && underWay_->stage == Stage::compile && *kernel == kernel_;
  if (const auto* started = std::get_if<CaseStarted>(&event)) return {false, misfitOfStart(*started)};
  if (const auto* checked = std::get_if<CaseChecked>(&event)) return {false, misfitOfVerdict(*checked)};
  if (const auto* side = std::get_if<SideStarted>(&event))
    return unless(*kernel == kernel_ && underWay_ && underWay_->stage != Stage::compile &&
                      underWay_->index == side->index && side->seconds == 0,
                  "a side began in a case that was not under way");
  if (const auto* timed = std::get_if<CaseTimed>(&event))
    return unless(lastWas(Stage::time, timed->index), "a time came of a case that was not being timed");
  if (const auto* notTimed = std::get_if<CaseNotTimed>(&event))
    return unless(lastWas(Stage::time, notTimed->index), "a case was left untimed that was not being timed");
  if (const auto* profiled = std::get_if<CaseProfiled>(&event))
    return unless(lastWas(Stage::profile, profiled->index), "a profile came of a case not being profiled");
  if (std::holds_alternative<CaseNotProfiled>(event))
    return unless(stages_.profile && *kernel == kernel_, "a kernel was left unprofiled that is not at work");
  if (std::holds_alternative<CompileStarted>(event))
    return unless(preparing_ || (!compiling && !kernels_[*kernel].compiled),
                  "a kernel was compiled a second time");
  if (std::holds_alternative<Compiled>(event))
    return unless(compiling, "a kernel was compiled that was not being compiled");
  return {};
}

}  // namespace wb
