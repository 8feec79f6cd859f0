// SPDX-License-Identifier: Apache-2.0
#include "core/run/shards.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/run/remaining.h"

namespace wb {

namespace {

/// A part of a kernel, and how many cases it has.
struct Part {
  KernelWork work;
  std::size_t cases = 1;
};

/// Every so-manieth case: a suite's neighbours are alike, so that no part gets all of the long ones.
std::vector<Part> cut(const KernelWork& whole, std::size_t cases, std::size_t count) {
  std::vector<Part> parts;
  for (std::size_t first = 0; first < std::min(count, cases); ++first) {
    Part part{whole, 0};
    part.work.stages.clear();
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = first; i < cases; i += count) numbers.push_back(static_cast<std::uint32_t>(i));
    part.cases = numbers.size();
    for (const StageWork& stage : whole.stages) {
      if (stageRow(stage.stage).scope == Scope::perCase)
        part.work.stages.push_back({stage.stage, numbers, stage.most});
      else if (first == 0)
        part.work.stages.push_back(stage);
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

std::vector<JobWork> shardsOf(const Job& job, std::size_t count) {
  const JobWork all = workIn(job);
  const bool whole = count < 2 || job.kernels.size() >= 2 * count || job.stages.has(Stage::profile);
  std::vector<Part> parts;
  for (const KernelWork& kernel : all.kernels) {
    const auto known = knownCases(job, job.kernels[kernel.kernel]);
    const std::size_t cases = known ? known->size() : job.cases.size();
    if (whole || !known) {
      parts.push_back({kernel, std::max<std::size_t>(cases, 1)});
      continue;
    }
    for (Part& part : cut(kernel, cases, count)) parts.push_back(std::move(part));
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.cases > b.cases; });
  std::vector<JobWork> shards(std::min(std::max<std::size_t>(count, 1), parts.size()));
  std::vector<std::size_t> loads(shards.size());
  for (Part& part : parts) {
    const auto least = static_cast<std::size_t>(std::min_element(loads.begin(), loads.end()) - loads.begin());
    loads[least] += part.cases;
    shards[least].kernels.push_back(std::move(part.work));
  }
  for (JobWork& shard : shards)
    std::sort(shard.kernels.begin(), shard.kernels.end(),
              [](const KernelWork& a, const KernelWork& b) { return a.kernel < b.kernel; });
  return shards;
}

Gathering::Gathering(const Job& job, std::vector<JobWork> shards)
    : shards_(std::move(shards)),
      owners_(job.kernels.size()),
      compiled_(job.kernels.size()),
      failed_(job.kernels.size()),
      deviceNames_(shards_.size()) {}

bool Gathering::isOwner(std::size_t shard, std::uint32_t kernel) const {
  return owners_[kernel] == shard;
}

bool Gathering::isOf(std::size_t shard, std::uint32_t kernel, std::uint32_t index) const {
  const auto& kernels = shards_[shard].kernels;
  const auto found = std::find_if(kernels.begin(), kernels.end(),
                                  [&](const KernelWork& each) { return each.kernel == kernel; });
  return found != kernels.end() &&
         std::any_of(found->stages.begin(), found->stages.end(), [&](const StageWork& stage) {
           return !stage.cases || std::binary_search(stage.cases->begin(), stage.cases->end(), index);
         });
}

std::optional<Event> Gathering::take(std::size_t shard, Event event) {
  if (const auto* finished = std::get_if<Finished>(&event)) {
    // What an attempt has said that was cut short gives way to what the next one says.
    if (finished->outcome == Outcome::finished) done_.insert(shard);
    if (finished->outcome == Outcome::workerLost)
      lost_.insert(shard);
    else
      lost_.erase(shard);
    seconds_ = std::max(seconds_, finished->seconds);
    return std::nullopt;
  }
  if (const auto* started = std::get_if<JobStarted>(&event)) {
    deviceNames_[shard] = started->target.deviceName;
    lost_.erase(shard);
    if (std::exchange(hasStarted_, true)) return std::nullopt;
    deviceName_ = started->target.deviceName;
  }
  if (auto* timing = resultIn<CaseTiming>(event)) {
    if (timing->device.empty()) timing->device = deviceNames_[shard];
    if (timing->device == deviceName_) timing->device.clear();
  }
  if (std::holds_alternative<DeviceMeasured>(event) && std::exchange(hasCeilings_, true)) return std::nullopt;
  const std::optional<std::uint32_t> kernel = kernelOf(event);
  if (std::holds_alternative<StageFailed>(event) && !kernel && std::exchange(hasFailed_, true))
    return std::nullopt;
  if (!kernel) return event;
  if (*kernel >= owners_.size()) return std::nullopt;
  if (const auto* started = std::get_if<StepStarted>(&event)) {
    if (!owners_[*kernel]) owners_[*kernel] = shard;
    // A case that was planned by nobody yet cannot begin.
    if (started->index) return isOf(shard, *kernel, *started->index) ? std::optional(event) : std::nullopt;
    return isOwner(shard, *kernel) ? std::optional(event) : std::nullopt;
  }
  if (resultIn<Compiled>(event)) {
    if (compiled_[*kernel] && !isOwner(shard, *kernel)) return std::nullopt;
    compiled_[*kernel] = true;
    owners_[*kernel] = shard;
    return event;
  }
  if (std::holds_alternative<Diagnosed>(event) && !isOwner(shard, *kernel)) return std::nullopt;
  if (std::holds_alternative<StageFailed>(event)) {
    if (failed_[*kernel]) return std::nullopt;
    failed_[*kernel] = true;
    return event;
  }
  if (const auto* done = std::get_if<StepDone>(&event); done && done->index)
    return isOf(shard, *kernel, *done->index) ? std::optional(event) : std::nullopt;
  return event;
}

Finished Gathering::finished() const {
  if (done_.size() == shards_.size()) return {Outcome::finished, seconds_};
  return {lost_.empty() ? Outcome::cancelled : Outcome::workerLost, seconds_};
}

}  // namespace wb
