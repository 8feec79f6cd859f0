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

/// What one worker is at: which step it has begun, and whose turn it is in it. What came of its steps is in
/// the report; several workers are at different steps of one report.
struct AtWork {
  std::uint32_t kernel = 0;  ///< the one being worked on
  std::optional<Step> step;  ///< under way
  std::optional<Step> last;  ///< what was under way last, or is
  std::optional<Side> side;  ///< whose turn it is; absent: inputs are made or results compared
  bool isFirstCall = false;  ///< the candidate's first of this case
  bool candidateRan = false;
  bool isPreparing = true;    ///< it got its job, and nothing was heard yet
  bool hasBegun = false;      ///< it said that the job started
  bool endedInCrash = false;  ///< the last verdict was a crash: its device is broken
  std::uint64_t number = 0;   ///< of the step, for who counts its time
};

/// A worker gets work, new or to go on with: nothing is under way until it says so.
void handOver(AtWork& at, const JobWork& work);

/// What an event of this worker means to what is under way. True when it starts or ends something, so that
/// patience counts from now.
bool follow(AtWork& at, const Event& event);

/// Time is counted apart for each side of a case, all its turns in that case together.
enum class Purse { common, reference, candidate, firstCall };
[[nodiscard]] Purse purse(const Report& report, const AtWork& at);
/// Seconds that what is under way may take: of a case the side at work.
[[nodiscard]] double patience(const Job& job, const Report& report, const AtWork& at);
/// "did not finish within 30.0 s": what to say of a step that has taken longer than that.
[[nodiscard]] std::string overdue(const Job& job, const Report& report, const AtWork& at);

/// "compiling relu.cpp", "checking case 4 of relu.cpp", "between two steps of relu.cpp".
[[nodiscard]] std::string activity(const Job& job, const AtWork& at);
/// The case under way as watchers are told of it; nothing between cases.
[[nodiscard]] std::optional<SideStarted> caseUnderWay(const Report& report, const AtWork& at);
[[nodiscard]] bool isTiming(const AtWork& at);

}  // namespace wb
