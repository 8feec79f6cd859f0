// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace wb {

struct Limits;
struct Job;

/// Whether a step of a stage is about a kernel or about one of its cases.
enum class Scope { perKernel, perCase };

/// What has to be true of a kernel or a case before its step. `passed` means that the case passed its check;
/// in a job without the check stage, that it has not failed.
enum class Needs { nothing, compiled, passed };

/// What it means for a step that its worker was lost through the kernel's code: the kernel failed, the case
/// has a verdict, or the step has no result and the verdict stays.
enum class LossMeans { failure, verdict, noResult };

/// Everything that is said once of a stage. A new stage needs a row of the table in stages.cpp, an
/// alternative of StepResult (core/model/event.h) and a file of the engine that does the work; one per kernel
/// also its member of KernelResults there.
struct StageRow {
  Stage stage;
  /// What a kernel, a worker or a case under way is doing: "checking".
  std::string_view doing;
  /// What a case is afterwards: "checked"; "case 4 was not timed".
  std::string_view done;
  /// What takes long where neither side is named: "making inputs or comparing".
  std::string_view between;
  Scope scope;
  Needs needs;
  /// The limit of one step; in the check stage, of one side.
  double Limits::*seconds;
  /// The limit of the candidate's first call in a case, for kernels that are compiled or tuned then.
  double Limits::*firstSeconds;
  /// So many times TimingPlan::capSeconds come on top of a step's limit.
  double caps;
  /// The share of the progress bar, which is about what the stage takes for a small suite.
  double weight;
  LossMeans loss;
  /// It takes times or counts the device, which means something only at the kernel's own speed.
  bool measures;
  /// So many times longer the steps of cases may take beside this stage; 1 where it slows nothing. A job with
  /// a stage that slows the others has none that measures.
  double slowdown;
  /// False: no worker is given it. The runner gives its results when the worker has ended.
  bool inWorker;
  /// The names of the results that a step may have (core/model/event.h); the first is the stage's own.
  std::array<std::string_view, 2> results;
  /// Why the stage is refused in a job without the check stage; "" where it is not.
  std::string_view refusedUnchecked;
};

/// The stages of a job, in the order in which a kernel goes through them.
[[nodiscard]] std::span<const StageRow> stageRows();

/// The row of a stage; for a Stage that no job can ask for (setup, job, report) that of compile.
[[nodiscard]] const StageRow& stageRow(Stage stage);

/// How many seconds a step of the stage may take; where sides take turns, one side.
[[nodiscard]] double stepSeconds(const Job& job, Stage stage, bool firstCall = false);

/// How many more seconds a step may take because it repeats its sides.
[[nodiscard]] double secondsOnTop(const Job& job, Stage stage);

/// The stages that a job goes through, as an ordered set that is built by name. Compile is always one of
/// them.
class Stages {
 public:
  Stages() = default;
  Stages(std::initializer_list<Stage> stages) {
    for (const Stage stage : stages) add(stage);
  }

  [[nodiscard]] bool has(Stage stage) const { return stage == Stage::compile || (bits_ & bit(stage)) != 0; }
  /// Adds a stage; those that make no sense beside it go, and one that makes no sense beside what is there
  /// stays out.
  Stages& add(Stage stage) { return set(stage, true); }
  Stages& remove(Stage stage) { return set(stage, false); }
  Stages& set(Stage stage, bool wanted);
  /// Those that are in the set, compile first.
  [[nodiscard]] std::vector<Stage> inOrder() const;
  bool operator==(const Stages&) const = default;

 private:
  static constexpr unsigned bit(Stage stage) { return 1U << static_cast<unsigned>(stage); }

  unsigned bits_ = 0;
};

/// "compile, check, time"
[[nodiscard]] std::string text(const Stages& stages);

/// "compile, check, …": all that --stages takes.
[[nodiscard]] std::string allStages();

/// The stages that a list names: "compile,check,time". Errors say which word is not a stage, or which stage
/// needs another.
Result<Stages> parseStages(std::string_view list);

}  // namespace wb
