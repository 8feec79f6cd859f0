// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

constexpr const char* kRelu = R"cu(/* warpbench
operator = "aten::relu"
*/
template <typename T>
__global__ void relu(const T* x, T* y, int64_t n) {
  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i < n) y[i] = x[i] < T(0) ? T(0) : x[i];
}
)cu";

constexpr const char* kAdd = R"cu(/* warpbench
operator = "aten::add.Tensor"
args = ["self", "other", "alpha", "out", "numel(out)"]
elementwise = true
*/
template <typename T> struct Math { using type = T; };
template <> struct Math<__half> { using type = float; };
template <> struct Math<__nv_bfloat16> { using type = float; };

template <typename T>
__global__ void add(const T* a, const T* b, double alpha, T* out, int64_t n) {
  using M = typename Math<T>::type;
  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i < n) out[i] = static_cast<T>(static_cast<M>(a[i]) + static_cast<M>(alpha) * static_cast<M>(b[i]));
}
)cu";

constexpr const char* kSoftmax = R"cu(/* warpbench
operator = "aten::_softmax"
args = ["self", "out", "size(self, dim)", "inner(self, dim)"]
grid = "outer(self, dim) * inner(self, dim)"
block = 256
shared = "256 * 8"
*/
template <typename T> struct Math { using type = float; };
template <> struct Math<double> { using type = double; };

template <typename T>
__global__ void softmax(const T* x, T* y, int size, int64_t inner) {
  using M = typename Math<T>::type;
  extern __shared__ double raw[];
  M* partial = reinterpret_cast<M*>(raw);
  const int64_t start = blockIdx.x / inner * size * inner + blockIdx.x % inner;
  M most = -INFINITY;
  for (int k = threadIdx.x; k < size; k += blockDim.x) most = max(most, static_cast<M>(x[start + k * inner]));
  partial[threadIdx.x] = most;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] = max(partial[threadIdx.x], partial[threadIdx.x + half]);
    __syncthreads();
  }
  most = partial[0];
  __syncthreads();
  M sum = 0;
  for (int k = threadIdx.x; k < size; k += blockDim.x) sum += exp(static_cast<M>(x[start + k * inner]) - most);
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  sum = partial[0];
  for (int k = threadIdx.x; k < size; k += blockDim.x)
    y[start + k * inner] = static_cast<T>(exp(static_cast<M>(x[start + k * inner]) - most) / sum);
}
)cu";

constexpr const char* kLayerNorm = R"cu(/* warpbench
operator = "aten::native_layer_norm"
args = ["input", "weight", "bias", "eps", "out0", "out1", "out2", "numel(input) / max(numel(out1), 1)"]
grid = "numel(out1)"
block = 256
*/
template <typename T> struct Math { using type = float; };
template <> struct Math<double> { using type = double; };

template <typename M>
__device__ M blockSum(M value) {
  __shared__ M partial[256];
  __syncthreads();
  partial[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  return partial[0];
}

template <typename T>
__global__ void layer_norm(const T* x, const T* weight, const T* bias, double eps, T* y,
                           typename Math<T>::type* mean, typename Math<T>::type* rstd, int size) {
  using M = typename Math<T>::type;
  const int64_t start = blockIdx.x * static_cast<int64_t>(size);
  M sum = 0;
  for (int k = threadIdx.x; k < size; k += blockDim.x) sum += static_cast<M>(x[start + k]);
  const M average = blockSum(sum) / size;
  M squares = 0;
  for (int k = threadIdx.x; k < size; k += blockDim.x) {
    const M difference = static_cast<M>(x[start + k]) - average;
    squares += difference * difference;
  }
  const M scale = rsqrt(blockSum(squares) / size + static_cast<M>(eps));
  for (int k = threadIdx.x; k < size; k += blockDim.x) {
    M value = (static_cast<M>(x[start + k]) - average) * scale;
    if (weight) value *= static_cast<M>(weight[k]);
    if (bias) value += static_cast<M>(bias[k]);
    y[start + k] = static_cast<T>(value);
  }
  if (threadIdx.x == 0) {
    mean[blockIdx.x] = average;
    rstd[blockIdx.x] = scale;
  }
}
)cu";

class GpuKernels : public GpuTest {
 protected:
  void expectAllPass(const std::string& source, int fewest) {
    const Report report = run(smokeJob(source));
    ASSERT_EQ(report.kernels.size(), 1U);
    const KernelReport& kernel = *report.kernels[0];
    fmt::print("  {} of {} pass, {} void, {} failed\n", kernel.counts.passed, kernel.counts.total,
               kernel.counts.neutral, kernel.counts.failed);
    printCases(kernel);
    EXPECT_EQ(report.outcome, Outcome::finished);
    EXPECT_FALSE(kernel.failure);
    EXPECT_EQ(kernel.counts.failed, 0);
    EXPECT_GE(kernel.counts.passed, fewest);
  }
};

