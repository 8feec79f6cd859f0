// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/engine/call.h"
#include "core/engine/guest/channel/bytes.h"
#include "core/engine/guest/channel/shared_memory.h"

namespace wb {

/// Moves what the tensors among `arguments` hold into memory that other processes can map. The tensors are
/// the same ones afterwards, and so are their views: only the bytes lie elsewhere. What lies there already
/// stays. Gives all memory that they lie in. Errors: a tensor cannot be shared; there is no memory.
Result<std::vector<std::shared_ptr<SharedMemory>>> shareArguments(const Stack& arguments);

/// Writes the arguments for a guest that maps their memory. Throws what cannot go to another process.
void writeArguments(ByteWriter& to, const Stack& arguments);

/// All tensors among the arguments, those in lists too.
[[nodiscard]] std::vector<at::Tensor> tensorsOf(const Stack& arguments);

}  // namespace wb
