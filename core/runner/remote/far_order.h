// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/runner/launcher.h"

namespace wb {

/// What the near end asks of the far one, before anything goes over the link.
struct FarOrder {
  /// Names the link; whoever makes a new connection must know it.
  std::string session;
  /// A worker is to be started; else the link exists, and this is a new connection for it.
  bool isNew = true;
  /// Places of this machine that are in it do not go over: what walls let through, and the sanitizer's log.
  WorkerWish wish;
  /// The cluster whose scheduler starts the worker, as a target's text there; "" is that machine itself.
  std::string cluster;
  /// The interpreter there; "" is the one that is found there.
  std::string python;
  /// How long the worker goes on without a connection.
  double graceSeconds = 0;
};

/// One line, without its end.
[[nodiscard]] std::string text(const FarOrder& order);
Result<FarOrder> farOrderFrom(std::string_view line);

}  // namespace wb
