// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/engine/cuda/driver.h"
#include "core/engine/time/events.h"
#include "core/engine/time/graph_batch.h"
#include "core/engine/time/nvml.h"
#include "core/engine/time/timer.h"

namespace wb {
namespace {

constexpr std::int64_t kSmallestBuffer = std::int64_t{128} << 20;
constexpr CUstream kStream = nullptr;        // the legacy default stream
constexpr double kConditionsSeconds = 4e-3;  // between two looks at the card's clock …
constexpr double kPowerSeconds = 50e-3;      // … and at its power and temperature: they cost like blocks

/// Events around the calls. What keeps the device busy beforehand is a memset of a buffer larger than the L2
/// cache; where the host needs longer than one memset to enqueue a sample, several are put before it.
class DeviceClock final : public Clock {
 public:
  explicit DeviceClock(const Driver& cuda) : cuda_(cuda), events_(cuda) {}
  ~DeviceClock() override {
    if (buffer_ != 0) cuda_.memFree(buffer_);
  }
  DeviceClock(const DeviceClock&) = delete;
  DeviceClock& operator=(const DeviceClock&) = delete;

  Result<void> open(int device, const DeviceFacts& facts);
  [[nodiscard]] std::string description(int calls) const override {
    if (calls == 1) return "device events, cold L2";
    return fmt::format("{}, hot, {} calls a sample", recorded_ ? "CUDA graph" : "device events", calls);
  }
  /// An event ticks at about half a microsecond: below ten, a call is one of a batch that lasts 200.
  [[nodiscard]] SampleNeeds needs() const override { return {10e-6, 200e-6, 256}; }
  Result<Sampled> sample(Calls rotation, std::size_t first, int calls) override;
  Result<std::array<Sampled, 4>> block(const Sides& sides, const std::array<Turn, 4>& turns,
                                       int calls) override;
  Result<int> batch(const Sides& sides, double seconds) override;
  void endBatch() override {
    // What goes wrong here goes wrong for whoever uses the device next, and is said there.
    if (batch_) (void)batch_->finish();
  }
  Result<double> hot(PreparedCall& call) override;
  std::optional<Conditions> conditions() override;
  std::optional<double> joules() override { return nvml_ ? nvml_->joules() : std::nullopt; }

 private:
  Result<void> keepBusy(int calls);
  /// Enqueues a sample between two events. Host seconds per call.
  Result<double> enqueue(Calls rotation, std::size_t first, int calls, std::size_t event);

