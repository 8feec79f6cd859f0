// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "core/base/files/file.h"
#include "core/runner/station.h"

namespace wb {

namespace {
constexpr std::chrono::seconds partingLimit{20};  // the tool writes its summary, and the driver cleans up
}  // namespace

/// Lets the busy worker end by itself where its sanitizer's messages are still to come. False: there are none
/// to wait for.
bool Station::part(Parting parting) {
  if (busy_ == nullptr || busy_->sanitizer.empty() || parting_) return false;
  if (parting.finished) busy_->process.send(Bye{});
  parting.before = Clock::now() + partingLimit;
  parting_ = std::move(parting);
  return true;
}

void Station::concludeParting() {
  Worker& worker = *busy_;
  if (!parting_->finished) return lose(worker, parting_->loss);
  const bool stopped = parting_->stopped;
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
