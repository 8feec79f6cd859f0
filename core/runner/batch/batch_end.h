// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/runner/batch/batch.h"

namespace wb {

/// Why a batch that lies on this machine, and that nobody does any more, is over before all of its parts have
/// finished, by what the scheduler has written into their logs and what the disk has left: "the time limit of
/// its job was reached (…)". "" where nothing says it, or all have finished.
[[nodiscard]] std::string whyItEnded(const Batch& batch);

}  // namespace wb
