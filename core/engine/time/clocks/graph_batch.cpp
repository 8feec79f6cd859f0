// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/graph_batch.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace wb {
namespace {

constexpr std::size_t fillBytes = std::size_t{1} << 20;  // so few that the cache keeps the calls' data
constexpr int fills = 24;                                // each takes about 2 µs
constexpr double trialSeconds = 100e-6;
// How long the host takes at least to mark and launch the graphs of a block, and how long it is waited for at
// most, in seconds; and so much more than it took the last time.
constexpr double leastEnqueue = 40e-6, mostEnqueue = 2e-3, enqueueMargin = 1.5;
// In steps of torch's allocator; the places span 2 MiB.
constexpr std::int64_t padStep = 512, padSteps = 4096;
/// Calls in a graph take less time than on a stream one after the other, where they are timed to choose their
/// number.
constexpr double graphGain = 1.4;

}  // namespace

Result<std::unique_ptr<GraphBatch>> GraphBatch::open(const Driver& cuda, int device) {
  WB_TRY(auto stream, OwnStream::open(device));
  std::unique_ptr<GraphBatch> batch(new GraphBatch(cuda, std::move(stream)));
  WB_DO(batch->events_.open());
  WB_DO(batch->openFiller());
  return batch;
}

Result<void> GraphBatch::openFiller() {
  buffer_.cuda = &cuda_;
  if (CUresult code = cuda_.memAlloc(&buffer_.address, fillBytes); code != CUDA_SUCCESS)
    return cudaError(Stage::time, code, "Allocating a buffer to keep the device busy");
  auto filler = Graph::record(stream_, nullptr, [&]() -> Result<void> {
    for (int fill = 0; fill < fills; ++fill)
      if (CUresult code = cuda_.memsetD8Async(buffer_.address, static_cast<unsigned char>(fill), fillBytes,
                                              stream_.handle());
          code != CUDA_SUCCESS)
        return cudaError(Stage::time, code, "Filling a buffer");
    return {};
  });
  if (!filler) return std::move(filler).error();
  filler_ = *std::move(filler);
  for (int repeat = 0; repeat < 3; ++repeat) {  // the last run counts, since the first may wake the device
    Result<void> done = filler_->launch(stream_.handle());
    if (done) done = events_.record(0, stream_.handle());
    if (done) done = filler_->launch(stream_.handle());
    if (done) done = events_.record(1, stream_.handle());
    if (done) done = events_.wait(1);
    if (!done) return done;
    WB_TRY(auto seconds, events_.between(0, 1));
    fillerSeconds_ = std::max(seconds, 1e-6);
  }
  return {};
}

Result<void> GraphBatch::keepBusy(double seconds, CUstream stream) {
  const int launches = static_cast<int>(std::clamp(std::ceil(seconds / fillerSeconds_), 1.0, 64.0));
  for (int i = 0; i < launches; ++i)
    if (auto launched = filler_->launch(stream); !launched) return launched;
  return {};
}

/// The seconds per call, one after the other on the graphs' stream. This also makes libraries allocate what
/// they keep for a stream, which they must not do while it is recorded.
Result<double> GraphBatch::estimate(Calls calls, double expected) {
  const OnStream current(stream_);
  const int trials = static_cast<int>(std::clamp(std::ceil(trialSeconds / expected), 2.0, 16.0));
  std::array<double, 2> seconds{};
  for (double& each : seconds) {
    Result<void> done = keepBusy(2 * leastEnqueue, stream_.handle());
    if (done) done = events_.record(0, stream_.handle());
    for (int call = 0; call < trials && done; ++call)
      done = calls[static_cast<std::size_t>(call) % calls.size()]->run();
    if (done) done = events_.record(1, stream_.handle());
    if (done) done = events_.wait(1);
    if (!done) return std::move(done).error();
    WB_TRY(auto elapsed, events_.between(0, 1));
    each = elapsed / trials;
  }
  return std::max(seconds[1], 1e-7);
}

