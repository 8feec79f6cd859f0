// SPDX-License-Identifier: Apache-2.0
// The functions of CUDA's runtime that take a kernel, or a struct with one. In the host's part of an
// extension a kernel is a function that launches (warpbench_cuda.h), of which the runtime knows nothing. It
// takes the handle of a kernel that was loaded from a cubin in the place of a kernel of nvcc's, so each of
// these gives it that.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace warpbench_cuda {

struct Entry {
  const void* stub;
  std::string (*spell)();
  std::string name;
  const void* handle = nullptr;
};
inline std::vector<Entry>& entries() {
  static std::vector<Entry> all;
  return all;
}
inline const Entry* entryOf(const void* function) {
  for (const auto& entry : entries())
    if (entry.stub == function) return &entry;
  return nullptr;
}
/// The kernel that CUDA's runtime knows for a function of this file; anything else as it is.
template <class F>
const void* kernelOf(F function) {
  const void* const pointer = (const void*)function;
  const Entry* const entry = entryOf(pointer);
  return entry != nullptr && entry->handle != nullptr ? entry->handle : pointer;
}
/// A function of the driver, for what the runtime refuses to do with a kernel's handle; null without one.
template <class F>
F* ofDriver(const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult is{};
  const cudaError_t failed = cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &is);
  return failed == cudaSuccess ? reinterpret_cast<F*>(found) : nullptr;
}
/// A launch that names no stream goes to torch's current one: on the legacy stream it would be missing from
/// what is recorded or timed on another.
cudaStream_t orCurrent(cudaStream_t stream);

template <class F>
cudaError_t funcSetAttribute(F function, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(kernelOf(function), attribute, value);
}
template <class F>
cudaError_t funcGetAttributes(cudaFuncAttributes* attributes, F function) {
  return cudaFuncGetAttributes(attributes, kernelOf(function));
}
template <class F>
cudaError_t funcSetCacheConfig(F, cudaFuncCache) {
  return cudaSuccess;  // a hint, which a kernel's handle cannot take
}
template <class F>
cudaError_t funcSetSharedMemConfig(F, cudaSharedMemConfig) {
  return cudaSuccess;  // a hint as well, which no device of today heeds
}
template <class F>
cudaError_t funcGetName(const char** name, F function) {
  return cudaFuncGetName(name, kernelOf(function));
}
template <class F>
cudaError_t funcGetParamInfo(F function, std::size_t index, std::size_t* offset, std::size_t* size) {
  return cudaFuncGetParamInfo(kernelOf(function), index, offset, size);
}
template <class F>
cudaError_t getKernel(cudaKernel_t* kernel, F function) {
  const Entry* const entry = entryOf((const void*)function);
  if (kernel == nullptr || entry == nullptr || entry->handle == nullptr)
    return cudaGetKernel(kernel, (const void*)function);
  *kernel = static_cast<cudaKernel_t>(const_cast<void*>(entry->handle));
  return cudaSuccess;
}
template <class F>
cudaError_t getFuncBySymbol(cudaFunction_t* found, F function) {
  const Entry* const entry = entryOf((const void*)function);
  auto* const ask = ofDriver<decltype(cuKernelGetFunction)>("cuKernelGetFunction");
  if (entry == nullptr || entry->handle == nullptr || ask == nullptr)
    return cudaGetFuncBySymbol(found, (const void*)function);
  // The driver's errors have the runtime's numbers.
  return static_cast<cudaError_t>(ask(found, static_cast<CUkernel>(const_cast<void*>(entry->handle))));
}

