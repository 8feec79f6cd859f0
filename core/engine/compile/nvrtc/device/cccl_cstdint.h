// SPDX-License-Identifier: Apache-2.0
// Stands in for libcu++'s <cuda/std/cstdint>, whose int64_t is long long for NVRTC: torch's and the host
// compiler's is long.
#pragma once

#include "warpbench_numbers.h"

// libcu++'s own includes it, and its other headers count on that.
#include <cuda/std/climits>
#include <cuda/std/version>

#ifdef _LIBCUDACXX_BEGIN_NAMESPACE_STD
_LIBCUDACXX_BEGIN_NAMESPACE_STD
#else
_CCCL_BEGIN_NAMESPACE_CUDA_STD
#endif
#define WARPBENCH_USE(bits)    \
  using ::int##bits##_t;       \
  using ::uint##bits##_t;      \
  using ::int_fast##bits##_t;  \
  using ::uint_fast##bits##_t; \
  using ::int_least##bits##_t; \
  using ::uint_least##bits##_t;
WARPBENCH_USE(8)
WARPBENCH_USE(16)
WARPBENCH_USE(32)
WARPBENCH_USE(64)
#undef WARPBENCH_USE
using ::intmax_t;
using ::intptr_t;
using ::uintmax_t;
using ::uintptr_t;
using __cccl_intmax_t = __int128_t;
using __cccl_uintmax_t = __uint128_t;
#ifdef _LIBCUDACXX_END_NAMESPACE_STD
_LIBCUDACXX_END_NAMESPACE_STD
#else
_CCCL_END_NAMESPACE_CUDA_STD
#endif