TEST_F(GpuKernels, ReluPassesTheSmokeSuite) {
  expectAllPass(kRelu, 10);
}
TEST_F(GpuKernels, AddPassesTheSmokeSuite) {
  expectAllPass(kAdd, 10);
}
TEST_F(GpuKernels, SoftmaxPassesTheSmokeSuite) {
  expectAllPass(kSoftmax, 8);
}
TEST_F(GpuKernels, LayerNormPassesTheSmokeSuite) {
  expectAllPass(kLayerNorm, 8);
}

TEST_F(GpuKernels, ReluPassesInARealWorker) {
  const Report report = runInWorker(smokeJob(kRelu));
  const KernelReport& kernel = *report.kernels[0];
  printCases(kernel);
  EXPECT_EQ(report.outcome, Outcome::finished);
  EXPECT_EQ(report.target.device, "cuda:0");
  EXPECT_TRUE(report.target.architecture.starts_with("sm_")) << report.target.architecture;
  EXPECT_EQ(kernel.counts.failed, 0);
  EXPECT_GE(kernel.counts.passed, 10);
}

TEST_F(GpuKernels, AWrongKernelIsAMismatchWithItsPlace) {
  const Report report = run(reluJob(reluWith("if (i < n) y[i] = x[i];"), {1000}));
  const CaseRow& row = report.kernels[0]->cases[0];
  EXPECT_EQ(row.check.verdict, Verdict::mismatch);
  ASSERT_TRUE(row.check.errors);
  EXPECT_GT(row.check.errors->mismatches, 0);
  EXPECT_FALSE(row.check.errors->firstBadIndex.empty());
}

TEST_F(GpuKernels, UnwrittenOutputsArePoisonAndDoNotPass) {
  const Report report = run(reluJob(reluWith("if (i < n - 1) y[i] = x[i] < 0 ? 0 : x[i];"), {1000}));
  EXPECT_EQ(report.kernels[0]->cases[0].check.verdict, Verdict::mismatch);
}

TEST_F(GpuKernels, StridesReachAKernelThatAsksForThem) {
  auto job = reluJob(
      "/* warpbench\nargs = [\"self\", \"out\", \"size(self, 0)\", \"size(self, 1)\", \"stride(self, 0)\", "
      "\"stride(self, 1)\", \"stride(out, 0)\", \"stride(out, 1)\"]\n"
      "grid = \"size(self, 0)\"\n*/\n"
      "__global__ void relu(const float* x, float* y, int rows, int columns, long sx0, long sx1, long sy0, "
      "long sy1) {\n"
      "  for (int j = threadIdx.x; j < columns; j += blockDim.x) y[blockIdx.x * sy0 + j * sy1] = "
      "fmaxf(x[blockIdx.x * sx0 + j * sx1], 0.f);\n}\n",
      {});
  Case transposed;
  transposed.op = "aten::relu";
  transposed.args = "((T([64, 32], f32, [1, 64]),), {})";
  transposed.dtype = "f32";
  job.cases = {transposed};
  const Report report = run(job);
  printCases(*report.kernels[0]);
  EXPECT_EQ(report.kernels[0]->counts.passed, 1);
}

TEST_F(GpuKernels, WorkspacesZeroedOutputsAndLargeSharedMemoryWork) {
  auto job = reluJob(
      "/* warpbench\noperator = \"aten::relu\"\nargs = [\"self\", \"out\", \"tmp\", "
      "\"numel(self)\"]\nworkspace = { tmp = \"numel(self)\" }\n"
      "zero = [\"out\", \"tmp\"]\nshared = 100000\n*/\n"
      "__global__ void relu(const float* x, float* y, int* tmp, int n) {\n  extern __shared__ float tile[];\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  tile[24000 + threadIdx.x] = i < n ? x[i] : 0;\n  "
      "__syncthreads();\n"
      "  if (i < n) { atomicAdd(&tmp[i], 1); if (tmp[i] == 1 && tile[24000 + threadIdx.x] > 0) "
      "atomicAdd(&y[i], tile[24000 + threadIdx.x]); }\n}\n",
      {1000});
  const Report report = run(job);
  printCases(*report.kernels[0]);
  EXPECT_EQ(report.kernels[0]->counts.passed, 1);
}

}  // namespace
}  // namespace wb
