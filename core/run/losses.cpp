// SPDX-License-Identifier: Apache-2.0
#include "core/run/losses.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "core/run/remaining.h"

namespace wb {

namespace {

/// A reason, followed by the end of what the worker printed.
std::string saidLast(const std::string& text, const std::string& lastWords) {
  return lastWords.empty() ? text : fmt::format("{}; it last printed:\n{}", text, lastWords);
}

/// How many workers a kernel has cost by its own code, and how many were lost outside it.
struct Lost {
  int byKernel = 0, byUs = 0;
};

Lost lossesOf(const Report& report, std::uint32_t kernel) {
  Lost lost;
  const auto& cases = report.kernels[kernel]->cases;
  for (const WorkerLost& each : report.losses) {
    if (each.kernel != kernel) continue;
    // The reference was lost after the candidate, and survived alone, so it was the candidate's doing.
    const bool proven = each.blame == Blame::reference && each.stage == Stage::check &&
                        each.index < cases.size() && cases[each.index].check.verdict == Verdict::crashed;
    if (each.blame == Blame::warpbench)
      ++lost.byUs;
    else if (each.blame != Blame::reference || proven)
      ++lost.byKernel;
  }
  return lost;
}

class Aftermath {
 public:
  Aftermath(const Job& job, const Report& report, const AtWork& at, const Loss& loss)
      : job_(job), before_(report), after_(report), at_(at), loss_(loss) {}

  std::vector<Event> get(int lossesToQuarantine) {
    const Blame whose = blameFor(at_, loss_, isApart());
    WorkerLost lost{whose, std::nullopt, activity(job_, at_), loss_.reason, loss_.lastWords,
                    0,     loss_.verdict};
    if (at_.step) {
      lost.stage = at_.step->stage;
      lost.index = at_.step->index;
      lost.side = at_.side;
    }
    if (at_.kernel >= before_.kernels.size()) return {lost};
    lost.kernel = at_.kernel;
    say(lost);
    if (loss_.verdict == Verdict::tampered)
      discredit();
    else if (at_.step)
      endStep(whose);
    else if (at_.isAsked)
      remark();
    if (whose == Blame::kernel) sayUnasked();
    quarantine(std::max(lossesToQuarantine, 1));
    return std::move(events_);
  }

 private:
  void say(Event event) {
    fold(after_, event);
    events_.push_back(std::move(event));
  }
  [[nodiscard]] const KernelReport& kernel() const { return *after_.kernels[at_.kernel]; }
  [[nodiscard]] std::string kernelName() const {
    const KernelSource& source = job_.kernels[at_.kernel];
    if (!source.path.empty()) return std::filesystem::path(source.path).filename().string();
    return source.op.empty() ? "the kernel" : source.op;
  }

  /// A raw CUDA kernel has no code for the host, and is launched by the judge itself.
  [[nodiscard]] bool isApart() const {
    return job_.strict && at_.kernel < before_.kernels.size() &&
           before_.kernels[at_.kernel]->language != "raw_cuda";
  }

  /// A kernel that has changed its reference could end its worker in its last case, before somebody asks.
  /// What is asked comes after all cases were checked. A strict judge asks in its own process, one like
  /// BackendBench asks nothing, and on a GPU no reference is asked elsewhere.
  void sayUnasked() {
    const bool isEarlier = at_.step && at_.step->stage == Stage::check && job_.device == "cpu";
    if (!isEarlier || isApart() || job_.checking.likeBackendBench || job_.stages.has(Stage::sanitize) ||
        before_.kernels[at_.kernel]->language == "aten" ||
        std::ranges::any_of(before_.losses, [this](const WorkerLost& each) {
          return each.kernel == at_.kernel && each.blame == Blame::kernel;
        }))
      return;
    std::size_t passed = 0;
    const auto& rows = before_.kernels[at_.kernel]->cases;
    for (std::uint32_t i = 0; i < rows.size(); ++i) passed += rows[i].check.verdict == Verdict::pass ? 1 : 0;
    if (passed == 0) return;
    say(Diagnosed{
        at_.kernel,
        {Severity::warning,
         fmt::format("{} case{} had passed when the kernel ended its worker, before all was asked: "
                     "whether the reference was what it is where no kernel has been is not known of {}.",
                     passed, passed == 1 ? "" : "s", passed == 1 ? "it" : "them"),
         {},
         {job_.kernels[at_.kernel].path, 0, 0},
         "warpbench"}});
  }

