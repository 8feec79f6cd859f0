// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/reference_there.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/roll.h>
#include <ATen/ops/view_as_real.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "core/engine/cases/inputs.h"
#include "core/engine/check/case_run.h"
#include "core/engine/check/check_stage.h"
#include "core/engine/check/compare/element_errors.h"
#include "core/engine/check/compare/outputs.h"
#include "core/engine/check/judgement.h"
#include "core/engine/check/same_answers.h"
#include "core/engine/reference/operator.h"
#include "core/engine/reference/seed.h"
#include "core/engine/sides/process/one_thread.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

/// Of so many bytes of inputs a copy is kept, and asked about soon; of larger ones that is asked at once.
constexpr std::int64_t mostCopied = std::int64_t{1} << 25, mostKept = std::int64_t{1} << 26;
/// Inputs that are larger are not given to another process, which needs as much memory again.
constexpr std::int64_t mostBytes = std::int64_t{1} << 31;
/// So often it has to give the same answer there to be said to answer steadily.
constexpr int timesSteady = 3;

/// The cases that are asked about before others may take so many seconds, but for the first.
constexpr double mostForDrawn = 5;

/// To judge how far rounding goes takes seconds where there are more elements: there only gross errors are
/// told.
constexpr std::int64_t mostJudged = std::int64_t{1} << 20;

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What it makes of the arguments in that process, with the generator's seed where it draws. Errors: not
/// everything can be given to another process, or it fails there.
Result<Stack> answerThere(const KernelContext& kernel, const ReferenceApart& apart, const AnsweredHere& here,
                          const Stack& inputs, std::optional<std::uint64_t> seed) {
  // Arguments that another process sees are moved, and it changes those that it may change.
  const Stack arguments = cloneArguments(inputs);
  Candidate& reference = seed ? *apart.drawing : *apart.reference;
  WB_TRY(const auto prepared, reference.prepare({here.call, arguments}, {}));
  if (seed) at::manual_seed(*seed);
  WB_DO(prepared->run());
  WB_TRY(Stack answer, prepared->outputs());
  // Here an operator gives tensors, or fails.
  if (!std::all_of(answer.begin(), answer.end(),
                   [](const c10::IValue& each) { return each.isTensor() || each.isTensorList(); }))
    return Error{Stage::check, "the reference gives what is no tensor"};
  for (const std::size_t position : kernel.mutableArguments) answer.push_back(arguments[position]);
  return cloneArguments(answer);
}

Result<Stack> answerThere(const KernelContext& kernel, const ReferenceApart& apart,
                          const AnsweredHere& here) {
  return answerThere(kernel, apart, here, here.pristine, here.seed);
}

bool isPass(const CaseCheck& check) {
  return check.verdict == Verdict::pass || check.verdict == Verdict::invalid;
}

/// By the tolerance alone. What room rounding needs is found out by the reference here, which may be false.
CaseCheck compared(const KernelContext& kernel, const AnsweredHere& here, const Stack& one,
                   const Stack& other) {
  if (surelyClose(std::array{one}, std::array{other}, kernel.tolerance()))
    return verdictOf(Verdict::pass, {});
  return judge(kernel, here.pristine, one, other, OracleUse::never);
}

bool isSame(const KernelContext& kernel, const AnsweredHere& here, const Stack& one, const Stack& other) {
  return isPass(compared(kernel, here, one, other));
}

bool isAlike(const Stack& one, const Stack& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const c10::IValue& a, const c10::IValue& b) {
                      if (!a.isTensor() || !b.isTensor()) return a.tagKind() == b.tagKind();
                      return a.toTensor().sizes() == b.toTensor().sizes() &&
                             a.toTensor().scalar_type() == b.toTensor().scalar_type();
                    });
}

/// How far numbers of a type may be off by rounding, as a part of themselves.
double roundingOf(at::ScalarType type) {
  switch (type) {
    case at::kDouble:
      return 0x1p-52;
    case at::kFloat:
      return 0x1p-23;
    case at::kHalf:
      return 0x1p-10;
    case at::kBFloat16:
      return 0x1p-7;
    default:
      return 0;
  }
}

