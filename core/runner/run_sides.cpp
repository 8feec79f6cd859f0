// SPDX-License-Identifier: Apache-2.0
// Whose turn it is in the case under way: how long that may take, and whose fault it is when it ends badly.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/base/quantity.h"
#include "core/runner/run_progress.h"

namespace wb {

namespace {

/// Limits of a kernel that has hung, and of a reference that has hung several times: a kernel that hangs
/// everywhere would else cost a whole limit in each case.
constexpr double shortSeconds = 5, shortFirstCallSeconds = 15;
constexpr int hangsOfReference = 3;

}  // namespace

/// A side's turn in the case under way. A second "first call" is none.
bool RunProgress::turn(const SideStarted& event) {
  if (!underWay_ || underWay_->stage == Stage::compile || event.kernel != kernel_ ||
      event.index != underWay_->index)
    return false;
  const bool first = event.first && event.side == Side::candidate && !turn_.candidateRan;
  if (event.side == turn_.side && !first) return false;
  turn_.side = event.side;
  turn_.first = first;
  turn_.candidateRan |= event.side == Side::candidate;
  return true;
}

RunProgress::Purse RunProgress::purse() const {
  if (!underWay_ || !turn_.side) return Purse::common;
  if (turn_.first && kernels_[kernel_].tunes) return Purse::firstCall;
  // Timed, both sides run by turns under one limit.
  if (underWay_->stage != Stage::check) return Purse::common;
  return *turn_.side == Side::reference ? Purse::reference : Purse::candidate;
}

double RunProgress::sidePatience() const {
  const Kernel& kernel = kernels_[kernel_];
  const bool reference = turn_.side == Side::reference;
  if (underWay_->stage != Stage::check && purse() != Purse::firstCall) return limits_.caseSeconds;
  if (purse() == Purse::firstCall)
    return kernel.hung ? std::min(limits_.firstCallSeconds, shortFirstCallSeconds) : limits_.firstCallSeconds;
  const bool hurried = reference ? kernel.referenceHangs >= hangsOfReference : kernel.hung.has_value();
  return hurried && turn_.side ? std::min(limits_.caseSeconds, shortSeconds) : limits_.caseSeconds;
}

std::string RunProgress::overdue() const {
  const std::string_view what =
      purse() == Purse::firstCall ? "its first call did not finish" : "did not finish";
  return fmt::format("{} within {}{}", what, formatSeconds(patience()), shortened());
}

/// Why a limit was a short one; "" where it was not.
std::string RunProgress::shortened() const {
  if (!underWay_ || !turn_.side || underWay_->stage != Stage::check) return {};
  const Kernel& kernel = kernels_[kernel_];
  if (*turn_.side == Side::candidate && kernel.hung)
    return fmt::format(", a short limit since it hung in case {}", *kernel.hung + 1);
  if (*turn_.side == Side::reference && kernel.referenceHangs >= hangsOfReference)
    return fmt::format(", a short limit since it did not finish in {} other cases", kernel.referenceHangs);
  return {};
}

std::optional<SideStarted> RunProgress::caseUnderWay() const {
  if (!underWay_ || underWay_->stage == Stage::compile) return std::nullopt;
  return SideStarted{kernel_, underWay_->index, turn_.side, purse() == Purse::firstCall, 0};
}

/// The candidate may hurt the whole process, and not be there any more when that shows.
Blame RunProgress::blame(const Loss& loss) const {
  if (loss.verdict == Verdict::tampered) return Blame::kernel;
  // A case that broke its device has its verdict before the process ends.
  const bool afterCrash = loss.deviceBroken || endedInCrash_;
  const std::optional<UnderWay>& step = afterCrash ? last_ : underWay_;
  if (!step) return Blame::warpbench;
  if (step->stage == Stage::profile) return Blame::profiler;
  if (afterCrash || step->stage == Stage::compile) return Blame::kernel;
  if (turn_.side) return *turn_.side == Side::reference ? Blame::reference : Blame::kernel;
  // Timed, sides are told of only now and then; and a comparison may well die of what the candidate made.
  if (step->stage == Stage::time || (turn_.candidateRan && loss.verdict == Verdict::crashed))
    return Blame::kernel;
  // Inputs or a comparison that take too long are as those of a reference that does.
  return loss.verdict == Verdict::hung ? Blame::reference : Blame::warpbench;
}

/// What is not the candidate's fault makes its case void.
void RunProgress::leaveVoid(const Loss& loss, std::vector<Event>& events) {
  Kernel& kernel = kernels_[kernel_];
  const bool timing = underWay_->stage == Stage::time, hung = loss.verdict == Verdict::hung;
  if (hung && turn_.side) ++kernel.referenceHangs;
  if (!timing && turn_.side && turn_.candidateRan && suspect_ != underWay_->index) {
    suspect_ = underWay_->index;  // the same case again, the reference alone
    return;
  }
  const std::string_view what = turn_.side           ? "the reference"
                                : turn_.candidateRan ? "comparing the results"
                                                     : "making the inputs";
  const std::string text =
      saidLast(fmt::format("{} {}{}", what, hung ? "" : "crashed: ", loss.reason), loss.lastWords);
  if (timing) {
    events.emplace_back(StepDone{Stage::time, kernel_, underWay_->index, NoResult{text}});
    return;
  }
  CaseCheck check;
  check.verdict = Verdict::invalid;
  check.message = text;
  events.emplace_back(StepDone{Stage::check, kernel_, underWay_->index, std::move(check)});
}

}  // namespace wb
