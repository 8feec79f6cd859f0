// SPDX-License-Identifier: Apache-2.0
#include "core/engine/device/graph.h"

#include <c10/cuda/CUDACachingAllocator.h>
#include <dlfcn.h>

#include <atomic>
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

/// The first half of a pool's name, which torch, which counts from one, does not reach.
constexpr std::uint64_t ownPools = 0x7762000000000000ULL;

constexpr std::int64_t largeBytes = std::int64_t{256} << 20;

/// What torch has taken from the device.
std::int64_t takenBytes(TorchAllocator& allocator, c10::DeviceIndex device) {
  constexpr auto all = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  return allocator.getDeviceStats(device).reserved_bytes.at(all).current;
}

std::uint64_t nextNumber() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

GraphPool::GraphPool(int device) : device_(device), number_(nextNumber()) {}

GraphPool::~GraphPool() {
  TorchAllocator* const allocator = begun_ ? torchAllocator() : nullptr;
  if (allocator != nullptr)
    allocator->releasePool(static_cast<c10::DeviceIndex>(device_), {ownPools, number_});
}

bool GraphPool::isLarge() const {
  return bytes_ >= largeBytes;
}

/// While this lives, allocations on a stream come from a pool.
class PooledAllocations {
 public:
  PooledAllocations(const OwnStream& stream, GraphPool* pool) : pool_(pool) {
    if (pool_ == nullptr) return;
    const CUstream wanted = stream.handle();
    allocator_ = torchAllocator();
    if (allocator_ == nullptr) return;
    before_ = takenBytes(*allocator_, device());
    allocator_->beginAllocateToPool(device(), id(),
                                    [wanted](cudaStream_t asking) { return asking == wanted; });
  }
  ~PooledAllocations() {
    if (allocator_ == nullptr) return;
    // Where torch had to give something back first, memory is short.
    const std::int64_t taken = takenBytes(*allocator_, device()) - before_;
    pool_->bytes_ += taken < 0 ? largeBytes : taken;
    allocator_->endAllocateToPool(device(), id());
    // Torch counts each beginning as a user of the pool. The pool is one, however often it is used.
    if (std::exchange(pool_->begun_, true)) allocator_->releasePool(device(), id());
  }
  PooledAllocations(const PooledAllocations&) = delete;
  PooledAllocations& operator=(const PooledAllocations&) = delete;

 private:
  [[nodiscard]] c10::DeviceIndex device() const { return static_cast<c10::DeviceIndex>(pool_->device_); }
  [[nodiscard]] c10::MempoolId_t id() const { return {ownPools, pool_->number_}; }

  GraphPool* pool_;
  TorchAllocator* allocator_ = nullptr;
  std::int64_t before_ = 0;
};

namespace {

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

Result<void> recordInto(CUgraph& graph, const OwnStream& stream, GraphPool* pool,
                        const std::function<Result<void>()>& work) {
  const Driver& cuda = *driver();
  const OnStream current(stream);
  const PooledAllocations pooled(stream, pool);
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

Result<Graph> Graph::record(const OwnStream& stream, GraphPool* pool,
                            const std::function<Result<void>()>& work) {
  const Driver& cuda = *driver();
  CUgraph recorded = nullptr;
  Result<void> done = recordInto(recorded, stream, pool, work);
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
