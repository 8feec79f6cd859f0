// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/model/report.h"

namespace wb {

/// A kernel that did not load has no cases in its report. This adds them, each failed with the reason why the
/// kernel did not load. Kernels that could not be tried at all (no worker, no Python) stay as they are.
[[nodiscard]] Report withUnloadedKernels(Report report, const std::vector<Case>& cases);

}  // namespace wb
