// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/graph_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wb {
namespace {

constexpr std::size_t kFillBytes = std::size_t{1} << 20;  // small: the cache keeps the calls' data
constexpr int kFills = 24;                                // some 2 µs each
constexpr int kTrialCalls = 16;
constexpr double kEnqueueSeconds = 40e-6;  // for the host to mark and launch the first graph of a block
/// Calls in a graph take less than one after the other on a stream, by which the number is chosen.
constexpr double kGraphGain = 1.4;

}  // namespace

Result<std::unique_ptr<GraphBatch>> GraphBatch::open(const Driver& cuda, int device) {
  auto stream = OwnStream::open(device);
  if (!stream) return std::move(stream).error();
  std::unique_ptr<GraphBatch> batch(new GraphBatch(cuda, *std::move(stream)));
  if (auto opened = batch->events_.open(); !opened) return std::move(opened).error();
  if (auto opened = batch->openFiller(); !opened) return std::move(opened).error();
  return batch;
}

Result<void> GraphBatch::openFiller() {
  buffer_.cuda = &cuda_;
  if (CUresult code = cuda_.memAlloc(&buffer_.address, kFillBytes); code != CUDA_SUCCESS)
    return cudaError(Stage::time, code, "Allocating a buffer to keep the device busy");
  auto filler = Graph::record(stream_, [&]() -> Result<void> {
    for (int fill = 0; fill < kFills; ++fill)
      if (CUresult code = cuda_.memsetD8Async(buffer_.address, static_cast<unsigned char>(fill), kFillBytes,
                                              stream_.handle());
          code != CUDA_SUCCESS)
        return cudaError(Stage::time, code, "Filling a buffer");
    return {};
  });
  if (!filler) return std::move(filler).error();
  filler_ = *std::move(filler);
  for (int repeat = 0; repeat < 3; ++repeat) {  // the last one counts: the first may wake the device
    Result<void> done = filler_->launch(stream_.handle());
    if (done) done = events_.record(0, stream_.handle());
    if (done) done = filler_->launch(stream_.handle());
    if (done) done = events_.record(1, stream_.handle());
    if (done) done = events_.wait(1);
    if (!done) return done;
    auto seconds = events_.between(0, 1);
    if (!seconds) return std::move(seconds).error();
    fillerSeconds_ = std::max(*seconds, 1e-6);
  }
  return {};
}

Result<void> GraphBatch::keepBusy(double seconds, CUstream stream) {
  const int launches = static_cast<int>(std::clamp(std::ceil(seconds / fillerSeconds_), 1.0, 64.0));
  for (int i = 0; i < launches; ++i)
    if (auto launched = filler_->launch(stream); !launched) return launched;
  return {};
}

/// Seconds per call, one after the other on our stream. This also lets libraries make what they keep for a
/// stream, which they must not do while it is recorded.
Result<double> GraphBatch::estimate(Calls calls) {
  const OnStream current(stream_);
  std::array<double, 2> seconds{};
  for (double& each : seconds) {
    Result<void> done = keepBusy(2 * kEnqueueSeconds, stream_.handle());
    if (done) done = events_.record(0, stream_.handle());
    for (int call = 0; call < kTrialCalls && done; ++call)
      done = calls[static_cast<std::size_t>(call) % calls.size()]->run();
    if (done) done = events_.record(1, stream_.handle());
    if (done) done = events_.wait(1);
    if (!done) return std::move(done).error();
    auto elapsed = events_.between(0, 1);
    if (!elapsed) return std::move(elapsed).error();
    each = *elapsed / kTrialCalls;
  }
  return std::max(seconds[1], 1e-7);
}

Result<Graph> GraphBatch::recordSide(Calls calls) {
  auto graph = Graph::record(stream_, [&]() -> Result<void> {
    for (int call = 0; call < calls_; ++call)
      if (auto done = calls[static_cast<std::size_t>(call) % calls.size()]->run(); !done) return done;
    return {};
  });
  if (graph && graph->nodes() < static_cast<std::size_t>(calls_))
    return Error{
        Stage::time,
        fmt::format("of {} calls only {} pieces of work came to the current stream", calls_, graph->nodes()),
        "launch on at::cuda::getCurrentCUDAStream()",
        {}};
  return graph;
}

Result<void> GraphBatch::recordBoth(const Sides& sides) {
  for (bool candidate : {false, true}) {
    auto graph = recordSide(sides.of(candidate));
    if (!graph) {
      Error error = std::move(graph).error();
      // Torch's texts go on for lines about asynchronous errors.
      error.text = fmt::format("{}: {}", candidate ? "candidate" : "reference",
                               error.text.substr(0, error.text.find('\n')));
      return error;
    }
    graphs_[candidate ? 1 : 0] = *std::move(graph);
    // The reference's results are let go of, so that the candidate's come to lie where they lay: where memory
    // lies makes a percent of difference.
    if (candidate) continue;
    if (auto done = runOnce(sides.reference); !done) return done;
  }
  return {};
}

/// Every call outside a graph, so that its results are in memory of its own.
Result<void> GraphBatch::runOnce(Calls calls) {
  for (const auto& call : calls)
    if (auto done = call->run(); !done) return done;
  return synchronize(Stage::time);
}

Result<void> GraphBatch::finish() {
  if (!ready()) return {};
  Result<void> done = graphs_[1]->launch(stream_.handle());
  if (done) done = synchronize(Stage::time);
  clear();
  return done;
}

Result<int> GraphBatch::record(const Sides& sides, const SampleNeeds& needs) {
  // What was allocated and enqueued on the legacy stream is used on ours from here on.
  if (auto done = synchronize(Stage::time); !done) return std::move(done).error();
  double quicker = 0;
  for (bool candidate : {false, true}) {
    auto seconds = estimate(sides.of(candidate));
    if (!seconds) return std::move(seconds).error();
    quicker = quicker == 0 ? *seconds : std::min(quicker, *seconds);
  }
  calls_ = static_cast<int>(
      std::clamp(std::ceil(kGraphGain * needs.batch / quicker), 2.0, static_cast<double>(needs.maxCalls)));
  auto recorded = recordBoth(sides);
  if (recorded) return calls_;
  clear();
  for (bool candidate : {false, true})
    if (auto done = runOnce(sides.of(candidate)); !done) return std::move(done).error();
  return std::move(recorded).error();
}

void GraphBatch::clear() {
  for (auto& graph : graphs_) graph.reset();
}

Result<std::array<Sampled, 4>> GraphBatch::block(const std::array<Turn, 4>& turns) {
  const CUstream stream = stream_.handle();
  Result<void> done = keepBusy(kEnqueueSeconds, stream);
  if (done) done = events_.record(0, stream);
  for (std::size_t i = 0; i < turns.size() && done; ++i) {
    done = graphs_[turns[i].candidate ? 1 : 0]->launch(stream);
    if (done) done = events_.record(i + 1, stream);
  }
  if (done) done = events_.wait(turns.size());
  if (!done) return std::move(done).error();
  std::array<Sampled, 4> samples;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    auto seconds = events_.between(i, i + 1);
    if (!seconds) return std::move(seconds).error();
    samples[i].seconds = *seconds / calls_;
  }
  return samples;
}

}  // namespace wb
