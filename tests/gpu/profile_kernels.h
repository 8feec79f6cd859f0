// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace wb {

// Kernels for relu over float32 whose counters are known, each right, so that it is profiled. Where a line
// matters the text "HERE" is on it, and lineOf finds it.

/// One element a thread: n / 32 requests of 4 sectors each way.
inline constexpr const char* copySource = R"cu(/* warpbench
operator = "aten::relu"
*/
__global__ void relu(const float* x, float* y, int64_t n) {
  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i < n) y[i] = x[i] < 0 ? 0 : x[i];
}
)cu";

/// 256 fused multiply-adds a thread that change nothing: a * 1 + 0, with 1 and 0 only known when it runs.
inline constexpr const char* fmaChainSource = R"cu(/* warpbench
operator = "aten::relu"
*/
__global__ void relu(const float* x, float* y, int64_t n) {
  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  const float one = n > 0 ? 1.f : 2.f, zero = n > 0 ? 0.f : 1.f;
  float a = x[i];
#pragma unroll
  for (int k = 0; k < 256; ++k) a = __fmaf_rn(a, one, zero);
  y[i] = a < 0 ? 0 : a;
}
)cu";

/// Neighbouring threads read a row's length apart: every lane a sector of its own.
inline constexpr const char* stridedSource = R"cu(/* warpbench
operator = "aten::relu"
*/
__global__ void relu(const float* x, float* y, int64_t n) {
  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  const int64_t side = 1024;
  if (i >= n) return;
  const int64_t j = n % (side * side) == 0 ? i / (side * side) * side * side + i % side * side + i / side % side : i;
  y[j] = x[j] < 0 ? 0 : x[j];
}
)cu";

/// All lanes of a warp store to one bank of shared memory, and load from it.
inline constexpr const char* bankConflictSource = R"cu(/* warpbench
operator = "aten::relu"
block = 32
*/
__global__ void relu(const float* x, float* y, int64_t n) {
  __shared__ volatile float tile[32 * 32];
  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i < n) tile[threadIdx.x * 32] = x[i];
  __syncwarp();
  if (i < n) y[i] = tile[threadIdx.x * 32] < 0 ? 0 : x[i];
}
)cu";

/// In place, and it stores only what it changes: a second call on the same memory stores nothing.
inline constexpr const char* storesNegativesSource = R"cu(/* warpbench
operator = "aten::relu_"
*/
__global__ void relu(float* x, int64_t n) {
  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i < n && x[i] < 0) x[i] = 0;
}
)cu";

/// So much shared memory that one small block fills a multiprocessor.
inline constexpr const char* lowOccupancySource = R"cu(/* warpbench
operator = "aten::relu"
block = 64
shared = "180000"
*/
__global__ void relu(const float* x, float* y, int64_t n) {
  extern __shared__ float tile[];
  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i < n) tile[threadIdx.x] = x[i];
  __syncthreads();
  if (i < n) y[i] = tile[threadIdx.x] < 0 ? 0 : tile[threadIdx.x];
}
)cu";

/// More live values than registers.
inline constexpr const char* spillingSource = R"cu(/* warpbench
operator = "aten::relu"
options = ["--maxrregcount=24"]
*/
__global__ void relu(const float* x, float* y, int64_t n) {
  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  float values[64];
#pragma unroll
  for (int k = 0; k < 64; ++k) values[k] = x[(i + k * 64) % n];
  for (int round = 0; round < n % 3 + 2; ++round) {
#pragma unroll
    for (int k = 0; k < 64; ++k) values[k] = values[k] * 0.5f + values[(k + 17) % 64];
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 64; ++k) sum += values[k];
  y[i] = x[i] < 0 ? 0 : x[i];
  if (sum == 1e30f) y[i] = sum;
}
)cu";

/// Each load's address is what the last one read: the warps wait at its use.
inline constexpr const char* longScoreboardSource = R"cu(/* warpbench
operator = "aten::relu"
*/
__global__ void relu(const float* x, float* y, int64_t n) {
  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  unsigned at = static_cast<unsigned>(i);
  for (int k = 0; k < 64; ++k)
    at = at * 1664525u + __float_as_uint(__ldcg(x + at % static_cast<unsigned>(n)));  // HERE
  const unsigned none = static_cast<unsigned>(n >> 40);  // 0, which the compiler does not know
  y[i] = x[i] < 0 ? 0 : __uint_as_float(__float_as_uint(x[i]) | (at & none));
}
)cu";

/// One warp of eight works, the others wait for it.
inline constexpr const char* barrierSource = R"cu(/* warpbench
operator = "aten::relu"
*/
__global__ void relu(const float* x, float* y, int64_t n) {
  __shared__ float late;
  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (threadIdx.x < 32) {
    float a = static_cast<float>(n);
    for (int k = 0; k < 400; ++k) a = __fsqrt_rn(a + 1.f);
    if (threadIdx.x == 0) late = a;
  }
  __syncthreads();  // HERE
  if (i < n) y[i] = x[i] < 0 ? 0 : x[i] + (late > 1e30f ? 1.f : 0.f);
}
)cu";

/// Two loads and stores of NaN-free data by a child-less kernel of one thread: too short to be sampled.
inline constexpr const char* tinySource = R"cu(/* warpbench
operator = "aten::relu"
block = 32
*/
__global__ void relu(const float* x, float* y, int64_t n) {
  if (threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x] < 0 ? 0 : x[threadIdx.x];
}
)cu";

/// Half a second a call: counters and samples of it end all the same.
inline constexpr const char* secondsSource = R"cu(/* warpbench
operator = "aten::relu"
*/
__global__ void relu(const float* x, float* y, int64_t n) {
  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  long long until = clock64() + 800000000LL;
  while (clock64() < until) {}
  if (i < n) y[i] = x[i] < 0 ? 0 : x[i];
}
)cu";

/// Line, from 1, of the first line with "HERE".
[[nodiscard]] inline int lineOf(const std::string& source) {
  const std::string before = source.substr(0, source.find("HERE"));
  int line = 1;
  for (const char c : before) line += c == '\n';
  return line;
}

}  // namespace wb
