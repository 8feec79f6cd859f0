// SPDX-License-Identifier: Apache-2.0
#include "core/run/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>

#include "core/model/plan/tolerances.h"
#include "core/run/remaining.h"

namespace wb {

namespace {

/// Those that only the runner says. A worker says "tampered" too, of a kernel in the reference's place, and a
/// strict one counts itself how often it has lost the kernel's process.
bool runnersOwn(Verdict verdict, bool strict) {
  return verdict == Verdict::notRun || (verdict == Verdict::quarantined && !strict) ||
         verdict == Verdict::missing;
}

class Fitting {
 public:
  Fitting(const Job& job, const Report& report, const JobWork& work, const AtWork& at)
      : job_(job), report_(report), work_(work), at_(at) {}

  [[nodiscard]] std::string misfit(const Event& event, std::uint32_t kernel) const {
    if (const auto* started = std::get_if<StepStarted>(&event)) return ofStart(*started);
    if (const auto* done = std::get_if<StepDone>(&event)) return ofResult(*done);
    if (const auto* side = std::get_if<SideStarted>(&event))
      return unless((isInCase(kernel, side->index) || isAsked(*side)) && side->seconds == 0,
                    "a side began in a case that was not under way");
    return {};
  }

 private:
  static std::string unless(bool fits, std::string_view misfit) { return fits ? "" : std::string(misfit); }

  [[nodiscard]] std::string ofStart(const StepStarted& started) const {
    if (started.stage == Stage::compile)
      return unless(!started.index && mayCompile(started.kernel), "a kernel was compiled a second time");
    const KernelReport& kernel = *report_.kernels[started.kernel];
    if (const StageRow& row = stageRow(started.stage); row.scope == Scope::perKernel)
      return unless(!started.index && isDue(started, kernel),
                    fmt::format("{} was begun, which was not due", row.doing));
    const bool isThere = started.index && *started.index < kernel.cases.size();
    if (started.kernel != at_.kernel || !kernel.compiled || !isThere)
      return "a case was begun that is not there";
    const Step step{started.kernel, started.stage, *started.index};
    if (at_.step && at_.step->stage != Stage::compile && *at_.step != step)
      return "a case was begun while another was under way";
    return unless(isDue(step, kernel.cases[step.index]),
                  fmt::format("case {} was begun, which was not due", step.index + 1));
  }

  [[nodiscard]] bool isDue(const StepStarted& ofKernel, const KernelReport& kernel) const {
    if (ofKernel.kernel != at_.kernel || !kernel.compiled || !isNamed(ofKernel.kernel, ofKernel.stage))
      return false;
    // A worker that loads what another one has compiled does not say when that is done.
    const bool isFree = !at_.step || isCompiling();
    const Steps all = steps(report_, kernel, ofKernel.stage);
    return isFree && all.done < all.due;
  }

  [[nodiscard]] bool isDue(const Step& step, const CaseRow& row) const {
    const StageWork* stage = named(step.kernel, step.stage);
    if (stage == nullptr) return false;
    if (stage->cases &&
        std::find(stage->cases->begin(), stage->cases->end(), step.index) == stage->cases->end())
      return false;
    if (step.stage == Stage::check) return row.check.verdict == Verdict::notRun;
    return step.stage != Stage::time || isToTime(job_.stages, row);
  }

  [[nodiscard]] std::string ofResult(const StepDone& done) const {
    const StageRow& row = stageRow(done.stage);
    if (!canGive(done.stage, done.result))
      return fmt::format("a result came that {} does not give", row.doing);
    if (std::holds_alternative<Compiled>(done.result))
      return unless(isCompiling() && done.kernel == at_.kernel && !report_.kernels[done.kernel]->compiled,
                    "a kernel was compiled that was not being compiled");
    if (std::holds_alternative<Listed>(done.result))
      return unless(isNamed(done.kernel, done.stage), "a kernel was listed that is not at work");
    if (row.scope == Scope::perKernel)
      return unless(!done.index && at_.step == Step{done.kernel, done.stage, 0},
                    fmt::format("a result of {} came, which was not under way", row.doing));
    if (!done.index) return fmt::format("a result of {} came that is about no case", row.doing);
    if (const auto* check = std::get_if<CaseCheck>(&done.result)) return ofVerdict(done, *check);
    // Of a case that cannot be profiled a worker says so without beginning it.
    const bool isRefused = std::holds_alternative<NoResult>(done.result) && row.loss == LossMeans::noResult &&
                           done.kernel == at_.kernel && isNamed(done.kernel, done.stage);
    return unless(isRefused || at_.last == Step{done.kernel, done.stage, *done.index},
                  fmt::format("case {} was not {}, and a result came of it", *done.index + 1, row.done));
  }

