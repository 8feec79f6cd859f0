// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/model/event.h"
#include "core/model/job.h"

namespace wb {

/// A job cut into parts that know nothing of each other, such as the tasks of an array on a cluster: at most
/// `count`, none of them empty, together the whole job. Whole kernels where there are enough of them, or
/// where their cases are not known or are to be profiled, of which all must be known; else every so-manieth
/// case.
[[nodiscard]] std::vector<JobWork> shardsOf(const Job& job, std::size_t count);

/// Makes one run's events of those of its shards, in whatever order they come: what each shard says anew,
/// such as how a kernel was compiled, is said once. The events fold to the report that one worker would give.
class Gathering {
 public:
  Gathering(const Job& job, std::vector<JobWork> shards);

  /// An event of a shard as the whole run says it; nothing where that is said already, or is not the shard's
  /// to say. `Finished` is never among these.
  std::optional<Event> take(std::size_t shard, Event event);
  /// Whether the shard has finished its part.
  [[nodiscard]] bool isDone(std::size_t shard) const { return done_.contains(shard); }
  [[nodiscard]] std::size_t done() const { return done_.size(); }
  [[nodiscard]] std::size_t shards() const { return shards_.size(); }
  /// The end of a run that goes on no more: a shard that has lost its workers makes it workerLost, and one
  /// that was cut short `cancelled`.
  [[nodiscard]] Finished finished() const;

 private:
  [[nodiscard]] bool isOwner(std::size_t shard, std::uint32_t kernel) const;
  [[nodiscard]] bool isOf(std::size_t shard, std::uint32_t kernel, std::uint32_t index) const;

  std::vector<JobWork> shards_;
  /// For each kernel the shard that speaks of it as a whole.
  std::vector<std::optional<std::size_t>> owners_;
  std::vector<bool> compiled_, failed_;
  /// The names of the devices that the shards ran on, and of the first of them, which is the report's.
  std::vector<std::string> deviceNames_;
  std::string deviceName_;
  bool hasStarted_ = false, hasCeilings_ = false, hasFailed_ = false;
  std::set<std::size_t> done_, lost_;
  double seconds_ = 0;
};

}  // namespace wb
