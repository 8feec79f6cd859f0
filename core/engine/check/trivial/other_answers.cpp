// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/trivial/other_answers.h"

#include <ATen/ops/min.h>

#include <algorithm>
#include <utility>

#include "core/engine/check/compare/outputs.h"
#include "core/engine/check/trivial/trivial_answers.h"
#include "core/engine/reference/operator.h"

namespace wb {
namespace {

/// A few numbers may all be above zero by chance.
constexpr std::int64_t fewNumbers = 16;

/// Whether there are numbers with a sign among the inputs, and no negative one.
bool neverNegative(const Stack& values) {
  bool any = false;
  for (const c10::IValue& value : values) {
    if (value.isTensorList() && !neverNegative(itemsOf(value))) return false;
    any |= value.isTensorList();
    if (!value.isTensor() || !value.toTensor().defined()) continue;
    const at::Tensor& tensor = value.toTensor();
    if (!tensor.is_floating_point() || tensor.layout() != at::kStrided || tensor.numel() == 0) continue;
    if (!(tensor.min().item<double>() >= 0)) return false;
    any = true;
  }
  return any;
}

}  // namespace

OtherAnswers otherAnswers(const KernelContext& kernel, const ReferenceAnswer& reference,
                          const DrawInputs& draw) {
  // Nothing is compared then, which suites have on purpose, and a problem by mistake or worse.
  if (isProblem(kernel.op) && elementsOf(reference.outputs) == 0) return {{"anything"}, false};
  OtherAnswers others{
      trivialAnswers(kernel.op.schema(), reference.inputs, reference.outputs, kernel.tolerance()), false};
  others.neverNegative =
      !others.all.empty() && elementsOf(reference.inputs) > fewNumbers && neverNegative(reference.inputs);
  if (others.all.empty() && draw)
    if (auto needless = needlessInputs(kernel, reference, draw)) others.all.push_back(*std::move(needless));
  return others;
}

}  // namespace wb
