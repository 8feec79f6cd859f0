// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/process/process.h"
#include "core/base/sandbox/run_folder.h"
#include "core/base/sandbox/sandbox.h"
#include "core/model/job.h"

namespace wb {

/// What an ordinary worker's walls are made for.
struct WorkerWalls {
  std::string device = "cpu";
  /// The worker program and, where there is one, the interpreter that it runs in.
  std::filesystem::path worker, python;
  /// Files and folders of the user that it may read.
  std::vector<std::string> readable;
};

/// The folders of a job's sources, for their includes and imports; a source alone where its folder holds more
/// than sources: a home, a temporary folder, or one above them.
[[nodiscard]] std::vector<std::string> sourcePlaces(const Job& job);

/// Walls for a worker that compiles and runs kernels. It may start compilers and use its device; it reads the
/// system, torch's environment, Warpbench's own files and `readable`; it writes what is below `folder`.
[[nodiscard]] Sandbox workerSandbox(const WorkerWalls& wanted, const std::string& folder);

/// Puts walls around a worker's command. `folder` is a folder of the run's own: in it is a cache that begins
/// as what the user's cache has ready, read-only, so that no kernel changes what later runs load.
void raiseAround(Command& command, const WorkerWalls& wanted, const RunFolder& folder);

/// Where run folders are made.
[[nodiscard]] std::filesystem::path runFolders();

/// Why walls cannot be raised around workers on this machine; success where they can.
Result<void> checkSandbox();
/// The same for what a strict judge needs around its guests, which is more.
Result<void> checkStrict();

}  // namespace wb
