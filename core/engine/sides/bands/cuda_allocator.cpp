// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/bands/cuda_allocator.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <cstddef>

// What torch's CUDA libraries have is not there without them, and libc10_cuda is never linked: what the
// header's own code uses has to be known as weak before it. Nothing of it is called here.
extern "C" cudaError_t cudaMemGetInfo(std::size_t*, std::size_t*) __attribute__((weak));
namespace c10::cuda {
void c10_cuda_check_implementation(std::int32_t, const char*, const char*, std::uint32_t, bool)
    __attribute__((weak));
}

#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/cuda/CUDACachingAllocator.h>

#include <atomic>
#include <string>
#include <utility>

#include "core/engine/device/current_stream.h"
#include "core/engine/device/driver.h"
#include "core/engine/device/torch_cuda.h"
#include "core/engine/sides/bands/device_bands.h"
#include "core/engine/sides/code/torchs_code.h"

namespace wb {
namespace {

using c10::DataPtr;
using c10::DeviceIndex;
using c10::MempoolId_t;
namespace caching = c10::cuda::CUDACachingAllocator;

/// The stream on which memory is allocated now; nothing while what is enqueued there is recorded.
std::optional<CUstream> writableStream(const Driver& cuda) {
  const auto* const torch = torchCuda();
  const CUstream stream = currentStream(torch == nullptr ? 0 : torch->getDevice().index());
  CUstreamCaptureStatus status{};
  const bool isRecorded =
      cuda.streamIsCapturing(stream, &status) != CUDA_SUCCESS || status != CU_STREAM_CAPTURE_STATUS_NONE;
  return isRecorded ? std::nullopt : std::optional(stream);
}

DeviceAccess accessOfCuda() {
  const Driver* const cuda = driver();
  return {[cuda](std::byte* band, const std::byte* from) {
            const std::optional<CUstream> stream = writableStream(*cuda);
            return stream && cuda->memcpyHtoDAsync(reinterpret_cast<CUdeviceptr>(band), from, bandBytes,
                                                   *stream) == CUDA_SUCCESS;
          },
          [cuda](std::byte* to, const std::byte* band) {
            return cuda->memcpyDtoH(to, reinterpret_cast<CUdeviceptr>(band), bandBytes) == CUDA_SUCCESS;
          },
          [cuda] { return writableStream(*cuda) && cuda->ctxSynchronize() == CUDA_SUCCESS; }};
}

/// Does what torch's allocator does, but that tensors get memory between bands.
class BandedCuda final : public caching::CUDAAllocator {
 public:
  explicit BandedCuda(caching::CUDAAllocator& torchs) : torchs_(torchs), bands_(accessOfCuda()) {}

  [[nodiscard]] caching::CUDAAllocator& torchs() const { return torchs_; }
  DeviceBands& bands() { return bands_; }
  /// A pool that somebody has left open does not count from then on.
  void inForce(bool is) {
    openPools_ = 0;
    isInForce_ = is;
  }

  DataPtr allocate(std::size_t size) override {
    // Whoever asks for it past torch may free it by its address, and who has opened a pool may ask which of
    // its memory is taken, as torch.compile does that records CUDA graphs.
    const auto caller = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    return isInForce_ && openPools_ == 0 && code_.has(caller) ? bands_.allocate(torchs_, size)
                                                              : torchs_.allocate(size);
  }
  void recordStream(const DataPtr& memory, c10::cuda::CUDAStream stream) override {
    torchs_.recordStream(DeviceBands::given(memory), stream);
  }
  void recordStream(const DataPtr& memory, c10::Stream stream) override {
    torchs_.recordStream(DeviceBands::given(memory), stream);
  }
  void* getBaseAllocation(void* data, std::size_t* size) override {
    return torchs_.getBaseAllocation(given(data), size);
  }
  caching::ShareableHandle shareIpcHandle(void* data) override {
    const std::size_t before = bands_.before(data);
    caching::ShareableHandle handle = torchs_.shareIpcHandle(static_cast<std::byte*>(data) - before);
    handle.offset += static_cast<std::ptrdiff_t>(before);
    return handle;
  }

