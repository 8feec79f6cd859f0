// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cases/device_room.h"

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/Device.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/memory.h"
#include "core/base/quantity.h"
#include "core/engine/device/driver.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t worthAsking = 16 << 20;
/// Such a part of what a GPU has free may be used to time a case strictly, where the job's limit is less.
constexpr std::int64_t partForStrict = 16;

/// What torch has taken from the device and can give out again.
std::int64_t keptByTorch(c10::Device device) {
  try {
    auto* const allocator = at::getDeviceAllocator(device.type());
    if (!allocator->initialized()) return 0;
    const auto stats = allocator->getDeviceStats(device.index());
    constexpr auto all = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
    return stats.reserved_bytes.at(all).current - stats.allocated_bytes.at(all).current;
  } catch (...) {
    return 0;
  }
}

Error tooLarge(std::int64_t bytes, const std::string& why, const std::string& hint) {
  return Error{Stage::check,
               fmt::format("the inputs take {}, {}", formatBytes(static_cast<double>(bytes)), why), hint};
}

}  // namespace

std::int64_t freeMemory(const std::string& device) {
  if (device == "cpu") return availableMemory().value_or(unknown);
  const Driver* const cuda = driver();
  std::size_t free = 0, total = 0;
  if (cuda == nullptr || cuda->memGetInfo(&free, &total) != CUDA_SUCCESS) return unknown;
  return static_cast<std::int64_t>(free) + keptByTorch(c10::Device(device));
}

std::int64_t roomForInputs(const Limits& limits, const std::string& device) {
  return limits.tensorBytes > 0 ? limits.tensorBytes : freeMemory(device) / copiesOfInputs;
}

Result<void> fitsDevice(const KernelContext& kernel, const Literal& call) {
  const std::int64_t bytes = tensorBytes(call), limit = kernel.job.limits.tensorBytes;
  if (limit > 0 && bytes > limit)
    return tooLarge(bytes, fmt::format("more than the limit of {}", formatBytes(static_cast<double>(limit))),
                    "use smaller shapes, or raise the job's limit");
  if (bytes < worthAsking || bytes <= roomForInputs(kernel.job.limits, kernel.device)) return {};
  const std::int64_t free = freeMemory(kernel.device);
  return tooLarge(bytes,
                  fmt::format("and checking takes some {} times as much: more than the {} that {} has free",
                              copiesOfInputs, formatBytes(static_cast<double>(free)),
                              kernel.device == "cpu" ? "this machine" : kernel.device),
                  "use smaller shapes, or run it where there is more memory");
}

void giveBackMemory(const std::string& device) {
  constexpr std::int64_t worthGiving = std::int64_t{4} << 30;
  if (device == "cpu" || keptByTorch(c10::Device(device)) < worthGiving) return;
  try {
    at::getDeviceAllocator(c10::Device(device).type())->emptyCache();
  } catch (...) {
    // A device in error has no memory to give; what runs next will report the error.
  }
}

std::int64_t roomForTiming(const KernelContext& kernel) {
  const std::int64_t limit = kernel.job.limits.tensorBytes;
  if (limit <= 0) return freeMemory(kernel.device);
  // A strict judge's sample has no more calls than there are sets, and has to be long beside what a GPU takes
  // for other things.
  const bool isStrictOnGpu = kernel.timedReference != nullptr && kernel.device != "cpu";
  return std::max(2 * limit, isStrictOnGpu ? freeMemory(kernel.device) / partForStrict : 0);
}

}  // namespace wb
