// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/cases/sealed_job.h"
#include "core/engine/pipeline/engine_state.h"
#include "core/engine/sides/dispatcher_watch.h"
#include "core/engine/sides/traces.h"
#include "core/engine/sides/turns.h"

namespace wb {

/// Watches what one kernel's code does to the process in which its reference and the next kernels run too.
class HostGuard {
 public:
  /// Made before the kernel is compiled, since its code runs while it is loaded. `op` is "" for a problem.
  /// `turns` says whether any code was called since the last look. All must outlive it.
  HostGuard(EngineState& state, Compiler& compiler, const std::string& op, const Turns& turns, const Job& job,
            const SealedJob& sealed);
  HostGuard(const HostGuard&) = delete;
  HostGuard& operator=(const HostGuard&) = delete;
  ~HostGuard();

  [[nodiscard]] SideStates& states() { return state_.untouched->states; }
  /// Puts the kernel's own state in force for as long as the returned object lives.
  [[nodiscard]] std::unique_ptr<SideStates::Candidate> enter() {
    return std::make_unique<SideStates::Candidate>(states());
  }
  /// Says that its reference is in Python too, so that what the kernel patches there changes the reference.
  void hasOwnReference() { ownReference_ = true; }

  /// Why no verdict on the kernel can be believed, because it has replaced the reference or changed its job;
  /// "" when it has not.
  [[nodiscard]] std::string tampered();
  /// The same with a look at the case that was judged.
  [[nodiscard]] std::string tampered(const Case& definition, std::uint32_t number);
  /// Somebody else has found out that no verdict on it can be believed.
  void distrust(std::string why) { tampered_ = std::move(why); }
  /// Why its times would say nothing; "" when they say something.
  [[nodiscard]] std::string notScored();
  /// A fork of ours has worked so many seconds of a processor since notScored(), and has ended.
  void forkOfOursWorked(double seconds) { ownForksWorked_ += seconds; }
  /// Why the times that were just taken are not scored: the kernel disturbed the reference, or replaced it
  /// meanwhile; "" when it did not.
  [[nodiscard]] std::string disturbed();

  struct Verdict {
    /// What it changed, in sentences.
    std::vector<std::string> warnings;
    /// Something cannot be put back.
    bool spoiled = false;
  };
  /// The kernel is done, and was let go: puts back what can be put back. `problem`: the file of its problem,
  /// if it has one.
  /// After the last of a job's kernels, `isLast`, those of all are looked at. `newFiles`: LeftBehind::files.
  [[nodiscard]] Verdict end(const std::filesystem::path& problem, bool isLast,
                            const std::vector<std::string>& newFiles);

 private:
  /// What the kernel has patched in the language's runtime; remembers what could be put back.
  const std::vector<std::string>& patched();
  /// What it has changed below torch's dispatcher: "code of libtorch_cpu.so", "ATen's silu_stub".
  const std::vector<std::string>& changedBelow();
  /// Sees to patched() and changedBelow() at once.
  void lookAtBoth();
  /// What processes of the kernel's have worked since notScored(): "a process of the kernel's worked for 3 ms
  /// while it was timed"; "" where that is next to nothing.
  [[nodiscard]] std::string workedMeanwhile() const;
  /// What was written to of the job's problems, in words.
  [[nodiscard]] std::string changedProblem(const std::filesystem::path& own, bool all);
  /// Forgets what was seen where code was called since.
  void forgetLooks();
  /// Why times would say nothing: what the kernel has replaced by now. `below` are changedBelow().
  std::string replacements(const std::vector<std::string>& below);

  EngineState& state_;
  Compiler& compiler_;
  DispatcherWatch dispatcher_;
  const Turns& turns_;
  const Job& job_;
  const SealedJob& sealed_;
  /// What was seen when so many turns had begun. To look takes a millisecond, as long as a short kernel's
  /// case.
  std::uint64_t seenAt_ = 0;
  std::optional<std::vector<std::string>> seenPatched_, seenBelow_;
  bool ownReference_ = false;
  std::string tampered_;
  /// What it has changed of its job; another worker gets the next kernel then.
  std::string changedJob_;
  std::vector<std::string> putBack_;
  /// What processes of the kernel's had worked before a case was timed, and when that was.
  Traces::Worked workedBefore_;
  /// How long forks of ours have worked since then, in seconds of a processor.
  double ownForksWorked_ = 0;
  std::chrono::steady_clock::time_point timedSince_;
};

}  // namespace wb