template <class F>
cudaError_t activeBlocks(int* blocks, F function, int threads, std::size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernelOf(function), threads, shared);
}
template <class F>
cudaError_t activeBlocksWithFlags(int* blocks, F function, int threads, std::size_t shared, unsigned flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernelOf(function), threads, shared,
                                                                flags);
}
template <class F>
cudaError_t availableShared(std::size_t* bytes, F function, int blocks, int threads) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, kernelOf(function), blocks, threads);
}
template <class F, class... More>
cudaError_t bestBlock(int* grid, int* block, F function, More... more) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, kernelOf(function), more...);
}
template <class F, class... More>
cudaError_t bestBlockWithFlags(int* grid, int* block, F function, More... more) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(grid, block, kernelOf(function), more...);
}
template <class F, class SharedOf, class... More>
cudaError_t bestBlockVariable(int* grid, int* block, F function, SharedOf sharedOf, More... more) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernelOf(function), sharedOf, more...);
}
template <class F, class SharedOf, class... More>
cudaError_t bestBlockVariableWithFlags(int* grid, int* block, F function, SharedOf sharedOf, More... more) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid, block, kernelOf(function), sharedOf,
                                                                 more...);
}
template <class F>
cudaError_t largestCluster(int* blocks, F function, const cudaLaunchConfig_t* configuration) {
  return cudaOccupancyMaxPotentialClusterSize(blocks, kernelOf(function), configuration);
}
template <class F>
cudaError_t activeClusters(int* clusters, F function, const cudaLaunchConfig_t* configuration) {
  return cudaOccupancyMaxActiveClusters(clusters, kernelOf(function), configuration);
}

/// Launches what `<<<…>>>` does: the kernel's handle, and the stream that is meant, are known.
inline cudaError_t launchKnown(const void* handle, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
  return cudaLaunchKernel(handle, grid, block, arguments, shared, stream);
}
template <class F>
cudaError_t launchCooperative(F function, dim3 grid, dim3 block, void** arguments, std::size_t shared = 0,
                              cudaStream_t stream = nullptr) {
  return cudaLaunchCooperativeKernel(kernelOf(function), grid, block, arguments, shared, orCurrent(stream));
}
template <class F>
cudaError_t launchPlain(F function, dim3 grid, dim3 block, void** arguments, std::size_t shared = 0,
                        cudaStream_t stream = nullptr) {
  return cudaLaunchKernel(kernelOf(function), grid, block, arguments, shared, orCurrent(stream));
}
template <class F>
cudaError_t launchWith(const cudaLaunchConfig_t* configuration, F function, void** arguments) {
  cudaLaunchConfig_t how = *configuration;
  how.stream = orCurrent(how.stream);
  return cudaLaunchKernelExC(&how, kernelOf(function), arguments);
}
// Arguments become what the kernel's parameters are, as in a call.
template <class... P, class... A>
cudaError_t launchOf(const cudaLaunchConfig_t* configuration, void (*function)(P...), A&&... arguments) {
  return [&](P... given) {
    void* pointers[] = {(void*)&given..., nullptr};
    return launchWith(configuration, function, pointers);
  }(std::forward<A>(arguments)...);
}
template <class... A>
cudaError_t launchOf(const cudaLaunchConfig_t* configuration, const cudaKernel_t kernel, A&&... arguments) {
  void* pointers[] = {(void*)&arguments..., nullptr};
  return launchWith(configuration, kernel, pointers);
}

/// As long as this lives, the parameters of a graph's node name the kernel that CUDA's runtime knows. They
/// are changed in their place, since a node that is none of a kernel's may give something back in them.
class KnownKernel {
 public:
  explicit KnownKernel(cudaGraphNodeParams* node) {
    if (node == nullptr || node->type != cudaGraphNodeTypeKernel) return;
    place_ = &node->kernel.func;
    given_ = *place_;
    *place_ = const_cast<void*>(kernelOf(given_));
  }
  KnownKernel(const KnownKernel&) = delete;
  KnownKernel& operator=(const KnownKernel&) = delete;
  ~KnownKernel() {
    if (place_ != nullptr) *place_ = given_;
  }

 private:
  void** place_ = nullptr;
  void* given_ = nullptr;
};
/// A kernel node's parameters, which are the caller's constants, for a call.
class KnownNode {
 public:
  explicit KnownNode(const cudaKernelNodeParams* node) : none_(node == nullptr) {
    if (none_) return;
    copy_ = *node;
    copy_.func = const_cast<void*>(kernelOf(copy_.func));
  }
  [[nodiscard]] const cudaKernelNodeParams* get() const { return none_ ? nullptr : &copy_; }

 private:
  bool none_;
  cudaKernelNodeParams copy_{};
};

