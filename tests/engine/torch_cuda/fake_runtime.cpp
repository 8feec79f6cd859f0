// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/torch_cuda/fake_runtime.h"

#include <string_view>

namespace wb::fake {

Runtime& runtime() {
  static Runtime one;
  return one;
}

namespace {

cudaError_t take(const void* kernel, cudaStream_t stream = nullptr) {
  runtime().kernel = kernel;
  runtime().stream = stream;
  ++runtime().calls;
  return cudaSuccess;
}
cudaError_t take(const cudaKernelNodeParams* node) {
  return take(node == nullptr ? nullptr : static_cast<const void*>(node->func));
}
cudaError_t take(const cudaGraphNodeParams* node) {
  return take(static_cast<const void*>(node->kernel.func));
}
CUresult getFunction(CUfunction* found, CUkernel kernel) {
  *found = reinterpret_cast<CUfunction>(&runtime().function);
  take(kernel);
  return CUDA_SUCCESS;
}
CUresult getNode(CUgraphNode, CUDA_KERNEL_NODE_PARAMS* node) {
  node->kern = static_cast<CUkernel>(const_cast<void*>(runtime().kernelOfNode));
  node->gridDimY = 3;
  node->blockDimX = 256;
  node->sharedMemBytes = 64;
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace wb::fake

using wb::fake::runtime;
using wb::fake::take;

extern "C" {
cudaError_t cudaGetLastError() {
  runtime().failed = false;
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void* k, cudaFuncAttribute, int) {
  return take(k);
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* k) {
  attributes->maxThreadsPerBlock = 1024;
  return take(k);
}
cudaError_t cudaFuncGetName(const char**, const void* k) {
  return take(k);
}
cudaError_t cudaFuncGetParamInfo(const void* k, size_t, size_t*, size_t*) {
  return take(k);
}
cudaError_t cudaGetKernel(cudaKernel_t*, const void* k) {
  return take(k);
}
cudaError_t cudaGetFuncBySymbol(cudaFunction_t*, const void* k) {
  return take(k);
}
cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** found, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult*) {
  const std::string_view name = symbol;
  if (name == "cuKernelGetFunction") *found = reinterpret_cast<void*>(&wb::fake::getFunction);
  if (name == "cuGraphKernelNodeGetParams") *found = reinterpret_cast<void*>(&wb::fake::getNode);
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int*) {
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  *value = 1024;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int*, const void* k, int, size_t) {
  return take(k);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int*, const void* k, int, size_t,
                                                                   unsigned) {
  return take(k);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t*, const void* k, int, int) {
  return take(k);
}
cudaError_t cudaOccupancyMaxPotentialClusterSize(int*, const void* k, const cudaLaunchConfig_t*) {
  return take(k);
}
cudaError_t cudaOccupancyMaxActiveClusters(int*, const void* k, const cudaLaunchConfig_t*) {
  return take(k);
}
cudaError_t cudaLaunchCooperativeKernel(const void* k, dim3, dim3, void**, size_t, cudaStream_t on) {
  return take(k, on);
}
cudaError_t cudaLaunchKernel(const void* k, dim3, dim3, void**, size_t, cudaStream_t on) {
  return take(k, on);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* k, void**) {
  return take(k, how->stream);
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                   const cudaKernelNodeParams* node) {
  return take(node);
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t, const cudaKernelNodeParams* node) {
  return take(node);
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t, cudaKernelNodeParams* node) {
  runtime().failed = !runtime().ofNvcc;
  if (runtime().failed) return cudaErrorInvalidDeviceFunction;
  node->func = const_cast<void*>(runtime().kernelOfNode);
  return cudaSuccess;
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                             const cudaKernelNodeParams* node) {
  return take(node);
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, const cudaGraphEdgeData*,
                             size_t, cudaGraphNodeParams* node) {
  if (node->type == cudaGraphNodeTypeMemAlloc) node->alloc.dptr = &runtime().memory;
  return take(node);
}
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t, cudaGraphNodeParams* node) {
  return take(node);
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, cudaGraphNodeParams* node) {
  return take(node);
}
}
