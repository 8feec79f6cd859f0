// SPDX-License-Identifier: Apache-2.0
// Ahead of the device's part of a CUDA extension: what device code uses of torch, mostly torch's own headers.
#pragma once

#include "warpbench_std.h"

// As in cuda.h, which NVRTC does not take. Kernels get it as a __grid_constant__ parameter.
typedef struct CUtensorMap_st {
  alignas(__CUDACC_VER_MAJOR__ < 13 ? 64 : 128) unsigned long long opaque[16];
} CUtensorMap;

#include <torch/headeronly/macros/Macros.h>
// Members for the host stand in torch's classes; NVRTC knows no host.
#undef C10_HOST
#define C10_HOST
#undef C10_API
#define C10_API
#undef TORCH_API
#define TORCH_API
#undef TORCH_CUDA_CU_API
#define TORCH_CUDA_CU_API
#undef TORCH_CUDA_CPP_API
#define TORCH_CUDA_CPP_API

#include <torch/headeronly/util/BFloat16.h>
#include <torch/headeronly/util/Half.h>

#define TORCH_CHECK(...) ((void)0)
#define TORCH_INTERNAL_ASSERT(...) ((void)0)
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) ((void)0)
#define TORCH_CHECK_INDEX(...) ((void)0)

#include <torch/headeronly/core/TensorAccessor.h>

namespace at {
using c10::BFloat16;
using c10::Half;

using torch::headeronly::DefaultPtrTraits;
using torch::headeronly::RestrictPtrTraits;
namespace detail {
template <size_t n, class index_t>
struct IndexBoundsCheck {
  __device__ IndexBoundsCheck(index_t) {}
};
}  // namespace detail
template <class T, size_t n, template <class> class Traits = DefaultPtrTraits, class index_t = int64_t>
using TensorAccessor = torch::headeronly::detail::TensorAccessor<torch::headeronly::IntHeaderOnlyArrayRef, T,
                                                                 n, Traits, index_t>;
template <class T, size_t n, template <class> class Traits = DefaultPtrTraits, class index_t = int64_t>
using GenericPackedTensorAccessor = torch::headeronly::detail::GenericPackedTensorAccessor<
    TensorAccessor<T, n - 1, Traits, index_t>, detail::IndexBoundsCheck<n, index_t>, T, n, Traits, index_t>;
template <class T, size_t n, template <class> class Traits = DefaultPtrTraits, class index_t = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, n, Traits, index_t>;
template <class T, size_t n, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, n, Traits, int32_t>;
template <class T, size_t n, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, n, Traits, int64_t>;

// As in ATen/AccumulateType.h and ATen/OpMathType.h.
template <class T, bool cuda>
struct AccumulateType {
  using type = std::conditional_t<std::is_same_v<T, bool>, bool,
                                  std::conditional_t<std::is_integral_v<T>, int64_t, T>>;
};
template <>
struct AccumulateType<Half, true> {
  using type = float;
};
template <>
struct AccumulateType<BFloat16, true> {
  using type = float;
};
template <>
struct AccumulateType<__half, true> {
  using type = float;
};
template <>
struct AccumulateType<float, false> {
  using type = double;
};
template <class T, bool cuda>
using acc_type = typename AccumulateType<T, cuda>::type;
template <class T>
struct OpMathType {
  using type = T;
};
template <>
struct OpMathType<Half> {
  using type = float;
};
template <>
struct OpMathType<BFloat16> {
  using type = float;
};
template <class T>
using opmath_type = typename OpMathType<T>::type;

template <class T>
__device__ __forceinline__ bool _isnan(T x) {
  return x != x;
}
}  // namespace at
namespace torch {
using namespace at;
}  // namespace torch
