// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/case.h"
#include "core/model/profile.h"
#include "core/model/stages.h"
#include "core/model/work/work.h"

namespace wb {

/// A kernel to run: its source and what it claims to implement.
struct KernelSource {
  std::string path;      ///< shown to people and used in diagnostics; the text below is what is compiled
  std::string text;      ///< UTF-8; empty for language "aten"
  std::string language;  ///< id of a language: "torch_cpp", "raw_cuda", "aten" (ATen itself, the null test);
                         ///< "": by file name and text
  std::string op;        ///< as the user gave it; "": from the header, the folder or the function's name
  /// Python file with the class Model that this kernel's ModelNew replaces (KernelBench's form), and its
  /// text;
  /// "": ATen, or a Model in the kernel's own file.
  std::string referencePath, referenceText;
  bool operator==(const KernelSource&) const = default;
};

/// How close is close. Presets: "torch" (default), "backendbench", "strict"; "given" uses `rtol` and `atol`
/// as they are.
struct Tolerance {
  std::string preset = "torch";
  double rtol = 0, atol = 0;
  bool operator==(const Tolerance&) const = default;
};

/// How a case is checked, beyond closeness.
struct Checking {
  bool repeat = true;   ///< run twice on the same input: does it give the same bits?
  bool oracle = false;  ///< the float64 oracle for every case, not only where it decides or is cheap
  /// Cases that a trivial answer passes are scored all the same, and flagged: suites whose counts must match.
  bool scoreTrivial = false;
  /// Exactly as BackendBench does it: reference first, the candidate on the same tensors, nothing but the
  /// outputs looked at (contract §4.1).
  bool likeBackendBench = false;
  /// The times of a kernel that crashed or hung in some case count all the same. Without it they are shown,
  /// and count in no summary.
  bool scoreCrashed = false;
  bool operator==(const Checking&) const = default;
};

/// Timing effort per case.
struct TimingPlan {
  double capSeconds = 1.0;         ///< quick 0.25, default 1, thorough 10
  double targetHalfWidth = 0.005;  ///< stop when the interval's half-width, relative, is at most this
  bool operator==(const TimingPlan&) const = default;
};

/// Deadlines and bounds. A deadline that passes is a verdict of the kernel, not of Warpbench.
struct Limits {
  double compileSeconds = 120;
  double caseSeconds = 30;  ///< one side of one case in check; timing gets its cap on top
  /// The candidate's first call of a case in a worker, where the kernel's language may compile or tune then:
  /// Triton does both again for each dtype and shape.
  double firstCallSeconds = 300;
  double profileSeconds = 60;  ///< one case in profile
  /// All inputs of a case together; more is refused before allocating. 0: what the device has room for.
  std::int64_t tensorBytes = 0;
  std::int64_t logBytes = 1 << 20;  ///< output of user code kept per job; the rest is counted and dropped
  bool operator==(const Limits&) const = default;
};

/// What a run was asked for, less its kernels and cases: what a job and the report on it have in common.
struct RunPlan {
  std::string suite;  ///< name for people: "smoke" or a file's name
  Stages stages{Stage::check, Stage::time};
  Tolerance tolerance;
  Checking checking;
  TimingPlan timing;
  ProfilePlan profile;
  /// Tool of compute-sanitizer for the stage that runs the check under it: "memcheck", "racecheck",
  /// "initcheck", "synccheck". Its messages become diagnostics.
  std::string sanitizer;
  std::uint64_t seed = 0;      ///< mixed with each case's own
  std::string device = "cpu";  ///< "cpu" or "cuda:N"; "auto" is resolved before a job is sent
  bool operator==(const RunPlan&) const = default;
};

/// What to run: a value that says everything. The same for the window, the terminal and, later, the service.
struct Job : RunPlan {
  std::vector<KernelSource> kernels;
  std::vector<Case> cases;  ///< the suite's cases of all operators; each kernel runs those of its operator
  Limits limits;
  std::optional<JobWork> work;  ///< what of it one worker is to do; absent: all
  bool operator==(const Job&) const = default;
};

}  // namespace wb