  void endStep(Blame whose) {
    const StageRow& row = stageRow(at_.step->stage);
    // It says nothing of anybody's code, and is done again.
    if (whose == Blame::warpbench && isApart() && row.loss != LossMeans::noResult) return;
    if (row.stage == Stage::compile) {
      if (!kernel().compiled) failToCompile();
    } else if (row.scope == Scope::perKernel) {
      say(StepDone{row.stage, at_.kernel, std::nullopt, NoResult{saidLast(loss_.reason, loss_.lastWords)}});
    } else if (whose == Blame::reference || whose == Blame::warpbench) {
      leaveVoid();
    } else if (at_.step->index < kernel().cases.size()) {
      endCase();
    }
  }

  /// What it was asked beyond its cases is no verdict on any of them.
  void remark() {
    say(Diagnosed{
        at_.kernel,
        {Severity::warning,
         saidLast(fmt::format("What the kernel was asked is right, but its process ends ({}) at other "
                              "shapes or with other values, or when the kernel is let go.",
                              loss_.reason),
                  loss_.lastWords),
         {},
         {job_.kernels[at_.kernel].path, 0, 0},
         "warpbench"}});
  }

  void failToCompile() {
    const std::string text = fmt::format(
        "The worker {} while compiling {}",
        loss_.verdict == Verdict::hung ? loss_.reason : "was lost (" + loss_.reason + ")", kernelName());
    say(StageFailed{
        at_.kernel,
        {Stage::compile,
         saidLast(text, loss_.lastWords),
         "code that runs while the kernel is loaded, such as the initialisation of globals, counts as "
         "compiling",
         {}}});
  }

  void endCase() {
    const std::uint32_t index = at_.step->index;
    const StageRow& stage = stageRow(at_.step->stage);
    const bool isChecking = stage.stage == Stage::check;
    const std::string text = saidLast(
        loss_.reason + (isChecking ? "" : fmt::format(", while it was {}", stage.done)), loss_.lastWords);
    if (stage.loss == LossMeans::noResult) {
      // The answer was right and stays so; it may well be the profiler that the process did not survive.
      say(StepDone{stage.stage, at_.kernel, index, NoResult{text}});
      return;
    }
    CaseCheck check = isChecking ? CaseCheck{} : kernel().cases[index].check;
    check.verdict = loss_.verdict;
    check.message = text;
    say(StepDone{stage.stage, at_.kernel, index, std::move(check)});
  }

  /// Makes the case void, since it was not the candidate's fault.
  void leaveVoid() {
    const std::uint32_t index = at_.step->index;
    const bool timing = at_.step->stage == Stage::time, hung = loss_.verdict == Verdict::hung;
    const bool wasAlone = suspectOf(before_, at_.kernel) == index;
    // The same case runs again, with the reference alone.
    if (!timing && at_.side && at_.candidateRan && !wasAlone) return;
    const std::string_view what = at_.side           ? "the reference"
                                  : at_.candidateRan ? "comparing the results"
                                                     : "making the inputs";
    const std::string text =
        saidLast(fmt::format("{} {}{}", what, hung ? "" : "crashed: ", loss_.reason), loss_.lastWords);
    if (timing) {
      say(StepDone{Stage::time, at_.kernel, index, NoResult{text}});
      return;
    }
    CaseCheck check;
    check.verdict = Verdict::invalid;
    check.message = text;
    say(StepDone{Stage::check, at_.kernel, index, std::move(check)});
    sayWhoseVoid();
  }

  /// A kernel could rid itself of cases in which it is wrong, where it keeps the reference or the inputs of
  /// these from ending. The kernel's code is loaded in the worker, and in a strict judge it is not.
  void sayWhoseVoid() {
    if (isApart() || kernel().language == "aten") return;
    const Diagnostic warning{
        Severity::warning,
        "The worker was lost while the reference, the inputs or the comparison of a case were at work, so "
        "that the case is void. The kernel's code was loaded there: nobody knows whose doing that was. With "
        "--strict it is out of reach.",
        {},
        {job_.kernels[at_.kernel].path, 0, 0},
        "warpbench"};
    if (std::ranges::find(kernel().diagnostics, warning) == kernel().diagnostics.end())
      say(Diagnosed{at_.kernel, warning});
  }

  /// Takes back all verdicts of a kernel that spoke in Warpbench's name, since it may have made up any of
  /// them.
  void discredit() {
    const std::string why = fmt::format(
        "no verdict on this kernel can be believed: {}. It, or what it loads, writes to descriptors that are "
        "Warpbench's",
        loss_.reason);
    CaseCheck check;
    check.verdict = Verdict::tampered;
    check.message = why;
    for (std::uint32_t i = 0; i < kernel().cases.size(); ++i)
      say(StepDone{Stage::check, at_.kernel, i, check});
    if (!kernel().compiled) say(StageFailed{at_.kernel, {Stage::compile, why, {}, {}}});
  }

