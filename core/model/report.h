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

/// All that is known of one case.
struct CaseRow {
  Case definition;
  CaseCheck check;
  std::optional<CaseTiming> timing;
  std::string notTimed;                        ///< why there is no timing though the case passed
  std::optional<Shared<CaseProfile>> profile;  ///< of the few cases that were profiled
  bool operator==(const CaseRow&) const = default;
};

/// Where a kernel is on its way through the stages.
struct Progress {
  enum class State { waiting, underWay, done, failed };
  State state = State::waiting;
  Stage stage = Stage::compile;  ///< the one under way; compile in all other states

  static const Progress waiting, done, failed;
  [[nodiscard]] static constexpr Progress at(Stage stage) { return {State::underWay, stage}; }
  bool operator==(const Progress&) const = default;
};
inline constexpr Progress Progress::waiting{State::waiting, Stage::compile};
inline constexpr Progress Progress::done{State::done, Stage::compile};
inline constexpr Progress Progress::failed{State::failed, Stage::compile};
/// "waiting", "done", "failed", or what the stage under way does: "checking".
[[nodiscard]] std::string_view name(const Progress& progress);

/// Counts of cases by what they came to; kept while folding. checked = passed + failed + neutral (void); the
/// rest of total has not run.
struct Counts {
  int total = 0, checked = 0, passed = 0, failed = 0, neutral = 0;
  int toTime = 0, timed = 0;  ///< toTime: passed cases while the time stage is wanted, less those that could
                              ///< not be timed; without the check stage all that did not fail
  int profiled = 0;           ///< profiled, or said why not
  int crashed = 0;            ///< of those that failed: cases that ended their worker, or were spared it
  bool operator==(const Counts&) const = default;
};

/// All that is known of one kernel.
struct KernelReport {
  KernelSource source;
  Progress progress = Progress::waiting;
  std::string language;
  std::optional<Compiled> compiled;  ///< without its `cases`, which are in `cases` below
  std::vector<Diagnostic> diagnostics;
  std::optional<Error> failure;   ///< the stage that failed, if one did
  std::vector<Listing> listings;  ///< machine code, after the profile stage
  /// What the sanitizer found, where one watched.
  std::optional<Sanitized> sanitized;
  SharedSequence<CaseRow> cases;
  Counts counts;
  bool operator==(const KernelReport&) const = default;
};

/// What a running job is at, for those who watch it.
struct StepUnderWay {
  std::uint32_t kernel = 0, index = 0;
  Stage stage = Stage::check;
  std::optional<Side> side;
  bool first = false;  ///< the candidate's first call of the case, which may compile or tune it
  double seconds = 0;  ///< so far, where the runner has said so
  bool operator==(const StepUnderWay&) const = default;
};

/// All that is known of a run: the fold of its events over its job. Always valid, also after a crash, a
/// cancel or half-way. Copies share what did not change; a `std::shared_ptr<const Report>` may be read by any
/// thread.
struct Report : RunPlan {
  static constexpr int schemaVersion = 1;  ///< of the JSON form; see resources/help/report-json.md
  Target target;
  std::optional<Ceilings> ceilings;  ///< of the target
  std::string startedAt;             ///< ISO 8601, UTC
  std::vector<Shared<KernelReport>> kernels;
  SharedSequence<Log> log;
  std::vector<WorkerLost> losses;  ///< workers that the run lost, whoever was to blame
  std::optional<Error> failure;    ///< of the whole job
  Outcome outcome = Outcome::running;
  double seconds = 0;
  std::optional<StepUnderWay> underWay;  ///< the case started last, while it runs; not part of the JSON form
  bool operator==(const Report&) const = default;
};

/// A report before its first event.
[[nodiscard]] Report startReport(const Job& job);

/// Takes one event into the report. Events that do not fit (an index out of range) are kept as a log line,
/// never lost and never fatal. Amortised constant time, whatever the number of cases.
void fold(Report& report, const Event& event);

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

/// Sum over all kernels.
[[nodiscard]] Counts counts(const Report& report);

/// A worker was lost though neither the kernel's nor the reference's code was running: our fault.
[[nodiscard]] bool lostByUs(const Report& report);
/// "Warpbench lost its worker between two steps of relu.cpp: segmentation fault (SIGSEGV)", "The worker was
/// lost while checking case 4 of relu.cpp: …".
[[nodiscard]] std::string describe(const WorkerLost& lost);

/// Whether a kernel's times count in summaries and scores: not those of one that crashed or hung somewhere,
/// unless that was asked for.
[[nodiscard]] bool scored(const Report& report, const KernelReport& kernel);

/// What a finished run means for a shell, as a constant of ExitStatus.
[[nodiscard]] int exitStatus(const Report& report);

}  // namespace wb
