// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/device_work.h"

#include <algorithm>
#include <vector>

#include "core/engine/time/clocks/two_clocks.h"

namespace wb {
namespace {

constexpr std::int64_t smallestBuffer = std::int64_t{32} << 20;
/// On an H200 a buffer of 1.07 times the L2 takes every line out of it. Every timed call waits for the buffer
/// to be written, so it is no larger than this. CeilingKernels::evicted measures on each card whether it
/// does.
constexpr double timesTheCache = 1.25;
constexpr std::int64_t oddBytes =
    std::int64_t{13} * 4096;  // no other code fills so many bytes, so its records can be found
constexpr int tickPairs = 200;
constexpr CUstream legacyStream = nullptr;  // the legacy default stream

/// The driver compiles this for the device that is there.
constexpr const char* kernelsSource = R"ptx(.version 6.4
.target sm_75
.address_size 64
.visible .entry warpbench_nothing()
{
  ret;
}
.visible .entry warpbench_little(.param .u64 at)
{
  .reg .u64 %p<3>;
  .reg .u32 %v<3>;
  ld.param.u64 %p1, [at];
  cvta.to.global.u64 %p2, %p1;
  ld.global.u32 %v1, [%p2];
  add.u32 %v2, %v1, 1;
  st.global.u32 [%p2], %v2;
  ret;
}
)ptx";

}  // namespace

DeviceWork::~DeviceWork() {
  if (buffer_ != 0) cuda_.memFree(buffer_);
  if (module_ != nullptr) cuda_.moduleUnload(module_);
}

Result<void> DeviceWork::open(Events& events, std::int64_t l2Bytes) {
  const auto cache = static_cast<std::int64_t>(timesTheCache * static_cast<double>(l2Bytes));
  bytes_ = static_cast<std::size_t>(std::max(cache, smallestBuffer) + oddBytes);
  if (CUresult code = cuda_.memAlloc(&buffer_, bytes_); code != CUDA_SUCCESS)
    return cudaError(Stage::time, code, "Allocating the buffer that empties the L2 cache");
  // Without these kernels the floor of a launch is not known, and the second clock has nothing to compare
  // with.
  if (cuda_.moduleLoadData(&module_, kernelsSource) == CUDA_SUCCESS) {
    cuda_.moduleGetFunction(&empty_, module_, "warpbench_nothing");
    cuda_.moduleGetFunction(&small_, module_, "warpbench_little");
  }
  if (auto done = measureEvict(events); !done) return done;
  return measureTick(events);
}

Result<void> DeviceWork::fill(std::size_t bytes) {
  returnToDevice();
  if (CUresult code = cuda_.memsetD8Async(buffer_, value_++, bytes, legacyStream); code != CUDA_SUCCESS)
    return cudaError(Stage::time, code, "Emptying the L2 cache");
  return {};
}

Result<void> DeviceWork::evict() {
  return fill(bytes_);
}

Result<void> DeviceWork::keepBusy() {
  return fill(bytes_ - static_cast<std::size_t>(markBytes));
}

Result<void> DeviceWork::mark() {
  return fill(static_cast<std::size_t>(markBytes));
}

Result<void> DeviceWork::end() {
  return fill(static_cast<std::size_t>(endBytes));
}

Result<void> DeviceWork::launch(CUfunction function, void** arguments) {
  if (function == nullptr) return Error{Stage::time, "The driver compiled no kernel of ours.", {}, {}};
  returnToDevice();
  if (CUresult code = cuda_.launchKernel(function, 1, 1, 1, 32, 1, 1, 0, legacyStream, arguments, nullptr);
      code != CUDA_SUCCESS)
    return cudaError(Stage::time, code, "Launching a kernel of ours");
  return {};
}

Result<void> DeviceWork::emptyKernel() {
  return launch(empty_, nullptr);
}

Result<void> DeviceWork::smallKernel() {
  void* arguments[] = {&buffer_};
  return launch(small_, arguments);
}

Result<void> DeviceWork::measureEvict(Events& events) {
  // The first run may wake the device; of the others the shortest counts, since work of other processes only
  // makes them longer, and calls would then not be kept waiting long enough. One alone would hold the gap
  // before it, which several in a row do not have.
  constexpr int inARow = 4;
  for (int repeat = 0; repeat < 5; ++repeat) {
    Result<void> done = events.record(0, legacyStream);
    for (int fill = 0; done && fill < inARow; ++fill) done = evict();
    if (done) done = events.record(1, legacyStream);
    if (done) done = events.wait(1);
    if (!done) return done;
    auto seconds = events.between(0, 1);
    if (!seconds) return std::move(seconds).error();
    const double taken = std::max(*seconds / inARow, 1e-6);
    evictSeconds_ = repeat < 2 ? taken : std::min(evictSeconds_, taken);
  }
  return {};
}

/// Times small pieces of work of about the same length: the differences between their times are ticks.
Result<void> DeviceWork::measureTick(Events& events) {
  std::vector<double> times;
  for (int pair = 0; pair < tickPairs; ++pair) {
    Result<void> done = events.record(0, legacyStream);
    if (done) done = mark();
    if (done) done = events.record(1, legacyStream);
    if (done) done = events.wait(1);
    if (!done) return done;
    auto seconds = events.between(0, 1);
    if (!seconds) return std::move(seconds).error();
    times.push_back(*seconds);
  }
  tick_ = tickOf(std::move(times));
  return {};
}

}  // namespace wb
