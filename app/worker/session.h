// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/descriptors.h"
#include "app/worker/options.h"
#include "core/base/process/guest_start.h"

namespace wb {

/// Speaks the protocol until it is told to end or the runner is gone. Gives the exit code: 0 when told to
/// end, 3 when it cannot work here or was not accepted, 86 when the device cannot be used any more. `guests`:
/// see EngineOptions.
[[nodiscard]] int serve(const WorkerOptions& options, const Descriptors& descriptors,
                        const StartedAhead& started);

}  // namespace wb
