// SPDX-License-Identifier: Apache-2.0
// A kernel's reference where no kernel's code is: in a process of its own, and in this one before that code.
#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/cases/device_room.h"
#include "core/engine/device/measuring_lock.h"
#include "core/engine/machine/target_facts.h"
#include "core/engine/pipeline/kernel/kernel_run.h"

namespace wb {
namespace {

/// A process that does not answer for so long is given up, between two steps and while a case is timed. It is
/// trusted, so that the limits of the case's stage hold before.
constexpr double longestAsked = 20, longestTimed = 60;
/// What is done before a kernel's code is there may wait so long for others, and take so long.
constexpr double longestForPaces = 0.25, longestPaces = 0.5;

/// Stands where there is no kernel yet.
class NoCandidate final : public Candidate {
 public:
  Result<std::unique_ptr<PreparedCall>> prepare(const BoundCall&, const OutputPlan&) override {
    return Error{Stage::time, "there is no kernel yet"};
  }
};

}  // namespace

/// Measures the references of the cases that will be timed on a GPU, before the kernel's code is there. A
/// problem's is loaded for this, where it is not in the kernel's own file.
void KernelRun::learnPaces(const Plan& plan) {
  if (workOf(Stage::time) == nullptr || !state_.measuredDevice.clock || cudaIndex(state_.options.device) < 0)
    return;
  const auto learn = [&](const std::string& name, const PlannedCases& cases,
                         std::function<Result<Stack>(std::uint64_t seed)> inputs) {
    const Result<c10::OperatorHandle> op = findOperator(name);
    if (!op) return;
    NoCandidate none;
    learnPacesOf({job_, *op, none, state_.options.device, state_.secret, stop_,
                  mutableArguments(op->schema()), std::move(inputs)},
                 cases);
  };
  if (!plan.isProblem) return learn(plan.op.name, plan.cases, {});
  if (source().referenceText.empty()) return;
  const KernelSource problem = problemSource();
  if (!state_.paces.beginProblem(problem.text)) return;
  Result<CompileOutcome> outcome = build(plan, problem, ProblemPart::reference);
  // What is wrong with it is told when it is loaded with the kernel.
  if (outcome && outcome->reference)
    learn(outcome->reference->op, allCases(outcome->reference->op, outcome->reference->cases),
          outcome->reference->inputs);
}

/// In an order that nobody foresees, so that a kernel does not know whose references are measured where the
/// time ends before all of them are.
void KernelRun::learnPacesOf(const KernelContext& kernel, const PlannedCases& cases) {
  // Others make it look slower than it is, and nobody is kept from them for this.
  const Result<MeasuringLock> alone =
      MeasuringLock::acquire(state_.measuredDevice.uuid, longestForPaces, stop_);
  std::optional<MeasuringLock> shared;
  if (!alone) shared.emplace(use());
  std::vector<std::uint32_t> numbers = cases.numbers;
  std::shuffle(numbers.begin(), numbers.end(), std::random_device());
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(longestPaces);
  for (const std::uint32_t i : numbers) {
    const Case* const definition = timedCase(cases, *workOf(Stage::time), i);
    if (definition == nullptr) continue;
    if (!goOn() || std::chrono::steady_clock::now() > until) return;
    try {
      state_.paces.learn(kernel, *definition, *state_.measuredDevice.clock);
    } catch (...) {
      // It is asked for again when the case is checked, and told there.
      continue;
    }
  }
}

/// What was started for the reference is no trace of the kernel's.
void KernelRun::knowReferenceProcess() {
  for (const pid_t each : state_.referenceProcess->processes()) state_.untouched->traces.knows(each);
}

/// A problem's file may import others and read data, which a kernel can write to as soon as its code runs. So
/// the process that no kernel has been in loads it before that. Where the problem is in the kernel's own
/// file, that is its code.
void KernelRun::loadReferenceFirst(const Plan& plan) {
  if (!plan.isProblem || source().referenceText.empty()) return;
  // A problem's operator never draws by its name. What is wrong with it is told when it is loaded here.
  (void)referenceApart(plan, false);
}

Result<ReferenceApart> KernelRun::referenceApart(const Plan& plan, bool random) {
  state_.referenceProcess->allow(isAskingThere_ ? longestAsked : longestTimed, stop_);
  if (!referenceApart_) {
    LoadOrder order{.language = plan.isProblem ? plan.language : "aten",
                    .op = plan.isProblem ? "" : plan.op.name,
                    .device = state_.options.device,
                    .deadlineSeconds = job_.limits.compileSeconds,
                    .inputBytes = roomForInputs(job_.limits, state_.options.device),
                    .modelSeed = state_.modelSeed};
    if (plan.isProblem) {
      order.source = problemSource();
      order.part = ProblemPart::reference;
    }
    referenceApart_ = state_.referenceProcess->load(order, random);
    if (!*referenceApart_) {
      const bool isKept = referenceApart_->error().stage == Stage::setup ||
                          state_.referenceProcess->isGone() || !state_.referenceProcess->disturbed().empty();
      referenceApart_ = Error{
          isKept ? Stage::setup : Stage::time,
          "the reference could not be called where no kernel has been: " + referenceApart_->error().text};
    }
    knowReferenceProcess();
  } else if (!*referenceApart_) {
    return *referenceApart_;
  } else if (const std::string what = state_.referenceProcess->disturbed(); !what.empty()) {
    return Error{Stage::setup, "the process in which no kernel runs " + what};
  }
  return *referenceApart_;
}

/// The problem's file in the kernel's place; the kernel's own where the problem is in that.
KernelSource KernelRun::problemSource() const {
  KernelSource problem = source();
  if (problem.referenceText.empty()) return problem;
  problem.path = std::exchange(problem.referencePath, {});
  problem.text = std::exchange(problem.referenceText, {});
  return problem;
}

}  // namespace wb
