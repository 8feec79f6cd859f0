// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/reference_there.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/engine/cases/inputs.h"
#include "core/engine/check/check_stage.h"
#include "core/engine/check/compare/element_errors.h"
#include "core/engine/check/same_answers.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

/// What is larger is not kept, and copied to another process, for this.
constexpr std::int64_t mostBytes = std::int64_t{1} << 25;

/// What it makes of the arguments in that process. Errors: not everything can be given to another process.
Result<Stack> answerThere(const ReferenceApart& apart, const Literal& call, const Stack& arguments) {
  // Arguments that another process sees are moved.
  WB_TRY(const auto prepared, apart.reference->prepare({call, cloneArguments(arguments)}, {}));
  WB_DO(prepared->run());
  WB_TRY(const Stack answer, prepared->outputs());
  return cloneArguments(answer);
}

bool isSame(const KernelContext& kernel, const Stack& pristine, const Stack& one, const Stack& other) {
  if (surelyClose(std::array{one}, std::array{other}, kernel.tolerance())) return true;
  const Verdict verdict = judge(kernel, pristine, one, other, OracleUse::whereNeeded).verdict;
  return verdict == Verdict::pass || verdict == Verdict::invalid;
}

bool isAlike(const Stack& one, const Stack& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const c10::IValue& a, const c10::IValue& b) {
                      if (!a.isTensor() || !b.isTensor()) return a.tagKind() == b.tagKind();
                      return a.toTensor().sizes() == b.toTensor().sizes() &&
                             a.toTensor().scalar_type() == b.toTensor().scalar_type();
                    });
}

/// Whether somebody has given the problem other inputs here. Those that are drawn by other generators than
/// torch's are others each time.
bool hasOtherInputs(const ReferenceApart& apart, const AnsweredHere& here) {
  if (!apart.inputs || !here.ownSeed) return false;
  const Result<Stack> first = apart.inputs(*here.ownSeed);
  if (!first) return false;
  const bool isOther = !isAlike(*first, here.pristine);
  if (!isOther && sameBits(*first, here.pristine)) return false;
  const Result<Stack> second = apart.inputs(*here.ownSeed);
  if (!second || !isAlike(*first, *second)) return false;
  return isOther || sameBits(*first, *second);
}

bool hasOtherAnswer(const KernelContext& kernel, const ReferenceApart& apart, const AnsweredHere& here) {
  const Result<Stack> first = answerThere(apart, here.call, here.pristine);
  if (!first || isSame(kernel, here.pristine, *first, here.expected)) return false;
  // Of one that gives other answers by itself nothing is known.
  const Result<Stack> second = answerThere(apart, here.call, here.pristine);
  return second && isSame(kernel, here.pristine, *first, *second);
}

}  // namespace

void remember(const KernelContext& kernel, AnsweredHere answered) {
  if (!kernel.referenceApart || !kernel.mutableArguments.empty() || tensorBytes(answered.call) > mostBytes)
    return;
  answered.pristine = cloneArguments(answered.pristine);
  answered.expected = cloneArguments(answered.expected);
  kernel.further->answered.push_back(std::move(answered));
}

std::string otherThere(const KernelContext& kernel) {
  if (kernel.further == nullptr || !kernel.referenceApart || kernel.further->answered.empty()) return {};
  const std::vector<AnsweredHere> all = std::exchange(kernel.further->answered, {});
  const Result<ReferenceApart> apart = kernel.referenceApart();
  if (!apart) return {};
  for (const AnsweredHere& here : all) {
    const char* const what = hasOtherInputs(*apart, here)           ? "get_inputs() gives other inputs"
                             : hasOtherAnswer(kernel, *apart, here) ? "the reference gives another answer"
                                                                    : nullptr;
    if (what != nullptr)
      return std::string(what) + " in this process than in one in which no kernel has ever been";
  }
  return {};
}

}  // namespace wb
