// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/enum.h"
#include "core/model/event.h"
#include "core/model/job.h"
#include "core/model/shared_sequence.h"

namespace wb {

/// Everything that is known of one case.
struct CaseRow {
  Case definition;
  CaseCheck check;
  std::optional<CaseTiming> timing;
  /// Why there is no timing although the case passed.
  std::string notTimed;
  /// The profile, of the few cases that were profiled.
  std::optional<Shared<CaseProfile>> profile;
  bool operator==(const CaseRow&) const = default;
};

/// Where a kernel is on its way through the stages.
struct Progress {
  enum class State { waiting, underWay, done, failed };
  State state = State::waiting;
  /// The one under way; compile in all other states.
  Stage stage = Stage::compile;

  static const Progress waiting, done, failed;
  [[nodiscard]] static constexpr Progress at(Stage stage) { return {State::underWay, stage}; }
  bool operator==(const Progress&) const = default;
};
inline constexpr Progress Progress::waiting{State::waiting, Stage::compile};
inline constexpr Progress Progress::done{State::done, Stage::compile};
inline constexpr Progress Progress::failed{State::failed, Stage::compile};
/// "waiting", "done", "failed", or what the stage under way does: "checking".
[[nodiscard]] std::string_view name(const Progress& progress);

/// How many cases came to which verdict, kept while folding. checked = passed + failed + neutral (void); the
/// rest of total has not run.
struct Counts {
  int total = 0, checked = 0, passed = 0, failed = 0, neutral = 0;
  /// `toTime` are the passed cases while the time stage is wanted, minus those that could not be timed;
  /// without the check stage, all that did not fail.
  int toTime = 0, timed = 0;
  /// How many were profiled, or said why they were not.
  int profiled = 0;
  /// How many of those that failed ended their worker, or were not run to spare it.
  int crashed = 0;
  bool operator==(const Counts&) const = default;
};

/// A stage that came to nothing for a kernel as a whole.
struct NotDone {
  Stage stage = Stage::compile;
  std::string reason;
  bool operator==(const NotDone&) const = default;
};

/// Everything that is known of one kernel.
struct KernelReport : KernelResults {
  KernelSource source;
  Progress progress = Progress::waiting;
  std::string language;
  /// This is without its `cases`, which are in `cases` below.
  std::optional<Compiled> compiled;
  std::vector<Diagnostic> diagnostics;
  /// The error of the stage that failed, if one did.
  std::optional<Error> failure;
  /// The machine code, after the profile stage.
  std::vector<Listing> listings;
  /// Stages of the whole kernel that came to nothing, and why.
  std::vector<NotDone> notDone;
  SharedSequence<CaseRow> cases;
  Counts counts;
  bool operator==(const KernelReport&) const = default;
};

/// What a running job is doing, for those who watch it.
struct StepUnderWay {
  std::uint32_t kernel = 0, index = 0;
  Stage stage = Stage::check;
  std::optional<Side> side;
  /// It is the candidate's first call of the case, which may compile or tune the kernel.
  bool first = false;
  /// The seconds so far, where the runner has said so.
  double seconds = 0;
  bool operator==(const StepUnderWay&) const = default;
};

/// Everything that is known of a run: the fold of its events over its job. It is always valid, also after a
/// crash, a cancel or half-way. Copies share what did not change; a `std::shared_ptr<const Report>` may be
/// read by any thread.
struct Report : RunPlan {
  /// The version of the JSON form; see resources/help/report-json.md.
  static constexpr int schemaVersion = 1;
  Target target;
  /// The ceilings of the target.
  std::optional<Ceilings> ceilings;
  /// The time by ISO 8601, in UTC.
  std::string startedAt;
  std::vector<Shared<KernelReport>> kernels;
  SharedSequence<Log> log;
  /// The workers that the run lost, whoever was to blame.
  std::vector<WorkerLost> losses;
  /// The error of the whole job.
  std::optional<Error> failure;
  Outcome outcome = Outcome::running;
  double seconds = 0;
  /// The case that was started last, while it runs; not part of the JSON form.
  std::optional<StepUnderWay> underWay;
  bool operator==(const Report&) const = default;
};

/// A report before its first event.
[[nodiscard]] Report startReport(const Job& job);

/// Takes one event into the report. An event that does not fit (an index out of range) is kept as a log line;
/// it is never lost and never fatal. Takes amortised constant time, whatever the number of cases. A kernel
/// with one case that is tampered has no other verdict, whatever was said before or is said later.
void fold(Report& report, const Event& event);

/// Whether the kernel was judged tampered, which all its cases are then.
[[nodiscard]] bool isDiscredited(const KernelReport& kernel);

/// Gives a kernel that did not compile the cases that it would have had, for those who count them; what they
/// came to follows as events.
void planCases(Report& report, std::uint32_t kernel, const std::vector<Case>& cases);

/// How many steps of a stage a kernel has done, of how many that are due by what is known so far. A stage
/// that was not asked for has none.
struct Steps {
  int done = 0, due = 0;
  bool operator==(const Steps&) const = default;
};
[[nodiscard]] Steps steps(const Report& report, const KernelReport& kernel, Stage stage);

/// The sum over all kernels.
[[nodiscard]] Counts counts(const Report& report);

/// Whether a worker was lost while neither the kernel's nor the reference's code was running, which is a
/// fault of Warpbench.
[[nodiscard]] bool lostByUs(const Report& report);
/// The loss in words: "Warpbench lost its worker between two steps of relu.cpp: segmentation fault
/// (SIGSEGV)", "The worker was lost while checking case 4 of relu.cpp: …".
[[nodiscard]] std::string describe(const WorkerLost& lost);

/// Whether a kernel's times count in summaries and scores: not those of one that crashed or hung somewhere,
/// unless that was asked for.
[[nodiscard]] bool scored(const Report& report, const KernelReport& kernel);

}  // namespace wb
