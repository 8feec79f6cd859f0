// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/timed_sides.h"

#include "core/engine/reference/operator.h"
#include "core/engine/sides/process_state.h"

namespace wb {

Result<std::unique_ptr<PreparedCall>> timedReference(const KernelContext& kernel, const BoundCall& call,
                                                     const OutputPlan& plan) {
  Candidate* const same = kernel.timedReference != nullptr ? kernel.timedReference : kernel.problemReference;
  if (same == nullptr) return prepareReference(kernel.op, call.arguments);
  return same->prepare(call, plan);
}

std::function<void(bool candidate)> enterSide(const KernelContext& kernel) {
  if (kernel.states == nullptr) return kernel.enter;
  return [states = kernel.states](bool candidate) { states->enter(candidate); };
}

}  // namespace wb
