// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/job.h"
#include "core/suites/suites.h"

namespace wb {

/// Makes a request one for BackendBench's job: its kernels and cases are chosen as BackendBench chooses them.
/// `JobRequest::suite` is then one of its suites.
struct BackendBenchChoice {
  /// The backend: "aten", "directory", "flag_gems"; "pregenerated" is a directory that may have the layouts
  /// of earlier runs.
  std::string backend = "aten";
  /// The directory with the kernels.
  std::string opsDirectory = "generated_kernels";
  /// The .parquet or .txt file of torchbench.
  std::string traceFile;
  /// For torchbench: takes only inputs whose time is mostly launching.
  bool overheadDominated = false;
};

/// What somebody wants to run. The window, the command line, the tests and whatever else starts a run fill in
/// one of these, and `planJob` is the only way from it to a Job. Of the plan that the two have in common
/// `suite` is here the name of a suite or a file of cases, `device` is resolved, since suites are made for
/// it, and `checking.scoreTrivial` is what the suite says.
struct JobRequest : RunPlan {
  JobRequest() { suite = "smoke"; }

  /// Kernel files, and folders that stand for the kernel files in them.
  std::vector<std::string> files;
  /// A folder in `files` has BackendBench's layout: it holds a folder for each operator.
  bool operatorFolders = false;
  /// Kernels whose text is given: an editor's, or one that was made.
  std::vector<KernelSource> sources;
  /// The operator that the kernels implement; "" means what each kernel says. Without a kernel it is ATen's
  /// own, which runs against itself.
  std::string op;
  /// The language of the kernels; "" means that file name and text tell it.
  std::string language;
  /// A Python file or folder with the problems (KernelBench's form) that the kernels solve. Without a kernel
  /// the problems run against themselves.
  std::string problem;

  /// The dtype of suites that are made; "auto" is what the kernels' texts are written for.
  std::string dtype = "auto";
  /// Only cases of these operators are run, which are names or globs; when empty, all.
  std::vector<std::string> operators;
  /// Only the cases with these arguments are run, as a report shows them: "((T([5, 5], f32),), {})"; when
  /// empty, all.
  std::string only;
  /// Only the so many largest cases of each operator are run; 0 means all.
  int topn = 0;
  /// The cases, where they are given; `suite` and whatever else chooses cases is then ignored.
  std::optional<Suite> cases;

  Limits limits;
  /// As SuiteRequest::opinfoThere.
  std::function<Result<std::string>(const std::string& device, const std::string& dtype)> opinfoThere{};
  /// The interpreter that makes suites and knows packages; "" means the one that is found.
  std::string python;
  std::optional<BackendBenchChoice> backendBench;
};

/// A job, and what is to be said about how it was made.
struct PlannedJob {
  Job job;
  /// The files of a folder that cannot be read; the job is without them.
  std::vector<Error> leftOut;
  /// What deserves a warning.
  std::vector<std::string> warnings;
  /// For BackendBench: where it would have taken another kernel.
  std::vector<std::string> choices;
  /// For BackendBench: "DirectoryBackend found 21 kernels in kernels/, 20 of them for this suite"; else "".
  std::string loaded;
};

/// The job of a request. Errors name the file and say what to do: a file that cannot be read or
/// that no language takes; a suite, a dtype or an operator that does not exist; nothing to run. Making a
/// suite can take half a minute.
Result<PlannedJob> planJob(const JobRequest& request, const SuiteProgress& progress = {});

/// The same for callers that can tell nobody the warnings.
Result<Job> makeJob(const JobRequest& request, const SuiteProgress& progress = {});

/// The cases for which a request asks by name. `kernels` are those that it names, as far as they were read,
/// since a suite may be made for their dtype. BackendBench's suites are not among these.
Result<Suite> chooseSuite(const JobRequest& request, const std::vector<KernelSource>& kernels,
                          const SuiteProgress& progress = {});

}  // namespace wb
