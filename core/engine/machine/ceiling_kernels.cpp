// SPDX-License-Identifier: Apache-2.0
#include "core/engine/machine/ceiling_kernels.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/compile/nvrtc/cubin_cache.h"
#include "core/engine/compile/nvrtc/nvrtc.h"
#include "core/engine/device/driver.h"
#include "core/engine/device/graph.h"
#include "core/engine/time/clocks/events.h"
#include "core/model/selftest/spin_kernel.h"

namespace wb {
namespace {

/// Loads are volatile assembly; otherwise the compiler would see that they always give the same value.
constexpr std::string_view ceilings = R"cu(
#define LOAD(space, v, at) \
  asm volatile("ld." space ".v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(at))
#define SUM(v) (v.x + v.y + v.z + v.w)

extern "C" __global__ void copyMemory(float4* to, const float4* from, long long n) {
  const long long stride = (long long)gridDim.x * blockDim.x;
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + 3 * stride < n; i += 4 * stride) {
    float4 a = from[i], b = from[i + stride], c = from[i + 2 * stride], d = from[i + 3 * stride];
    to[i] = a, to[i + stride] = b, to[i + 2 * stride] = c, to[i + 3 * stride] = d;
  }
  for (; i < n; i += stride) to[i] = from[i];
}

extern "C" __global__ void readMemory(float* sink, const float4* from, long long n, int rounds) {
  const long long stride = (long long)gridDim.x * blockDim.x;
  float sum = 0;
  for (int round = 0; round < rounds; ++round) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + 3 * stride < n; i += 4 * stride) {
      float4 a, b, c, d;
      LOAD("global.cg", a, from + i);
      LOAD("global.cg", b, from + i + stride);
      LOAD("global.cg", c, from + i + 2 * stride);
      LOAD("global.cg", d, from + i + 3 * stride);
      sum += SUM(a) + SUM(b) + SUM(c) + SUM(d);
    }
    for (; i < n; i += stride) {
      float4 a;
      LOAD("global.cg", a, from + i);
      sum += SUM(a);
    }
  }
  if (sum == 12345.0f) *sink = sum;
}

// Each load's address depends on the value before it; otherwise the compiler would leave the loop out. `none`
// is 0, which the compiler cannot know. The
// other warps hide the wait.
extern "C" __global__ void readL1(float* sink, const float4* from, int rounds, unsigned none) {
  const float4* mine = from + threadIdx.x;
  float sum = 0;
  for (int round = 0; round < rounds; ++round) {
    float4 a, b;
    LOAD("global.ca", a, mine);
    LOAD("global.ca", b, mine + blockDim.x);
    sum += SUM(a) + SUM(b);
    mine += __float_as_uint(sum) & none;
  }
  if (sum == 12345.0f) *sink = sum;
}

extern "C" __global__ void readShared(float* sink, int rounds, unsigned none) {
  __shared__ float4 held[2048];
  for (int i = threadIdx.x; i < 2048; i += blockDim.x) held[i] = make_float4(i, i, i, i);
  __syncthreads();
  unsigned at = (unsigned)__cvta_generic_to_shared(held + threadIdx.x);
  float sum = 0;
  for (int round = 0; round < rounds; ++round) {
    float4 a, b;
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a.x), "=f"(a.y), "=f"(a.z), "=f"(a.w) : "r"(at));
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(b.x), "=f"(b.y), "=f"(b.z), "=f"(b.w) : "r"(at + 16384));
    sum += SUM(a) + SUM(b);
    at += __float_as_uint(sum) & none;
  }
  if (sum == 12345.0f) *sink = sum;
}

template <typename T>
__device__ void multiplyAdd(float* sink, int rounds, T a, T b) {
  T x[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) x[i] = (T)(threadIdx.x + i);
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int again = 0; again < 8; ++again) {
#pragma unroll
      for (int i = 0; i < 8; ++i) x[i] = x[i] * a + b;
    }
  }
  T sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) sum += x[i];
  if (sum == (T)12345) *sink = (float)sum;
}
extern "C" __global__ void fma32(float* sink, int rounds, float a) { multiplyAdd<float>(sink, rounds, a, a); }
extern "C" __global__ void fma64(float* sink, int rounds, float a) { multiplyAdd<double>(sink, rounds, a, a); }

extern "C" __global__ void nothing() {}

// One thread reads a line after the other, past the L1, and notes how long each read took.
extern "C" __global__ void latencies(int* cycles, const int* from, int lines, int stride) {
#pragma unroll 1
  for (int line = 0; line < lines; ++line) {
    const long long start = clock64();
    int value;
    asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(value) : "l"(from + (long long)line * stride) : "memory");
    if (value != 0) return;  // all of them are 0, but the clock is not read before that is known
    cycles[line] = (int)(clock64() - start);
  }
}
)cu";

constexpr int repeatedRuns = 4;
constexpr int launchesTimed = 200;

