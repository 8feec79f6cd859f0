// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/case_run.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

#include "core/engine/call_elsewhere.h"
#include "core/engine/device/driver.h"
#include "core/engine/sides/operator_watch.h"

namespace wb {

Result<void> waitFor(const KernelContext& kernel) {
  return kernel.device == "cpu" ? Result<void>() : synchronize(Stage::check);
}

Result<Stack> runAndWait(const KernelContext& kernel, PreparedCall& call) {
  WB_DO(call.run());
  WB_DO(waitFor(kernel));
  return call.outputs();
}

Result<WatchedRun> runWatched(const KernelContext& kernel, PreparedCall& call, GuardBands* bands) {
  // The watch lives within the candidate's state, or it would be taken for an observer of the kernel's.
  std::optional<SideStates::Candidate> apart;
  if (kernel.states != nullptr) apart.emplace(*kernel.states);
  const OperatorWatch watch(kernel.op.schema().name());
  std::optional<GuardBands::InForce> guarded;
  if (bands != nullptr) guarded.emplace(*bands);
  WatchedRun run;
  CallElsewhere* const there = elsewhere(call);
  if (there != nullptr) there->watchNext();
  const auto start = std::chrono::steady_clock::now();
  WB_TRY(run.results, runAndWait(kernel, call));
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  RanThere ran = there != nullptr ? there->ranThere() : RanThere{watch.ran(run.seconds), {}};
  run.ran = std::move(ran.parts);
  run.beyond = ran.beyond;
  return run;
}

CaseCheck verdictOf(Verdict verdict, std::string message) {
  CaseCheck check;
  check.verdict = verdict;
  check.message = std::move(message);
  return check;
}

std::string withHint(const Error& error) {
  return error.hint.empty() ? error.text : fmt::format("{} ({})", error.text, error.hint);
}

}  // namespace wb
