// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runner/remote/near/near_order.h"

namespace wb {

/// Stands in for a worker on another machine: what it gets on standard input and says on standard output is
/// the worker's, and it ends as the worker ends. It copies Warpbench's programs there where they are missing,
/// and makes a new connection when one is lost. Like a keeper it ends the worker on SIGQUIT and when its
/// parent dies, and passes SIGTERM and SIGUSR1 on.
[[noreturn]] void serveNearEnd(const NearOrder& order);

}  // namespace wb
