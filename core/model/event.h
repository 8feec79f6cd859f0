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

/// Where a worker runs and what it found there.
struct Target {
  std::string device;        ///< "cpu", "cuda:0"
  std::string deviceName;    ///< "AMD EPYC 9B14", "NVIDIA H100 80GB HBM3"
  std::string architecture;  ///< "x86-64", "sm_90"
  std::string torch;         ///< "2.11.0+cu130"
  std::string driver;        ///< CUDA driver's version, "" without
  std::string host;
  std::string uuid;          ///< "GPU-…"; "" without
  int multiprocessors = 0;   ///< of the GPU
  std::int64_t l2Bytes = 0;  ///< of the GPU
  std::int64_t memoryBytes = 0;
  std::string counters;  ///< why device counters cannot be read, with the remedy; "" when they can
  bool operator==(const Target&) const = default;
};

/// One compiled form of a kernel: torch C++ has one, raw CUDA one per dtype and function.
struct Artifact {
  std::string name;                     ///< function's name
  std::string dtype;                    ///< scalar_t it was compiled for; ""
  std::string architecture;             ///< "sm_90", "x86-64"
  int registers = 0;                    ///< per thread; 0 where it has no meaning
  int spillLoads = 0, spillStores = 0;  ///< bytes per thread
  std::int64_t sharedBytes = 0;         ///< static, per block
  std::int64_t binaryBytes = 0;         ///< of the cubin or shared object
  std::string assembly;                 ///< PTX; "" where there is none
  bool operator==(const Artifact&) const = default;
};

// What a worker says, in the order of a job's life. `kernel` is an index into Job::kernels, `index` one into
// the kernel's own planned cases.

struct JobStarted {
  Target target;
  std::string startedAt;  ///< ISO 8601, UTC
  bool operator==(const JobStarted&) const = default;
};
struct Diagnosed {
  std::uint32_t kernel = 0;
  Diagnostic diagnostic;
  bool operator==(const Diagnosed&) const = default;
};
/// A step of a stage is about to begin: names the culprit if the worker dies now. Stages per kernel (see
/// core/model/stages.h) have no `index`.
struct StepStarted {
  Stage stage = Stage::check;
  std::uint32_t kernel = 0;
  std::optional<std::uint32_t> index;
  bool operator==(const StepStarted&) const = default;
};
/// Who is at work on the case under way: what is lost or hangs now is that side's. Without a side: inputs are
/// made or results compared. `first`: the candidate's first call of this case in this worker, which may
/// compile or tune the kernel. The runner says it again, with the seconds so far, of what takes long.
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
  std::string op;      ///< resolved schema name
  std::string schema;  ///< "aten::relu(Tensor self) -> Tensor"
  double seconds = 0;
  bool cached = false;    ///< taken from the build cache
  std::string toolchain;  ///< "clang++ 14.0.6", "NVRTC 13.0"
  std::string note;       ///< "Compiled for sm_90; not run: this machine has no GPU"; may be empty
  std::vector<Artifact> artifacts;
  std::vector<Case> cases;
  bool runs = true;  ///< false: it is not for this device, `note` says why, and its cases stay not-run
  bool operator==(const Compiled&) const = default;
};
/// Part of a case's profile; the last part says so.
struct ProfilePart {
  Side side = Side::candidate;
  SideProfile part;
  bool last = false;
  bool operator==(const ProfilePart&) const = default;
};
/// The machine code of a kernel's functions, which the profile stage gives once per kernel.
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
/// The step could not be done, though the verdict on its case stays: it was not timed, not profiled.
struct NoResult {
  std::string reason;
  bool operator==(const NoResult&) const = default;
};

using StepResult = std::variant<Compiled, CaseCheck, CaseTiming, ProfilePart, Listed, Sanitized, NoResult>;

/// "compiled", "checked", "timed", …: the key of an alternative in the JSON form, and its name in a stage's
/// row.
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

/// Whether a step of the stage can come to that. NoResult is for stages whose cases have their verdict
/// already.
[[nodiscard]] bool canGive(Stage stage, const StepResult& result);

/// What a step came to. Most steps give one result; a profile comes in parts, and a case that turns out wrong
/// only while it is timed gives a CaseCheck before the NoResult of its timing.
struct StepDone {
  Stage stage = Stage::check;
  std::uint32_t kernel = 0;
  std::optional<std::uint32_t> index;
  StepResult result;
  bool operator==(const StepDone&) const = default;
};

/// What the device reaches, measured now or remembered.
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
/// A whole stage failed for a kernel (or, without `kernel`, the job).
struct StageFailed {
  std::optional<std::uint32_t> kernel;
  Error error;
  bool operator==(const StageFailed&) const = default;
};
/// Whose code ran when a worker was lost, as far as anybody can tell. `profiler`: the kernel's under the
/// profiler, either of which may have been too much for the process. `warpbench`: neither the kernel's nor
/// the reference's, so that it is a fault of our own.
WB_ENUM(Blame, kernel, reference, profiler, warpbench);

/// A worker process ended, or was ended, before its time. Said by the runner.
struct WorkerLost {
  Blame blame = Blame::warpbench;
  std::optional<std::uint32_t> kernel;  ///< that was being worked on
  std::string doing;                    ///< "checking case 4 of relu.cpp", "between two steps of relu.cpp"
  std::string how;                      ///< "segmentation fault (SIGSEGV)", "did not finish within 30.0 s"
  std::string lastWords;                ///< end of what it printed; may be empty
  double seconds = 0;                   ///< since the run began
  Verdict verdict = Verdict::crashed;   ///< or hung, or tampered
  std::optional<Stage> stage{};         ///< of the step under way; absent between two steps
  std::uint32_t index = 0;              ///< of the case under way
  std::optional<Side> side{};           ///< whose turn it was
  bool quarantines = false;             ///< it was one too many: the rest of the kernel is not run
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

/// The result that an event brings, if it is the end of a step that came to an R; else nullptr.
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
