// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <c10/core/Device.h>
#include <c10/core/Storage.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "core/engine/call.h"
#include "core/engine/guest/channel/bytes.h"
#include "core/engine/guest/channel/shared_memory.h"

namespace wb {

/// The memory that a guest shares with its judge, by the judge's numbers.
using Memories = std::map<std::uint32_t, std::shared_ptr<SharedMemory>>;

/// The arguments of one call, over shared memory.
class ArgumentReader {
 public:
  ArgumentReader(ByteReader& from, const Memories& memories, at::Device device)
      : from_(from), memories_(memories), device_(device) {}

  Stack read(std::size_t count, const c10::FunctionSchema& schema);

 private:
  at::Tensor tensor(ByteReader& from);
  c10::Storage storage(std::uint32_t number, std::uint64_t offset, std::uint64_t bytes, at::Device device);

  ByteReader& from_;
  const Memories& memories_;
  at::Device device_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, c10::Storage> storages_;
};

}  // namespace wb
