// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "core/base/result.h"
#include "core/runner/launcher.h"
#include "core/runner/remote/far_order.h"

namespace wb {

/// Exit codes of the far end.
constexpr int farEndNoOrder = 93, farEndNoSession = 94;
/// A connection on which nothing has come for so long is taken for dead. Each end says something every
/// second.
constexpr double linkSilenceSeconds = 6;

/// Reads an order from standard input, and then serves a link on standard input and output: it starts a
/// worker as it would be started at this machine, in a process that outlives the connection, or hands the
/// connection to such a process. Gives the exit code.
using MakeLauncher = std::function<Result<std::unique_ptr<Launcher>>(const FarOrder&)>;
int serveFarEnd(const MakeLauncher& makeLauncher);

}  // namespace wb
