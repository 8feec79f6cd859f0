// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/arguments/shared_arguments.h"

#include <ATen/core/Tensor.h>
#include <c10/core/StorageImpl.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "core/engine/device/driver.h"
#include "core/engine/guest/device_memory.h"
#include "core/engine/guest/values.h"
#include "core/engine/sides/bands/guard_bands.h"

namespace wb {
namespace {

constexpr std::size_t alignment = 512;  // as torch's own on a GPU
/// A GPU gives no smaller piece. What takes half of one has a piece of its own.
constexpr std::size_t pieceBytes = std::size_t{2} << 20;
/// Each call's arguments begin as they would in a piece of their own.
constexpr std::size_t pageBytes = 4096;

std::size_t aligned(std::size_t size) {
  return (size + alignment - 1) / alignment * alignment;
}

void release(void* kept) {
  delete static_cast<std::shared_ptr<SharedMemory>*>(kept);
}

/// The memory to share that a storage lies in; null where it lies in other memory.
const std::shared_ptr<SharedMemory>* memoryOf(const c10::Storage& storage) {
  const at::DataPtr& data = storage.data_ptr();
  if (data.get_deleter() != release) return nullptr;
  return static_cast<const std::shared_ptr<SharedMemory>*>(data.get_context());
}

Result<void> copy(const c10::Storage& storage, std::byte* to) {
  if (storage.device().is_cpu()) {
    std::memcpy(to, storage.data(), storage.nbytes());
    return {};
  }
  const CUresult code = driver()->memcpyDtoD(reinterpret_cast<CUdeviceptr>(to),
                                             reinterpret_cast<CUdeviceptr>(storage.data()), storage.nbytes());
  if (code != CUDA_SUCCESS) return cudaError(Stage::check, code, "Copying inputs for the kernel's process");
  return {};
}

void addOnce(const std::shared_ptr<SharedMemory>& memory, std::vector<std::shared_ptr<SharedMemory>>& used) {
  if (std::find(used.begin(), used.end(), memory) == used.end()) used.push_back(memory);
}

/// Moves storages of one device into one piece of memory to share.
Result<void> moveTogether(const std::vector<c10::Storage>& toMove, ArgumentRoom& room,
                          std::vector<std::shared_ptr<SharedMemory>>& used) {
  if (toMove.empty()) return {};
  const at::Device device = toMove.front().device();
  const bool isGuarded = GuardBands::areInForce();
  const std::size_t margin = isGuarded ? bandBytes : 0;
  std::size_t bytes = 0;
  for (const c10::Storage& storage : toMove) bytes += margin + aligned(storage.nbytes() + margin);
  WB_TRY(const ArgumentRoom::Place place, room.take(bytes, device));
  const std::shared_ptr<SharedMemory>& memory = place.memory;
  std::byte* next = place.begin;
  for (const c10::Storage& storage : toMove) {
    next += margin;
    WB_DO(copy(storage, next));
    storage.set_data_ptr_noswap(
        at::DataPtr(next, new std::shared_ptr<SharedMemory>(memory), release, device));
    if (isGuarded) GuardBands::guard({next, storage.nbytes()}, device, memory);
    next += aligned(storage.nbytes() + margin);
  }
  addOnce(memory, used);
  return {};
}

void add(std::vector<at::Tensor>& all, const at::Tensor& tensor) {
  if (tensor.defined()) all.push_back(tensor);
}

}  // namespace

std::vector<at::Tensor> tensorsOf(const Stack& arguments) {
  std::vector<at::Tensor> all;
  for (const c10::IValue& value : arguments) {
    if (value.isTensor()) add(all, value.toTensor());
    if (value.isTensorList())
      for (const at::Tensor& tensor : value.toTensorVector()) add(all, tensor);
    if (value.isOptionalTensorList())
      for (const auto& tensor : value.toOptionalTensorVector())
        if (tensor) add(all, *tensor);
  }
  return all;
}

ArgumentRoom::ArgumentRoom() {
  static std::atomic<std::uint32_t> last{0};
  number_ = ++last;
}

Result<ArgumentRoom::Place> ArgumentRoom::take(std::size_t bytes, at::Device device) {
  const auto make = [&](std::size_t size) {
    return device.is_cpu() ? SharedMemory::make(size) : makeDeviceMemory(size);
  };
  if (bytes > pieceBytes / 2) {
    WB_TRY(std::shared_ptr<SharedMemory> alone, make(bytes));
    return Place{alone, alone->data()};
  }
  Piece& piece = device.is_cpu() ? host_ : device_;
  if (!piece.memory || piece.memory->size() - piece.used < bytes) {
    WB_TRY(piece.memory, make(pieceBytes));
    piece.memory->setRoom(number_);
    piece.used = 0;
  }
  std::byte* const begin = piece.memory->data() + piece.used;
  piece.used = std::min(piece.memory->size(), (piece.used + bytes + pageBytes - 1) / pageBytes * pageBytes);
  return Place{piece.memory, begin};
}

Result<std::vector<std::shared_ptr<SharedMemory>>> shareArguments(const Stack& arguments,
                                                                  ArgumentRoom& room) {
  std::vector<std::shared_ptr<SharedMemory>> used;
  std::vector<c10::Storage> onHost, onDevice;
  for (const at::Tensor& tensor : tensorsOf(arguments)) {
    if (const std::string why = whyNotShared(tensor); !why.empty())
      return Error{Stage::check, "--strict cannot give a tensor to the kernel's process: " + why};
    const c10::Storage storage = tensor.storage();
    if (storage.nbytes() == 0) continue;
    std::vector<c10::Storage>& toMove = tensor.is_cuda() ? onDevice : onHost;
    if (const auto* memory = memoryOf(storage)) {
      if (!room.mayUse(**memory))
        return Error{Stage::check, "an argument lies beside those of another kernel's process"};
      addOnce(*memory, used);
    } else if (std::none_of(toMove.begin(), toMove.end(),
                            [&](const c10::Storage& each) { return each.is_alias_of(storage); })) {
      toMove.push_back(storage);
    }
  }
  WB_DO(moveTogether(onHost, room, used));
  WB_DO(moveTogether(onDevice, room, used));
  return used;
}

void writeArguments(ByteWriter& to, const Stack& arguments) {
  const auto tensor = [](ByteWriter& out, const at::Tensor& each) {
    const c10::Storage storage = each.storage();
    const auto* memory = memoryOf(storage);
    const auto* data = static_cast<const std::byte*>(storage.data());
    out.put(memory ? (*memory)->number() : std::uint32_t{0});
    out.put(static_cast<std::uint64_t>(memory ? data - (*memory)->data() : 0));
    out.put(static_cast<std::uint64_t>(storage.nbytes()));
    out.put(static_cast<std::int64_t>(each.storage_offset()));
    writeShape(out, each);
  };
  for (const c10::IValue& each : arguments) write(to, each, tensor);
}

}  // namespace wb
