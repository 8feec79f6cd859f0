// SPDX-License-Identifier: Apache-2.0
// The check stage of one kernel, and what it is asked beside its cases.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "core/engine/check/case_run.h"
#include "core/engine/check/check_stage.h"
#include "core/engine/check/further/further_questions.h"
#include "core/engine/check/further/questions_here.h"
#include "core/engine/check/further/reference_there.h"
#include "core/engine/device/measuring_lock.h"
#include "core/engine/machine/target_facts.h"
#include "core/engine/pipeline/kernel/kernel_run.h"
#include "core/engine/pipeline/strict_kernel.h"

namespace wb {
namespace {

/// A job of more cases is too large to be kept in mind for the next time.
constexpr std::size_t mostCasesRemembered = 64;
/// On a GPU no question to a kernel begins later than this after the first, but for what others were waited
/// for meanwhile.
constexpr std::chrono::seconds longestAsking{1};
constexpr std::chrono::milliseconds longestBrief{200};

}  // namespace

void KernelRun::check(const KernelContext& kernel, const PlannedCases& cases, const StageWork& work) {
  for (const std::uint32_t i : work.cases ? *work.cases : cases.numbers) {
    const Case* const definition = find(cases, i);
    if (definition == nullptr || !goOn()) continue;
    checkOne(kernel, *definition, i);
    if (isMuchToAsk(further_)) askThere(kernel);
  }
  askThere(kernel);
  sayElsewhere();
}

/// Has the reference say once more what it has said, where no kernel has been. Where it says something else
/// there, nothing that was said of the kernel is true: one such verdict takes back all (fold()).
void KernelRun::askThere(const KernelContext& kernel) {
  if (!asksApart_ || !goOn()) return;
  isAskingThere_ = true;
  const SaidThere there = wb::askThere(kernel);
  isAskingThere_ = false;
  const auto warn = [&](std::string text) {
    say(Diagnosed{kernel_, {Severity::warning, std::move(text), {}, {source().path, 0, 0}, "warpbench"}});
  };
  if (!there.kept.empty())
    warn(fmt::format("Nobody can say whether the reference is what it was: {}.", there.kept));
  if (there.other.empty()) return;
  isDiscredited_ = true;
  warn(fmt::format("No verdict on this kernel can be believed: {}.", there.other));
  guard_->distrust(there.other);
  say(StepDone{Stage::check, kernel_, case_, verdictOf(Verdict::tampered, there.other)});
}

void KernelRun::checkOne(const KernelContext& kernel, const Case& definition, std::uint32_t index) {
  const bool alone = work_.referenceAlone == index;
  // Nobody measures on the GPU while it is used here, nor the other way round.
  SharedUse shared;
  letOthers(shared);
  startCase(Stage::check, index);
  if (strict_ && strict_->quarantined())
    return say(StepDone{Stage::check, kernel_, index, strict_->leftOut()});
  CaseCheck check = alone ? checkReferenceAlone(kernel, definition) : checkCase(kernel, definition);
  if (strict_ && strict_->interrupted()) return;
  if (auto lost = strict_ ? strict_->lost(Stage::check) : std::nullopt) check = *std::move(lost);
  // What was found where it was checked, as of an operator that draws, is not asked for once more.
  if (strict_ && check.verdict == Verdict::pass && definition.values.empty() && further_.remark.words.empty())
    further_.remark = strict_->askApart(
        index, [&] { letOthers(shared); },
        [&](const AskedApart& apart) { return askApart(kernel, definition, apart, check); });
  shared.lock.reset();
  if (const std::string why = guard_ ? guard_->tampered(definition, index) : std::string(); !why.empty()) {
    check.verdict = Verdict::tampered;
    check.message = why;
  }
  isDiscredited_ = check.verdict == Verdict::tampered;
  if (source().language == "aten") check.ran.clear();  // the kernel is ATen itself
  slowestCheck_ = std::max(slowestCheck_, further_.checkSeconds);
  if (!delegatedTo(definition.op, check.ran).empty()) delegated_.insert(index);
  takeRemark(check);
  if (check.verdict == Verdict::pass) passed_.push_back(index);
  if (check.verdict == Verdict::pass && further_.wasTooSlow && guard_)
    unasked_.emplace(index, further_.callSeconds);
  if (further_.forked.contains(&definition))
    toAsk_.insert_or_assign(index, check).first->second.seconds = further_.checkSeconds;
  // After this the process ends. The runner takes that for a loss between two cases and goes on at the next
  // one in another worker.
  state_.poisoned = check.verdict == Verdict::crashed && !alone && !strict_;
  say(StepDone{Stage::check, kernel_, index, std::move(check)});
}

/// Asks what can only be asked last: a kernel on a GPU, since a fault of its costs this process, one that did
/// not answer in a fork, and models in guests, since they are made again for it. A problem's kernel, which
/// can find out that it runs in a fork and be right about everything there, is asked a little of it here.
void KernelRun::askLast(const KernelContext& kernel, const Plan& planned) {
  const bool onGpu = cudaIndex(state_.options.device) >= 0;
  const bool isHere = !strict_ && (onGpu || further_.isUnanswered), isProblem = strict_ && planned.inputs;
  if (job_.checking.likeBackendBench) return;  // which asks nothing
  const bool isBrief = !strict_ && !isHere && planned.inputs && elsewhere_.empty();
  if (!isProblem && !isHere && !isBrief) return;
  // One that compiles or tunes itself for long would do so again.
  if (!isProblem && slowestCheck_ > further_.mostCheckSeconds) return sayUnasked();
  const std::size_t known = elsewhere_.size();
  auto until = std::chrono::steady_clock::now() + (isBrief ? longestBrief : longestAsking);
  SharedUse shared;
  for (auto& [index, check] : toAsk_) {
    if (!goOn() || state_.spoiled) break;
    const Case& definition = *find(planned.cases, index);
    const CaseCheck& asked = check;
    letOthers(shared, until);
    if (isHere || isBrief)
      further_.remark = askNow(kernel, definition, index, asked, until, shared, isBrief);
    else
      further_.remark = strict_->askProblemApart(
          index, [&] { letOthers(shared); },
          [&](const AskedApart& apart) { return askProblemApart(kernel, definition, apart, asked); });
    if (isBrief && !further_.remark.words.empty())
      further_.remark.words += ", though right in a copy of its process";
    takeRemark(check);
    if (isBrief) break;
  }
  if (elsewhere_.size() > known) sayElsewhere();
}

/// What was asked of the same kernel before, in another run here, is mostly not asked again.
Remark KernelRun::askNow(const KernelContext& kernel, const Case& definition, std::uint32_t index,
                         const CaseCheck& check, std::chrono::steady_clock::time_point& until,
                         SharedUse& shared, bool isBrief) {
  KnownOfCase* const known =
      mayComeAgain(job_) && job_.cases.size() <= mostCasesRemembered
          ? &state_.known.of(servedKernel(job_, kernel_, ProblemPart::candidate), index)
          : nullptr;
  if (known != nullptr && known->remark && !asksAgain()) return *known->remark;
  say(SideStarted{kernel_, index, Side::candidate, false, 0});
  Remark remark;
  state_.spoiled = !askHere(
      kernel, definition, until, check, remark, [&] { letOthers(shared, until); }, isBrief);
  say(SideStarted{kernel_, index, std::nullopt, false, 0});
  if (known != nullptr && goOn() && std::chrono::steady_clock::now() < until) known->remark = remark;
  return remark;
}

/// What others are waited for moves what must begin until then.
void KernelRun::letOthers(SharedUse& shared, std::chrono::steady_clock::time_point& until) const {
  const double before = shared.waited;
  letOthers(shared);
  until += std::chrono::ceil<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(shared.waited - before));
}

