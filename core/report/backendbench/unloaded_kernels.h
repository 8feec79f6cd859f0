// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/model/report.h"

namespace wb {

/// A kernel that did not load has no cases in its report: here they are, each failed as its loading did.
/// Kernels that could not be tried at all (no worker, no Python) stay as they are.
[[nodiscard]] Report withUnloadedKernels(Report report, const std::vector<Case>& cases);

}  // namespace wb
