// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/engine/cases/kernel_context.h"
#include "core/model/case.h"

namespace wb {

/// Arguments of one case in schema order, on the kernel's device, their contents as `definition.values` says:
/// made when needed and dropped after. `call` is `definition.args` parsed. Errors: too large, does not fit
/// the schema, stored values that are gone.
Result<Stack> makeInputs(const KernelContext& kernel, const Case& definition, const Literal& call,
                         std::uint64_t seed);

}  // namespace wb
