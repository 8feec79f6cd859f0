// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "core/base/files/file.h"
#include "core/runner/runner_loop.h"

namespace wb {

namespace {
constexpr std::chrono::seconds partingLimit{20};  // the tool writes its summary, and the driver cleans up
}

/// Lets the busy worker end by itself where its sanitizer's messages are still to come. False: there are none
/// to wait for.
bool RunnerLoop::part(std::optional<Outcome> finished, const RunProgress::Loss& loss) {
  if (busy_ == nullptr || busy_->sanitizer.empty() || parting_) return false;
  if (finished) busy_->process.send(Bye{});
  parting_ = Parting{finished, loss, Clock::now() + partingLimit};
  return true;
}

void RunnerLoop::concludeParting() {
  Worker& worker = *busy_;
  if (!parting_->finished) return lose(worker, parting_->loss);
  const Outcome outcome = *parting_->finished;
  readSanitizerLog(worker);
  dismiss(worker);
  finishRun(outcome);
}

void RunnerLoop::readSanitizerLog(const Worker& worker) {
  if (worker.sanitizerLog.empty()) return;
  if (const Result<std::string> text = readFile(worker.sanitizerLog))
    current_->takeSanitizerLog(*text);
  else
    current_->say("The messages of compute-sanitizer cannot be read: " + describe(text.error()));
}

}  // namespace wb
