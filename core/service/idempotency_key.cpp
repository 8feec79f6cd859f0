// SPDX-License-Identifier: Apache-2.0
#include "core/service/idempotency_key.h"

#include <algorithm>

#include "core/base/files/hash.h"

namespace wb {

std::optional<IdempotencyKey> IdempotencyKey::of(const HttpRequest& request, std::string_view route) {
  using nlohmann::json;
  IdempotencyKey made;
  made.key = request.header(header).value_or("");
  if (made.key.size() > mostBytes) return std::nullopt;
  if (made.key.empty()) return made;
  const json parsed = json::parse(request.body, nullptr, false);
  const std::string text =
      parsed.is_discarded() ? request.body : parsed.dump(-1, ' ', false, json::error_handler_t::replace);
  made.requestHash = route.empty() ? contentHash({text}) : contentHash({route, text});
  return made;
}

std::optional<RunStatus> waitFor(Service& service, const std::string& id, const IdempotencyKey& key,
                                 std::chrono::milliseconds wait, const std::function<bool()>& isWanted) {
  using Clock = std::chrono::steady_clock;
  if (key.key.empty()) return service.waitFor(id, wait, isWanted);
  constexpr std::chrono::milliseconds longestTurn{100};
  const Clock::time_point before = Clock::now() + wait;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(before - Clock::now());
    std::optional<RunStatus> status = service.waitFor(id, std::min(left, longestTurn), {});
    if (!status || isOver(status->state) || Clock::now() >= before || (isWanted && !isWanted()))
      return status;
  }
}

}  // namespace wb
