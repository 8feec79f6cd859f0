// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/split/includes.h"

#include <algorithm>
#include <array>

namespace wb {
namespace {

bool isOneOf(std::string_view file, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), file) != all.end();
}
bool isBelow(std::string_view file, std::initializer_list<std::string_view> folders) {
  return std::any_of(folders.begin(), folders.end(), [&](auto folder) { return file.starts_with(folder); });
}

/// Whether a header is of the standard library, as <vector> and <stdint.h> are; the device's prelude has what
/// device code uses of them.
bool isStandard(std::string_view file) {
  if (file.find_first_of("./") == std::string_view::npos) return true;
  return isOneOf(file, {"stdint.h", "math.h", "stdio.h", "stdlib.h", "string.h", "assert.h", "limits.h",
                        "float.h", "stddef.h", "time.h", "stdbool.h", "inttypes.h", "errno.h"});
}

/// Whether a header is the system's, which no code of the device can use.
bool isOfSystem(std::string_view file) {
  return isBelow(file, {"sys/", "linux/"}) ||
         isOneOf(file,
                 {"unistd.h", "fcntl.h", "dlfcn.h", "pthread.h", "sched.h", "signal.h", "dirent.h", "poll.h",
                  "malloc.h", "getopt.h", "execinfo.h", "omp.h", "immintrin.h", "x86intrin.h"});
}

}  // namespace

IncludeName includeName(std::string_view rest) {
  if (rest.size() < 2 || (rest[0] != '<' && rest[0] != '"')) return {};
  const auto end = rest.find(rest[0] == '<' ? '>' : '"', 1);
  if (end == std::string_view::npos) return {};
  return {rest.substr(1, end - 1), rest[0] == '"'};
}

IncludeUse useOfInclude(std::string_view file) {
  if (isBelow(file, {"thrust/", "cutlass/", "cute/", "cub/device/"}))
    return {true, true,
            "it uses " + std::string(file.substr(0, file.find('/'))) + ", whose host part needs nvcc"};
  if (file.starts_with("ATen/native/cuda/") && (file.ends_with("Loops.cuh") || file.ends_with("Reduce.cuh")))
    return {true, true, "it uses " + std::string(file) + ", which is templates over device lambdas"};
  // These compile for the device, or have a stand-in (prelude.cpp). Of the others, the prelude has what
  // device code uses.
  if (isOneOf(file, {"ATen/ceil_div.h", "ATen/cuda/detail/KernelUtils.h", "c10/cuda/CUDAMathCompat.h"}))
    return {};
  if (isOneOf(file, {"ATen/cuda/DeviceUtils.cuh", "ATen/cuda/Atomic.cuh", "ATen/native/cuda/KernelUtils.cuh",
                     "THC/THCAtomics.cuh"}))
    return {false, true, {}};
  if (isBelow(file, {"torch/", "ATen/", "c10/", "caffe2/", "pybind11/", "THC/"}))
    return {!file.ends_with(".cuh"), false, {}};
  if (isBelow(file, {"cub/", "cooperative_groups", "cuda/", "nv/"}) ||
      isOneOf(file, {"mma.h", "cuda_pipeline.h", "cuda_awbarrier.h", "device_launch_parameters.h",
                     "device_functions.h", "sm_20_atomic_functions.h", "math_constants.h"}))
    return {false, true, {}};
  if (isStandard(file) || isOfSystem(file) ||
      isBelow(file, {"cublas", "cudnn", "cusolver", "cusparse", "cufft", "nvtx3/"}) ||
      isOneOf(file, {"cuda.h", "cudaTypedefs.h", "cuda_runtime.h", "cuda_runtime_api.h", "driver_types.h",
                     "nvToolsExt.h", "cuda_profiler_api.h", "Python.h"}))
    return {true, false, {}};
  return {};
}

}  // namespace wb
