// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/process/problem_files.h"

#include <sys/stat.h>

#include "core/base/files/file.h"

namespace wb {

ProblemFiles::State ProblemFiles::stateOf(const std::filesystem::path& path) {
  constexpr std::int64_t nanoseconds = 1'000'000'000;
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return {};
  return {found.st_ino, found.st_ctim.tv_sec * nanoseconds + found.st_ctim.tv_nsec};
}

ProblemFiles::ProblemFiles(const Job& job) {
  for (const KernelSource& source : job.kernels) {
    if (source.referenceText.empty() || source.referencePath.empty() || files_.contains(source.referencePath))
      continue;
    if (const State state = stateOf(source.referencePath); state != State())
      files_.emplace(source.referencePath, Known{state, &source.referenceText});
  }
}

std::string ProblemFiles::changed() const {
  for (const auto& [path, known] : files_) {
    if (stateOf(path) == known.state) continue;
    const Result<std::string> text = readFile(path);
    if (!text || *text != *known.text) return path.string();
  }
  return {};
}

}  // namespace wb
