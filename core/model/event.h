// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/enum.h"
#include "core/base/error.h"
#include "core/model/case.h"
#include "core/model/diagnostic.h"
#include "core/model/job.h"
#include "core/model/measurement.h"
#include "core/model/profile.h"
#include "core/model/stages.h"

namespace wb {

/// Where a worker runs, and what it found there.
struct Target {
  /// The device: "cpu", "cuda:0".
  std::string device;
  /// The device's name: "AMD EPYC 9B14", "NVIDIA H100 80GB HBM3".
  std::string deviceName;
  /// The architecture: "x86-64", "sm_90".
  std::string architecture;
  /// The version of torch: "2.11.0+cu130".
  std::string torch;
  /// The CUDA driver's version; "" without one.
  std::string driver;
  std::string host;
  /// The GPU's UUID, "GPU-…"; "" without one.
  std::string uuid;
  /// How many multiprocessors the GPU has.
  int multiprocessors = 0;
  /// The size of the GPU's L2 cache.
  std::int64_t l2Bytes = 0;
  std::int64_t memoryBytes = 0;
  /// Why device counters cannot be read, with the remedy; "" when they can.
  std::string counters;
  /// The walls that stood around the worker, in words: "files: Landlock 7"; empty without any.
  std::vector<std::string> walls{};
  bool operator==(const Target&) const = default;
};

/// One compiled form of a kernel: torch C++ has one, raw CUDA one per dtype and function.
struct Artifact {
  /// The function's name.
  std::string name;
  /// The dtype of scalar_t that it was compiled for; may be "".
  std::string dtype;
  /// The architecture: "sm_90", "x86-64".
  std::string architecture;
  /// The registers per thread; 0 where that has no meaning.
  int registers = 0;
  /// The spilled bytes per thread.
  int spillLoads = 0, spillStores = 0;
  /// The static shared memory per block.
  std::int64_t sharedBytes = 0;
  /// The size of the cubin or shared object.
  std::int64_t binaryBytes = 0;
  /// The PTX; "" where there is none.
  std::string assembly;
  bool operator==(const Artifact&) const = default;
};

// These are what a worker says, in the order of a job's life. `kernel` is an index into Job::kernels, `index`
// one into the kernel's own planned cases.

struct JobStarted {
  Target target;
  /// The time by ISO 8601, in UTC.
  std::string startedAt;
  bool operator==(const JobStarted&) const = default;
};
struct Diagnosed {
  std::uint32_t kernel = 0;
  Diagnostic diagnostic;
  bool operator==(const Diagnosed&) const = default;
};
/// A step of a stage is about to begin. If the worker dies now, this step is blamed. Stages per kernel (see
/// core/model/stages.h) have no `index`.
struct StepStarted {
  Stage stage = Stage::check;
  std::uint32_t kernel = 0;
  std::optional<std::uint32_t> index;
  bool operator==(const StepStarted&) const = default;
};
/// The side that is at work on the case under way: what is lost or hangs now is that side's. Without a side,
/// inputs are made or results compared. `first` says that it is the candidate's first call of this case in
/// this worker, which may compile or tune the kernel. When a side takes long, the runner says this again with
/// the seconds so far.
struct SideStarted {
  std::uint32_t kernel = 0, index = 0;
  std::optional<Side> side;
  bool first = false;
  double seconds = 0;
  bool operator==(const SideStarted&) const = default;
};

// What steps come to, one struct for each alternative of StepResult. CaseCheck and CaseTiming are results
// too.

/// The kernel is ready, and these are the cases it will run.
struct Compiled {
  /// The resolved schema name.
  std::string op;
  /// The schema: "aten::relu(Tensor self) -> Tensor".
  std::string schema;
  double seconds = 0;
  /// The kernel was taken from the build cache.
  bool cached = false;
  /// The compilers: "clang++ 14.0.6", "NVRTC 13.0".
  std::string toolchain;
  /// A note such as "Compiled for sm_90; not run: this machine has no GPU"; may be empty.
  std::string note;
  std::vector<Artifact> artifacts;
  std::vector<Case> cases;
  /// When this is false, the kernel is for another device; `note` says why, and its cases stay not-run.
  bool runs = true;
  bool operator==(const Compiled&) const = default;
};
/// A part of a case's profile; the last part says that it is the last.
struct ProfilePart {
  Side side = Side::candidate;
  SideProfile part;
  bool last = false;
  bool operator==(const ProfilePart&) const = default;
};
/// The machine code of a kernel's functions. It comes once per kernel.
struct Listed {
  std::vector<Listing> listings;
  bool operator==(const Listed&) const = default;
};
/// What compute-sanitizer found while a kernel was checked. Each place is a diagnostic of the kernel, too.
struct Sanitized {
  /// "memcheck"
  std::string tool;
  /// How many places a message names, and how many of them are errors; the others are warnings and notes.
  int places = 0, errors = 0;
  /// False: the worker was ended before the tool had said everything.
  bool complete = true;
  /// What the tool says of itself.
  std::vector<std::string> notes;
  bool operator==(const Sanitized&) const = default;
};
/// The step could not be done, although the verdict on its case stays, or the kernel is compiled all the
/// same: the case was not timed, or not profiled.
struct NoResult {
  std::string reason;
  bool operator==(const NoResult&) const = default;
};

/// What a report keeps of a kernel as a whole, beside how it was compiled: a member for each other stage per
/// kernel, under the name of its result in the stage's row.
struct KernelResults {
  /// What the sanitizer found, where one watched.
  std::optional<Sanitized> sanitized;
  bool operator==(const KernelResults&) const = default;
};

using StepResult = std::variant<Compiled, CaseCheck, CaseTiming, ProfilePart, Listed, Sanitized, NoResult>;

/// The name of a result in a stage's row, which is the key of this alternative in the JSON form: "compiled",
/// "checked", "timed", …
template <class R>
inline constexpr std::string_view resultName{};
template <>
inline constexpr std::string_view resultName<Compiled> = "compiled";
template <>
inline constexpr std::string_view resultName<CaseCheck> = "checked";
template <>
inline constexpr std::string_view resultName<CaseTiming> = "timed";
template <>
inline constexpr std::string_view resultName<ProfilePart> = "profiled";
template <>
inline constexpr std::string_view resultName<Listed> = "listed";
template <>
inline constexpr std::string_view resultName<Sanitized> = "sanitized";
template <>
inline constexpr std::string_view resultName<NoResult> = "nothing";

/// Whether a step of the stage can have this result. NoResult is for stages whose cases have their verdict
/// already, and for those whose loss is no failure of the kernel.
[[nodiscard]] bool canGive(Stage stage, const StepResult& result);

/// The result of a step. Most steps give one result; a profile comes in parts, and a case that turns out to
/// be wrong only while it is timed gives a CaseCheck before the NoResult of its timing.
struct StepDone {
  Stage stage = Stage::check;
  std::uint32_t kernel = 0;
  std::optional<std::uint32_t> index;
  StepResult result;
  bool operator==(const StepDone&) const = default;
};

/// What the device reaches, measured now or before.
struct DeviceMeasured {
  Ceilings ceilings;
  bool operator==(const DeviceMeasured&) const = default;
};
/// Something a person may want to read. `source`: "stdout", "stderr" (user code), "worker", "compiler",
/// "runner".
struct Log {
  std::string source;
  std::string text;
  bool operator==(const Log&) const = default;
};
/// A whole stage failed for a kernel, or without `kernel` for the job.
struct StageFailed {
  std::optional<std::uint32_t> kernel;
  Error error;
  bool operator==(const StageFailed&) const = default;
};
/// Whose code ran when a worker was lost, as far as can be told. `profiler` is the kernel's code under the
/// profiler, either of which may have been too much for the process. `warpbench` is neither the kernel's nor
/// the reference's, so that it is a fault of Warpbench.
WB_ENUM(Blame, kernel, reference, profiler, warpbench);

/// The runner says that a worker process ended, or was ended, before its time.
struct WorkerLost {
  Blame blame = Blame::warpbench;
  /// The kernel that was being worked on.
  std::optional<std::uint32_t> kernel;
  /// What it was doing: "checking case 4 of relu.cpp", "between two steps of relu.cpp".
  std::string doing;
  /// How it ended: "segmentation fault (SIGSEGV)", "did not finish within 30.0 s".
  std::string how;
  /// The end of what it printed; may be empty.
  std::string lastWords;
  /// The seconds since the run began.
  double seconds = 0;
  /// Or hung, or tampered.
  Verdict verdict = Verdict::crashed;
  /// Of the step under way; absent between two steps.
  std::optional<Stage> stage{};
  /// Of the case under way.
  std::uint32_t index = 0;
  /// Whose turn it was.
  std::optional<Side> side{};
  /// It was one too many: the rest of the kernel is not run.
  bool quarantines = false;
  bool operator==(const WorkerLost&) const = default;
};

WB_ENUM(Outcome, running, finished, cancelled, workerLost);
struct Finished {
  Outcome outcome = Outcome::finished;
  double seconds = 0;
  bool operator==(const Finished&) const = default;
};

/// One thing that happened. A report is the fold of these.
using Event = std::variant<JobStarted, Diagnosed, StepStarted, SideStarted, StepDone, DeviceMeasured, Log,
                           StageFailed, WorkerLost, Finished>;

/// The kernel that an event speaks of; nothing for those of the whole job.
[[nodiscard]] std::optional<std::uint32_t> kernelOf(const Event& event);

/// The result that an event brings, if it ends a step whose result is an R; else nullptr.
template <class R>
[[nodiscard]] const R* resultIn(const Event& event) {
  const auto* done = std::get_if<StepDone>(&event);
  return done ? std::get_if<R>(&done->result) : nullptr;
}
template <class R>
[[nodiscard]] R* resultIn(Event& event) {
  auto* done = std::get_if<StepDone>(&event);
  return done ? std::get_if<R>(&done->result) : nullptr;
}

}  // namespace wb
