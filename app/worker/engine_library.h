// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "app/worker/options.h"
#include "app/worker/torch_finder.h"
#include "core/engine/engine.h"

namespace wb {

/// Opens LibTorch, its CUDA part when the device is a GPU and there is a driver, and then the engine. Errors:
/// a library cannot be opened, there is no driver for a GPU, the engine is of another build. `started`: see
/// EngineOptions.
Result<std::unique_ptr<Engine>> openEngine(const TorchFolder& torch, const std::string& device,
                                           const StartedAhead& started = {});

/// Serves as the parent of another worker's guests, and as each of these; gives the exit code. `begins` is
/// called first in each guest, and `warms` in their parent when a judge asks for it; either may be null.
[[nodiscard]] int serveAsGuests(const WorkerOptions& options, void (*begins)(), void (*warms)());

}  // namespace wb
