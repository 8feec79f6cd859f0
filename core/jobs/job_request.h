// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/job.h"
#include "core/suites/suites.h"

namespace wb {

/// What makes a request one for BackendBench's job: its kernels and cases are chosen as BackendBench chooses
/// them. `JobRequest::suite` is then one of its suites.
struct BackendBenchChoice {
  /// "aten", "directory", "flag_gems"; "pregenerated" is a directory with the layouts of its earlier runs.
  std::string backend = "aten";
  /// The directory's kernels.
  std::string opsDirectory = "generated_kernels";
  /// torchbench's .parquet or .txt.
  std::string traceFile;
  /// torchbench: only inputs whose time is mostly launching.
  bool overheadDominated = false;
};

/// What somebody wants to run. The window, the command line, the tests and whatever else starts a run fill
/// one of these in, and `planJob` is the only way from it to a Job.
struct JobRequest {
  /// Kernel files, and folders that stand for the kernel files in them.
  std::vector<std::string> files;
  /// A folder in `files` is BackendBench's: it holds a folder for each operator.
  bool operatorFolders = false;
  /// Kernels whose text is at hand: an editor's, or one that was made.
  std::vector<KernelSource> sources;
  /// The operator that the kernels implement; "": as each kernel says. Without a kernel: ATen's own, which
  /// runs against itself.
  std::string op;
  /// Language of the kernels; "": by file name and text.
  std::string language;
  /// Python file or folder with the problems (KernelBench's form) that the kernels solve. Without a kernel
  /// the problems run against themselves.
  std::string problem;

  /// A suite's name, or a file of cases.
  std::string suite = "smoke";
  /// Of suites that are made; "auto": what the kernels' texts are written for.
  std::string dtype = "auto";
  /// Only cases of these: names or globs; empty: all.
  std::vector<std::string> operators;
  /// Only so many cases of each operator, the largest; 0: all.
  int topn = 0;
  /// Cases that are at hand; `suite` and what else chooses cases is then not looked at.
  std::optional<Suite> cases;

  Stages stages;
  Tolerance tolerance;
  /// `scoreTrivial` is the suite's to say.
  Checking checking;
  /// Presets of its cap: `capSeconds(Effort)`.
  TimingPlan timing;
  ProfilePlan profile;
  std::string sanitizer;
  Limits limits;
  std::uint64_t seed = 0;
  /// Where it will run, "cpu" or "cuda:N"; suites are made for it.
  std::string device = "cpu";
  /// Interpreter that makes suites and knows packages; "": the one that is found.
  std::string python;
  std::optional<BackendBenchChoice> backendBench;
};

/// A job, and what there is to say about how it came to be.
struct PlannedJob {
  Job job;
  /// Files of a folder that cannot be read; the job is without them.
  std::vector<Error> leftOut;
  /// Worth a warning.
  std::vector<std::string> warnings;
  /// BackendBench: where it would have taken another kernel.
  std::vector<std::string> choices;
  /// BackendBench: "DirectoryBackend found 21 kernels in kernels/, 20 of them for this suite"; else "".
  std::string loaded;
};

/// Errors name the option or file, and say what to do: a file that cannot be read or that no language takes,
/// a suite, a dtype or an operator that is not there, nothing to run. Making a suite can take half a minute.
Result<PlannedJob> planJob(const JobRequest& request, const SuiteProgress& progress = {});

/// The same, for callers that have nobody to tell the rest.
Result<Job> makeJob(const JobRequest& request, const SuiteProgress& progress = {});

/// The cases that a request asks for, by name. `kernels` are those it names, as far as they were read: a
/// suite may be for their dtype. BackendBench's suites are not meant.
Result<Suite> chooseSuite(const JobRequest& request, const std::vector<KernelSource>& kernels,
                          const SuiteProgress& progress = {});

}  // namespace wb