/// Whether two tensors differ by no more than the order in which numbers were added makes a difference: what
/// a problem computes of what it draws, such as numbers less their mean, depends on how many threads add.
bool isNearly(const at::Tensor& one, const at::Tensor& other) {
  if (one.layout() != at::kStrided || one.is_quantized() || one.numel() == 0) return one.numel() == 0;
  if (one.is_complex())
    return isNearly(at::view_as_real(one.resolve_conj()), at::view_as_real(other.resolve_conj()));
  const double part = roundingOf(one.scalar_type());
  if (part == 0) return one.equal(other);
  constexpr double steps = 2, ofLargest = 0x1p-20;
  const at::Tensor a = one.to(at::kDouble), b = other.to(at::kDouble), size = b.abs();
  // The largest finite number; what is infinite or no number has to be the same.
  const double largest = size.masked_fill(b.isfinite().logical_not(), 0).max().item<double>();
  const at::Tensor near = (a - b).abs() <= size * (steps * part) + ofLargest * largest;
  const at::Tensor same = a.eq(b).logical_or(a.isnan().logical_and(b.isnan()));
  return near.logical_or(same).all().item<bool>();
}

bool areNearly(const Stack& one, const Stack& other) {
  const std::vector<Output> a = flatOutputs(one), b = flatOutputs(other);
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const Output& x, const Output& y) {
           if (!x.tensor.defined() || !y.tensor.defined()) return x.tensor.defined() == y.tensor.defined();
           return x.tensor.sizes() == y.tensor.sizes() && x.dtype == y.dtype && isNearly(x.tensor, y.tensor);
         });
}

/// Whether somebody has given the problem other inputs here. Those that are drawn by other generators than
/// torch's are others each time.
bool hasOtherInputs(const ReferenceApart& apart, const AnsweredHere& here) {
  if (!apart.inputs || !here.ownSeed) return false;
  const Result<Stack> first = apart.inputs(*here.ownSeed);
  if (!first) return false;
  const bool isOther = !isAlike(*first, here.pristine);
  if (!isOther && (sameBits(*first, here.pristine) || areNearly(*first, here.pristine))) return false;
  const Result<Stack> second = apart.inputs(*here.ownSeed);
  if (!second || !isAlike(*first, *second)) return false;
  return isOther || sameBits(*first, *second);
}

/// Whether it gives no steady answer here either where it has one thread, as it may have there: several may
/// write to one place.
bool isUnsteadyHere(const KernelContext& kernel, const AnsweredHere& here) {
  const OneThread alone;
  const SideTurn turn(kernel.turns, Side::reference);
  const auto answer = [&](std::optional<std::uint64_t> seed) -> Result<Stack> {
    const Stack arguments = cloneArguments(here.pristine);
    const auto call = prepareReference(kernel.op, arguments);
    if (seed) at::manual_seed(*seed);
    WB_DO(call->run());
    WB_TRY(Stack answer, call->outputs());
    for (const std::size_t position : kernel.mutableArguments) answer.push_back(arguments[position]);
    return answer;
  };
  const Result<Stack> first = answer(here.seed);
  if (here.how == AnsweredHere::How::notAtAll || !first) return !first;
  for (int i = 1; i < timesSteady; ++i) {
    const auto seed = here.seed ? std::optional(*here.seed + static_cast<std::uint64_t>(i)) : std::nullopt;
    const Result<Stack> again = answer(seed);
    if (!again || !isSame(kernel, here, *first, *again)) return true;
  }
  return false;
}

/// `first` is what it has answered there.
bool hasOtherAnswer(const KernelContext& kernel, const ReferenceApart& apart, const AnsweredHere& here,
                    const Stack& first) {
  const CaseCheck check = compared(kernel, here, first, here.expected);
  if (isPass(check)) return false;
  // Of one that gives other answers by itself nothing is known.
  const Result<Stack> second = answerThere(kernel, apart, here);
  if (!second || !isSame(kernel, here, first, *second)) return false;
  // What varies here, or draws, says nothing of how far rounding goes.
  if (check.errors && check.errors->elements > mostJudged) return isGrosslyOff(check, here.expected);
  if (here.seed || isUnsteadyHere(kernel, here)) return true;
  return !isPass(judge(kernel, here.pristine, first, here.expected, OracleUse::whereNeeded));
}

/// The same numbers in other places, so that memory that is used again does not hold the last answer.
Stack otherContents(const Stack& inputs) {
  Stack other = cloneArguments(inputs);
  for (const c10::IValue& each : other) {
    if (!each.isTensor() || !each.toTensor().defined()) continue;
    const at::Tensor& tensor = each.toTensor();
    if (tensor.layout() == at::kStrided && tensor.is_floating_point() && tensor.numel() > 1)
      tensor.copy_(tensor.reshape({-1}).roll(1).reshape(tensor.sizes()));
  }
  return other;
}