  void quarantine(int limit) {
    const Lost lost = lossesOf(after_, at_.kernel);
    if (std::max(lost.byKernel, lost.byUs) < limit || kernel().failure || isClosed(after_, at_.kernel))
      return;
    if (!kernel().compiled) {
      const std::string text = fmt::format("The worker was lost {} times before it began to compile {}: {}",
                                           lost.byKernel + lost.byUs, kernelName(), loss_.reason);
      say(StageFailed{at_.kernel,
                      {Stage::setup, saidLast(text, loss_.lastWords), "see `warpbench doctor`", {}}});
      return;
    }
    const bool ours = lost.byKernel < limit;
    const std::string why =
        ours ? fmt::format("not run: Warpbench lost its worker {} times between the steps of this kernel",
                           lost.byUs)
             : fmt::format("not run: this kernel has ended its worker {} times", lost.byKernel);
    leaveOut(why, ours ? Verdict::missing : Verdict::quarantined);
    std::get<WorkerLost>(events_.front()).quarantines = true;
  }

  /// Says of everything that is left of the kernel that it is not run.
  void leaveOut(const std::string& why, Verdict verdict) {
    CaseCheck check;
    check.verdict = verdict;
    check.message = why;
    for (std::uint32_t i = 0; i < kernel().cases.size(); ++i) {
      const CaseRow& row = kernel().cases[i];
      const bool unchecked = row.check.verdict == Verdict::notRun;
      if (unchecked && (job_.stages.has(Stage::check) || isToTime(job_.stages, row)))
        say(StepDone{Stage::check, at_.kernel, i, check});
      else if (isToTime(job_.stages, row))
        say(StepDone{Stage::time, at_.kernel, i, NoResult{why}});
    }
    JobWork own = workIn(job_);
    std::erase_if(own.kernels, [&](const KernelWork& each) { return each.kernel != at_.kernel; });
    for (const KernelWork& rest : remaining(job_, after_, own).kernels)
      for (const StageWork& stage : rest.stages) {
        if (stageRow(stage.stage).scope == Scope::perKernel)
          say(StepDone{stage.stage, at_.kernel, std::nullopt, NoResult{why}});
        if (stage.stage == Stage::profile) leaveUnprofiled(stage, why);
      }
  }

  void leaveUnprofiled(const StageWork& stage, const std::string& why) {
    if (!stage.cases) return;
    const std::size_t most = stage.most > 0 ? static_cast<std::size_t>(stage.most) : stage.cases->size();
    for (std::size_t i = 0; i < std::min(most, stage.cases->size()); ++i)
      say(StepDone{Stage::profile, at_.kernel, (*stage.cases)[i], NoResult{why}});
  }

  const Job& job_;
  const Report& before_;
  Report after_;
  const AtWork& at_;
  const Loss& loss_;
  std::vector<Event> events_;
};

}  // namespace

/// Finds whom to blame. The candidate may damage the whole process, and not be running any more when that
/// shows.
Blame blameFor(const AtWork& at, const Loss& loss, bool isApart) {
  if (loss.verdict == Verdict::tampered) return Blame::kernel;
  // A case that broke its device has its verdict before the process ends.
  const bool afterCrash = loss.deviceBroken || at.endedInCrash;
  const std::optional<Step>& step = afterCrash ? at.last : at.step;
  const bool isOurs = isApart && loss.verdict == Verdict::crashed && !afterCrash;
  if (!step) return at.isAsked && !isOurs ? Blame::kernel : Blame::warpbench;
  // Where nothing is measured, a stage whose loss is no verdict runs no code but ours.
  if (const StageRow& row = stageRow(step->stage); row.loss == LossMeans::noResult)
    return row.measures ? Blame::profiler : Blame::warpbench;
  if (isOurs) return Blame::warpbench;
  if (afterCrash || step->stage == Stage::compile) return Blame::kernel;
  if (at.side) return *at.side == Side::reference ? Blame::reference : Blame::kernel;
  // While they are timed, sides are told only now and then; and a comparison may well die of what the
  // candidate made.
  if (step->stage == Stage::time || (at.candidateRan && loss.verdict == Verdict::crashed))
    return Blame::kernel;
  // Inputs or a comparison that take too long count as a reference that does.
  return loss.verdict == Verdict::hung ? Blame::reference : Blame::warpbench;
}

std::vector<Event> afterLoss(const Job& job, const Report& report, const AtWork& at, const Loss& loss,
                             int lossesToQuarantine) {
  return Aftermath(job, report, at, loss).get(lossesToQuarantine);
}

}  // namespace wb
