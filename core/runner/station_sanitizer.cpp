// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "core/base/files/file.h"
#include "core/runner/station.h"

namespace wb {

namespace {
// The tool writes its summary, and the driver cleans up, in this time.
constexpr std::chrono::seconds awaitedEndLimit{20};
}  // namespace

/// Lets the busy worker end by itself where its sanitizer's messages are still to come. False where there are
/// none to wait for.
bool Station::letEndByItself(AwaitedEnd awaited) {
  if (busy_ == nullptr || busy_->sanitizer.empty() || awaitedEnd_) return false;
  if (awaited.finished) busy_->process.send(Bye{});
  awaited.before = Clock::now() + awaitedEndLimit;
  awaitedEnd_ = std::move(awaited);
  return true;
}

void Station::concludeAwaitedEnd() {
  Worker& worker = *busy_;
  if (!awaitedEnd_->finished) return lose(worker, awaitedEnd_->loss);
  const bool stopped = awaitedEnd_->stopped;
  readSanitizerLog(worker);
  dismiss(worker);
  endWork(stopped);
}

void Station::readSanitizerLog(const Worker& worker) {
  if (worker.sanitizerLog.empty()) return;
  if (const Result<std::string> text = readFile(worker.sanitizerLog))
    state_.run->takeSanitizerLog(*text);
  else
    state_.run->say("The messages of compute-sanitizer cannot be read: " + describe(text.error()));
}

}  // namespace wb