  const Driver& cuda_;
  Events events_;
  CUdeviceptr buffer_ = 0;
  std::size_t bytes_ = 0;
  double fillSeconds_ = 0;     // one memset, measured
  double enqueueSeconds_ = 0;  // host time per call, the slowest seen lately
  std::unique_ptr<GraphBatch> batch_;
  std::string noBatch_;
  bool recorded_ = false;  // the last samples of many calls were graphs
  std::unique_ptr<Nvml> nvml_;
  std::optional<Conditions> conditions_;
  double conditionsAt_ = 0, powerAt_ = 0;
};

Result<void> DeviceClock::open(int device, const DeviceFacts& facts) {
  bytes_ = static_cast<std::size_t>(std::max(2 * facts.l2Bytes, kSmallestBuffer));
  if (CUresult code = cuda_.memAlloc(&buffer_, bytes_); code != CUDA_SUCCESS)
    return cudaError(Stage::time, code, "Allocating the buffer that empties the L2 cache");
  if (auto opened = events_.open(); !opened) return opened;
  for (int repeat = 0; repeat < 3; ++repeat) {  // the last one counts: the first may wake the device
    Result<void> done = events_.record(0, kStream);
    if (CUresult code = cuda_.memsetD8Async(buffer_, 0, bytes_, kStream); code != CUDA_SUCCESS)
      return cudaError(Stage::time, code, "Timing the device's memory");
    if (done) done = events_.record(1, kStream);
    if (done) done = events_.wait(1);
    if (!done) return done;
    auto seconds = events_.between(0, 1);
    if (!seconds) return std::move(seconds).error();
    fillSeconds_ = std::max(*seconds, 1e-6);
  }
  auto batch = GraphBatch::open(cuda_, device);
  if (batch)
    batch_ = *std::move(batch);
  else
    noBatch_ = batch.error().text;  // events do for every call, if less well
  nvml_ = Nvml::open(facts.uuid);
  return {};
}

Result<void> DeviceClock::keepBusy(int calls) {
  const double needed = enqueueSeconds_ * calls * 1.3 + 10e-6;
  const int fills = static_cast<int>(std::clamp(std::ceil(needed / fillSeconds_), 1.0, 64.0));
  for (int fill = 0; fill < fills; ++fill)
    if (CUresult code = cuda_.memsetD8Async(buffer_, static_cast<unsigned char>(fill), bytes_, kStream);
        code != CUDA_SUCCESS)
      return cudaError(Stage::time, code, "Emptying the L2 cache");
  return {};
}

Result<double> DeviceClock::enqueue(Calls rotation, std::size_t first, int calls, std::size_t event) {
  if (auto busy = keepBusy(calls); !busy) return std::move(busy).error();
  if (auto marked = events_.record(event, kStream); !marked) return std::move(marked).error();
  const auto begin = std::chrono::steady_clock::now();
  std::size_t next = first;
  for (int call = 0; call < calls; ++call) {
    if (auto done = rotation[next]->run(); !done) return std::move(done).error();
    if (++next == rotation.size()) next = 0;
  }
  const double host = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / calls;
  if (auto marked = events_.record(event + 1, kStream); !marked) return std::move(marked).error();
  // A slow first call must not make every later sample wait: the memory fades.
  enqueueSeconds_ = std::min(std::max(host, 0.8 * enqueueSeconds_), 1e-3);
  return host;
}

Result<Sampled> DeviceClock::sample(Calls rotation, std::size_t first, int calls) {
  auto host = enqueue(rotation, first, calls, 0);
  if (!host) return std::move(host).error();
  if (auto waited = events_.wait(1); !waited) return std::move(waited).error();
  auto seconds = events_.between(0, 1);
  if (!seconds) return std::move(seconds).error();
  return Sampled{*seconds / calls, *host};
}

/// All four are enqueued before the first is waited for: the waits would cost as much as the samples.
Result<std::array<Sampled, 4>> DeviceClock::block(const Sides& sides, const std::array<Turn, 4>& turns,
                                                  int calls) {
  if (batch_ && batch_->ready()) return batch_->block(turns);
  std::array<Sampled, 4> samples;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    auto host = enqueue(sides.of(turns[i].candidate), turns[i].first, calls, 2 * i);
    if (!host) return std::move(host).error();
    samples[i].host = *host;
  }
  if (auto waited = events_.wait(2 * turns.size() - 1); !waited) return std::move(waited).error();
  for (std::size_t i = 0; i < turns.size(); ++i) {
    auto seconds = events_.between(2 * i, 2 * i + 1);
    if (!seconds) return std::move(seconds).error();
    samples[i].seconds = *seconds / calls;
  }
  return samples;
}

Result<int> DeviceClock::batch(const Sides& sides, double) {
  recorded_ = false;
  if (!batch_) return Error{Stage::time, noBatch_, {}, {}};
  auto calls = batch_->record(sides, needs());
  recorded_ = calls.has_value();
  return calls;
}

Result<double> DeviceClock::hot(PreparedCall& call) {
  Result<void> done = batch_ ? batch_->keepBusy(2.6 * enqueueSeconds_ + 20e-6, kStream) : Result<void>();
  if (done) done = call.run();
  if (done) done = events_.record(0, kStream);
  if (done) done = call.run();
  if (done) done = events_.record(1, kStream);
  if (done) done = events_.wait(1);
  if (!done) return std::move(done).error();
  return events_.between(0, 1);
}

std::optional<Conditions> DeviceClock::conditions() {
  if (!nvml_) return std::nullopt;
  if (const double at = now(); !conditions_ || at - conditionsAt_ > kConditionsSeconds) {
    const bool all = !conditions_ || at - powerAt_ > kPowerSeconds;
    conditions_ = nvml_->conditions(all ? nullptr : &*conditions_);
    conditionsAt_ = now();
    if (all) powerAt_ = conditionsAt_;
  }
  return conditions_;
}

}  // namespace

Result<std::unique_ptr<Clock>> deviceClock(int device) {
  auto facts = deviceFacts(device);
  if (!facts) return std::move(facts).error();
  if (auto used = useDevice(device); !used) return std::move(used).error();
  auto clock = std::make_unique<DeviceClock>(*driver());
  if (auto opened = clock->open(device, *facts); !opened) return std::move(opened).error();
  return std::unique_ptr<Clock>(std::move(clock));
}

}  // namespace wb