inline cudaError_t addKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 std::size_t number, const cudaKernelNodeParams* parameters) {
  return cudaGraphAddKernelNode(node, graph, after, number, KnownNode(parameters).get());
}
inline cudaError_t setKernelNode(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  return cudaGraphKernelNodeSetParams(node, KnownNode(parameters).get());
}
inline cudaError_t setKernelNodeOf(cudaGraphExec_t graph, cudaGraphNode_t node,
                                   const cudaKernelNodeParams* parameters) {
  return cudaGraphExecKernelNodeSetParams(graph, node, KnownNode(parameters).get());
}
// The runtime gives back the function of a kernel of nvcc's, and fails for others.
inline cudaError_t getKernelNode(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  const cudaError_t failed = cudaGraphKernelNodeGetParams(node, parameters);
  if (failed != cudaErrorInvalidDeviceFunction || parameters == nullptr) return failed;
  CUDA_KERNEL_NODE_PARAMS found{};
  auto* const ask = ofDriver<decltype(cuGraphKernelNodeGetParams)>("cuGraphKernelNodeGetParams");
  if (ask == nullptr || ask(node, &found) != CUDA_SUCCESS) return failed;
  for (const auto& entry : entries()) {
    if (entry.handle == nullptr || entry.handle != found.kern) continue;
    *parameters = {const_cast<void*>(entry.stub),
                   dim3(found.gridDimX, found.gridDimY, found.gridDimZ),
                   dim3(found.blockDimX, found.blockDimY, found.blockDimZ),
                   found.sharedMemBytes,
                   found.kernelParams,
                   found.extra};
    cudaGetLastError();
    return cudaSuccess;
  }
  return failed;
}
inline cudaError_t addNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                           const cudaGraphEdgeData* edges, std::size_t number,
                           cudaGraphNodeParams* parameters) {
  const KnownKernel known(parameters);
  return cudaGraphAddNode(node, graph, after, edges, number, parameters);
}
inline cudaError_t setNode(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  const KnownKernel known(parameters);
  return cudaGraphNodeSetParams(node, parameters);
}
inline cudaError_t setNodeOf(cudaGraphExec_t graph, cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  const KnownKernel known(parameters);
  return cudaGraphExecNodeSetParams(graph, node, parameters);
}

}  // namespace warpbench_cuda

// Without `::` in front, so that `::cudaLaunchKernel` is one of these too.
#define cudaFuncSetAttribute warpbench_cuda::funcSetAttribute
#define cudaFuncGetAttributes warpbench_cuda::funcGetAttributes
#define cudaFuncSetCacheConfig warpbench_cuda::funcSetCacheConfig
#define cudaFuncSetSharedMemConfig warpbench_cuda::funcSetSharedMemConfig
#define cudaFuncGetName warpbench_cuda::funcGetName
#define cudaFuncGetParamInfo warpbench_cuda::funcGetParamInfo
#define cudaGetKernel warpbench_cuda::getKernel
#define cudaGetFuncBySymbol warpbench_cuda::getFuncBySymbol
#define cudaOccupancyMaxActiveBlocksPerMultiprocessor warpbench_cuda::activeBlocks
#define cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags warpbench_cuda::activeBlocksWithFlags
#define cudaOccupancyAvailableDynamicSMemPerBlock warpbench_cuda::availableShared
#define cudaOccupancyMaxPotentialBlockSize warpbench_cuda::bestBlock
#define cudaOccupancyMaxPotentialBlockSizeWithFlags warpbench_cuda::bestBlockWithFlags
#define cudaOccupancyMaxPotentialBlockSizeVariableSMem warpbench_cuda::bestBlockVariable
#define cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags warpbench_cuda::bestBlockVariableWithFlags
#define cudaOccupancyMaxPotentialClusterSize warpbench_cuda::largestCluster
#define cudaOccupancyMaxActiveClusters warpbench_cuda::activeClusters
#define cudaLaunchCooperativeKernel warpbench_cuda::launchCooperative
#define cudaLaunchKernel warpbench_cuda::launchPlain
#define cudaLaunchKernelExC warpbench_cuda::launchWith
#define cudaLaunchKernelEx warpbench_cuda::launchOf
#define cudaGraphAddKernelNode warpbench_cuda::addKernelNode
#define cudaGraphKernelNodeSetParams warpbench_cuda::setKernelNode
#define cudaGraphKernelNodeGetParams warpbench_cuda::getKernelNode
#define cudaGraphExecKernelNodeSetParams warpbench_cuda::setKernelNodeOf
#define cudaGraphAddNode warpbench_cuda::addNode
#define cudaGraphNodeSetParams warpbench_cuda::setNode
#define cudaGraphExecNodeSetParams warpbench_cuda::setNodeOf
