// SPDX-License-Identifier: Apache-2.0
#include "core/engine/pipeline/strict_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/quantity.h"
#include "core/engine/check/case_attempt.h"
#include "core/engine/guest/guest_candidate.h"
#include "core/engine/guest/guest_compiler.h"
#include "core/engine/guest/guest_walls.h"
#include "core/engine/reference/operator.h"
#include "core/model/languages.h"
#include "core/model/stages.h"

namespace wb {
namespace {

/// What is left of a side's time when its guest is ended, so that this comes before the runner ends the
/// worker: so many seconds, or half of a short time.
constexpr double secondsBefore = 4;
/// After a hang the runner waits no longer than this (core/run/at_work.cpp), and neither does the judge.
constexpr double secondsAfterHang = 5;
/// The reference is trusted, so that it may take what the stage gives it.
constexpr double referenceSeconds = 3600;

}  // namespace

std::optional<Error> whyNotStrict(const Job& job, const std::string& device, const std::string& language) {
  const auto refused = [](std::string text, std::string hint) {
    return Error{Stage::setup, std::move(text), std::move(hint)};
  };
  if (device != "cpu") return refused("--strict on a GPU is not built yet", "choose --device cpu");
  const Language* known = findLanguage(language);
  if (known && known->needsGpu)
    return refused(fmt::format("--strict is for the CPU, and {} needs a GPU", known->title), "");
  if (job.checking.likeBackendBench)
    return refused("--strict does not follow BackendBench's procedure", "leave one of the two out");
  return std::nullopt;
}

Result<void> chooseWalls(StrictGuests& guests) {
  if (!guests.walled.empty()) return {};
  WB_TRY(const Sandbox walls, guestWalls(guests.command));
  WB_TRY(guests.walled, walledCommand(guests.command, walls));
  return {};
}

StrictKernel::StrictKernel(StrictGuests& guests, Compiler& real, bool problem, const Job& job,
                           std::stop_token stop)
    : guests_(guests), job_(job), stop_(std::move(stop)) {
  session_ = std::make_shared<GuestSession>(Guest::Start{guests.walled, false, true});
  // A problem's reference is somebody's code too, so that its guest is held still as the kernel's is.
  if (problem) problem_ = std::make_shared<GuestSession>(Guest::Start{guests.walled, false, true});
  compiler_ = guestCompiler(real, session_, problem_);
  const Language* language = findLanguage(real.language());
  tunes_ = language && language->needsPython;
  if (!problem && !guests_.reference)
    guests_.reference = std::make_shared<GuestSession>(Guest::Start{guests.walled, true, true});
  // What cannot be started now is asked for again, and said then.
  if (problem)
    (void)problem_->begin();
  else if (job.stages.has(Stage::time))
    (void)guests_.reference->begin();
}

Result<Candidate*> StrictKernel::reference(const std::string& op) {
  if (reference_) return reference_.get();
  WB_TRY(const c10::OperatorHandle found, findOperator(op));
  if (problem_) {
    // Its guest was started for this kernel, and so was what its orders cost.
    WB_TRY(guests_.orderSeconds, problem_->orderSeconds());
    problem_->holdStill();
    reference_ = guestCandidate(problem_, false);
    return reference_.get();
  }
  LoadOrder order;
  order.language = "aten";
  order.op = op;
  order.device = "cpu";
  guests_.reference->allow(referenceSeconds, formatSeconds(referenceSeconds), stop_);
  WB_TRY(const LoadedInGuest loaded, guests_.reference->load(order));
  if (guests_.orderSeconds == 0) {
    WB_TRY(guests_.orderSeconds, guests_.reference->orderSeconds());
  }
  reference_ = guestCandidate(guests_.reference, isRandom(found));
  return reference_.get();
}

void StrictKernel::beginCase(Stage stage) {
  double seconds = stepSeconds(job_, stage, tunes_);
  if (hung_ && stage == Stage::check) seconds = std::min(seconds, secondsAfterHang);
  const double all = seconds + secondsOnTop(job_, stage);
  session_->allow(std::max(all - secondsBefore, all / 2), formatSeconds(seconds), stop_);
  if (problem_)
    problem_->allow(std::max(all - secondsBefore, all / 2), formatSeconds(seconds), stop_);
  else
    guests_.reference->allow(referenceSeconds, formatSeconds(referenceSeconds), stop_);
  // A new guest starts outside of either side's turn; its failure is said when it is needed.
  for (GuestSession* each : {session_.get(), problem_.get()})
    if (each && (!each->present() || each->present()->lost())) (void)each->guest();
}

std::function<void(bool candidate)> StrictKernel::entering() {
  return [session = session_, reference = problem_ ? problem_ : guests_.reference](bool candidate) {
    (candidate ? reference : session)->holdStill();
    (candidate ? session : reference)->wake();
  };
}

std::optional<CaseCheck> StrictKernel::lost(Stage stage) {
  const std::optional<GuestLoss> loss = session_->takeLoss();
  if (!loss || stop_.stop_requested()) return std::nullopt;
  ++losses_;
  hung_ |= loss->verdict == Verdict::hung;
  CaseCheck check;
  check.verdict = loss->verdict;
  check.message =
      loss->how + (stage == Stage::check ? "" : fmt::format(", while it was {}", stageRow(stage).done));
  return check;
}

CaseCheck StrictKernel::leftOut() const {
  CaseCheck check;
  check.verdict = Verdict::quarantined;
  check.message = fmt::format("not run: this kernel has ended its process {} times", losses_);
  return check;
}

}  // namespace wb
