// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/job.h"
#include "core/suites/suites.h"

namespace wb {

/// What `warpbench backendbench` was asked: BackendBench's options by their names (contract §1.1), then ours.
struct BackendBenchRequest {
  std::string logLevel = "INFO";  ///< DEBUG, INFO, WARNING, ERROR or CRITICAL
  std::string suite = "smoke";
  std::string backend = "aten";
  std::string ops;  ///< comma-separated
  std::optional<int> topn;
  std::string traceFile;  ///< torchbench's .parquet or .txt
  std::string opsDirectory = "generated_kernels";
  std::string logDir;
  bool disableOutputLogs = false;
  std::optional<int> workers;
  bool overheadDominated = false;
  double p = 1.0;

  std::string device = "auto";
  std::string dtype;  ///< "": opinfo bfloat16, smoke float32, as BackendBench has them
  bool like = false, scoreCrashed = false;
  std::string python;  ///< interpreter whose torch and packages are used; "": as findPython() says
  std::vector<std::string> reports;
  Limits limits;
  std::string arguments;  ///< of the command, as typed
};

/// What is to be run, and what there is to say about it.
struct BackendBenchPlan {
  Job job;
  std::vector<std::string> choices;   ///< where BackendBench would have taken another kernel
  std::vector<std::string> problems;  ///< worth a warning
  std::string loaded;                 ///< "DirectoryBackend loaded 21 kernels from kernels/"; ""
  int operatorsWithoutKernel = 0;     ///< of the suite: in no score, as in BackendBench
};

/// Whether its kernels come from a directory: BackendBench's backend of that name, or "pregenerated", which
/// the kernels were called that came with its earlier runs.
[[nodiscard]] bool readsDirectory(const BackendBenchRequest& request);

/// `device` is resolved. Errors: a suite or backend that is not here, nothing that --ops matches (with what
/// is there), files that do not read.
Result<BackendBenchPlan> planBackendBench(const BackendBenchRequest& request, const std::string& device,
                                          const SuiteProgress& progress = {});

/// The cases of the suite in BackendBench's order, filtered by --ops: exactly as BackendBench matches with
/// `like` (opinfo: the whole "name.overload"; torchbench: any part of it), else names, overloads and globs.
Result<Suite> backendBenchSuite(const BackendBenchRequest& request, const std::string& device,
                                const SuiteProgress& progress = {});

/// "auto" is a GPU where there is one; with `like` smoke runs on the CPU, as BackendBench's does.
Result<std::string> backendBenchDevice(const BackendBenchRequest& request);

}  // namespace wb
