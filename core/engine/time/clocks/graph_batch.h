// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/engine/device/graph.h"
#include "core/engine/time/clocks/events.h"
#include "core/engine/time/clocks/uneven_calls.h"
#include "core/engine/time/timer.h"

namespace wb {

/// Times steps of short calls: each side's calls are recorded into two graphs of its own, of N and of 2 N
/// calls. The slope between them contains nothing of the host's time and nothing of what it costs to begin
/// and end a graph.
class GraphBatch {
 public:
  static Result<std::unique_ptr<GraphBatch>> open(const Driver& cuda, int device);

  /// Records for both sides as many calls (of about `seconds` each) as fill a sample of needs.batch, and
  /// gives their number N. Where `sides.between` provides them, each call has a set of inputs of its own.
  /// `launches` says what a call of either side puts on the device outside a graph, where that is known; a
  /// graph that holds less has missed something. An error says why it cannot be done; every call has then
  /// been run outside a graph again, so that its outputs exist.
  Result<int> record(const Sides& sides, const SampleNeeds& needs, double seconds,
                     const std::array<std::size_t, 2>& launches);
  /// Records everything anew, with results elsewhere in memory, since an instantiation and a place in memory
  /// cost more or less by chance.
  Result<void> redraw();
  void clear();
  /// Runs a block until the candidate has had so many turns, just as block() does, and times nothing. Its
  /// answers are there then, since it ran last: both sides have the same memory.
  Result<void> begin(const std::array<Turn, 4>& turns, int candidateTurns);
  /// Ends the use of the graphs and puts the candidate's results in their place.
  Result<void> finish();
  [[nodiscard]] bool ready() const { return pairs_[0].has_value() && pairs_[1].has_value(); }
  /// The sets on which either side's calls are.
  [[nodiscard]] std::size_t sets() const { return 3 * static_cast<std::size_t>(calls_); }
  /// Runs a block as one sequence on the device: the device is kept busy while the host enqueues the first
  /// sample, and from then on the host is ahead.
  Result<std::array<Sampled, 4>> block(const std::array<Turn, 4>& turns);
  /// Why the blocks since record() do not tell what a call takes (unevenCalls()); "" where they do.
  [[nodiscard]] std::string uneven() const { return unevenCalls(first_, again_, calls_); }
  /// Keeps a stream busy for at least so many seconds, using little of the cache.
  Result<void> keepBusy(double seconds, CUstream stream);

 private:
  struct Pair {
    Graph once, twice;
  };
  GraphBatch(const Driver& cuda, OwnStream stream) : cuda_(cuda), stream_(std::move(stream)), events_(cuda) {}
  Result<void> openFiller();
  Result<double> estimate(Calls calls, double seconds);
  Result<void> provide(Sides& sides);
  Result<Graph> recordCalls(Calls calls, int first, int count, std::size_t launches);
  Result<Pair> recordSide(Calls calls, std::size_t launches);
  Result<void> recordBoth(const Sides& sides);
  Result<void> runOnce(Calls calls);
  void dropLargePool();
  Result<void> run(std::span<const Turn> turns);

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
  /// So long the device is kept busy while a block is enqueued.
  double enqueueSeconds_ = 0;
  /// Of the calls that are recorded now; it outlives their graphs.
  std::unique_ptr<GraphPool> pool_;
  std::array<std::optional<Pair>, 2> pairs_;  // of the reference and of the candidate
  std::optional<Sides> sides_;
  std::array<std::size_t, 2> launches_{};
  std::int64_t padBytes_ = 0;  // lies ahead of the results of what is recorded
  std::mt19937_64 random_{1};
  /// Of each block, of the reference and of the candidate.
  std::array<std::vector<GraphRuns>, 2> first_, again_;
  int calls_ = 0;
};

/// The seconds of one more call, from the seconds of N calls and of 2 N. Where noise leaves no slope, the
/// mean of the longer sample.
[[nodiscard]] double slope(double once, double twice, int calls);

}  // namespace wb
