// SPDX-License-Identifier: Apache-2.0
// What devices do before the first run comes, so that it need not wait.
#include <algorithm>
#include <utility>

#include "core/service/run_service.h"

namespace wb {

void RunService::warmUp(const std::function<std::optional<Job>(const std::string& device)>& jobFor) {
  for (const auto& place : places_)
    if (std::optional<Job> job = jobFor(place->device)) beginWarmUp(*place, *std::move(job));
  Lock lock(mutex_);
  idle_.wait(lock, [&] {
    return std::none_of(places_.begin(), places_.end(), [](const auto& place) { return place->isWarmingUp; });
  });
}

void RunService::beginWarmUp(Place& place, Job job) {
  {
    const std::lock_guard lock(mutex_);
    if (place.run || place.isWarmingUp || isDraining_ || isStopping_) return;
    place.isWarmingUp = true;
  }
  job.device = place.device;
  const auto listener = [this, &place](Runner::RunId, const Event& event) {
    if (!std::holds_alternative<Finished>(event)) return;
    const std::lock_guard lock(mutex_);
    place.isWarmingUp = false;
    place.warmUp.reset();
    idle_.notify_all();
  };
  const Runner::RunId id = place.runner->submit(std::move(job), listener);
  Lock lock(mutex_);
  if (!place.isWarmingUp) return;
  place.warmUp = id;
  // The end may have come before the number was known.
  const bool isLate = isDraining_ || isStopping_;
  lock.unlock();
  if (isLate) endWarmUp(place);
}

void RunService::endWarmUp(Place& place) {
  Lock lock(mutex_);
  const std::optional<Runner::RunId> warmUp = std::exchange(place.warmUp, std::nullopt);
  lock.unlock();
  if (warmUp) place.runner->cancel(*warmUp);
}

}  // namespace wb
