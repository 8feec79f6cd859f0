// SPDX-License-Identifier: Apache-2.0
#include "core/runner/sanitizer/sanitizer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/toolkit.h"

namespace wb {

Result<std::filesystem::path> findSanitizer() {
  const auto found = toolkitPrograms("compute-sanitizer");
  if (!found.empty()) return found.front();
  return Error{Stage::setup, "compute-sanitizer is not installed",
               "it comes with the CUDA toolkit (package cuda-sanitizer): put it into PATH, or set CUDA_HOME"};
}

Result<void> checkSanitizer(const std::string& tool, const std::string& device) {
  if (std::ranges::find(sanitizerTools, tool) == sanitizerTools.end())
    return Error{Stage::job, fmt::format("compute-sanitizer has no tool {}", tool),
                 fmt::format("one of {}", fmt::join(sanitizerTools, ", "))};
  if (!device.starts_with("cuda"))
    return Error{Stage::job,
                 fmt::format("compute-sanitizer watches kernels on a GPU, and this run is on {}", device),
                 "run it on a machine with a GPU: --device cuda:0"};
  return {};
}

Command underSanitizer(Command command, const std::filesystem::path& sanitizer, const std::string& tool,
                       const std::filesystem::path& log) {
  std::vector<std::string> argv{sanitizer.string(), "--tool", tool, "--log-file", log.string(),
                                // Host frames are torch's, and take long to name.
                                "--show-backtrace", "device", "--strip-paths", "no", "--print-limit", "1000",
                                // It is not an error that a worker has not used CUDA so far.
                                "--require-cuda-init", "no",
                                // The faulting kernel ends; the worker and the next case go on.
                                "--destroy-on-device-error", "kernel"};
  // The check already gives verdicts on calls that fail.
  if (tool == "memcheck") argv.insert(argv.end(), {"--report-api-errors", "no"});
  argv.insert(argv.end(), command.argv.begin(), command.argv.end());
  command.argv = std::move(argv);
  // Otherwise torch's allocator would hand out parts of large blocks, within which nothing is out of bounds.
  command.environment.emplace_back("PYTORCH_NO_CUDA_MEMORY_CACHING", "1");
  return command;
}

std::filesystem::path newSanitizerLog() {
  std::error_code wrong;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(wrong);
  return wrong ? std::filesystem::path() : newSanitizerLog(folder);
}

std::filesystem::path newSanitizerLog(const std::filesystem::path& folder) {
  std::error_code wrong;
  std::filesystem::create_directories(folder, wrong);
  std::string path = (folder / "warpbench-sanitizer-XXXXXX").string();
  const int file = mkstemp(path.data());
  if (file < 0) return {};
  ::close(file);
  return path;
}

}  // namespace wb
