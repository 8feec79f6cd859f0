// SPDX-License-Identifier: Apache-2.0
#include "core/engine/device/graph.h"

#include <c10/cuda/CUDACachingAllocator.h>
#include <dlfcn.h>

#include <utility>

#include "core/engine/device/driver.h"

namespace wb {
namespace {

using TorchAllocator = c10::cuda::CUDACachingAllocator::CUDAAllocator;

/// Torch's allocator, used by its virtual functions alone, since libc10_cuda.so is not linked. Null without
/// torch's CUDA.
TorchAllocator* torchAllocator() {
  auto* allocator = dynamic_cast<c10::DeviceAllocator*>(c10::GetAllocator(c10::DeviceType::CUDA));
  return static_cast<TorchAllocator*>(allocator);
}

/// A number that torch, which counts from one, does not reach.
constexpr c10::MempoolId_t kPool{0x7762000000000000ULL, 0};

/// While this lives, allocations on a stream come from a private pool. The pool itself stays for the process,
/// so that the next graph finds its memory there.
class Pooled {
 public:
  explicit Pooled(const OwnStream& stream) : device_(static_cast<c10::DeviceIndex>(stream.device())) {
    const CUstream wanted = stream.handle();
    allocator_ = torchAllocator();
    if (allocator_ != nullptr)
      allocator_->beginAllocateToPool(device_, kPool,
                                      [wanted](cudaStream_t asking) { return asking == wanted; });
  }
  ~Pooled() {
    if (allocator_ != nullptr) allocator_->endAllocateToPool(device_, kPool);
  }
  Pooled(const Pooled&) = delete;
  Pooled& operator=(const Pooled&) = delete;

 private:
  TorchAllocator* allocator_ = nullptr;
  c10::DeviceIndex device_;
};

/// A recording that failed leaves its error with the CUDA runtime, where the next launch, which has nothing
/// to do with it, would find it.
void forgetRuntimeError() {
  using GetLastError = int (*)();
  static const auto getLastError = [] {
    void* runtime = dlopen("libcudart.so.13", RTLD_NOW | RTLD_NOLOAD);
    return runtime == nullptr ? nullptr : reinterpret_cast<GetLastError>(dlsym(runtime, "cudaGetLastError"));
  }();
  if (getLastError != nullptr) getLastError();
}

Result<void> recordInto(CUgraph& graph, const OwnStream& stream, const std::function<Result<void>()>& work) {
  const Driver& cuda = *driver();
  const OnStream current(stream);
  const Pooled pooled(stream);
  if (CUresult code = cuda.streamBeginCapture(stream.handle(), CU_STREAM_CAPTURE_MODE_RELAXED);
      code != CUDA_SUCCESS)
    return cudaError(Stage::time, code, "Recording a graph");
  Result<void> done;
  try {
    done = work();
  } catch (...) {
    cuda.streamEndCapture(stream.handle(), &graph);
    throw;
  }
  const CUresult code = cuda.streamEndCapture(stream.handle(), &graph);
  if (!done) return done;
  if (code != CUDA_SUCCESS) return cudaError(Stage::time, code, "Recording a graph");
  return {};
}

}  // namespace

Result<Graph> Graph::record(const OwnStream& stream, const std::function<Result<void>()>& work) {
  const Driver& cuda = *driver();
  CUgraph recorded = nullptr;
  Result<void> done = recordInto(recorded, stream, work);
  Graph graph;
  if (done) {
    cuda.graphGetNodes(recorded, nullptr, &graph.nodes_);
    if (CUresult code = cuda.graphInstantiate(&graph.exec_, recorded, 0); code != CUDA_SUCCESS)
      done = cudaError(Stage::time, code, "Instantiating a graph");
  }
  if (recorded != nullptr) cuda.graphDestroy(recorded);
  if (done) return graph;
  forgetRuntimeError();
  return std::move(done).error();
}

Graph::Graph(Graph&& other) noexcept
    : exec_(std::exchange(other.exec_, nullptr)), nodes_(std::exchange(other.nodes_, 0)) {}

Graph& Graph::operator=(Graph&& other) noexcept {
  std::swap(exec_, other.exec_);
  std::swap(nodes_, other.nodes_);
  return *this;
}

Graph::~Graph() {
  if (exec_ != nullptr) driver()->graphExecDestroy(exec_);
}

Result<void> Graph::launch(CUstream stream) const {
  if (CUresult code = driver()->graphLaunch(exec_, stream); code != CUDA_SUCCESS)
    return cudaError(Stage::time, code, "Launching a graph");
  return {};
}

}  // namespace wb
