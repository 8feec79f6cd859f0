// SPDX-License-Identifier: Apache-2.0
#include "core/engine/inputs.h"

#include <fmt/format.h>

namespace wb {

Result<Stack> makeInputs(const KernelContext& kernel, const Case& definition, const Literal& call,
                         std::uint64_t seed) {
  if (definition.values == "own" && kernel.ownInputs) return kernel.ownInputs(seed);
  if (!definition.values.empty())
    return Error{Stage::check, fmt::format("unknown kind of values '{}'", definition.values), {}, {}};
  return makeArguments(kernel.op.schema(), call, seed, kernel.device, kernel.job.limits.tensorBytes);
}

}  // namespace wb
