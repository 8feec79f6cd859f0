// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/memory/allocated_sizes.h"

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <cstdint>
#include <memory>
#include <mutex>

namespace wb {
namespace {

/// Threads that help this one are told of, too.
class Recorder final : public c10::MemoryReportingInfoBase {
 public:
  void reportMemoryUsage(void* /*memory*/, std::int64_t bytes, std::size_t /*allocated*/,
                         std::size_t /*reserved*/, c10::Device device) override {
    if (bytes <= 0 || !device.is_cpu()) return;
    const std::lock_guard held(mutex_);
    sizes_.push_back(static_cast<std::size_t>(bytes));
  }
  [[nodiscard]] bool memoryProfilingEnabled() const override { return true; }
  [[nodiscard]] std::vector<std::size_t> sizes() {
    const std::lock_guard held(mutex_);
    return sizes_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::size_t> sizes_;
};

}  // namespace

std::vector<std::size_t> allocatedIn(const std::function<void()>& work) {
  const auto recorder = std::make_shared<Recorder>();
  {
    const c10::DebugInfoGuard told(c10::DebugInfoKind::PROFILER_STATE, recorder);
    work();
  }
  return recorder->sizes();
}

}  // namespace wb