  [[nodiscard]] bool is_simple_data_ptr(const DataPtr& memory) const override {
    return torchs_.is_simple_data_ptr(memory);
  }
  [[nodiscard]] c10::DeleterFnPtr raw_deleter() const override { return torchs_.raw_deleter(); }
  void copy_data(void* to, const void* from, std::size_t size) const override {
    torchs_.copy_data(to, from, size);
  }
  bool initialized() override { return torchs_.initialized(); }
  void emptyCache(MempoolId_t pool) override { torchs_.emptyCache(pool); }
  c10::CachingDeviceAllocator::DeviceStats getDeviceStats(DeviceIndex device) override {
    return torchs_.getDeviceStats(device);
  }
  void resetAccumulatedStats(DeviceIndex device) override { torchs_.resetAccumulatedStats(device); }
  void resetPeakStats(DeviceIndex device) override { torchs_.resetPeakStats(device); }
  std::pair<std::size_t, std::size_t> getMemoryInfo(DeviceIndex device) override {
    return torchs_.getMemoryInfo(device);
  }
  void* raw_alloc(std::size_t size) override { return torchs_.raw_alloc(size); }
  void* raw_alloc_with_stream(std::size_t size, cudaStream_t stream) override {
    return torchs_.raw_alloc_with_stream(size, stream);
  }
  void raw_delete(void* data) override { torchs_.raw_delete(data); }
  void init(int count) override { torchs_.init(count); }
  double getMemoryFraction(DeviceIndex device) override { return torchs_.getMemoryFraction(device); }
  void setMemoryFraction(double fraction, DeviceIndex device) override {
    torchs_.setMemoryFraction(fraction, device);
  }
  std::vector<caching::StreamSegmentSize> getExpandableSegmentSizes(DeviceIndex device) override {
    return torchs_.getExpandableSegmentSizes(device);
  }
  void enable(bool value) override { torchs_.enable(value); }
  [[nodiscard]] bool isEnabled() const override { return torchs_.isEnabled(); }
  void cacheInfo(DeviceIndex device, std::size_t* largest) override { torchs_.cacheInfo(device, largest); }
  caching::SnapshotInfo snapshot(MempoolId_t pool, bool traces) override {
    return torchs_.snapshot(pool, traces);
  }
  void beginAllocateToPool(DeviceIndex device, MempoolId_t pool,
                           std::function<bool(cudaStream_t)> filter) override {
    ++openPools_;
    torchs_.beginAllocateToPool(device, pool, std::move(filter));
  }
  void endAllocateToPool(DeviceIndex device, MempoolId_t pool) override {
    torchs_.endAllocateToPool(device, pool);
    if (openPools_ > 0) --openPools_;
  }
  void releasePool(DeviceIndex device, MempoolId_t pool) override { torchs_.releasePool(device, pool); }
  int getPoolUseCount(DeviceIndex device, MempoolId_t pool) override {
    return torchs_.getPoolUseCount(device, pool);
  }
  void createOrIncrefPool(DeviceIndex device, MempoolId_t pool,
                          std::shared_ptr<CUDAAllocator> allocator) override {
    torchs_.createOrIncrefPool(device, pool, std::move(allocator));
  }
  void setUseOnOOM(DeviceIndex device, MempoolId_t pool, bool use) override {
    torchs_.setUseOnOOM(device, pool, use);
  }
  void setNoSplit(DeviceIndex device, MempoolId_t pool) override { torchs_.setNoSplit(device, pool); }
  bool checkPoolLiveAllocations(DeviceIndex device, MempoolId_t pool,
                                const std::unordered_set<void*>& expected) override {
    return torchs_.checkPoolLiveAllocations(device, pool, expected);
  }
  std::shared_ptr<void> getIpcDevPtr(std::string handle) override {
    return torchs_.getIpcDevPtr(std::move(handle));
  }
  bool isHistoryEnabled() override { return torchs_.isHistoryEnabled(); }
  void recordHistory(bool isEnabled, c10::CachingDeviceAllocator::CreateContextFn recorder, std::size_t most,
                     c10::CachingDeviceAllocator::RecordContext when, bool clears,
                     const std::vector<std::string>& skipped) override {
    torchs_.recordHistory(isEnabled, recorder, most, when, clears, skipped);
  }
  void recordAnnotation(const std::vector<std::pair<std::string, std::string>>& words) override {
    torchs_.recordAnnotation(words);
  }
  void pushCompileContext(std::string& words) override { torchs_.pushCompileContext(words); }
  void popCompileContext() override { torchs_.popCompileContext(); }
  void setUserMetadata(const std::string& words) override { torchs_.setUserMetadata(words); }
  std::string getUserMetadata() override { return torchs_.getUserMetadata(); }
  void attachOutOfMemoryObserver(caching::OutOfMemoryObserver observer) override {
    torchs_.attachOutOfMemoryObserver(std::move(observer));
  }
  void attachAllocatorTraceTracker(c10::CachingDeviceAllocator::AllocatorTraceTracker tracker) override {
    torchs_.attachAllocatorTraceTracker(std::move(tracker));
  }
  void enablePeerAccess(DeviceIndex device, DeviceIndex other) override {
    torchs_.enablePeerAccess(device, other);
  }
  cudaError_t memcpyAsync(void* to, int toDevice, const void* from, int fromDevice, std::size_t count,
                          cudaStream_t stream, bool isPeer) override {
    return torchs_.memcpyAsync(to, toDevice, from, fromDevice, count, stream, isPeer);
  }
  std::shared_ptr<caching::AllocatorState> getCheckpointState(DeviceIndex device, MempoolId_t id) override {
    return torchs_.getCheckpointState(device, id);
  }
  caching::CheckpointDelta setCheckpointPoolState(DeviceIndex device,
                                                  std::shared_ptr<caching::AllocatorState> state) override {
    return torchs_.setCheckpointPoolState(device, std::move(state));
  }
  std::string name() override { return torchs_.name(); }

