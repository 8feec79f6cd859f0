// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/engine/cases/kernel_context.h"
#include "core/model/case.h"

namespace wb {

/// The arguments of one case in schema order on the kernel's device, with the contents that
/// `definition.values` names. They are made when needed and dropped afterwards. `call` is `definition.args`
/// parsed. Errors: too large; does not fit the schema; stored values are gone.
Result<Stack> makeInputs(const KernelContext& kernel, const Case& definition, const Literal& call,
                         std::uint64_t seed);

}  // namespace wb
