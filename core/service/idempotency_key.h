// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/service/http_message.h"
#include "core/service/service.h"

namespace wb {

/// The header by which a client says that a request is the same as an earlier one, and what was asked with
/// it.
struct IdempotencyKey {
  static constexpr const char* header = "Idempotency-Key";
  static constexpr std::size_t mostBytes = 256;

  /// "" where the request has none.
  std::string key;
  /// Submission::requestHash: the same for bodies that mean the same, since neither the order of names nor
  /// blanks count. `route` tells requests apart that have the same body and mean different things.
  std::string requestHash;

  /// Nothing where the key is too long.
  [[nodiscard]] static std::optional<IdempotencyKey> of(const HttpRequest& request,
                                                        std::string_view route = {});
};

/// Service::waitFor(); but a run with a key goes on when nobody waits for it any more, since whoever went
/// away may come back with the key.
std::optional<RunStatus> waitFor(Service& service, const std::string& id, const IdempotencyKey& key,
                                 std::chrono::milliseconds wait, const std::function<bool()>& isWanted);

}  // namespace wb
