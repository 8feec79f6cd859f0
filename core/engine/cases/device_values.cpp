// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cases/device_values.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/engine/device/driver.h"

namespace wb {
namespace {

/// Sixteen threads take 64 elements that lie side by side.
constexpr unsigned threads = 256, elementsOfABlock = threads * 4, mostBlocks = 2048;

constexpr std::string_view source = R"cu(
struct Change {
  long long width, blocks, start, step, phase;
  unsigned long long kept[64], flipped[64], added[64];
};

template <class U>
__device__ void change(U* into, const U* base, long long from, long long to, const Change& how) {
  __shared__ U kept[64], flipped[64], added[64];
  if (threadIdx.x < 64) {
    const int j = (int)((threadIdx.x + how.phase) % 64);
    kept[threadIdx.x] = (U)how.kept[j], flipped[threadIdx.x] = (U)how.flipped[j], added[threadIdx.x] = (U)how.added[j];
  }
  __syncthreads();
  const long long all = (long long)gridDim.x * blockDim.x / 16;
  const int lane = threadIdx.x % 16;
  for (long long k = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / 16; from + 64 * k < to; k += all) {
    const long long first = from + 64 * k;
    long long moved = first;
    if (how.width == 64 && first / 64 < how.blocks) moved = (how.start + how.step * (first / 64)) % how.blocks * 64;
#pragma unroll
    for (int i = lane; i < 64; i += 16) {
      if (first + i >= to) break;
      long long place = moved + i;
      if (how.width != 64) {
        const long long block = (first + i) / how.width;
        if (block < how.blocks) place = (how.start + how.step * block) % how.blocks * how.width + (first + i) % how.width;
      }
      into[first + i] = (U)((U)((base[place] & kept[i]) ^ flipped[i]) + added[i]);
    }
  }
}

#define ENTRY(name, U) \
  extern "C" __global__ void name(U* into, const U* base, long long from, long long to, Change how) { \
    change<U>(into, base, from, to, how); \
  }
ENTRY(warpbench_values_1, unsigned char)
ENTRY(warpbench_values_2, unsigned short)
ENTRY(warpbench_values_4, unsigned)
ENTRY(warpbench_values_8, unsigned long long)
)cu";

constexpr const char* names[] = {"warpbench_values_1", "warpbench_values_2", "warpbench_values_4",
                                 "warpbench_values_8"};

}  // namespace

std::string_view deviceValuesSource() {
  return source;
}

Result<DeviceValues> DeviceValues::load(const std::string& cubin) {
  const Driver& cuda = *driver();
  DeviceValues values;
  if (CUresult code = cuda.moduleLoadData(&values.module_, cubin.data()); code != CUDA_SUCCESS)
    return cudaError(Stage::time, code, "Loading the kernels that change inputs");
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (CUresult code = cuda.moduleGetFunction(&values.kernels_[i], values.module_, names[i]);
        code != CUDA_SUCCESS)
      return cudaError(Stage::time, code, "Finding a kernel that changes inputs");
  return values;
}

DeviceValues::DeviceValues(DeviceValues&& other) noexcept : module_(std::exchange(other.module_, nullptr)) {
  std::copy(std::begin(other.kernels_), std::end(other.kernels_), std::begin(kernels_));
  std::swap(failed_, other.failed_);
}

DeviceValues& DeviceValues::operator=(DeviceValues&& other) noexcept {
  std::swap(module_, other.module_);
  std::swap(kernels_, other.kernels_);
  std::swap(failed_, other.failed_);
  return *this;
}

DeviceValues::~DeviceValues() {
  if (module_ != nullptr) driver()->moduleUnload(module_);
}

void DeviceValues::write(const at::Tensor& into, const at::Tensor& base, const WorkedOutChange& change,
                         std::int64_t from, std::int64_t to) const {
  void *target = into.mutable_data_ptr(), *given = const_cast<void*>(base.const_data_ptr());
  WorkedOutChange how = change;
  void* arguments[] = {&target, &given, &from, &to, &how};
  const auto blocks = static_cast<unsigned>(
      std::clamp<std::int64_t>((to - from + elementsOfABlock - 1) / elementsOfABlock, 1, mostBlocks));
  const auto kind = static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(base.element_size())));
  returnToDevice();
  const CUresult code =
      driver()->launchKernel(kernels_[kind], blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr);
  if (code != CUDA_SUCCESS && failed_ == CUDA_SUCCESS) failed_ = code;
}

std::optional<Error> DeviceValues::missing() const {
  if (failed_ == CUDA_SUCCESS) return std::nullopt;
  return cudaError(Stage::time, std::exchange(failed_, CUDA_SUCCESS), "Writing new inputs");
}

}  // namespace wb
