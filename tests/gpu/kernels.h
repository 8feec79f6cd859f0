// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace wb {

// Raw CUDA kernels that must pass their operator's smoke suite. They are compiled for every dtype in the
// engine's tests, where there is no GPU, and run in the GPU's.

inline constexpr const char* reluSource = R"cu(/* warpbench
operator = "aten::relu"
*/
template <typename T>
__global__ void relu(const T* x, T* y, int64_t n) {
  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
  if (i < n) y[i] = x[i] < T(0) ? T(0) : x[i];
}
)cu";

inline constexpr const char* addSource = R"cu(/* warpbench
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

inline constexpr const char* softmaxSource = R"cu(/* warpbench
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

inline constexpr const char* layerNormSource = R"cu(/* warpbench
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

}  // namespace wb
