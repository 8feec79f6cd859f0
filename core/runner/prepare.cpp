// SPDX-License-Identifier: Apache-2.0
#include "core/runner/prepare.h"

#include <chrono>
#include <cstdlib>

#include "core/base/files/paths.h"
#include "core/base/process/process.h"

namespace wb {

std::filesystem::path workerProgram() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets it while running
  const char* given = std::getenv("WARPBENCH_WORKER");
  return given != nullptr && *given != '\0' ? std::filesystem::path(given)
                                            : programFolder() / "warpbench-worker";
}

Result<void> prepareKernels(const Preparation& preparation, const std::stop_token& stop) {
  Command command;
  // Not at the lowest priority, since a run may come to wait for it on a machine that is busy otherwise.
  if (preparation.idle) command.argv = {"nice", "-n", "5"};
  command.argv.push_back(workerProgram().string());
  command.argv.emplace_back("--prepare");
  if (!preparation.python.empty()) command.environment.emplace_back("WARPBENCH_PYTHON", preparation.python);
  WB_TRY(const auto run, runToEnd(command, std::chrono::minutes{5}, stop));
  if (run.ok()) return {};
  return Error{Stage::setup, run.stopped ? "stopped" : run.err.empty() ? describe(run.ending) : run.err};
}

Result<Catalogue> catalogueOfTorch(const std::string& python) {
  if (auto catalogue = readCatalogue()) return catalogue;
  WB_DO(prepareKernels({.python = python}));
  return readCatalogue();
}

}  // namespace wb
