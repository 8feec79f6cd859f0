// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/engine/cuda/driver.h"
#include "core/engine/time/timer.h"

namespace wb {
namespace {

constexpr std::int64_t kSmallestBuffer = std::int64_t{128} << 20;
constexpr CUstream kStream = nullptr;  // the legacy default stream

/// Events around the calls. What keeps the device busy beforehand is a memset of a buffer larger than the L2
/// cache; where the host needs longer than one memset to enqueue a sample, several are put before it.
class DeviceClock final : public Clock {
 public:
  explicit DeviceClock(const Driver& cuda) : cuda_(cuda) {}
  ~DeviceClock() override {
    if (buffer_ != 0) cuda_.memFree(buffer_);
    if (start_ != nullptr) cuda_.eventDestroy(start_);
    if (end_ != nullptr) cuda_.eventDestroy(end_);
  }
  DeviceClock(const DeviceClock&) = delete;
  DeviceClock& operator=(const DeviceClock&) = delete;

  Result<void> open(std::int64_t l2Bytes);
  [[nodiscard]] std::string description(int calls) const override {
    return calls == 1 ? "device events, cold L2"
                      : fmt::format("device events, hot, {} calls a sample", calls);
  }
  /// An event ticks at about half a microsecond: below ten, a call is one of a batch that lasts 200.
  [[nodiscard]] SampleNeeds needs() const override { return {10e-6, 200e-6, 256}; }
  Result<double> sample(std::span<const std::unique_ptr<PreparedCall>> rotation, std::size_t first,
                        int calls) override;

 private:
  Result<void> keepBusy(int calls);
  Result<double> elapsed();

  const Driver& cuda_;
  CUdeviceptr buffer_ = 0;
  std::size_t bytes_ = 0;
  CUevent start_ = nullptr, end_ = nullptr;
  double fillSeconds_ = 0;     // one memset, measured
  double enqueueSeconds_ = 0;  // host time per call, the slowest seen lately
};

Result<void> DeviceClock::open(std::int64_t l2Bytes) {
  bytes_ = static_cast<std::size_t>(std::max(2 * l2Bytes, kSmallestBuffer));
  if (CUresult code = cuda_.memAlloc(&buffer_, bytes_); code != CUDA_SUCCESS)
    return cudaError(Stage::time, code, "Allocating the buffer that empties the L2 cache");
  for (CUevent* event : {&start_, &end_})
    if (CUresult code = cuda_.eventCreate(event, CU_EVENT_DEFAULT); code != CUDA_SUCCESS)
      return cudaError(Stage::time, code, "Creating an event");
  for (int repeat = 0; repeat < 3; ++repeat) {  // the last one counts: the first may wake the device
    CUresult code = cuda_.eventRecord(start_, kStream);
    if (code == CUDA_SUCCESS) code = cuda_.memsetD8Async(buffer_, 0, bytes_, kStream);
    if (code == CUDA_SUCCESS) code = cuda_.eventRecord(end_, kStream);
    if (code != CUDA_SUCCESS) return cudaError(Stage::time, code, "Timing the device's memory");
    auto seconds = elapsed();
    if (!seconds) return std::move(seconds).error();
    fillSeconds_ = std::max(*seconds, 1e-6);
  }
  return {};
}

Result<double> DeviceClock::elapsed() {
  if (CUresult code = cuda_.eventSynchronize(end_); code != CUDA_SUCCESS)
    return cudaError(Stage::time, code, "Timing the kernel");
  float milliseconds = 0;
  if (CUresult code = cuda_.eventElapsedTime(&milliseconds, start_, end_); code != CUDA_SUCCESS)
    return cudaError(Stage::time, code, "Reading the events");
  return static_cast<double>(milliseconds) * 1e-3;
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

Result<double> DeviceClock::sample(std::span<const std::unique_ptr<PreparedCall>> rotation, std::size_t first,
                                   int calls) {
  if (auto busy = keepBusy(calls); !busy) return std::move(busy).error();
  if (CUresult code = cuda_.eventRecord(start_, kStream); code != CUDA_SUCCESS)
    return cudaError(Stage::time, code, "Starting a sample");
  const auto begin = std::chrono::steady_clock::now();
  std::size_t next = first;
  for (int call = 0; call < calls; ++call) {
    if (auto done = rotation[next]->run(); !done) return std::move(done).error();
    if (++next == rotation.size()) next = 0;
  }
  const double host = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / calls;
  if (CUresult code = cuda_.eventRecord(end_, kStream); code != CUDA_SUCCESS)
    return cudaError(Stage::time, code, "Ending a sample");
  auto seconds = elapsed();
  if (!seconds) return std::move(seconds).error();
  // A slow first call must not make every later sample wait: the memory fades.
  enqueueSeconds_ = std::min(std::max(host, 0.8 * enqueueSeconds_), 1e-3);
  return *seconds / calls;
}

}  // namespace

Result<std::unique_ptr<Clock>> deviceClock(int device) {
  auto facts = deviceFacts(device);
  if (!facts) return std::move(facts).error();
  if (auto used = useDevice(device); !used) return std::move(used).error();
  auto clock = std::make_unique<DeviceClock>(*driver());
  if (auto opened = clock->open(facts->l2Bytes); !opened) return std::move(opened).error();
  return std::unique_ptr<Clock>(std::move(clock));
}

}  // namespace wb
