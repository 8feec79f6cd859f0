// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/cross_checks/written_results.h"

#include <ATen/core/Tensor.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <random>

#include "core/engine/check/shared_memory.h"
#include "core/engine/reference/operator.h"

namespace wb {
namespace {

constexpr int places = 4;

/// By a call of the system's, since nobody says that the memory may be written to.
void write(std::byte* to, std::uint64_t junk, std::size_t bytes) {
  const iovec mine{&junk, std::min(bytes, sizeof junk)}, there{to, mine.iov_len};
  static_cast<void>(::process_vm_writev(::getpid(), &mine, 1, &there, 1, 0));
}

/// Numbers of the tensor alone: what lies between them is somebody else's.
void writeTo(const at::Tensor& tensor, std::mt19937_64& random) {
  auto* const first = static_cast<std::byte*>(const_cast<void*>(tensor.const_data_ptr()));
  for (int i = 0; i < places; ++i) {
    std::int64_t at = 0;
    for (std::int64_t d = 0; d < tensor.dim(); ++d)
      at +=
          static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(tensor.size(d))) * tensor.stride(d);
    write(first + at * tensor.element_size(), random(), static_cast<std::size_t>(tensor.element_size()));
  }
}

}  // namespace

void writeToResults(const Stack& results, const Stack& arguments, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::vector<at::Tensor> given = planFrom(arguments).examples;
  for (const at::Tensor& each : planFrom(results).examples) {
    if (!each.defined() || !each.is_cpu() || each.layout() != at::kStrided || each.numel() == 0) continue;
    const bool isGiven = std::any_of(given.begin(), given.end(), [&](const at::Tensor& argument) {
      return argument.defined() && argument.layout() == at::kStrided && sharesMemory(each, argument);
    });
    if (!isGiven) writeTo(each, random);
  }
}

}  // namespace wb