/// The sets are the case's own, of which there are enough for each call to have one.
Result<void> GraphBatch::provide(Sides& sides) {
  if (sides.between == nullptr) return {};
  WB_TRY(const GraphSets sets, sides.between->provide(calls_));
  if (sets.calls < 1) return Error{Stage::time, "there is no memory for the inputs of three calls", {}, {}};
  sides.reference = sets.reference;
  sides.candidate = sets.candidate;
  calls_ = sets.calls;
  // They were written on the legacy stream.
  WB_DO(synchronize(Stage::time));
  // What a first call on a set makes ready must not be part of a graph.
  const OnStream current(stream_);
  for (bool candidate : {false, true}) WB_DO(runOnce(sides.of(candidate)));
  return {};
}

Result<Graph> GraphBatch::recordCalls(Calls calls, int first, int count, std::size_t launches) {
  auto graph = Graph::record(stream_, pool_.get(), [&]() -> Result<void> {
    // This is allocated first and freed at the end, so that it moves what the calls allocate.
    at::Tensor pad;
    if (padBytes_ > 0)
      pad = at::empty({padBytes_}, at::TensorOptions().dtype(at::kByte).device(at::Device(
                                       at::kCUDA, static_cast<c10::DeviceIndex>(stream_.device()))));
    for (int call = first; call < first + count; ++call)
      if (auto done = calls[static_cast<std::size_t>(call) % calls.size()]->run(); !done) return done;
    return {};
  });
  const std::size_t wanted = static_cast<std::size_t>(count) * std::max<std::size_t>(launches, 1);
  if (graph && graph->nodes() < wanted)
    return Error{Stage::time,
                 fmt::format("of {} calls, {} pieces of work, only {} came to the current stream", count,
                             wanted, graph->nodes()),
                 "launch on at::cuda::getCurrentCUDAStream()"};
  return graph;
}

Result<GraphBatch::Pair> GraphBatch::recordSide(Calls calls, std::size_t launches) {
  WB_TRY(auto once, recordCalls(calls, 2 * calls_, calls_, launches));
  WB_TRY(auto twice, recordCalls(calls, 0, 2 * calls_, launches));
  return Pair{std::move(once), std::move(twice)};
}

Result<void> GraphBatch::recordBoth(const Sides& sides) {
  for (bool candidate : {false, true}) {
    auto pair = recordSide(sides.of(candidate), launches_[candidate ? 1 : 0]);
    if (!pair) {
      Error error = std::move(pair).error();
      // Torch's messages go on for lines about asynchronous errors, and about what memory there is.
      const std::size_t end = std::min(error.text.find('\n'), error.text.find(". GPU "));
      error.text = fmt::format("{}: {}", candidate ? "candidate" : "reference", error.text.substr(0, end));
      return error;
    }
    pairs_[candidate ? 1 : 0] = *std::move(pair);
    // The reference's results are freed, so that the candidate's come to lie where they lay: the place in
    // memory makes a difference of about a percent.
    if (candidate) continue;
    if (auto done = runOnce(sides.reference); !done) return done;
  }
  return {};
}

/// Runs every call outside a graph, so that its results are in memory of its own.
Result<void> GraphBatch::runOnce(Calls calls) {
  for (const auto& call : calls)
    if (auto done = call->run(); !done) return done;
  return synchronize(Stage::time);
}

Result<void> GraphBatch::finish() {
  if (!ready()) return {};
  Result<void> done = run(std::array{Turn{true, 0}});
  if (done) done = synchronize(Stage::time);
  clear();
  dropLargePool();
  return done;
}

/// Gigabytes must not be lost to the cases that follow. A small pool serves them, which saves allocating.
void GraphBatch::dropLargePool() {
  if (pool_ && pool_->isLarge()) pool_.reset();
}

