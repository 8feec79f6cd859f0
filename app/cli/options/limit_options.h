// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/job.h"

namespace CLI {
class App;
}

namespace wb {

/// Declares `--case-seconds` and the other limits, whose defaults are those of a job.
void addLimitOptions(CLI::App& command, Limits& limits, bool profiles);

}  // namespace wb
