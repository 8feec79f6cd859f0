// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cases/input_sets.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/roll.h>

#include "core/engine/cases/inputs.h"
#include "core/engine/reference/operator.h"
#include "core/engine/reference/seed.h"
#include "core/engine/reference/tensor_factory.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

constexpr std::size_t mostDrawn = 2;
constexpr std::int64_t smallBytes = 8 << 20;  // above this, a device draws as fast as it copies

void moveContents(const at::Tensor& tensor, std::uint64_t shift) {
  if (!tensor.defined() || tensor.layout() != at::kStrided) return;
  const std::int64_t elements = extent(tensor.sizes(), tensor.strides());
  if (elements < 2) return;
  const at::Tensor flat = tensor.as_strided({elements}, {1}).view(at::kByte);
  const auto places = static_cast<std::int64_t>(1 + shift % static_cast<std::uint64_t>(elements - 1));
  flat.copy_(flat.roll(places * tensor.element_size()));
}

}  // namespace

void moveContents(const Stack& arguments, std::uint64_t shift) {
  for (const c10::IValue& value : arguments) {
    if (value.isTensor()) moveContents(value.toTensor(), shift);
    if (value.isTensorList())
      for (const at::Tensor& tensor : value.toTensorVector()) moveContents(tensor, shift);
    if (value.isOptionalTensorList())
      for (const auto& tensor : value.toOptionalTensorVector())
        if (tensor) moveContents(*tensor, shift);
  }
}

InputSets::InputSets(const KernelContext& kernel, const Case& definition, const Literal& call,
                     std::uint64_t seed)
    : kernel_(kernel), definition_(definition), call_(call), seed_(seed) {}

Result<Stack> InputSets::next() {
  const std::uint64_t set = made_++;
  const bool drawn = definition_.values.empty() && tensorBytes(call_) <= smallBytes;
  if (!drawn || drawn_.size() < mostDrawn) {
    Result<Stack> made = makeInputs(kernel_, definition_, call_, mixSeeds(seed_, set));
    if (made && drawn) drawn_.push_back(cloneArguments(*made));
    return made;
  }
  Stack moved = cloneArguments(drawn_[set % mostDrawn]);
  moveContents(moved, mixSeeds(seed_, 0) + set / mostDrawn);  // the amount is never the same twice
  return moved;
}

}  // namespace wb
