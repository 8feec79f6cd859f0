// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/model/event.h"
#include "core/model/job.h"
#include "core/model/report.h"

namespace wb {

/// One step of a kernel: a stage of one case, or of the whole kernel.
struct Step {
  std::uint32_t kernel = 0;
  Stage stage = Stage::compile;
  std::uint32_t index = 0;
  bool operator==(const Step&) const = default;
};

/// What one worker is doing: which step it has begun, and whose turn it is in that step. The results of its
/// steps are in the report; several workers may be at different steps of one report.
struct AtWork {
  /// The kernel that is being worked on.
  std::uint32_t kernel = 0;
  /// The step under way.
  std::optional<Step> step;
  /// The step that is under way, or was last.
  std::optional<Step> last;
  /// Whose turn it is; absent while inputs are made or results are compared.
  std::optional<Side> side;
  /// It is the candidate's first call of this case.
  bool isFirstCall = false;
  bool candidateRan = false;
  /// It got its job, and nothing was heard yet.
  bool isPreparing = true;
  /// It said that the job has started.
  bool hasBegun = false;
  /// Between two steps the kernel is asked for more than its cases.
  bool isAsked = false;
  /// The last verdict was a crash, so its device is broken.
  bool endedInCrash = false;
  /// The number of the step, for those who count its time.
  std::uint64_t number = 0;
};

/// A worker gets work, new or to go on with. Nothing is under way until it says so.
void handOver(AtWork& at, const JobWork& work);

/// Follows an event of this worker. True when it starts or ends something, so that the time counts from now.
bool follow(AtWork& at, const Event& event);

/// The time limits, which are counted separately for each side of a case, all its turns in that case
/// together.
enum class Purse { common, reference, candidate, firstCall };
[[nodiscard]] Purse purse(const Report& report, const AtWork& at);
/// How many seconds the step under way may take; in a case, the side at work.
[[nodiscard]] double patience(const Job& job, const Report& report, const AtWork& at);
/// The message for a step that has taken longer than that: "did not finish within 30.0 s".
[[nodiscard]] std::string overdue(const Job& job, const Report& report, const AtWork& at);

/// A kernel in a sentence: its file's name, else its operator.
[[nodiscard]] std::string shortNameOf(const KernelSource& source);
/// What the worker is doing: "compiling relu.cpp", "checking case 4 of relu.cpp", "asking relu.cpp further
/// questions", "between two steps of relu.cpp".
[[nodiscard]] std::string activity(const Job& job, const AtWork& at);
/// The case under way, as it is told to those who watch; nothing between cases.
[[nodiscard]] std::optional<SideStarted> caseUnderWay(const Report& report, const AtWork& at);
[[nodiscard]] bool isTiming(const AtWork& at);

}  // namespace wb
