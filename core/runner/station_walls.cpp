// SPDX-License-Identifier: Apache-2.0
// Workers inside walls, and the one that waits there for the next run.
#include <algorithm>
#include <utility>

#include "core/runner/station.h"

namespace wb {

std::optional<WorkerRoom> Station::wantedRoom() const {
  if (state_.run == nullptr || !state_.run->isWalled()) return std::nullopt;
  return WorkerRoom{state_.run->id(), state_.run->sourcePlaces()};
}

bool Station::fits(const Worker& worker) const {
  const bool isWalled = state_.run != nullptr && state_.run->isWalled();
  if (worker.sanitizer != wantedSanitizer() || worker.room.has_value() != isWalled) return false;
  if (!isWalled) return true;
  return worker.room->run ? *worker.room->run == state_.run->id()
                          : worker.room->readable == state_.run->sourcePlaces();
}

/// A walled worker is one run's. The next one's is started when there is nothing else to do.
bool Station::mayStartWalledSpare() const {
  if (!options_.walledSpare || !lastReadable_ || spareGivenUp_ || place_.launcher->isOnDemand()) return false;
  return state_.run == nullptr && state_.queueIsEmpty &&
         std::none_of(workers_.begin(), workers_.end(), [](const auto& w) { return w->room.has_value(); });
}

/// It has greeted, and belongs to no run.
bool Station::hasWalledSpare() const {
  return std::any_of(workers_.begin(), workers_.end(),
                     [](const auto& w) { return w->welcome && w->room && !w->room->run; });
}

void Station::release(Worker& worker) {
  if (!worker.heldSince) return;
  worker.helloBefore += Clock::now() - *std::exchange(worker.heldSince, std::nullopt);
  (void)worker.process.holdStill(false);
}

/// A spare that starts takes a processor, and a part of the GPU, from what is timed meanwhile.
void Station::holdSpares(bool still) {
  for (const auto& worker : workers_) {
    if (!worker->room || worker->room->run) continue;
    if (!still)
      release(*worker);
    else if (!worker->heldSince && worker->process.holdStill(true))
      worker->heldSince = Clock::now();
  }
}

}  // namespace wb
