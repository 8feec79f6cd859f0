// SPDX-License-Identifier: Apache-2.0
// What the host's part of a CUDA extension is compiled with
// (core/engine/compile/torch_cuda/split/splitter.h), as plain C++: torch, CUDA's runtime, and launches of
// kernels that NVRTC compiles. A kernel is a function here that launches; warpbench_runtime.h gives CUDA's
// runtime what it knows of it.
#pragma once

#include <warpbench_standin.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/ceil_div.h>
#include <ATen/core/TensorAccessor.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/Exceptions.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "warpbench_runtime.h"

#undef __launch_bounds__
#define __launch_bounds__(...)
#undef __cluster_dims__
#define __cluster_dims__(...)
#undef __maxnreg__
#define __maxnreg__(...)
#undef __grid_constant__
#define __grid_constant__
#undef __constant__
#define __constant__
#undef __shared__
#define __shared__
#undef __managed__
#define __managed__
#undef __global__
#define __global__
#undef __device__
#define __device__
#undef __host__
#define __host__
#undef __noinline__
#define __noinline__ __attribute__((noinline))
#undef __forceinline__
#define __forceinline__ inline

namespace torch::headeronly {
template <typename T>
struct RestrictPtrTraits {
  typedef T* __restrict__ PtrType;
};
}  // namespace torch::headeronly
namespace at {
using torch::headeronly::RestrictPtrTraits;
}  // namespace at

namespace warpbench_cuda {

// A parameter's type as the function's type has it: g++ keeps __restrict__ in decltype.
template <class T>
struct Parameter {
  using type = std::remove_cv_t<T>;
};
template <class T>
struct Parameter<T* __restrict__> {
  using type = T*;
};
template <class T>
struct Parameter<T* const __restrict__> {
  using type = T*;
};
template <class T>
using Plain = typename Parameter<T>::type;

struct Configuration {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};
inline std::vector<Configuration>& configurations() {
  static thread_local std::vector<Configuration> all;
  return all;
}
inline cudaStream_t orCurrent(cudaStream_t stream) {
  return stream == nullptr ? c10::cuda::getCurrentCUDAStream().stream() : stream;
}
inline void configure(dim3 grid, dim3 block, std::size_t shared = 0, cudaStream_t stream = nullptr) {
  configurations().push_back({grid, block, shared, orCurrent(stream)});
}

// Names as NVRTC takes them: unnamed namespaces leave no trace.
inline std::string plain(std::string_view text) {
  std::string out{text};
  for (const std::string_view unnamed : {"(anonymous namespace)::", "{anonymous}::", "<unnamed>::"})
    for (auto at = out.find(unnamed); at != std::string::npos; at = out.find(unnamed))
      out.erase(at, unnamed.size());
  return out;
}
// "… [T = float]", "… [with T = float; std::string = …]"
inline std::string argumentOf(std::string_view function) {
  const auto start =
      function.find("= ", function.rfind('[') == std::string_view::npos ? 0 : function.find('[')) + 2;
  int depth = 0;
  auto end = start;
  for (; end < function.size(); ++end) {
    const char c = function[end];
    if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ']' || c == ';') && depth == 0) break;
    if (c == '>' || c == ')' || c == ']' || c == '}') --depth;
  }
  return plain(function.substr(start, end - start));
}
template <class T>
std::string spellType() {
  return argumentOf(__PRETTY_FUNCTION__);
}
template <auto v>
std::string spellValue() {
  if constexpr (std::is_enum_v<decltype(v)>)
    return "(" + spellType<decltype(v)>() + ")" + std::to_string(static_cast<long long>(v));
  else
    return argumentOf(__PRETTY_FUNCTION__);
}
template <class T>
std::string spellValue() {
  return spellType<T>();
}
inline std::string list(std::initializer_list<std::string> all) {
  std::string out;
  for (const auto& each : all) {
    if (each.empty()) continue;
    out += out.empty() ? "" : ", ";
    out += each;
  }
  return out;
}
template <class... T>
std::string spellTypes() {
  return list({spellType<T>()...});
}
template <auto... v>
std::string spellValues() {
  return list({spellValue<v>()...});
}
inline std::string spellName(const char* name, std::initializer_list<std::string> arguments) {
  return name + ("<" + list(arguments) + ">");
}

inline std::size_t add(const void* stub, std::string (*spell)()) {
  entries().push_back({stub, spell, spell(), nullptr});
  return entries().size() - 1;
}

inline void launch(std::size_t index, void** arguments) {
  const Entry& entry = entries()[index];
  TORCH_CHECK(!configurations().empty(), entry.name, " is called without a launch configuration");
  const Configuration c = configurations().back();
  configurations().pop_back();
  TORCH_CHECK(entry.handle != nullptr, entry.name, " was not compiled for a device");
  const cudaError_t failed = launchKnown(entry.handle, c.grid, c.block, arguments, c.shared, c.stream);
  if (failed == cudaSuccess) return;
  cudaGetLastError();
  TORCH_CHECK(false, "launching ", entry.name, " with a grid of (", c.grid.x, ", ", c.grid.y, ", ", c.grid.z,
              ") blocks of (", c.block.x, ", ", c.block.y, ", ", c.block.z, ") threads and ", c.shared,
              " bytes of shared memory: ", cudaGetErrorString(failed));
}

template <auto function, class Name>
struct Kernel {
  static inline const std::size_t index = add((const void*)function, &Name::text);
  template <class... A>
  static void launch(A&... arguments) {
    void* pointers[] = {(void*)&arguments..., nullptr};
    ::warpbench_cuda::launch(index, pointers);
  }
};

inline std::string loaded;  // why loading failed; "" when it did not
inline const char* load(const void* cubin, const char* const* names) {
  static cudaLibrary_t library = nullptr;
  // The process that had it loaded may be asked for the same source again.
  if (library != nullptr) cudaLibraryUnload(library);
  library = nullptr;
  cudaError_t failed = cudaLibraryLoadData(&library, cubin, nullptr, nullptr, 0, nullptr, nullptr, 0);
  std::size_t i = 0;
  for (; failed == cudaSuccess && i < entries().size(); ++i) {
    cudaKernel_t kernel = nullptr;
    failed = cudaLibraryGetKernel(&kernel, library, names[i]);
    entries()[i].handle = reinterpret_cast<const void*>(kernel);
  }
  loaded = failed == cudaSuccess ? std::string()
                                 : std::string(cudaGetErrorName(failed)) + ": " + cudaGetErrorString(failed);
  return loaded.c_str();
}

}  // namespace warpbench_cuda

// The engine's entry points; `inline` functions that nothing calls would not be there.
#define WARPBENCH_CUDA_ENTRY_POINTS                                                                      \
  extern "C" __attribute__((visibility("default"))) std::size_t wb_cuda_kernels() {                      \
    return ::warpbench_cuda::entries().size();                                                           \
  }                                                                                                      \
  extern "C" __attribute__((visibility("default"))) const char* wb_cuda_kernel(std::size_t index) {      \
    return ::warpbench_cuda::entries()[index].name.c_str();                                              \
  }                                                                                                      \
  extern "C" __attribute__((visibility("default"))) const char* wb_cuda_load(const void* cubin,          \
                                                                             const char* const* names) { \
    return ::warpbench_cuda::load(cubin, names);                                                         \
  }
