// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/cross_checks/unmet_inputs.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "core/engine/cases/inputs.h"
#include "core/engine/check/case_run.h"
#include "core/engine/check/check_stage.h"
#include "core/engine/check/further/asking.h"
#include "core/engine/check/further/own_values.h"
#include "core/engine/check/random_operators.h"
#include "core/engine/reference/operator.h"
#include "core/engine/reference/seed.h"

namespace wb {
namespace {

/// Whether both sides are called in processes of their own on this processor. Each is woken before its clock
/// starts, since one that sleeps takes a millisecond to do so, and that would hide what a kernel has kept.
bool areElsewhere(const KernelContext& kernel) {
  return kernel.timedReference != nullptr && kernel.device == "cpu" && kernel.enter;
}

/// `isThere`: in a process that is woken first.
Result<double> secondsOf(const KernelContext& kernel, PreparedCall& call, bool candidate, bool isThere) {
  if (isThere) kernel.enter(candidate);
  const auto start = std::chrono::steady_clock::now();
  WB_DO(call.run());
  WB_DO(waitFor(kernel));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Positions are the same however often they are drawn.
bool reorder(Stack& arguments, std::uint64_t seed) {
  bool isReordered = false;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (std::optional<Stack> other = withOtherOrder(arguments, i, mixSeeds(seed, i))) {
      arguments = *std::move(other);
      isReordered = true;
    }
  return isReordered;
}

}  // namespace

Result<UnmetCall> callOnUnmet(const KernelContext& kernel, const Case& definition, const Literal& call,
                              const OutputPlan& plan, std::uint64_t seed) {
  const bool areThere = areElsewhere(kernel);
  BothAnswers both;
  WB_TRY(both.pristine, makeInputs(kernel, definition, call, seed));
  const bool isReordered = reorder(both.pristine, seed);
  const Stack forCandidate = cloneArguments(both.pristine), forReference = cloneArguments(both.pristine);
  UnmetCall unmet;
  const Result<void> answered = [&]() -> Result<void> {
    const SideTurn turn(kernel.turns, Side::candidate);
    WB_TRY(const auto candidate, kernel.candidate.prepare({call, forCandidate}, plan));
    candidate->poisonOutputs();
    WB_DO(waitFor(kernel));
    WB_TRY(unmet.candidate, secondsOf(kernel, *candidate, true, areThere));
    WB_TRY(const Stack results, candidate->outputs());
    both.actual = cloneArguments(results);
    return {};
  }();
  {
    const SideTurn turn(kernel.turns, Side::reference);
    std::unique_ptr<PreparedCall> reference;
    if (areThere) {
      WB_TRY(reference, kernel.timedReference->prepare({call, forReference}, plan));
    } else {
      reference = prepareReference(kernel.op, forReference);
    }
    WB_DO(waitFor(kernel));
    WB_TRY(unmet.reference, secondsOf(kernel, *reference, false, areThere));
    WB_TRY(both.expected, reference->outputs());
  }
  if (!answered) {
    unmet.wrong = isReordered ? "refuses another order of positions" : "fails";
    return unmet;
  }
  // What draws is another answer each time.
  if (isRandom(kernel)) return unmet;
  const Verdict verdict = judge(kernel, both.pristine, both.actual, both.expected).verdict;
  // Of inputs for which there is no right answer nothing is said.
  if (verdict != Verdict::pass && verdict != Verdict::invalid && !isReordered)
    unmet.wrong = "gives a wrong answer";
  return unmet;
}

}  // namespace wb
