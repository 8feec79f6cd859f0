// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/trivial/needless_inputs.h"

#include <ATen/Context.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/engine/check/case_run.h"
#include "core/engine/check/compare/element_errors.h"
#include "core/engine/check/compare/outputs.h"
#include "core/engine/check/trivial/trivial_answers.h"
#include "core/engine/reference/operator.h"

namespace wb {
namespace {

// A reference that takes longer, or gets more elements, is not asked: to draw them takes half a second on a
// CPU.
constexpr double longestAsked = 1;
constexpr std::int64_t mostOnCpu = std::int64_t{1} << 26, mostElements = std::int64_t{1} << 28;
// Few numbers may be near by chance, as the mean of many is; so more inputs have to give them.
constexpr std::int64_t manyNumbers = 64;
constexpr std::uint64_t drawsForFew = 4;

class Question {
 public:
  Question(const KernelContext& kernel, const ReferenceAnswer& known,
           const std::function<Result<Stack>(std::uint64_t)>& draw)
      : kernel_(kernel), known_(known), draw_(draw) {}

  /// Whether the reference gives the same with other inputs, as far as the tolerance tells; with another one
  /// at `position` alone, where that is given.
  [[nodiscard]] bool wouldDoWithOthers(std::optional<std::size_t> position) const {
    const std::uint64_t draws = elementsOf(known_.outputs) > manyNumbers ? 1 : drawsForFew;
    for (std::uint64_t number = 0; number < draws; ++number) {
      Result<Stack> others = draw_(number);
      if (!others || others->size() != known_.inputs.size()) return false;
      if (position && !goTogether(*others)) return false;
      Stack arguments = position ? cloneArguments(known_.inputs) : *others;
      if (position) arguments[*position] = (*others)[*position];
      if (sameBits(arguments, known_.inputs)) return false;
      tellSide(kernel_, Side::reference);
      const auto call = prepareReference(kernel_.op, arguments);
      const Result<Stack> results = runAndWait(kernel_, *call);
      if (!results || !wouldPass(*results, known_.outputs, kernel_.tolerance())) return false;
    }
    return true;
  }

 private:
  /// Whether an argument of another draw can stand beside those that are known. Where sizes differ, or
  /// several hold whole numbers, as a sparse matrix has, some may be places in others, and whoever does not
  /// look whether they are there reads beyond its memory.
  [[nodiscard]] bool goTogether(const Stack& others) const {
    int withWholeNumbers = 0;
    for (std::size_t i = 0; i < others.size(); ++i) {
      const c10::IValue &one = known_.inputs[i], &other = others[i];
      if (one.isTensor() != other.isTensor()) return false;
      if (!one.isTensor() || !one.toTensor().defined()) continue;
      if (!other.toTensor().defined() || one.toTensor().sizes() != other.toTensor().sizes()) return false;
      withWholeNumbers += at::isIntegralType(one.toTensor().scalar_type(), /*includeBool=*/false) ? 1 : 0;
    }
    return withWholeNumbers < 2;
  }

  const KernelContext& kernel_;
  const ReferenceAnswer& known_;
  const std::function<Result<Stack>(std::uint64_t)>& draw_;
};

std::optional<std::string> ask(const Question& question, const KernelContext& kernel,
                               const ReferenceAnswer& known) {
  if (question.wouldDoWithOthers(std::nullopt)) return "the answer to other inputs";
  if (known.inputs.size() < 2) return {};
  double left = longestAsked - known.seconds;
  for (std::size_t i = 0; i < known.inputs.size() && (left -= known.seconds) >= 0; ++i)
    if (known.inputs[i].isTensor() && question.wouldDoWithOthers(i))
      return fmt::format("the answer to another '{}'", kernel.op.schema().arguments()[i].name());
  return {};
}

}  // namespace

std::optional<std::string> needlessInputs(const KernelContext& kernel, const ReferenceAnswer& known,
                                          const std::function<Result<Stack>(std::uint64_t draw)>& draw) {
  if (!isProblem(kernel.op) || known.seconds > longestAsked ||
      elementsOf(known.inputs) > (kernel.device == "cpu" ? mostOnCpu : mostElements))
    return {};
  try {
    return ask(Question(kernel, known, draw), kernel, known);
  } catch (const c10::OutOfMemoryError&) {
    return {};
  }
}

}  // namespace wb
