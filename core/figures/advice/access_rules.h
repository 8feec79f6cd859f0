// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/figures/advice/advice.h"

namespace wb {

// Rules about how a kernel gets at its data: global memory, shared memory, and what lives outside the
// registers.

[[nodiscard]] std::optional<Advice> uncoalesced(const Report& report, const ProfiledCase& one);
[[nodiscard]] std::optional<Advice> bankConflicts(const Report& report, const ProfiledCase& one);
[[nodiscard]] std::optional<Advice> spills(const Report& report, const ProfiledCase& one);

}  // namespace wb