Result<NvrtcResult> compiled(const std::string& architecture) {
  WB_TRY(auto toolchain, nvrtcName());
  NvrtcRequest request;
  request.source = ceilingSource();
  request.fileName = "ceilings.cu";
  request.options = {"--gpu-architecture=" + architecture, "-std=c++17"};
  const std::string key = cubinKey(request, toolchain);
  if (auto known = readCubin(key, request)) return *std::move(known);
  WB_TRY(auto result, compileWithNvrtc(request));
  if (!result.ok) return Error{Stage::profile, "The kernels that measure the device: " + result.log};
  writeCubin(key, request, result);
  return result;
}

at::Tensor bytesOn(int device, std::int64_t bytes) {
  return at::empty({bytes}, at::TensorOptions().dtype(at::kByte).device(
                                at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device))));
}

}  // namespace

std::string ceilingSource() {
  return fmt::format("{}\nextern \"C\" {{\n{}}}\n", ceilings, spinKernel);
}

Result<double> bestSeconds(const std::function<Result<void>()>& work, int repeats) {
  Events events(*driver());
  WB_DO(events.open());
  double best = 0;
  for (int repeat = 0; repeat <= repeats; ++repeat) {  // the first run wakes the device and is not counted
    Result<void> done = events.record(0, nullptr);
    if (done) done = work();
    if (done) done = events.record(1, nullptr);
    if (done) done = events.wait(1);
    if (!done) return std::move(done).error();
    WB_TRY(auto seconds, events.between(0, 1));
    if (repeat > 0) best = best == 0 ? seconds : std::min(best, seconds);
  }
  return std::max(best, 1e-7);
}

Result<CeilingKernels> CeilingKernels::compile(const std::string& architecture, int device) {
  WB_TRY(auto binary, compiled(architecture));
  const Driver& cuda = *driver();
  CUmodule module = nullptr;
  if (CUresult code = cuda.moduleLoadData(&module, binary.cubin.data()); code != CUDA_SUCCESS)
    return cudaError(Stage::profile, code, "Loading the kernels that measure the device");
  int multiprocessors = 0;
  cuda.deviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
  return CeilingKernels(module, device, multiprocessors);
}

CeilingKernels::CeilingKernels(CeilingKernels&& other) noexcept
    : module_(std::exchange(other.module_, nullptr)),
      device_(other.device_),
      multiprocessors_(other.multiprocessors_) {}

CeilingKernels::~CeilingKernels() {
  if (module_ != nullptr) driver()->moduleUnload(module_);
}

Result<void> CeilingKernels::launch(const Launch& what, CUstream stream) {
  const Driver& cuda = *driver();
  CUfunction function = nullptr;
  if (CUresult code = cuda.moduleGetFunction(&function, module_, what.kernel); code != CUDA_SUCCESS)
    return cudaError(Stage::profile, code, std::string("Finding the kernel ") + what.kernel);
  if (CUresult code = cuda.launchKernel(function, what.blocks, 1, 1, what.threads, 1, 1, 0, stream,
                                        what.arguments, nullptr);
      code != CUDA_SUCCESS)
    return cudaError(Stage::profile, code, std::string("Launching ") + what.kernel);
  return {};
}

Result<double> CeilingKernels::rate(const Launch& what, double amount) {
  WB_TRY(auto seconds, bestSeconds([&] { return launch(what, nullptr); }, repeatedRuns));
  return amount / seconds;
}

Result<double> CeilingKernels::dramBytes(std::int64_t bytes) {
  const at::Tensor from = bytesOn(device_, bytes), to = bytesOn(device_, bytes);
  from.fill_(1);
  void *source = from.data_ptr(), *target = to.data_ptr();
  long long vectors = bytes / 16;
  int rounds = 1;
  std::array<void*, 3> copy{&target, &source, &vectors};
  std::array<void*, 4> read{&target, &source, &vectors, &rounds};
  const auto blocks = static_cast<unsigned>(multiprocessors_ * 16);
  WB_TRY(auto both, rate({"copyMemory", blocks, 512, copy.data()}, 2.0 * static_cast<double>(bytes)));
  // Reading alone is a little faster, since the bus never has to turn round.
  WB_TRY(auto reads, rate({"readMemory", blocks, 512, read.data()}, static_cast<double>(bytes)));
  return std::max(both, reads);
}

Result<double> CeilingKernels::l2Bytes(std::int64_t bytes) {
  const auto blocks = static_cast<unsigned>(multiprocessors_ * 2);
  constexpr unsigned threads = 1024;
  long long vectors = bytes / 16;
  const at::Tensor from = bytesOn(device_, vectors * 16), sink = bytesOn(device_, 4);
  from.fill_(1);
  void *source = from.data_ptr(), *target = sink.data_ptr();
  int rounds = 64;
  std::array<void*, 4> read{&target, &source, &vectors, &rounds};
  return rate({"readMemory", blocks, threads, read.data()}, 16.0 * static_cast<double>(vectors) * rounds);
}