/// Whether it gives one and the same answer there, whatever was asked between, and whatever it draws.
bool isSteadyThere(const KernelContext& kernel, const ReferenceApart& apart, const AnsweredHere& here,
                   const Stack& first) {
  for (int i = 1; i < timesSteady; ++i) {
    (void)answerThere(kernel, apart, here, otherContents(here.pristine), here.seed);
    const auto seed = here.seed ? std::optional(*here.seed + static_cast<std::uint64_t>(i)) : std::nullopt;
    const Result<Stack> again = answerThere(kernel, apart, here, here.pristine, seed);
    if (!again || !isSame(kernel, here, first, *again)) return false;
  }
  return true;
}

/// What it says there that it does not say here, in words; "" where it says the same, or that cannot be
/// known, as `kept` says where somebody is to blame.
std::string otherWords(const KernelContext& kernel, const ReferenceApart& apart, const AnsweredHere& here,
                       std::string& kept) {
  constexpr const char* elsewhere = "in one in which no kernel has ever been";
  if (hasOtherInputs(apart, here))
    return fmt::format("get_inputs() gives other inputs in this process than {}", elsewhere);
  const Result<Stack> first = answerThere(kernel, apart, here);
  // Where this process has no room for what it gives to others, somebody has used it up.
  if (!first && first.error().stage == Stage::setup) kept = first.error().text;
  if (!first) return {};
  if (here.how == AnsweredHere::How::steadily)
    return hasOtherAnswer(kernel, apart, here, *first)
               ? fmt::format("the reference gives another answer in this process than {}", elsewhere)
               : std::string();
  if (!isSteadyThere(kernel, apart, here, *first) || !isUnsteadyHere(kernel, here)) return {};
  return here.how == AnsweredHere::How::variously
             ? fmt::format(
                   "the reference gives other answers each time in this process, and the same ones {}",
                   elsewhere)
             : fmt::format("the reference fails in this process, and answers {}: {}", elsewhere, here.error);
}

}  // namespace

void remember(const KernelContext& kernel, AnsweredHere&& answered) {
  const std::int64_t bytes = tensorBytes(answered.call);
  FurtherQuestions* const further = kernel.further;
  if (further == nullptr || !kernel.referenceApart || bytes > mostBytes) return;
  if (!answered.isDrawn && (bytes > mostCopied || further->thereSeconds <= 0)) return;
  if (bytes <= mostCopied) {
    answered.pristine = cloneArguments(answered.pristine);
    answered.expected = cloneArguments(answered.expected);
  }
  further->answeredBytes += bytes;
  further->answered.push_back(std::move(answered));
}

bool isMuchToAsk(const FurtherQuestions& further) {
  return further.answeredBytes > mostKept ||
         (!further.answered.empty() && tensorBytes(further.answered.back().call) > mostCopied);
}

SaidThere askThere(const KernelContext& kernel) {
  if (kernel.further == nullptr || !kernel.referenceApart || kernel.further->answered.empty()) return {};
  std::vector<AnsweredHere> all = std::exchange(kernel.further->answered, {});
  std::shuffle(all.begin(), all.end(), std::mt19937_64(mixSeeds(kernel.secret, all.size())));
  std::stable_partition(all.begin(), all.end(), [](const AnsweredHere& each) { return each.isDrawn; });
  kernel.further->answeredBytes = 0;
  const auto keptBy = [](const Result<ReferenceApart>& apart) {
    return !apart && apart.error().stage == Stage::setup ? apart.error().text : std::string();
  };
  const Result<ReferenceApart> apart = kernel.referenceApart();
  if (!apart) return {{}, keptBy(apart)};
  const auto start = std::chrono::steady_clock::now();
  bool isFirst = true;
  for (const AnsweredHere& here : all) {
    if (kernel.stop.stop_requested()) return {};
    const double most = here.isDrawn ? mostForDrawn : kernel.further->thereSeconds;
    if (!std::exchange(isFirst, false) && since(start) > most) continue;
    std::string kept;
    std::string other = otherWords(kernel, *apart, here, kept);
    if (!other.empty() || !kept.empty()) return {std::move(other), std::move(kept)};
  }
  kernel.further->thereSeconds -= since(start);
  return {{}, keptBy(kernel.referenceApart())};
}

}  // namespace wb
