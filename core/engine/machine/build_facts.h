// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/builds/builds.h"
#include "core/model/event.h"

namespace wb {

/// What this machine builds kernels with, for the device of `target`. It starts compilers, once per process.
[[nodiscard]] BuildFacts buildFactsHere(const Target& target);

}  // namespace wb
