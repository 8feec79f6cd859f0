// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/shared_arguments.h"

#include <ATen/core/Tensor.h>
#include <c10/core/StorageImpl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/engine/guest/values.h"

namespace wb {
namespace {

constexpr std::size_t alignment = 64;  // as torch's own

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

Result<std::vector<std::shared_ptr<SharedMemory>>> shareArguments(const Stack& arguments) {
  std::vector<std::shared_ptr<SharedMemory>> used;
  std::vector<c10::Storage> toMove;
  std::size_t bytes = 0;
  for (const at::Tensor& tensor : tensorsOf(arguments)) {
    if (const std::string why = whyNotShared(tensor); !why.empty())
      return Error{Stage::check, "--strict cannot give a tensor to the kernel's process: " + why};
    const c10::Storage storage = tensor.storage();
    if (storage.nbytes() == 0) continue;
    if (const auto* memory = memoryOf(storage)) {
      if (std::find(used.begin(), used.end(), *memory) == used.end()) used.push_back(*memory);
    } else if (std::none_of(toMove.begin(), toMove.end(),
                            [&](const c10::Storage& each) { return each.is_alias_of(storage); })) {
      toMove.push_back(storage);
      bytes += aligned(storage.nbytes());
    }
  }
  if (bytes == 0) return used;
  WB_TRY(std::shared_ptr<SharedMemory> memory, SharedMemory::make(bytes));
  std::byte* next = memory->data();
  for (const c10::Storage& storage : toMove) {
    std::memcpy(next, storage.data(), storage.nbytes());
    storage.set_data_ptr_noswap(
        at::DataPtr(next, new std::shared_ptr<SharedMemory>(memory), release, at::Device(at::kCPU)));
    next += aligned(storage.nbytes());
  }
  used.push_back(std::move(memory));
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
    write(out, shapeOf(each));
  };
  for (const c10::IValue& each : arguments) write(to, each, tensor);
}

}  // namespace wb