  [[nodiscard]] std::string ofVerdict(const StepDone& done, const CaseCheck& check) const {
    const bool isUnderWay = isInCase(done.kernel, *done.index) && at_.step->stage == done.stage;
    if (!isUnderWay && !takesBack(done, check))
      return fmt::format("a verdict came on case {}, which was not under way", *done.index + 1);
    if (check.wrong && !isSound(**check.wrong))
      return fmt::format("the elements of case {} do not fit each other", *done.index + 1);
    if (check.errors && !mayJudgeBy(job_, {check.rtol, check.atol}))
      return fmt::format("case {} was judged by the tolerance {:g} and {:g}, which is not the job's",
                         *done.index + 1, check.rtol, check.atol);
    return unless(!runnersOwn(check.verdict, job_.strict), "a verdict came that only the supervisor gives");
  }

  /// Between its steps a worker may find out that nothing of what it said of its kernel can be believed.
  [[nodiscard]] bool takesBack(const StepDone& done, const CaseCheck& check) const {
    return check.verdict == Verdict::tampered && !at_.step && !at_.isPreparing && done.kernel == at_.kernel &&
           *done.index < report_.kernels[done.kernel]->cases.size();
  }

  [[nodiscard]] const KernelWork* workOf(std::uint32_t kernel) const {
    const auto found = std::find_if(work_.kernels.begin(), work_.kernels.end(),
                                    [&](const KernelWork& each) { return each.kernel == kernel; });
    return found == work_.kernels.end() ? nullptr : &*found;
  }

  [[nodiscard]] const StageWork* named(std::uint32_t kernel, Stage stage) const {
    const KernelWork* work = workOf(kernel);
    if (work == nullptr) return nullptr;
    const auto found = std::find_if(work->stages.begin(), work->stages.end(),
                                    [&](const StageWork& each) { return each.stage == stage; });
    return found == work->stages.end() ? nullptr : &*found;
  }
  [[nodiscard]] bool isNamed(std::uint32_t kernel, Stage stage) const {
    return named(kernel, stage) != nullptr;
  }

  /// Kernels are compiled once each, in their order; nothing was heard of what a worker has just been given.
  [[nodiscard]] bool mayCompile(std::uint32_t kernel) const {
    const KernelWork* next = workOf(kernel);
    if (next == nullptr || isCompiling()) return next != nullptr && at_.isPreparing;
    return at_.isPreparing || next > workOf(at_.kernel);
  }
  [[nodiscard]] bool isCompiling() const { return at_.step && at_.step->stage == Stage::compile; }
  [[nodiscard]] bool isInCase(std::uint32_t kernel, std::uint32_t index) const {
    return at_.step && stageRow(at_.step->stage).scope == Scope::perCase && kernel == at_.kernel &&
           at_.step->index == index;
  }

  /// Between its steps a kernel may be asked for more about any of its cases.
  [[nodiscard]] bool isAsked(const SideStarted& side) const {
    return !at_.step && !at_.isPreparing && side.kernel == at_.kernel &&
           side.index < report_.kernels[side.kernel]->cases.size();
  }

  const Job& job_;
  const Report& report_;
  const JobWork& work_;
  const AtWork& at_;
};

}  // namespace

Fit fit(const Job& job, const Report& report, const JobWork& work, const AtWork& at, const Event& event) {
  if (std::holds_alternative<WorkerLost>(event)) return {false, "a worker reported its own loss"};
  if (std::holds_alternative<JobStarted>(event) && (at.hasBegun || work.begun))
    return {false, "the job was begun twice"};
  const std::optional<std::uint32_t> kernel = kernelOf(event);
  if (!kernel) return {};
  if (*kernel >= report.kernels.size()) return {false, fmt::format("there is no kernel {}", *kernel)};
  if (report.kernels[*kernel]->failure || isClosed(report, *kernel)) {
    // What such a kernel has left behind is said at its end.
    const bool isRemark = std::holds_alternative<Diagnosed>(event) && isDiscredited(*report.kernels[*kernel]);
    return {!isRemark, ""};
  }
  return {false, Fitting(job, report, work, at).misfit(event, *kernel)};
}

}  // namespace wb
