// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/engine/call.h"
#include "core/engine/guest/channel/bytes.h"
#include "core/engine/guest/channel/shared_memory.h"

namespace wb {

/// Memory of one kernel's calls, small ones of which lie in the same piece: to make a piece of a GPU's memory
/// and to map it in another process takes longer than most calls do. A piece goes with the last tensor in it.
class ArgumentRoom {
 public:
  ArgumentRoom();
  struct Place {
    std::shared_ptr<SharedMemory> memory;
    std::byte* begin = nullptr;
  };
  Result<Place> take(std::size_t bytes, at::Device device);
  /// The other kernels' processes must not see it.
  [[nodiscard]] bool mayUse(const SharedMemory& memory) const {
    return memory.room() == 0 || memory.room() == number_;
  }

 private:
  struct Piece {
    std::shared_ptr<SharedMemory> memory;
    std::size_t used = 0;
  };
  std::uint32_t number_;
  Piece host_, device_;
};

/// Moves what the tensors among `arguments` hold into memory that other processes can map. The tensors are
/// the same ones afterwards, and so are their views: only the bytes lie elsewhere. What lies there already
/// stays. Gives all memory that they lie in. Errors: a tensor cannot be shared; there is no memory.
Result<std::vector<std::shared_ptr<SharedMemory>>> shareArguments(const Stack& arguments, ArgumentRoom& room);

/// Writes the arguments for a guest that maps their memory. Throws what cannot go to another process.
void writeArguments(ByteWriter& to, const Stack& arguments);

/// All tensors among the arguments, those in lists too.
[[nodiscard]] std::vector<at::Tensor> tensorsOf(const Stack& arguments);

}  // namespace wb
