// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/process/problem_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <utility>

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

bool ProblemFiles::isChanged(Files::value_type& file) {
  auto& [path, known] = file;
  const State state = stateOf(path);
  if (state == std::exchange(known.state, state)) return false;
  const Result<std::string> text = readFile(path);
  return !text || *text != *known.text;
}

std::string ProblemFiles::changed(const std::filesystem::path& own) {
  constexpr std::size_t atATime = 8;
  if (const auto found = files_.find(own); found != files_.end() && isChanged(*found)) return own.string();
  auto next = files_.lower_bound(next_);
  for (std::size_t i = 0; i < std::min(atATime, files_.size()); ++i, ++next) {
    if (next == files_.end()) next = files_.begin();
    next_ = next->first;
    if (isChanged(*next)) return next->first.string();
  }
  next_ = next == files_.end() ? std::filesystem::path() : next->first;
  return {};
}

std::string ProblemFiles::changed() {
  for (auto& each : files_)
    if (isChanged(each)) return each.first.string();
  return {};
}

}  // namespace wb
