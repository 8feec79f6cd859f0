// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/base/result.h"

namespace wb {

/// Memory that another process may map too. Its size is sealed, so that nobody can make it shorter below the
/// feet of the others; inside walls, which leave no such memory, it is a file without a name, of which that
/// is not so.
class SharedMemory {
 public:
  /// New memory, all zeros.
  static Result<std::shared_ptr<SharedMemory>> make(std::size_t size);
  /// Maps the memory behind a descriptor, which is closed.
  static Result<std::shared_ptr<SharedMemory>> map(int descriptor, std::size_t size);
  /// Memory of a device that is mapped already (device_memory.h); `descriptor` is -1 where another process
  /// made it. `unmap` gives it back.
  static std::shared_ptr<SharedMemory> onDevice(std::byte* data, std::size_t size, int descriptor,
                                                std::function<void()> unmap);
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory();

  /// Unlike all others that this process makes.
  [[nodiscard]] std::uint32_t number() const { return number_; }
  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// The descriptor to hand on; -1 where it was mapped.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// The room (shared_arguments.h) that it is a piece of; 0 for none.
  [[nodiscard]] std::uint32_t room() const { return room_; }
  void setRoom(std::uint32_t room) { room_ = room; }
  /// It is memory of a device, which this process cannot read by itself.
  [[nodiscard]] bool isOnDevice() const { return static_cast<bool>(unmap_); }
  [[nodiscard]] bool holds(const void* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address), from = reinterpret_cast<std::uintptr_t>(data_);
    return at >= from && at < from + size_;
  }

 private:
  SharedMemory(std::byte* data, std::size_t size, int descriptor);
  std::byte* data_;
  std::size_t size_;
  int descriptor_;
  std::uint32_t number_, room_ = 0;
  std::function<void()> unmap_;
};

}  // namespace wb