Result<int> GraphBatch::record(const Sides& given, const SampleNeeds& needs, double seconds,
                               const std::array<std::size_t, 2>& launches) {
  // What was allocated and enqueued on the legacy stream is used on the graphs' stream from here on.
  WB_DO(synchronize(Stage::time));
  Sides sides = given;
  double quicker = 0;
  for (bool candidate : {false, true}) {
    WB_TRY(auto taken, estimate(sides.of(candidate), seconds));
    quicker = quicker == 0 ? taken : std::min(quicker, taken);
  }
  calls_ = static_cast<int>(
      std::clamp(std::ceil(graphGain * needs.batch / quicker), 2.0, static_cast<double>(needs.maxCalls)));
  WB_DO(provide(sides));
  launches_ = launches;
  padBytes_ = 0;
  enqueueSeconds_ = leastEnqueue;
  first_ = again_ = {};
  if (!pool_) pool_ = std::make_unique<GraphPool>(stream_.device());
  auto recorded = recordBoth(sides);
  if (recorded) {
    sides_ = sides;
    return calls_;
  }
  clear();
  dropLargePool();
  for (bool candidate : {false, true}) WB_DO(runOnce(sides.of(candidate)));
  return std::move(recorded).error();
}

Result<void> GraphBatch::redraw() {
  if (!ready() || !sides_) return {};
  const Sides sides = *sides_;
  clear();
  // The candidate's results are freed too.
  if (auto done = runOnce(sides.candidate); !done) return done;
  padBytes_ = padStep * static_cast<std::int64_t>(1 + random_() % static_cast<std::uint64_t>(padSteps));
  if (auto done = recordBoth(sides); !done) return done;
  sides_ = sides;
  return {};
}

void GraphBatch::clear() {
  for (auto& pair : pairs_) pair.reset();
  sides_.reset();
}

/// Enqueues the turns' graphs with an event before, between and after them, and waits.
Result<void> GraphBatch::run(std::span<const Turn> turns) {
  const CUstream stream = stream_.handle();
  Result<void> done = keepBusy(enqueueSeconds_, stream);
  const auto began = std::chrono::steady_clock::now();
  if (done) done = events_.record(0, stream);
  for (std::size_t i = 0; i < turns.size() && done; ++i) {
    const Pair& pair = *pairs_[turns[i].candidate ? 1 : 0];
    done = pair.once.launch(stream);
    if (done) done = events_.record(2 * i + 1, stream);
    if (done) done = pair.twice.launch(stream);
    if (done) done = events_.record(2 * i + 2, stream);
  }
  // A graph of many branches takes longer to launch than to run. What waits for its launch is no part of a
  // call.
  const std::chrono::duration<double> host = std::chrono::steady_clock::now() - began;
  enqueueSeconds_ =
      std::clamp(std::max(enqueueMargin * host.count(), 0.8 * enqueueSeconds_), leastEnqueue, mostEnqueue);
  return done ? events_.wait(2 * turns.size()) : done;
}

Result<void> GraphBatch::begin(const std::array<Turn, 4>& turns, int candidateTurns) {
  std::size_t used = 0;
  for (int seen = 0; used < turns.size() && seen < candidateTurns; ++used)
    seen += turns[used].candidate ? 1 : 0;
  return run(std::span(turns).first(used));
}

Result<std::array<Sampled, 4>> GraphBatch::block(const std::array<Turn, 4>& turns) {
  WB_DO(run(turns));
  std::array<Sampled, 4> samples;
  std::array<bool, 2> hasRun{};
  for (std::size_t i = 0; i < turns.size(); ++i) {
    WB_TRY(auto once, events_.between(2 * i, 2 * i + 1));
    WB_TRY(auto twice, events_.between(2 * i + 1, 2 * i + 2));
    samples[i].seconds = slope(once, twice, calls_);
    const std::size_t side = turns[i].candidate ? 1 : 0;
    (std::exchange(hasRun[side], true) ? again_ : first_)[side].push_back({once, twice});
  }
  return samples;
}

double slope(double once, double twice, int calls) {
  return twice > once ? (twice - once) / calls : twice / (2 * calls);
}

}  // namespace wb
