// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/cross_checks/unmet_inputs.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/randperm.h>

#include <algorithm>
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

bool areSteps(const at::Tensor& tensor) {
  const at::Tensor next = tensor.narrow(-1, 1, tensor.size(-1) - 1),
                   each = tensor.narrow(-1, 0, tensor.size(-1) - 1);
  return next.ge(each).all().item<bool>() || next.le(each).all().item<bool>();
}

/// Whole numbers. Columns may have a range of their own, and on a GPU an index beyond it ends the process.
bool mayChangePlaces(const c10::IValue& value) {
  constexpr std::int64_t fewest = 8;
  if (!value.isTensor() || !value.toTensor().defined()) return false;
  const at::Tensor& tensor = value.toTensor();
  return tensor.layout() == at::kStrided && at::isIntegralType(tensor.scalar_type(), /*includeBool=*/false) &&
         tensor.dim() >= 1 && (tensor.dim() == 1 || tensor.is_cpu()) && tensor.size(-1) >= fewest;
}

/// So are tokens that are worked out: `again` is what comes of another draw. They are as valid at other
/// places, unless they rise or fall, as what says where something begins.
bool mixGiven(Stack& arguments, const Stack& again, std::uint64_t seed) {
  bool isMixed = false;
  for (std::size_t i = 0; i < std::min(arguments.size(), again.size()); ++i) {
    if (!mayChangePlaces(arguments[i]) || !mayChangePlaces(again[i])) continue;
    const at::Tensor& tensor = arguments[i].toTensor();
    if (!tensor.equal(again[i].toTensor()) || areSteps(tensor)) continue;
    const at::Tensor places =
        at::randperm(tensor.size(-1), at::detail::createCPUGenerator(mixSeeds(seed, i)), at::kLong);
    arguments[i] = tensor.index_select(-1, places.to(tensor.device()));
    isMixed = true;
  }
  return isMixed;
}

/// A call of the candidate that goes away in the candidate's turn.
struct CandidateCall {
  const KernelContext& kernel;
  std::unique_ptr<PreparedCall> call;
  ~CandidateCall() {
    const SideTurn turn(kernel.turns, Side::candidate);
    call.reset();
  }
};

}  // namespace

Result<UnmetCall> callOnUnmet(const KernelContext& kernel, const Case& definition, const Literal& call,
                              const OutputPlan& plan, std::uint64_t seed, bool areWarm) {
  const bool areThere = areElsewhere(kernel);
  Stack before;
  if (areWarm) {
    WB_TRY(before, makeInputs(kernel, definition, call, mixSeeds(seed, 1)));
  }
  BothAnswers both;
  WB_TRY(both.pristine, makeInputs(kernel, definition, call, seed));
  const bool isReordered = reorder(both.pristine, seed);
  bool isMixed = false;
  if (std::any_of(both.pristine.begin(), both.pristine.end(), mayChangePlaces)) {
    WB_TRY(const Stack again, makeInputs(kernel, definition, call, mixSeeds(seed, 2)));
    isMixed = mixGiven(both.pristine, again, mixSeeds(seed, 3));
  }
  const Stack forCandidate = cloneArguments(both.pristine), forReference = cloneArguments(both.pristine);
  UnmetCall unmet;
  // It stays until the reference has been called, which would find the memory of its results ready otherwise.
  CandidateCall candidate{kernel, nullptr};
  const Result<void> answered = [&]() -> Result<void> {
    const SideTurn turn(kernel.turns, Side::candidate);
    WB_TRY(candidate.call, kernel.candidate.prepare({call, forCandidate}, plan));
    candidate.call->poisonOutputs();
    if (areWarm) {
      WB_TRY(const auto other, kernel.candidate.prepare({call, cloneArguments(before)}, plan));
      WB_DO(other->run());
    }
    WB_DO(waitFor(kernel));
    WB_TRY(unmet.candidate, secondsOf(kernel, *candidate.call, true, areThere));
    WB_TRY(const Stack results, candidate.call->outputs());
    both.actual = cloneArguments(results);
    return {};
  }();
  {
    const SideTurn turn(kernel.turns, Side::reference);
    const auto prepared = [&](const Stack& arguments) -> Result<std::unique_ptr<PreparedCall>> {
      if (areThere) return kernel.timedReference->prepare({call, arguments}, plan);
      return prepareReference(kernel.op, arguments);
    };
    WB_TRY(const auto reference, prepared(forReference));
    if (areWarm) {
      WB_TRY(const auto other, prepared(cloneArguments(before)));
      WB_DO(other->run());
    }
    WB_DO(waitFor(kernel));
    WB_TRY(unmet.reference, secondsOf(kernel, *reference, false, areThere));
    WB_TRY(both.expected, reference->outputs());
  }
  if (!answered && isMixed) return answered.error();
  if (!answered) {
    unmet.wrong = isReordered ? "refuses another order of positions" : "fails";
    return unmet;
  }
  // What draws is another answer each time.
  if (isRandom(kernel)) return unmet;
  const Verdict verdict = judge(kernel, both.pristine, both.actual, both.expected).verdict;
  // Of inputs for which there is no right answer nothing is said.
  if (verdict != Verdict::pass && verdict != Verdict::invalid && !isReordered && !isMixed)
    unmet.wrong = "gives a wrong answer";
  return unmet;
}

}  // namespace wb
