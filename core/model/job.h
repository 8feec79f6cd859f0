// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/case.h"
#include "core/model/plan/work.h"
#include "core/model/profile.h"
#include "core/model/stages.h"

namespace wb {

/// A kernel to run: its source and what it claims to implement.
struct KernelSource {
  /// The path, which is shown to people and used in diagnostics; what is compiled is the text below.
  std::string path;
  /// The text in UTF-8; empty for language "aten".
  std::string text;
  /// The id of a language: "torch_cpp", "raw_cuda", "aten" (ATen itself, the null test). "" means that file
  /// name and text tell it.
  std::string language;
  /// The operator as the user gave it; "" means that the header, the folder or the function's name tells it.
  std::string op;
  /// A Python file with the class Model that this kernel's ModelNew replaces (KernelBench's form), and its
  /// text. "" means ATen, or a Model in the kernel's own file.
  std::string referencePath, referenceText;
  bool operator==(const KernelSource&) const = default;
};

/// How close to the reference is close enough. The presets are "torch" (default), "backendbench" and
/// "strict"; "given" uses `rtol` and `atol` as they are.
struct Tolerance {
  std::string preset = "torch";
  double rtol = 0, atol = 0;
  bool operator==(const Tolerance&) const = default;
};

/// How a case is checked, apart from the tolerance.
struct Checking {
  /// The candidate runs twice on the same input, to see whether it gives the same bits.
  bool repeat = true;
  /// The float64 oracle is used for every case, not only where it decides or is cheap.
  bool oracle = false;
  /// Cases that a trivial answer passes are scored all the same, and flagged. This is for suites whose counts
  /// must match BackendBench's.
  bool scoreTrivial = false;
  /// Checks exactly as BackendBench does: the reference runs first, the candidate on the same tensors, and
  /// only the outputs are looked at.
  bool likeBackendBench = false;
  /// The times of a kernel that crashed or hung in some case count all the same. Without this they are shown,
  /// and count in no summary.
  bool scoreCrashed = false;
  bool operator==(const Checking&) const = default;
};

/// The effort of timing, per case.
struct TimingPlan {
  /// The limit of time: 0.25 for quick, 1 by default, 10 for thorough.
  double capSeconds = 1.0;
  /// Timing stops when the relative half-width of the interval is at most this.
  double targetHalfWidth = 0.005;
  /// Whether so rough a ratio is wanted that few blocks, input sets and kept answers are enough for it.
  [[nodiscard]] bool isRough() const { return targetHalfWidth >= 0.02; }
  bool operator==(const TimingPlan&) const = default;
};

/// Deadlines and bounds. When a deadline passes, that is a verdict on the kernel and not on Warpbench.
struct Limits {
  double compileSeconds = 120;
  /// The limit of one side of one case in check; timing gets its own limit on top.
  double caseSeconds = 30;
  /// The limit of the candidate's first call of a case in a worker, where the kernel's language may compile
  /// or tune then: Triton does both again for each dtype and shape.
  double firstCallSeconds = 300;
  /// The limit of one case in profile.
  double profileSeconds = 60;
  /// How long a worker may wait between two steps for others that use its GPU, beside half of a case's limit:
  /// only one may measure there at a time.
  double waitSeconds = 0;
  /// How many bytes all inputs of a case may take together; more is refused before it is allocated. 0 means
  /// what the device has room for.
  std::int64_t tensorBytes = 0;
  /// How much output of user code is kept per job; the rest is counted and dropped.
  std::int64_t logBytes = 1 << 20;
  bool operator==(const Limits&) const = default;
};

/// What a run was asked for, less its kernels and cases: what a job and the report on it have in common.
struct RunPlan {
  /// The name for people: "smoke" or a file's name.
  std::string suite;
  Stages stages{Stage::check, Stage::time};
  Tolerance tolerance;
  Checking checking;
  TimingPlan timing;
  ProfilePlan profile;
  /// The tool of compute-sanitizer that watches the worker: "memcheck", "racecheck", "initcheck",
  /// "synccheck"; "" for none. Its messages become diagnostics.
  std::string sanitizer;
  /// The kernel's code runs in a process of its own, its guest, and the worker, which judges it, loads none
  /// of it.
  bool strict = false;
  /// A seed that is mixed with each case's own.
  std::uint64_t seed = 0;
  /// The device, "cpu" or "cuda:N"; "auto" is resolved before a job is sent.
  std::string device = "cpu";
  /// Kernels run inside walls (core/base/sandbox), and so do their compilers.
  bool sandbox = false;
  bool operator==(const RunPlan&) const = default;
};

/// What is to be run, as a value that says everything. It is the same for the window, the terminal and,
/// later, the service.
struct Job : RunPlan {
  std::vector<KernelSource> kernels;
  /// The suite's cases of all operators; each kernel runs those of its operator. In a part of a job they are
  /// left out where its work has them.
  std::vector<Case> cases;
  Limits limits;
  /// What of it one worker is to do; absent: all.
  std::optional<JobWork> work;
  bool operator==(const Job&) const = default;
};

}  // namespace wb
