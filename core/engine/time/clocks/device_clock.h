// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/cupti/activity.h"
#include "core/engine/device/driver.h"
#include "core/engine/time/clocks/device_work.h"
#include "core/engine/time/clocks/events.h"
#include "core/engine/time/clocks/graph_batch.h"
#include "core/engine/time/clocks/nvml.h"
#include "core/engine/time/clocks/records.h"
#include "core/engine/time/timer.h"

namespace wb {

/// The clock of a GPU; deviceClock() describes it.
class DeviceClock final : public Clock {
 public:
  explicit DeviceClock(const Driver& cuda) : cuda_(cuda), events_(cuda), work_(cuda) {}

  Result<void> open(int device, const DeviceFacts& facts);
  [[nodiscard]] std::string description(int calls) const override;
  [[nodiscard]] Meaning meaning(int calls) const override;
  /// Where only events are used, a sample must be so long that ticks do not matter.
  [[nodiscard]] SampleNeeds needs() const override;
  Result<Sampled> sample(Calls rotation, std::size_t first, int calls) override;
  Result<std::array<Sampled, 4>> block(const Sides& sides, const std::array<Turn, 4>& turns,
                                       int calls) override;
  Result<int> batch(const Sides& sides, double seconds) override;
  void endBatch() override;
  [[nodiscard]] std::size_t drawOf(std::size_t first) const override;
  Result<OtherTimes> others(const Sides& sides, const BothSides& headline, double budget) override;
  Result<RecordedTime> recorded(PreparedCall& call, const std::function<Result<void>()>& before) override;
  Result<void> evict() override { return work_.evict(); }
  std::optional<Conditions> conditions() override;
  std::optional<double> joules() override { return nvml_ ? nvml_->joules() : std::nullopt; }

 private:
  enum class Way { records, graphs, events };
  using Kinds = ActivityRecorder::Kernels;
  using Run = std::function<Result<void>(std::size_t)>;
  /// What records say of Warpbench's own kernels: the differences between their times, and the seconds of an
  /// empty one and of a small one.
  struct OwnKernels {
    double tick = 0, empty = 0, small = 0;
    /// They need not be measured again before then, by now(), while the device is awake.
    double until = 0;
  };
  /// What is done before and after each call, outside its window; either may be empty.
  struct Around {
    Run before, after;
  };

  Result<void> keepBusy(int calls);
  /// Enqueues a sample between two events, and gives the host's seconds per call.
  Result<double> enqueue(Calls rotation, std::size_t first, int calls, std::size_t event);
  /// Takes a sample of one call, and where the device waited for the host another one behind more work, as
  /// long as there are `tries`.
  Result<Sampled> sampleAhead(Calls rotation, std::size_t first, int& tries);
  /// Records calls, each after the cache was emptied or after a mark alone, and before an end.
  Result<std::vector<RecordedCall>> record(const Run& run, std::size_t calls, bool cold,
                                           const Around& around);
  void learnAhead(const std::vector<RecordedCall>& recorded, std::vector<double> hosts);
  void forgetAhead() { ahead_ = 0, isAhead_ = mayWait_ = false, aheadHost_ = 0; }
  Result<void> renewForGraphs(const Sides& sides);
  Result<std::array<Sampled, 4>> graphBlock(const Sides& sides, const std::array<Turn, 4>& turns);
  Result<void> finishGraphs(const Sides& sides);
  Result<std::array<Sampled, 4>> recordBlock(const Sides& sides, const std::array<Turn, 4>& turns, int calls);
  Result<void> openRecords(Kinds kinds);
  Result<double> learnCalls(const Sides& sides);
  Result<OwnKernels> learnOwnKernels();
  Result<OwnKernels> ownKernels(Kinds kinds);
  Result<bool> slowed(const Sides& sides);
  Result<int> byRecords(const Sides& sides);
  Result<bool> waitsForHost(const Sides& sides);
  Result<int> openGraphs(const Sides& sides, double seconds);
  Result<void> hostAlone(const Sides& sides, OtherTimes& other);
  Result<void> recordOthers(const Sides& sides, int repeats, OtherTimes& other);
  Result<void> eventOthers(const Sides& sides, int repeats, OtherTimes& other);
  Result<void> stepOthers(const Sides& sides, double seconds, int repeats, OtherTimes& other);
  Result<void> callOthers(const Sides& sides, int repeats, OtherTimes& other);
  Result<double> callSeconds(PreparedCall& call);

  const Driver& cuda_;
  Events events_;
  DeviceWork work_;
  double enqueueSeconds_ = 0;  // the host's time per call, the slowest seen lately
  bool wasBusy_ = false;       // the last sample's calls were enqueued before the device came to the first
  std::unique_ptr<GraphBatch> batch_;
  std::string noBatch_;
  std::unique_ptr<ActivityRecorder> recorder_;
  std::string noRecords_;  // why CUPTI cannot be used in this process
  Way way_ = Way::events;
  std::string note_;
  std::array<std::size_t, 2> launches_{};  // of a call of either side; 0 when not known
  int blocks_ = 0;                         // the blocks since graphs were recorded
  std::size_t place_ = 0;                  // the part of the sets that the last recorded block used
  std::array<double, 2> recorded_{};       // its seconds, about
  std::int64_t mostBlocks_ = 0;            // of a kernel of either side
  bool slowed_ = false;                    // recording slows a kernel
  int ahead_ = 0;                          // so often the device is kept busy before a recorded call …
  bool isAhead_ = false;                   // … of several launches, so that none of them comes too late
  bool mayWait_ = false;                   // a call waits for the device itself
  double aheadHost_ = 0;                   // the host's time for a recorded call, in seconds
  OwnKernels own_;
  std::array<OwnKernels, 2> keptOwn_{};  // by Kinds
  std::unique_ptr<Nvml> nvml_;
  std::optional<Conditions> conditions_;
  double conditionsAt_ = 0, powerAt_ = 0;
};

}  // namespace wb
