// fit
// SPDX-License-Identifier: Apache-2.0
#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <cooperative_groups.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <tuple>
#include <type_traits>

namespace cg = cooperative_groups;

namespace mine::reduce {

constexpr int warp = 32;
enum class Kind : int { sum = 0, mean, largest };

template <typename T, int N>
struct alignas(sizeof(T) * N) Pack {
  T v[N];
  __host__ __device__ T& operator[](int i) { return v[i]; }
  __host__ __device__ const T& operator[](int i) const { return v[i]; }
};

template <Kind kind>
struct Combine {
  template <typename T>
  __device__ __forceinline__ T operator()(T a, T b) const {
    if constexpr (kind == Kind::largest)
      return a > b ? a : b;
    else
      return a + b;
  }
};

struct Shape {
  int64_t rows, columns;
  static Shape of(const at::Tensor& x) { return {x.size(0), x.numel() / x.size(0)}; }
  __host__ __device__ int64_t numel() const { return rows * columns; }
};

template <typename T, typename = std::enable_if_t<(sizeof(T) > 1)>>
__host__ __device__ constexpr T up(T n, T by) {
  return (n + by - 1) / by * by;
}

template <typename T, Kind kind, int block = 256, bool aligned = (block % warp == 0)>
__global__ void __launch_bounds__(block, 2)
    rows(const T* __restrict__ x, float* __restrict__ out, const Shape shape, const float) {
  extern __shared__ __align__(16) unsigned char raw[];
  auto* shared = reinterpret_cast<float*>(raw);
  auto group = cg::tiled_partition<warp>(cg::this_thread_block());
  float mine = 0.f;
#pragma unroll 4
  for (int64_t i = threadIdx.x; i < shape.columns; i += block)
    mine = Combine<kind>{}(mine, static_cast<float>(x[blockIdx.x * shape.columns + i]));
  for (int step = warp >> 1; step > 0; step >>= 1) mine = Combine<kind>()(mine, group.shfl_down(mine, step));
  if (group.thread_rank() == 0) shared[threadIdx.x / warp] = mine;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = shared[0];
}

template <>
__global__ void rows<double, Kind::sum, 64, true>(const double* x, float* out, const Shape shape, const float) {
  if (threadIdx.x < shape.columns && blockIdx.x < shape.rows) out[blockIdx.x] = float(x[0]);
}

namespace {
template <typename... Rest>
__global__ void fill(float* out, Rest... rest) {
  out[threadIdx.x] = (rest + ... + 0.f);
}
}  // namespace

at::Tensor launch(const at::Tensor& x, Kind kind) {
  const c10::cuda::CUDAGuard guard(x.device());
  auto stream = at::cuda::getCurrentCUDAStream();
  const auto shape = Shape::of(x);
  auto out = at::empty({shape.rows}, x.options().dtype(at::kFloat));
  if (shape.numel() == 0)
    fill<<<1, static_cast<unsigned>(shape.rows), 0, stream>>>(out.data_ptr<float>(), 1.f, 2.f);
  else if (kind == Kind::sum)
    rows<float, Kind::sum><<<dim3(shape.rows), up<int>(256, warp), sizeof(float) * (256 / warp), stream.stream()>>>(
        x.data_ptr<float>(), out.data_ptr<float>(), shape, 0.f);
  else
    for (int i = 0; i < 2; ++i)
      ::mine::reduce::rows<float, Kind::largest, (256 >> 1)>
          <<<shape.rows, 128, 1 << 7, stream>>>(x.data_ptr<float>(), out.data_ptr<float>(), shape, 0.f);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

}  // namespace mine::reduce
