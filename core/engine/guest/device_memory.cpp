// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/device_memory.h"

#include <unistd.h>

#include <cstring>

#include "core/engine/device/driver.h"

namespace wb {
namespace {

constexpr std::size_t mostSegments = 4096;

Result<const Driver*> opened() {
  std::string whyNot;
  if (const Driver* cuda = driver(&whyNot)) return cuda;
  return Error{Stage::check, "the device's memory cannot be shared: " + whyNot};
}

Error failed(CUresult code, const char* doing) {
  return cudaError(Stage::check, code, doing);
}

CUmemAllocationProp kindOf(CUdevice device) {
  CUmemAllocationProp kind{};
  kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  kind.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  kind.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  kind.location.id = device;
  return kind;
}

Result<CUdevice> currentDevice(const Driver& cuda) {
  CUdevice device = 0;
  if (const CUresult code = cuda.ctxGetDevice(&device); code != CUDA_SUCCESS)
    return failed(code, "Looking for the device");
  return device;
}

/// Maps `size` bytes, a multiple of the granularity, and gives their address.
Result<CUdeviceptr> mapped(const Driver& cuda, CUmemGenericAllocationHandle memory, std::size_t size,
                           CUdevice device) {
  CUdeviceptr address = 0;
  if (const CUresult code = cuda.memAddressReserve(&address, size, 0, 0, 0); code != CUDA_SUCCESS)
    return failed(code, "Reserving addresses of the device");
  CUmemAccessDesc access{};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.location.id = device;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CUresult code = cuda.memMap(address, size, 0, memory, 0);
  const bool isMapped = code == CUDA_SUCCESS;
  if (isMapped) code = cuda.memSetAccess(address, size, &access, 1);
  if (code == CUDA_SUCCESS) return address;
  if (isMapped) cuda.memUnmap(address, size);
  cuda.memAddressFree(address, size);
  return failed(code, "Mapping memory of the device");
}

/// Takes the handle over: mapped memory keeps itself.
Result<std::shared_ptr<SharedMemory>> shared(const Driver& cuda, CUmemGenericAllocationHandle memory,
                                             std::size_t size, CUdevice device, int descriptor) {
  const Result<CUdeviceptr> address = mapped(cuda, memory, size, device);
  cuda.memRelease(memory);
  if (!address) return address.error();
  const auto unmap = [&cuda, begin = *address, size] {
    // What is still enqueued may use it.
    cuda.ctxSynchronize();
    cuda.memUnmap(begin, size);
    cuda.memAddressFree(begin, size);
  };
  return SharedMemory::onDevice(reinterpret_cast<std::byte*>(*address), size, descriptor, unmap);
}

}  // namespace

Result<std::shared_ptr<SharedMemory>> makeDeviceMemory(std::size_t size) {
  WB_TRY(const Driver* const cuda, opened());
  WB_TRY(const CUdevice device, currentDevice(*cuda));
  const CUmemAllocationProp kind = kindOf(device);
  std::size_t unit = 0;
  if (const CUresult code = cuda->memGetAllocationGranularity(&unit, &kind, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
      code != CUDA_SUCCESS || unit == 0)
    return failed(code, "Asking for the unit of the device's memory");
  size = (size + unit - 1) / unit * unit;
  CUmemGenericAllocationHandle memory{};
  if (const CUresult code = cuda->memCreate(&memory, size, &kind, 0); code != CUDA_SUCCESS)
    return failed(code, "Making memory of the device to share");
  int descriptor = -1;
  if (const CUresult code =
          cuda->memExportToShareableHandle(&descriptor, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
      code != CUDA_SUCCESS) {
    cuda->memRelease(memory);
    return failed(code, "Sharing memory of the device");
  }
  auto made = shared(*cuda, memory, size, device, descriptor);
  if (!made) ::close(descriptor);
  return made;
}

Result<std::shared_ptr<SharedMemory>> mapDeviceMemory(int descriptor, std::size_t size) {
  auto taken = [&]() -> Result<std::shared_ptr<SharedMemory>> {
    WB_TRY(const Driver* const cuda, opened());
    WB_TRY(const CUdevice device, currentDevice(*cuda));
    CUmemGenericAllocationHandle memory{};
    void* const number = reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor));
    if (const CUresult code =
            cuda->memImportFromShareableHandle(&memory, number, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
        code != CUDA_SUCCESS)
      return failed(code, "Taking shared memory of the device");
    return shared(*cuda, memory, size, device, -1);
  }();
  ::close(descriptor);
  return taken;
}

Result<DeviceSegment> OwnSegments::of(const void* address) {
  WB_TRY(const Driver* const cuda, opened());
  const auto pointer = reinterpret_cast<CUdeviceptr>(address);
  unsigned long long number = 0;
  if (const CUresult code = cuda->pointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_BUFFER_ID, pointer);
      code != CUDA_SUCCESS)
    return failed(code, "Looking for the memory of a result");
  if (const auto found = known_.find(number); found != known_.end()) return found->second;
  DeviceSegment segment;
  CUdeviceptr begin = 0;
  std::size_t size = 0;
  if (const CUresult code = cuda->memGetAddressRange(&begin, &size, pointer); code != CUDA_SUCCESS)
    return failed(code, "Looking for the memory of a result");
  segment.begin = begin;
  segment.size = size;
  CUipcMemHandle handle{};
  if (const CUresult code = cuda->ipcGetMemHandle(&handle, begin); code != CUDA_SUCCESS)
    return failed(code, "Sharing the memory of a result, which has to be torch's own");
  static_assert(sizeof handle == sizeof segment.handle);
  std::memcpy(segment.handle.data(), &handle, sizeof handle);
  if (known_.size() >= mostSegments) known_.clear();
  return known_[number] = segment;
}

void OthersSegments::close() {
  if (opened_.empty()) return;
  for (const auto& each : opened_) driver()->ipcCloseMemHandle(each.second.begin);
  opened_.clear();
}

Result<OthersSegments::Opened> OthersSegments::open(const DeviceSegment& segment) {
  if (const auto found = opened_.find(segment.handle); found != opened_.end()) return found->second;
  if (opened_.size() >= mostSegments)
    return Error{Stage::check, "the kernel's results lie in too many places"};
  WB_TRY(const Driver* const cuda, opened());
  CUipcMemHandle handle{};
  std::memcpy(&handle, segment.handle.data(), sizeof handle);
  CUdeviceptr begin = 0, base = 0;
  std::size_t size = 0;
  if (const CUresult code = cuda->ipcOpenMemHandle(&begin, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
      code != CUDA_SUCCESS)
    return failed(code, "Looking into the memory of the kernel's result");
  // How large it is, is for the driver to say; where it does not, it refuses to copy what lies beyond.
  if (cuda->memGetAddressRange(&base, &size, begin) != CUDA_SUCCESS || base != begin) size = segment.size;
  return opened_[segment.handle] = Opened{begin, size};
}

/// Where this process sees that place.
Result<std::uint64_t> OthersSegments::placeOf(const DeviceSegment& segment, std::uint64_t address,
                                              std::size_t size) {
  WB_TRY(const Opened there, open(segment));
  const std::uint64_t offset = address - segment.begin;
  if (address < segment.begin || offset > there.size || size > there.size - offset)
    return Error{Stage::check, "the kernel's result does not lie where its process says"};
  return there.begin + offset;
}

Result<void> OthersSegments::read(const DeviceSegment& segment, std::uint64_t address, void* to,
                                  std::size_t size) {
  WB_TRY(const std::uint64_t from, placeOf(segment, address, size));
  if (const CUresult code = driver()->memcpyDtoD(reinterpret_cast<CUdeviceptr>(to), from, size);
      code != CUDA_SUCCESS)
    return failed(code, "Copying the kernel's result");
  return synchronize(Stage::check);
}

Result<void> OthersSegments::write(const DeviceSegment& segment, std::uint64_t address,
                                   std::span<const std::byte> bytes) {
  WB_TRY(const std::uint64_t to, placeOf(segment, address, bytes.size()));
  if (const CUresult code = driver()->memcpyHtoD(to, bytes.data(), bytes.size()); code != CUDA_SUCCESS)
    return failed(code, "Writing to the kernel's result");
  return synchronize(Stage::check);
}

}  // namespace wb
