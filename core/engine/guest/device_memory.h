// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>

#include "core/base/result.h"
#include "core/engine/guest/channel/shared_memory.h"

namespace wb {

/// New memory of the current device, to be shared with another process by its descriptor. Nothing else of
/// this process lies in it.
Result<std::shared_ptr<SharedMemory>> makeDeviceMemory(std::size_t size);
/// Maps the memory behind such a descriptor, which is closed, for the current device.
Result<std::shared_ptr<SharedMemory>> mapDeviceMemory(int descriptor, std::size_t size);

/// What one process says to another of memory that its own allocator took, so that the other can read it: one
/// allocation of the driver's.
struct DeviceSegment {
  std::uint64_t begin = 0, size = 0;
  std::array<std::byte, 64> handle{};
};

/// The segments that results of this process lie in. They are asked for once.
class OwnSegments {
 public:
  /// The segment of an address. Error: the memory there is none that another process can see.
  Result<DeviceSegment> of(const void* address);

 private:
  std::map<std::uint64_t, DeviceSegment> known_;
};

/// The segments of another process, as far as they were read. What it says of them is doubted.
class OthersSegments {
 public:
  OthersSegments() = default;
  OthersSegments(const OthersSegments&) = delete;
  OthersSegments& operator=(const OthersSegments&) = delete;
  ~OthersSegments() { close(); }
  /// Forgets all that was read.
  void close();

  /// Copies `size` bytes from `address` of the other process, which lie in `segment`, to `to` in the memory
  /// of the device, and waits for that. Errors: there is no such memory, or the bytes do not lie in it.
  Result<void> read(const DeviceSegment& segment, std::uint64_t address, void* to, std::size_t size);
  /// Writes bytes of this process's own to such a place, and waits for that. Errors as above.
  Result<void> write(const DeviceSegment& segment, std::uint64_t address, std::span<const std::byte> bytes);

 private:
  struct Opened {
    std::uint64_t begin = 0, size = 0;
  };
  Result<std::uint64_t> placeOf(const DeviceSegment& segment, std::uint64_t address, std::size_t size);
  Result<Opened> open(const DeviceSegment& segment);
  std::map<std::array<std::byte, 64>, Opened> opened_;
};

}  // namespace wb
