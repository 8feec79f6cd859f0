// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "core/engine/cuda/graph.h"
#include "core/engine/time/events.h"
#include "core/engine/time/timer.h"

namespace wb {

/// Samples of short calls: each side's calls recorded into a graph of its own, so that nothing of the host's
/// time is in them.
class GraphBatch {
 public:
  static Result<std::unique_ptr<GraphBatch>> open(const Driver& cuda, int device);

  /// Records both sides, as many calls as fill a sample of needs.batch; gives their number. An error says why
  /// it cannot be done; every call has then been run outside a graph again, so that its outputs are there.
  Result<int> record(const Sides& sides, const SampleNeeds& needs);
  void clear();
  /// Ends the use of the graphs, with the candidate's results in their place: both sides had the same.
  Result<void> finish();
  [[nodiscard]] bool ready() const { return graphs_[0].has_value() && graphs_[1].has_value(); }
  /// A block is one sequence on the device: it is kept busy while the host enqueues the first sample, and
  /// from then on the host is ahead.
  Result<std::array<Sampled, 4>> block(const std::array<Turn, 4>& turns);
  /// Keeps a stream busy for at least so many seconds, touching little of the cache.
  Result<void> keepBusy(double seconds, CUstream stream);

 private:
  GraphBatch(const Driver& cuda, OwnStream stream) : cuda_(cuda), stream_(std::move(stream)), events_(cuda) {}
  Result<void> openFiller();
  Result<double> estimate(Calls calls);
  Result<Graph> recordSide(Calls calls);
  Result<void> recordBoth(const Sides& sides);
  Result<void> runOnce(Calls calls);

  struct Buffer {
    const Driver* cuda = nullptr;
    CUdeviceptr address = 0;
    ~Buffer() {
      if (address != 0) cuda->memFree(address);
    }
  };

  const Driver& cuda_;
  Buffer buffer_;
  OwnStream stream_;
  Events events_;
  std::optional<Graph> filler_;
  double fillerSeconds_ = 0;
  std::array<std::optional<Graph>, 2> graphs_;  // reference, candidate
  int calls_ = 0;
};

}  // namespace wb