/// Who takes long for whatever it has not met is mostly a compiler, and may be one that does not want to be
/// asked.
void KernelRun::sayUnasked() {
  say(Diagnosed{
      kernel_,
      {Severity::note,
       "Nobody knows what the kernel makes of other shapes and values: it takes too long for what it "
       "has not met before to be asked about them.",
       {},
       {source().path, 0, 0},
       "warpbench"}});
}

/// Says with the check what was found beside it. Many an honest kernel takes memory as it lies, and gets
/// nothing but contiguous tensors. Whoever does not judge strictly hears that as a note, and nobody doubts
/// the kernel for it, unless it knows when it is asked.
void KernelRun::takeRemark(CaseCheck& check) {
  const auto [what, isOnStridesAlone, note] = std::exchange(further_.remark, {});
  if (!note.empty() && !std::exchange(hasSaidNote_, true))
    say(Diagnosed{kernel_, {Severity::note, note, {}, {source().path, 0, 0}, "warpbench"}});
  if (what.empty()) return;
  if (strict_ || !isOnStridesAlone) {
    elsewhere_.insert(what);
    check.elsewhere = what;
    return;
  }
  if (std::exchange(hasSaidStrides_, true)) return;
  say(Diagnosed{kernel_,
                {Severity::note,
                 fmt::format("The kernel {}{}. No case of its suite has such tensors, so this is no verdict.",
                             what.starts_with("wrong") ? "is " : "", what),
                 {},
                 {source().path, 0, 0},
                 "warpbench"}});
}

/// Says once of a kernel what is said of its cases one by one.
void KernelRun::sayElsewhere() {
  if (elsewhere_.empty()) return;
  const std::string& what = *elsewhere_.begin();
  const std::string more =
      elsewhere_.size() == 1 ? "" : fmt::format(", and in {} more ways", elsewhere_.size() - 1);
  say(Diagnosed{kernel_,
                {Severity::warning,
                 fmt::format("What the kernel was asked is right, but it {}{}{}.",
                             what.starts_with("wrong") ? "is " : "", what, more),
                 {},
                 {source().path, 0, 0},
                 "warpbench"}});
}

}  // namespace wb
