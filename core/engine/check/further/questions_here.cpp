// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/questions_here.h"

#include <c10/core/Device.h>

#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "core/engine/check/case_run.h"
#include "core/engine/check/further/further_questions.h"
#include "core/engine/device/current_stream.h"
#include "core/engine/device/driver.h"
#include "core/engine/reference/seed.h"
#include "core/engine/sides/bands/guard_bands.h"

namespace wb {
namespace {

/// What ends at all at a shape nearby ends much sooner.
constexpr std::chrono::seconds longestCall{2};
constexpr std::chrono::microseconds between{50};

/// Waits for the device's current stream, and notices when nothing can run there any more.
class CallWait {
 public:
  explicit CallWait(const KernelContext& kernel)
      : kernel_(kernel), device_(c10::Device(kernel.device).index()) {}

  Result<void> wait() {
    if (kernel_.device == "cpu") return {};
    const auto until = std::chrono::steady_clock::now() + longestCall;
    while (true) {
      const CUresult code = driver()->streamQuery(currentStream(device_));
      // Code on the host may have put work on other streams.
      if (code == CUDA_SUCCESS) return waitFor(kernel_);
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
  const KernelContext& kernel_;
  int device_;
  std::string ending_;
};

}  // namespace

bool askHere(const KernelContext& kernel, const Case& definition,
             const std::chrono::steady_clock::time_point& until, const CaseCheck& check, Remark& remark,
             const std::function<void()>& letOthers, bool isBrief) {
  const bool onHost = kernel.device == "cpu";
  if (!onHost && driver() == nullptr) return true;
  CallWait calls(kernel);
  std::chrono::duration<double> forgiven{0};
  const AskedApart apart{
      .isAlive = [&] { return calls.ending().empty(); },
      .hasTime = [&] { return std::chrono::steady_clock::now() < until + forgiven; },
      .forgive = [&](double seconds) { forgiven += std::chrono::duration<double>(seconds); },
      .ending = [&] { return calls.ending(); },
      .wait = [&] { return calls.wait(); },
      .letOthers = letOthers,
      .isBrief = isBrief};
  // At another shape a kernel may write outside of its tensors, be it of those that a later one is given.
  GuardBands bands(mixSeeds(kernel.secret, definition.seed));
  std::optional<SideStates::Candidate> states;
  if (kernel.states != nullptr) states.emplace(*kernel.states);
  {
    const GuardBands::InForce guarded(bands);
    remark = definition.values == "own" ? askProblemApart(kernel, definition, apart, check)
                                        : askApart(kernel, definition, apart, check);
  }
  return calls.ending().empty() && !(onHost && bands.found());
}

}  // namespace wb
