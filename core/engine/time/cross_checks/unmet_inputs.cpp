// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/cross_checks/unmet_inputs.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randperm.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/engine/cases/inputs.h"
#include "core/engine/check/case_run.h"
#include "core/engine/check/check_stage.h"
#include "core/engine/check/further/asking.h"
#include "core/engine/check/further/own_values.h"
#include "core/engine/check/random_operators.h"
#include "core/engine/reference/operator.h"
#include "core/engine/reference/seed.h"
#include "core/engine/time/timed_sides.h"
#include "core/engine/time/timer.h"

namespace wb {
namespace {

/// One side's calls: those that are timed, and the one before them, which is null where there is none.
struct SideCalls {
  std::vector<std::unique_ptr<PreparedCall>> timed{};
  std::unique_ptr<PreparedCall> before{};
};

/// What one of these calls takes, as samples are taken: the side's state is in force, and a process of its
/// own on this processor is awake, since one that sleeps takes a millisecond to wake, and that would hide
/// what a kernel has kept.
Result<double> secondsOf(const KernelContext& kernel, bool candidate, const SideCalls& calls) {
  Sides sides;
  if (kernel.timedReference == nullptr || kernel.device == "cpu") sides.enter = enterSide(kernel);
  WB_DO(waitFor(kernel));
  const EnteredSide entered(sides, candidate);
  if (calls.before) {
    WB_DO(calls.before->run());
    WB_DO(waitFor(kernel));
  }
  const auto start = std::chrono::steady_clock::now();
  for (const auto& call : calls.timed) WB_DO(call->run());
  WB_DO(waitFor(kernel));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
         static_cast<double>(calls.timed.size());
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

constexpr std::int64_t fewestPlaces = 8;

/// Rises or falls, as what says where something begins.
bool areSteps(const at::Tensor& tensor) {
  const at::Tensor next = tensor.narrow(-1, 1, tensor.size(-1) - 1),
                   each = tensor.narrow(-1, 0, tensor.size(-1) - 1);
  return next.ge(each).all().item<bool>() || next.le(each).all().item<bool>();
}

/// Each number but the last becomes one between it and the next, so that they rise or fall as they did.
at::Tensor betweenNeighbours(const at::Tensor& steps, std::uint64_t seed) {
  const std::int64_t count = steps.size(-1) - 1;
  const at::Tensor wide = steps.to(at::kDouble),
                   way = wide.narrow(-1, 1, count).sub(wide.narrow(-1, 0, count));
  const at::Tensor share =
      at::rand({count}, at::detail::createCPUGenerator(seed), at::kDouble).to(steps.device());
  at::Tensor further = way.mul(share);
  if (!steps.is_floating_point()) further = further.round();
  at::Tensor moved = steps.clone();
  moved.narrow(-1, 0, count).add_(further.to(steps.scalar_type()));
  return moved;
}

at::Tensor atOtherPlaces(const at::Tensor& tensor, std::int64_t along, std::uint64_t seed) {
  const at::Tensor places = at::randperm(tensor.size(along), at::detail::createCPUGenerator(seed), at::kLong);
  return tensor.index_select(along, places.to(tensor.device()));
}

bool mayBeMixed(const c10::IValue& value) {
  if (!value.isTensor() || !value.toTensor().defined()) return false;
  const at::Tensor& tensor = value.toTensor();
  return tensor.layout() == at::kStrided && !tensor.is_complex() && !at::isFloat8Type(tensor.scalar_type()) &&
         tensor.dim() > 0 && tensor.numel() >= fewestPlaces;
}

/// What can be had of a tensor that is the same in each draw: its own numbers at other places, or, where they
/// rise or fall, others between them. Nothing where it has too few. Columns of whole numbers may have a range
/// of their own, and on a GPU an index beyond it ends the process.
std::optional<at::Tensor> withOthers(const at::Tensor& tensor, std::uint64_t seed) {
  const bool isWhole = at::isIntegralType(tensor.scalar_type(), /*includeBool=*/false);
  const bool isRow = tensor.size(-1) >= fewestPlaces && (!isWhole || tensor.dim() == 1 || tensor.is_cpu());
  if (isRow && tensor.scalar_type() != at::kBool && areSteps(tensor) && tensor.isfinite().all().item<bool>())
    return betweenNeighbours(tensor, seed);
  if (!isRow && tensor.size(0) < fewestPlaces) return std::nullopt;
  return atOtherPlaces(tensor, isRow ? -1 : 0, seed);
}

/// So are tokens that are worked out, masks and grids: `again` is what comes of another draw.
bool mixGiven(Stack& arguments, const Stack& again, std::uint64_t seed) {
  bool isMixed = false;
  for (std::size_t i = 0; i < std::min(arguments.size(), again.size()); ++i) {
    if (!mayBeMixed(arguments[i]) || !mayBeMixed(again[i])) continue;
    const at::Tensor tensor = arguments[i].toTensor(), other = again[i].toTensor();
    if (tensor.sizes() != other.sizes() || tensor.scalar_type() != other.scalar_type() ||
        !tensor.equal(other))
      continue;
    if (std::optional<at::Tensor> mixed = withOthers(tensor, mixSeeds(seed, i))) {
      isMixed = isMixed || !mixed->equal(tensor);
      arguments[i] = *std::move(mixed);
    }
  }
  return isMixed;
}

/// Inputs that nobody has met.
struct Draw {
  Stack arguments;
  /// Positions come in another order; tokens are at other places.
  bool isReordered = false, isMixed = false;
};

/// What both sides are asked.
struct Asked {
  const KernelContext& kernel;
  const Case& definition;
  const Literal& call;
  const OutputPlan& plan;
};

/// `again` is what comes of another draw.
Result<Draw> drawn(const Asked& asked, std::uint64_t seed, const Stack& again) {
  Draw draw;
  WB_TRY(draw.arguments, makeInputs(asked.kernel, asked.definition, asked.call, seed));
  draw.isReordered = reorder(draw.arguments, seed);
  draw.isMixed = mixGiven(draw.arguments, again, mixSeeds(seed, 3));
  return draw;
}

/// Calls of the candidate that go away in the candidate's turn.
struct CandidateCalls {
  const KernelContext& kernel;
  SideCalls calls{};
  ~CandidateCalls() {
    const SideTurn turn(kernel.turns, Side::candidate);
    calls = {};
  }
};

/// Prepares calls on copies of what was drawn.
template <typename Prepare>
Result<void> prepareAll(const std::vector<Draw>& draws, const Draw* before, SideCalls& calls,
                        const Prepare& prepare) {
  for (const Draw& each : draws) {
    WB_TRY(calls.timed.emplace_back(), prepare(cloneArguments(each.arguments)));
  }
  if (before == nullptr) return {};
  WB_TRY(calls.before, prepare(cloneArguments(before->arguments)));
  return {};
}

/// Calls each side on the draws in a row, after one call on `before`, where that is not null, and judges the
/// candidate's answer to `judged`.
Result<UnmetCall> callOn(const Asked& asked, const std::vector<Draw>& draws, std::size_t judged,
                         const Draw* before) {
  const KernelContext& kernel = asked.kernel;
  const Draw& draw = draws[judged];
  BothAnswers both;
  both.pristine = cloneArguments(draw.arguments);
  UnmetCall unmet;
  // They stay until the reference has been called, which would find the memory of its results ready
  // otherwise.
  CandidateCalls candidate{kernel};
  bool isPrepared = false;
  const Result<void> answered = [&]() -> Result<void> {
    const SideTurn turn(kernel.turns, Side::candidate);
    WB_DO(prepareAll(draws, before, candidate.calls, [&](const Stack& arguments) {
      return kernel.candidate.prepare({asked.call, arguments}, asked.plan);
    }));
    isPrepared = true;
    for (const auto& each : candidate.calls.timed) each->poisonOutputs();
    WB_TRY(unmet.candidate, secondsOf(kernel, true, candidate.calls));
    WB_TRY(const Stack results, candidate.calls.timed[judged]->outputs());
    both.actual = cloneArguments(results);
    return {};
  }();
  {
    const SideTurn turn(kernel.turns, Side::reference);
    SideCalls reference;
    WB_DO(prepareAll(draws, before, reference, [&](const Stack& arguments) {
      return timedReference(kernel, {asked.call, arguments}, asked.plan);
    }));
    WB_TRY(unmet.reference, secondsOf(kernel, false, reference));
    WB_TRY(both.expected, reference.timed[judged]->outputs());
  }
  // There may be no room for many calls at once, which is no fault of the kernel's.
  const bool isOurs = !isPrepared && draws.size() > 1;
  if (!answered && (draw.isMixed || isOurs)) return answered.error();
  if (!answered) {
    unmet.wrong = draw.isReordered ? "refuses another order of positions" : "fails";
    return unmet;
  }
  // What draws is another answer each time.
  if (isRandom(kernel)) return unmet;
  const Verdict verdict = judge(kernel, both.pristine, both.actual, both.expected).verdict;
  // Of inputs for which there is no right answer nothing is said.
  if (verdict != Verdict::pass && verdict != Verdict::invalid && !draw.isReordered && !draw.isMixed)
    unmet.wrong = "gives a wrong answer";
  return unmet;
}

}  // namespace

Result<UnmetCall> callOnUnmet(const KernelContext& kernel, const Case& definition, const Literal& call,
                              const OutputPlan& plan, std::uint64_t seed) {
  const Asked asked{kernel, definition, call, plan};
  WB_TRY(const Stack again, makeInputs(kernel, definition, call, mixSeeds(seed, 2)));
  std::vector<Draw> draws(1);
  WB_TRY(draws[0], drawn(asked, seed, again));
  return callOn(asked, draws, 0, nullptr);
}

Result<UnmetCall> callsOnUnmet(const KernelContext& kernel, const Case& definition, const Literal& call,
                               const OutputPlan& plan, std::uint64_t seed, int calls) {
  constexpr std::uint64_t ofFirst = 4, ofJudged = 5, ofOthers = 6;
  constexpr std::chrono::duration<double> longest{0.1};
  const Asked asked{kernel, definition, call, plan};
  const auto start = std::chrono::steady_clock::now();
  Draw before;
  WB_TRY(before.arguments, makeInputs(kernel, definition, call, mixSeeds(seed, ofFirst)));
  std::vector<Draw> draws;
  do {
    WB_TRY(draws.emplace_back(), drawn(asked, mixSeeds(seed, ofOthers + draws.size()), before.arguments));
  } while (draws.size() < static_cast<std::size_t>(std::max(1, calls)) &&
           std::chrono::steady_clock::now() - start < longest);
  return callOn(asked, draws, mixSeeds(seed, ofJudged) % draws.size(), &before);
}

}  // namespace wb
