// SPDX-License-Identifier: Apache-2.0
#include "core/engine/pipeline/reference_process.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/quantity.h"
#include "core/engine/compile/host/toolchain.h"
#include "core/engine/guest/channel/guest_parent.h"
#include "core/engine/guest/guest_candidate.h"
#include "core/engine/guest/guest_problem.h"

namespace wb {
namespace {

/// The command line of a process that knows torch's operators and no Python, which takes a third of a second
/// to be there.
std::vector<std::string> commandForOperators(const std::string& program, const std::string& torch) {
  return {program, "--device=cpu", "--torch=" + torch, std::string(guestArgument)};
}

/// What an order that asks for nothing takes at least, which is little where both processes have a processor.
Result<double> quickestOrder(Guest& guest) {
  constexpr int tries = 101;
  double quickest = 2e-7;
  for (int i = 0; i < tries; ++i) {
    const auto start = std::chrono::steady_clock::now();
    WB_DO(guest.wake());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    quickest = std::min(quickest, took.count());
  }
  return quickest;
}

}  // namespace

bool ReferenceProcess::begin(bool problem) {
  kind_ = problem ? &problems_ : &operators_;
  // Kernels of others may have run here meanwhile.
  if (problem && std::exchange(isAsleep_, false) && placingOf(kind_->parent->pid()) != kind_->placing)
    start(problem);
  if (!kind_->parent) start(problem);
  if (!kind_->parent) return false;
  kind_->parent->begin();
  return kind_->parent->pid() >= 0;
}

void ReferenceProcess::start(bool problem) {
  const Result<TorchInstallation> torch = findTorch();
  if (!torch) return;
  std::vector<std::string> command = problem ? command_ : commandForOperators(program_, torch->root.string());
  if (problem) command.push_back("--torch=" + torch->root.string());
  *kind_ = startedFrom(std::move(command));
}

ReferenceProcess::Kind ReferenceProcess::startedFrom(std::vector<std::string> command, ParentOfGuests copy) {
  Kind kind;
  kind.parent = GuestParent::closed(std::move(command), copy);
  kind.session = std::make_shared<GuestSession>(Guest::Start{.parent = kind.parent, .trusted = true});
  return kind;
}

std::vector<pid_t> ReferenceProcess::processes() const {
  std::vector<pid_t> all;
  for (const Kind* each : {&operators_, &problems_}) {
    if (each->parent) all.push_back(each->parent->pid());
    if (each->session && each->session->present()) all.push_back(each->session->present()->pid());
  }
  return all;
}

Result<ReferenceApart> ReferenceProcess::load(const LoadOrder& order, bool random) {
  reference_.reset();
  drawing_.reset();
  GuestSession& session = *kind_->session;
  session.startAnew();
  WB_TRY(const LoadedInGuest loaded, session.load(order));
  if (session.present()) kind_->placing = placingOf(session.present()->pid());
  if (kind_->orderSeconds == 0) {
    WB_TRY(kind_->orderSeconds, quickestOrder(*session.present()));
  }
  reference_ = guestCandidate(kind_->session, random);
  drawing_ = guestCandidate(kind_->session, true);
  ReferenceApart apart{reference_.get(), drawing_.get(), kind_->orderSeconds,
                       CPU_COUNT(&kind_->placing.processors) <= 2,
                       [session = kind_->session] { session->wake(); }};
  if (order.part == ProblemPart::reference)
    apart.inputs = [session = kind_->session, most = order.inputBytes](std::uint64_t seed) {
      return inputsInGuest(*session, seed, most);
    };
  return apart;
}

void ReferenceProcess::allow(double seconds, std::stop_token stop) {
  kind_->session->allow(seconds, formatSeconds(seconds), std::move(stop));
}

ReferenceProcess::Placing ReferenceProcess::placingOf(pid_t process) {
  Placing placing;
  (void)::sched_getaffinity(process, sizeof placing.processors, &placing.processors);
  placing.policy = ::sched_getscheduler(process);
  placing.niceness = ::getpriority(PRIO_PROCESS, static_cast<id_t>(process));
  return placing;
}

std::string ReferenceProcess::disturbed() {
  if (const auto loss = kind_->session->takeLoss())
    return loss->verdict == Verdict::tampered ? loss->how : "was ended: " + loss->how;
  if (!kind_->session->present()) return {};
  const Placing now = placingOf(kind_->session->present()->pid()), &then = kind_->placing;
  return now == then ? "" : "was given other processors, or another rank";
}

bool ReferenceProcess::isGone() const {
  return kind_->parent->pid() < 0 || kind_->parent->hasEnded();
}

void ReferenceProcess::rest() {
  reference_.reset();
  drawing_.reset();
  // It loads one reference, so that nobody has it load another one.
  if (kind_->session) kind_->session->startAnew();
}

}  // namespace wb