 private:
  void* given(void* data) { return static_cast<std::byte*>(data) - bands_.before(data); }

  caching::CUDAAllocator& torchs_;
  DeviceBands bands_;
  const TorchsCode code_;
  std::atomic<bool> isInForce_ = false;
  std::atomic<int> openPools_ = 0;
};

/// Where torch keeps its allocator; null where its CUDA libraries are not loaded.
std::atomic<caching::CUDAAllocator*>* torchsPlace() {
  static std::atomic<caching::CUDAAllocator*>* place = nullptr;
  if (place != nullptr) return place;
  void* const library = ::dlopen("libc10_cuda.so", RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  place = static_cast<decltype(place)>(::dlsym(library, "_ZN3c104cuda20CUDACachingAllocator9allocatorE"));
  return place;
}

/// The one around torch's allocator as it was when it was asked for first; null where torch does not use a
/// GPU. Tensors may outlive all else.
BandedCuda* banded() {
  static BandedCuda* made = nullptr;
  if (made != nullptr || torchsPlace() == nullptr || driver() == nullptr) return made;
  caching::CUDAAllocator* const torchs = torchsPlace()->load();
  if (torchs != nullptr && torchs->initialized()) made = new BandedCuda(*torchs);
  return made;
}

}  // namespace

namespace cudaBands {

void begin(std::uint64_t secret) {
  if (BandedCuda* const cuda = banded()) cuda->bands().begin(secret);
}

void end() {
  if (BandedCuda* const cuda = banded()) cuda->bands().end();
}

void inForce(bool is) {
  BandedCuda* const cuda = banded();
  if (cuda == nullptr) return;
  caching::CUDAAllocator* before = is ? &cuda->torchs() : cuda;
  caching::CUDAAllocator* const after = is ? static_cast<caching::CUDAAllocator*>(cuda) : &cuda->torchs();
  cuda->inForce(is && torchsPlace()->load() == before);
  torchsPlace()->compare_exchange_strong(before, after);
}

void guard(const GuardedPiece& piece, std::shared_ptr<const void> keeps) {
  if (BandedCuda* const cuda = banded()) cuda->bands().guard(piece, std::move(keeps));
}

std::optional<WrittenBeyond> found() {
  BandedCuda* const cuda = banded();
  return cuda == nullptr ? std::nullopt : cuda->bands().found();
}

}  // namespace cudaBands

}  // namespace wb
