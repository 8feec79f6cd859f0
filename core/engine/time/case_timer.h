// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/reference/seed.h"
#include "core/engine/time/cross_checks/device_floor.h"
#include "core/engine/time/cross_checks/reference_pace.h"
#include "core/engine/time/time_stage.h"
#include "core/engine/time/timed_calls.h"

namespace wb {

/// The least that the reference took, of all tries: in a process in which no kernel has ever been, and here
/// right after that.
struct LeastSeconds {
  double there = std::numeric_limits<double>::infinity(), here = there, hereAlone = there;
};

/// Times one case once: makes it ready, times it, and looks whether the time is that of the work
/// (case_doubts.cpp).
class CaseTimer {
 public:
  CaseTimer(const KernelContext& kernel, const Case& definition, MeasuredDevice& measuredDevice,
            const KnownOfCase& known, const TimedAlone& alone, LeastSeconds& least)
      : kernel_(kernel),
        definition_(definition),
        measuredDevice_(measuredDevice),
        known_(known),
        alone_(alone),
        least_(least),
        seed_(mixSeeds(kernel.secret, mixSeeds(kernel.job.seed, definition.seed))) {}

  TimeOutcome run();

 private:
  Result<void> prepare(const Literal& call);
  [[nodiscard]] bool mayChange(const Contents& contents, const Stack& results) const;
  Result<CaseTiming> measure();
  TimeOutcome failed(const Error& error) const;
  Result<void> watch(CaseTiming& timing);
  [[nodiscard]] std::string impossible(CaseTiming& timing) const;
  [[nodiscard]] double secondsToTakeMemory() const;
  [[nodiscard]] std::string slowMemory(const CaseTiming& timing) const;
  [[nodiscard]] bool mayScaleAnswers(const CaseTiming& timing) const;
  [[nodiscard]] bool canDrawAnew(const Literal& call) const;
  [[nodiscard]] std::string_view howTimedAreAlike() const;
  [[nodiscard]] std::string keptAnswers(const CaseTiming& timing, const Literal& call) const;
  [[nodiscard]] std::string notFasterOnUnmet(const CaseTiming& timing, const Literal& call) const;
  std::optional<CaseCheck> recheck();
  TimeOutcome failedWhenTimed(const Error& error);
  [[nodiscard]] std::string slowedReference(CaseTiming& timing, const Literal& call);
  [[nodiscard]] SlowedReference slowedSinceLoaded(const CaseTiming& timing);
  void sayTooNoisy(CaseTiming& timing, const std::string& slow);

  const KernelContext& kernel_;
  const Case& definition_;
  MeasuredDevice& measuredDevice_;
  const KnownOfCase& known_;
  const TimedAlone& alone_;
  LeastSeconds& least_;
  /// The reference was slower while it was timed, and not right after.
  bool mayBeSlowed_ = false;
  std::uint64_t seed_;
  std::optional<TimedCalls> calls_;
  MovedBytes moved_;
  /// What is timed, the sets of inputs and their copies, takes a quarter of the device's free memory or more.
  bool tookMuchMemory_ = false;
  /// What the reference takes in this process, where it is timed in another one; 0 where it is not.
  double here_ = 0;
  bool rotatesCold_ = false;
  /// Contents are others from time to time; they are at most the same ones times a number; those of some
  /// tensor are the same, be it times a number.
  bool doChange_ = false, areOnlyScaled_ = false, holdSameNumbers_ = false;
  OutputPlan plan_;
  /// How long the C library took for the memory of a call, as the timed calls have left the heap.
  double takingSeconds_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace wb
