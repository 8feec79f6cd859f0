// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/launched_questions.h"

#include <c10/core/Device.h>

#include <chrono>
#include <string>
#include <thread>

#include "core/engine/check/further/further_questions.h"
#include "core/engine/device/current_stream.h"
#include "core/engine/device/driver.h"

namespace wb {
namespace {

/// What ends at all at a shape nearby ends much sooner.
constexpr std::chrono::seconds longestLaunch{2};
/// Nobody waits longer for the answers about one case.
constexpr std::chrono::seconds longestAsking{2};
constexpr std::chrono::microseconds between{50};

/// Waits for launches on the device's current stream, and notices when nothing can be launched any more.
class LaunchWait {
 public:
  explicit LaunchWait(int device) : device_(device) {}

  Result<void> wait() {
    const auto until = std::chrono::steady_clock::now() + longestLaunch;
    while (true) {
      const CUresult code = driver()->streamQuery(currentStream(device_));
      if (code == CUDA_SUCCESS) return {};
      if (code != CUDA_ERROR_NOT_READY) {
        if (isSticky(code)) ending_ = "makes a fault of the GPU";
        return cudaError(Stage::check, code, "Waiting for the kernel");
      }
      if (std::chrono::steady_clock::now() > until) {
        ending_ = "does not end";
        return Error{Stage::check, "the kernel does not end"};
      }
      std::this_thread::sleep_for(between);
    }
  }
  [[nodiscard]] const std::string& ending() const { return ending_; }

 private:
  int device_;
  std::string ending_;
};

}  // namespace

bool askLaunched(const KernelContext& kernel, const Case& definition, CaseCheck& check) {
  if (kernel.device == "cpu" || driver() == nullptr) return true;
  LaunchWait launches(c10::Device(kernel.device).index());
  const auto until = std::chrono::steady_clock::now() + longestAsking;
  askApart(kernel, definition,
           {.isAlive = [&] { return launches.ending().empty() && std::chrono::steady_clock::now() < until; },
            .ending = [&] { return launches.ending(); },
            .wait = [&] { return launches.wait(); }},
           check);
  return launches.ending().empty();
}

}  // namespace wb
