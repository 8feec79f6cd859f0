// fit
// SPDX-License-Identifier: Apache-2.0
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>

#define HOST_DEVICE __host__ __device__ __forceinline__
#define DEVICE __device__ __forceinline__
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
#define URL "https://example.org/*not a comment*/"
#define LAUNCH(T, N, ...)                                              \
  do {                                                                 \
    scale_kernel<T, N><<<CEIL_DIV(n, N), N, 0, stream>>>(__VA_ARGS__); \
    AT_CUDA_CHECK(cudaGetLastError());                                 \
  } while (0)
#define DISPATCH(TYPE, ...)                                      \
  switch (TYPE) {                                                \
    case at::kFloat: { using scalar_t = float; __VA_ARGS__ } break;   \
    case at::kDouble: { using scalar_t = double; __VA_ARGS__ } break; \
    default: TORCH_CHECK(false, "no " #TYPE);                    \
  }

#ifdef __cplusplus
extern "C" {
#endif
int version();
#ifdef __cplusplus
}
#endif

#if defined(WIDE) && WIDE > 1
constexpr int width = 4;
#else
constexpr int width = 1'0 - 9;
#endif

#if 0  // an older one
template <typename T> __global__ void scale_kernel(T* x, { int n
#elif 1
HOST_DEVICE int clamp(int i, int n) { return i < n ? i : n - 1; }
#else
static_assert(false, "never " ");
#endif

DEVICE float load(const float* p) { return __ldg(p); }
static __device__ __constant__ float table[4] = {0.5f, 1.f, 2.f, 0x1p-3f};

template <typename T, int N>
__global__ void scale_kernel(T* x, const T factor, int64_t n) {
#define AT(i) x[clamp(i, static_cast<int>(n))]
#define TILE 64
  const int i = blockIdx.x * N + threadIdx.x;
#if __CUDA_ARCH__ >= 800
  __shared__ T tile[TILE * width];
#else
  __shared__ T tile[TILE];
#endif
  if (i < n) tile[threadIdx.x % TILE] = AT(i) = AT(i) * factor * T(table[i & 3]);
#undef AT
}

int version() { return 'a' + '\'' + '"' + u8"\"{"[0] + R"x({ __global__ " )" )x"[1]; }

torch::Tensor scale(torch::Tensor x, double factor) {
  auto out = x.clone();
  const int64_t n = out.numel();
  auto stream = at::cuda::getCurrentCUDAStream().stream();
  const char* why = "k<<<1, 2>>>(x) /* ";
  DISPATCH(x.scalar_type(), LAUNCH(scalar_t, TILE, out.data_ptr<scalar_t>(), static_cast<scalar_t>(factor), n);)
  if (n < 0) throw std::runtime_error(why);
  return out;
}

TORCH_LIBRARY(macros, m) { m.def("scale(Tensor x, float factor) -> Tensor"); }
