// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/waiting/spare_guests.h"

#include <algorithm>
#include <utility>

namespace wb {

Result<std::unique_ptr<Guest>> SpareGuests::take(const Guest::Start& start) {
  const auto found =
      std::find_if(spares_.begin(), spares_.end(), [&](const Spare& each) { return each.start == start; });
  if (found == spares_.end()) return Guest::start(start);
  std::unique_ptr<Guest> guest = std::move(found->guest);
  spares_.erase(found);
  if (guest->ended()) return Guest::start(start);
  return guest;
}

void SpareGuests::prepare(const Guest::Start& start, std::size_t count) {
  const auto there = std::count_if(spares_.begin(), spares_.end(), [&](const Spare& each) {
    return each.start == start && !each.guest->ended();
  });
  for (auto more = count - std::min(count, static_cast<std::size_t>(there)); more > 0; --more) {
    auto guest = Guest::start(start);
    // What cannot be started now is asked for again when it is needed, and said then.
    if (!guest) return;
    spares_.push_back({start, *std::move(guest)});
  }
}

void SpareGuests::settle() {
  for (Spare& each : spares_) {
    each.guest->allow(guestStartSeconds, "two minutes");
    (void)each.guest->greet();
  }
  std::erase_if(spares_, [](const Spare& each) { return each.guest->lost(); });
}

}  // namespace wb
