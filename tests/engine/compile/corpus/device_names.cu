// fit
// SPDX-License-Identifier: Apache-2.0
// Names of headers that only the device's part includes, in namespaces, signatures, classes and aliases.
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda_fp16.h>
#include <mma.h>

namespace cg = cooperative_groups;
using namespace cooperative_groups;
using namespace nvcuda;
namespace matrix = nvcuda::wmma;
namespace cde = cuda::device::experimental;
using cg::thread_block;
using Warp = cg::thread_block_tile<32>;
using barrier = cuda::barrier<cuda::thread_scope_block>;
typedef cub::BlockReduce<float, 256> Reduce;
using FragmentA = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
constexpr auto scope = cuda::thread_scope_device;
static const int kWidth = 16;

__device__ cuda::atomic<int, scope> counter;

struct Shared {
  float tile[256];
  barrier ready;
};

__device__ void arrive(barrier& b);
__device__ void arrive(barrier& b) { b.arrive_and_wait(); }
__device__ __forceinline__ float sumByShuffle(thread_block_tile<32> tile, float v) {
  for (int step = tile.size() / 2; step > 0; step /= 2) v += tile.shfl_down(v, step);
  return v;
}

namespace detail {
template <typename Group>
__device__ float sumOf(const Group& group, float v) {
  return cg::reduce(group, v, cg::plus<float>());
}
template <int size>
__device__ float sumOfTile(cg::thread_block_tile<size> const& tile, float v) {
  return cg::reduce(tile, v, cg::plus<float>());
}
// The host constructs it and the device has a member more.
struct Scale {
  using Fragment = matrix::fragment<matrix::accumulator, kWidth, kWidth, 16, float>;
  float by;
  explicit Scale(float x) : by(x) {}
  __host__ __device__ float operator()(float v) const { return by * v; }
  __device__ float of(const Fragment& f) const { return f.x[0] * by; }
  __device__ float of(const Warp& warp, float v) const { return sumOfTile<32>(warp, v) * by; }
};
}  // namespace detail

template <class Op>
__global__ void relu_kernel(const float* x, float* y, int64_t n, Op op) {
  namespace c = cooperative_groups;
  __shared__ Shared shared;
  __shared__ typename Reduce::TempStorage room;
  thread_block block = c::this_thread_block();
  const Warp warp = cg::tiled_partition<32>(block);
  if (threadIdx.x == 0) init(&shared.ready, blockDim.x);
  block.sync();
  cde::fence_proxy_async_shared_cta();
  arrive(shared.ready);
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
  FragmentA a;
  wmma::fill_fragment(sums, 0.f);
  wmma::fill_fragment(a, __float2half(0.f));
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const float v = i < n ? x[i] : 0;
  counter.fetch_add(1, cuda::memory_order_relaxed);
  const float none = sumByShuffle(warp, v) + detail::sumOf(warp, v) + op.of(warp, v) + op.of(sums) +
                     Reduce(room).Sum(v) + __half2float(a.x[0]);
  if (i < n) y[i] = v > 0 ? op(v) + 0 * none : 0;
}

at::Tensor relu(const at::Tensor& self) {
  const at::Tensor x = self.contiguous();
  at::Tensor y = at::empty_like(x);
  const int64_t n = x.numel();
  if (n == 0) return y;
  relu_kernel<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), n, detail::Scale(1));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("relu", &relu, "relu"); }
