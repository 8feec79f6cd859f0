// SPDX-License-Identifier: Apache-2.0
#include "core/run/at_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "core/base/quantity.h"
#include "core/model/languages.h"

namespace wb {

namespace {

/// How much longer than a stage's own limit a worker may take, since it enforces that limit itself where it
/// can.
constexpr double slackSeconds = 10;
/// The limits of a kernel that has hung, and of a reference that has hung several times. Otherwise a kernel
/// that hangs everywhere would cost a whole limit in each case.
constexpr double shortSeconds = 5, shortFirstCallSeconds = 15;
constexpr int hangsOfReference = 3;

bool isInCase(const AtWork& at) {
  return at.step && stageRow(at.step->stage).scope == Scope::perCase;
}

bool start(AtWork& at, const Step& step) {
  // Saying the same again must not gain time.
  if (!at.isPreparing && at.step == step) return false;
  at.kernel = step.kernel;
  at.step = at.last = step;
  at.side.reset();
  at.isFirstCall = at.candidateRan = at.isAsked = at.endedInCrash = false;
  return true;
}

/// Between two steps a kernel may be asked for more, and its code runs then, too.
bool ask(AtWork& at, const SideStarted& event) {
  const bool isAsked = event.side == Side::candidate;
  if (at.isPreparing || event.kernel != at.kernel || at.isAsked == isAsked) return false;
  at.isAsked = isAsked;
  return true;
}

/// Notes a side's turn in the case under way. A second "first call" does not count.
bool turn(AtWork& at, const SideStarted& event) {
  if (!at.step) return ask(at, event);
  if (!isInCase(at) || event.kernel != at.kernel || event.index != at.step->index) return false;
  const bool first = event.first && event.side == Side::candidate && !at.candidateRan;
  if (event.side == at.side && !first) return false;
  at.side = event.side;
  at.isFirstCall = first;
  at.candidateRan |= event.side == Side::candidate;
  return true;
}

/// Notes the result of a step. False where the event is not a step's result: a listing comes beside the
/// profiles.
bool finish(AtWork& at, const StepDone& done) {
  if (std::holds_alternative<Listed>(done.result)) return false;
  if (std::holds_alternative<Compiled>(done.result)) at.kernel = done.kernel;
  if (const auto* check = std::get_if<CaseCheck>(&done.result))
    at.endedInCrash = check->verdict == Verdict::crashed;
  const auto* part = std::get_if<ProfilePart>(&done.result);
  if (part == nullptr || part->last) at.step.reset();
  return true;
}

/// The case in which a kernel hung first; from then on its limits are short.
std::optional<std::uint32_t> hungIn(const Report& report, std::uint32_t kernel) {
  for (const WorkerLost& lost : report.losses)
    if (lost.kernel == kernel && lost.blame == Blame::kernel && lost.verdict == Verdict::hung && lost.side)
      return lost.index;
  return std::nullopt;
}

int referenceHangs(const Report& report, std::uint32_t kernel) {
  return static_cast<int>(
      std::count_if(report.losses.begin(), report.losses.end(), [&](const WorkerLost& lost) {
        return lost.kernel == kernel && lost.blame == Blame::reference && lost.verdict == Verdict::hung &&
               lost.side;
      }));
}

bool tunes(const Report& report, std::uint32_t kernel) {
  const Language* language = findLanguage(report.kernels[kernel]->language);
  return language != nullptr && language->needsPython;
}

double sidePatience(const Job& job, const Report& report, const AtWork& at) {
  const bool isFirst = purse(report, at) == Purse::firstCall;
  const double limit = stepSeconds(job, at.step->stage, isFirst);
  const bool hung = hungIn(report, at.kernel).has_value();
  if (isFirst) return hung ? std::min(limit, shortFirstCallSeconds) : limit;
  if (at.step->stage != Stage::check || !at.side) return limit;
  const bool hurried =
      at.side == Side::reference ? referenceHangs(report, at.kernel) >= hangsOfReference : hung;
  return hurried ? std::min(limit, shortSeconds) : limit;
}

/// Why a limit was short; "" where it was not.
std::string shortened(const Report& report, const AtWork& at) {
  if (!at.step || !at.side || at.step->stage != Stage::check) return {};
  const auto hung = hungIn(report, at.kernel);
  if (at.side == Side::candidate && hung)
    return fmt::format(", a short limit since it hung in case {}", *hung + 1);
  const int hangs = referenceHangs(report, at.kernel);
  if (at.side == Side::reference && hangs >= hangsOfReference)
    return fmt::format(", a short limit since it did not finish in {} other cases", hangs);
  return {};
}

}  // namespace

std::string shortNameOf(const KernelSource& source) {
  if (!source.path.empty()) return std::filesystem::path(source.path).filename().string();
  return source.op.empty() ? "the kernel" : source.op;
}

void handOver(AtWork& at, const JobWork& work) {
  const std::uint64_t number = at.number + 1;
  at = {};
  at.number = number;
  if (!work.kernels.empty()) at.kernel = work.kernels.front().kernel;
}

bool follow(AtWork& at, const Event& event) {
  if (std::holds_alternative<JobStarted>(event)) {
    at.hasBegun = true;
    ++at.number;
    return true;
  }
  if (const auto* side = std::get_if<SideStarted>(&event)) return turn(at, *side);
  bool moved = std::holds_alternative<StageFailed>(event);
  if (moved) at.step.reset();
  if (const auto* started = std::get_if<StepStarted>(&event))
    moved = start(at, {started->kernel, started->stage, started->index.value_or(0)});
  if (const auto* done = std::get_if<StepDone>(&event)) moved = finish(at, *done);
  if (!moved) return false;
  at.isPreparing = false;
  ++at.number;
  return true;
}

Purse purse(const Report& report, const AtWork& at) {
  if (!at.step || !at.side) return Purse::common;
  if (at.isFirstCall && tunes(report, at.kernel)) return Purse::firstCall;
  // While they are timed, both sides run in turns under one limit.
  if (at.step->stage != Stage::check) return Purse::common;
  return *at.side == Side::reference ? Purse::reference : Purse::candidate;
}

double patience(const Job& job, const Report& report, const AtWork& at) {
  if (at.isPreparing) return stepSeconds(job, Stage::compile) + slackSeconds;
  if (!at.step) {
    // A kernel's code is listed between two steps, by programs that may take as long as a compiler.
    const bool lists = job.stages.has(Stage::profile) && job.profile.listing;
    const double usual = stepSeconds(job, Stage::check);
    // For others that use its GPU it may wait before a case is checked, and again before it is timed.
    const double waits = job.device == "cpu" ? 0 : job.limits.caseSeconds;
    return (lists ? std::max(usual, stepSeconds(job, Stage::compile)) : usual) + waits +
           job.limits.waitSeconds + slackSeconds;
  }
  // The worker itself ends a stage without sides, where it can.
  const bool hasSides = at.step->stage == Stage::check || at.step->stage == Stage::time;
  if (!hasSides) return stepSeconds(job, at.step->stage) + slackSeconds;
  const double side = sidePatience(job, report, at);
  return purse(report, at) == Purse::common ? side + secondsOnTop(job, at.step->stage) : side;
}

std::string overdue(const Job& job, const Report& report, const AtWork& at) {
  const std::string_view what =
      purse(report, at) == Purse::firstCall ? "its first call did not finish" : "did not finish";
  return fmt::format("{} within {}{}", what, formatSeconds(patience(job, report, at)), shortened(report, at));
}

std::string activity(const Job& job, const AtWork& at) {
  if (at.kernel >= job.kernels.size()) return "between two steps";
  const std::string kernel = shortNameOf(job.kernels[at.kernel]);
  if (at.isAsked) return fmt::format("asking {} further questions", kernel);
  if (!at.step) return fmt::format("{} {}", at.isPreparing ? "preparing" : "between two steps of", kernel);
  const StageRow& row = stageRow(at.step->stage);
  if (row.scope == Scope::perKernel) return fmt::format("{} {}", row.doing, kernel);
  return fmt::format("{} case {} of {}", row.doing, at.step->index + 1, kernel);
}

std::optional<SideStarted> caseUnderWay(const Report& report, const AtWork& at) {
  if (!isInCase(at)) return std::nullopt;
  return SideStarted{at.kernel, at.step->index, at.side, purse(report, at) == Purse::firstCall, 0};
}

bool isTiming(const AtWork& at) {
  return at.step && at.step->stage == Stage::time;
}

}  // namespace wb
