// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/random_operators.h"

#include <ATen/core/enum_tag.h>

#include <string_view>

#include "core/engine/sides/process/generator_state.h"

namespace wb {

bool isRandom(const c10::OperatorHandle& op) {
  return op.hasTag(at::Tag::nondeterministic_seeded);
}

bool isRandom(const KernelContext& kernel) {
  return isRandom(kernel.op) || (kernel.referenceDraws != nullptr && *kernel.referenceDraws);
}

Result<void> runSeeingDraws(const KernelContext& kernel, const std::function<Result<void>()>& run) {
  if (kernel.referenceDraws == nullptr || *kernel.referenceDraws || !isProblem(kernel.op)) return run();
  const at::Tensor before = generatorState(kernel.device);
  WB_DO(run());
  *kernel.referenceDraws = !before.equal(generatorState(kernel.device));
  return {};
}

bool isUninitialised(const c10::OperatorHandle& op) {
  const std::string_view name = op.schema().name();
  return name.starts_with("aten::empty") || name.starts_with("aten::new_empty") ||
         name.starts_with("aten::_empty");
}

}  // namespace wb
