// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/cupti/activity.h"
#include "core/model/ran.h"

namespace wb {

/// Whose a kernel on the device is, by its name in its binary: "cuBLAS", "cuDNN", "CUTLASS", "ATen", …; a
/// name that is no library's is the candidate's own. A candidate that is compiled from a library's sources
/// has that library's names.
[[nodiscard]] std::string ownerOfKernel(std::string_view function);

/// The parts of a call from its records, what took longest first.
[[nodiscard]] std::vector<RanPart> launchesIn(std::span<const ActivityRecord* const> records);

}  // namespace wb