Result<double> CeilingKernels::l1Bytes() {
  constexpr unsigned threads = 1024;
  const at::Tensor from = bytesOn(device_, std::int64_t{2} * 16 * threads), sink = bytesOn(device_, 4);
  from.fill_(1);
  void *source = from.data_ptr(), *target = sink.data_ptr();
  int rounds = 1024;
  unsigned none = 0;
  std::array<void*, 4> read{&target, &source, &rounds, &none};
  const auto blocks = static_cast<unsigned>(multiprocessors_ * 2);
  return rate({"readL1", blocks, threads, read.data()}, 32.0 * threads * blocks * rounds);
}

Result<double> CeilingKernels::sharedBytes() {
  constexpr unsigned threads = 1024;
  const at::Tensor sink = bytesOn(device_, 4);
  void* target = sink.data_ptr();
  int rounds = 1024;
  unsigned none = 0;
  std::array<void*, 3> read{&target, &rounds, &none};
  const auto blocks = static_cast<unsigned>(multiprocessors_ * 2);
  return rate({"readShared", blocks, threads, read.data()}, 32.0 * threads * blocks * rounds);
}

Result<double> CeilingKernels::fp32() {
  const at::Tensor sink = bytesOn(device_, 4);
  void* target = sink.data_ptr();
  int rounds = 512;
  float factor = 0.999F;
  std::array<void*, 3> work{&target, &rounds, &factor};
  const auto blocks = static_cast<unsigned>(multiprocessors_ * 16);
  return rate({"fma32", blocks, 256, work.data()}, 128.0 * rounds * 256 * blocks);
}

Result<double> CeilingKernels::fp64() {
  const at::Tensor sink = bytesOn(device_, 4);
  void* target = sink.data_ptr();
  int rounds = 128;
  float factor = 0.999F;
  std::array<void*, 3> work{&target, &rounds, &factor};
  const auto blocks = static_cast<unsigned>(multiprocessors_ * 16);
  return rate({"fma64", blocks, 256, work.data()}, 128.0 * rounds * 256 * blocks);
}

Result<void> CeilingKernels::spin(const void* from, void* to, std::int64_t cycles, std::int64_t elements,
                                  CUstream stream) {
  long long wait = cycles, n = elements;
  constexpr std::int64_t threads = 256;
  std::array<void*, 4> arguments{&from, &to, &wait, &n};
  return launch(
      {"spin", static_cast<unsigned>((elements + threads - 1) / threads), threads, arguments.data()}, stream);
}

Result<double> CeilingKernels::evicted(const std::function<Result<void>()>& evict) {
  int lines = 1024, stride = 1024;  // in ints; the lines are 4 KiB apart
  const at::Tensor from = bytesOn(device_, std::int64_t{4} * lines * stride);
  const at::Tensor cycles = bytesOn(device_, std::int64_t{4} * lines);
  from.zero_();
  void *source = from.data_ptr(), *target = cycles.data_ptr();
  std::array<void*, 4> arguments{&target, &source, &lines, &stride};
  const auto read = [&]() -> Result<std::vector<int>> {
    WB_DO(launch({"latencies", 1, 1, arguments.data()}, nullptr));
    std::vector<int> taken(static_cast<std::size_t>(lines));
    if (CUresult code = driver()->memcpyDtoH(taken.data(), reinterpret_cast<CUdeviceptr>(target),
                                             taken.size() * sizeof(int));
        code != CUDA_SUCCESS)
      return cudaError(Stage::profile, code, "Reading how long reads took");
    return taken;
  };
  auto there = read();
  if (there) there = read();  // the first reads came from memory
  if (!there) return std::move(there).error();
  WB_DO(evict());
  WB_TRY(const auto gone, read());
  std::size_t far = 0;
  for (std::size_t line = 0; line < there->size(); ++line) far += gone[line] > (*there)[line] + 100;
  return static_cast<double>(far) / static_cast<double>(there->size());
}

Result<double> CeilingKernels::launchSeconds() {
  WB_TRY(auto stream, OwnStream::open(device_));
  WB_TRY(auto graph, Graph::record(stream, nullptr, [&]() -> Result<void> {
           for (int i = 0; i < launchesTimed; ++i)
             WB_DO(launch({"nothing", 1, 32, nullptr}, stream.handle()));
           return {};
         }));
  // The graph is launched twice in a row too: the difference leaves out the host's time to launch the first.
  const auto launched = [&] { return graph.launch(nullptr); };
  const auto launchedTwice = [&]() -> Result<void> {
    WB_DO(launched());
    return launched();
  };
  WB_TRY(const double once, bestSeconds(launched, repeatedRuns));
  WB_TRY(const double twice, bestSeconds(launchedTwice, repeatedRuns));
  return std::max(twice - once, 0.0) / launchesTimed;
}

}  // namespace wb
