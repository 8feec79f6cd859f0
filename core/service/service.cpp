// SPDX-License-Identifier: Apache-2.0
#include "core/service/service.h"

namespace wb {

std::string_view name(RunState state) {
  switch (state) {
    case RunState::queued:
      return "queued";
    case RunState::running:
      return "running";
    case RunState::finished:
      return "finished";
    case RunState::cancelled:
      return "cancelled";
    case RunState::expired:
      return "expired";
    case RunState::failed:
      break;
  }
  return "failed";
}

std::uint64_t KeptRuns::count() const {
  std::uint64_t sum = 0;
  for (const auto& [state, count] : byState) sum += count;
  return sum;
}

bool isOver(RunState state) {
  return state != RunState::queued && state != RunState::running;
}

}  // namespace wb
