// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/process/problem_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <ctime>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/files/file.h"
#include "core/engine/sides/process/own_files.h"

namespace wb {

namespace {

constexpr std::int64_t nanoseconds = 1'000'000'000;

/// When the job's run began, in a process that may be one of several that it had.
std::int64_t beginOf(std::int64_t run, const Job& job) {
  // A process's start is counted in hundredths of a second, and no kernel's code runs so soon after it.
  constexpr std::int64_t inexact = 20'000'000;
  if (run > 0) return run + inexact;
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const double after = job.work ? job.work->after : 0;
  return now.tv_sec * nanoseconds + now.tv_nsec -
         static_cast<std::int64_t>(after * static_cast<double>(nanoseconds));
}

std::filesystem::path wholePath(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::absolute(path, ignored).lexically_normal();
}

bool isOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Whether a text has this word, and not only a longer one.
bool hasWord(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !isOfName(text[at - 1])) && (end == text.size() || !isOfName(text[end]))) return true;
  }
  return false;
}

}  // namespace

ProblemFiles::State ProblemFiles::stateOf(const std::filesystem::path& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return {};
  return {found.st_ino, found.st_ctim.tv_sec * nanoseconds + found.st_ctim.tv_nsec};
}

ProblemFiles::ProblemFiles(const Job& job) : began_(beginOf(beginOfRun(), job)) {
  for (const KernelSource& source : job.kernels) {
    if (source.referenceText.empty() || source.referencePath.empty() || files_.contains(source.referencePath))
      continue;
    if (const State state = stateOf(source.referencePath); state != State()) {
      files_.emplace(source.referencePath, Known{state, &source.referenceText});
      rememberBeside(source.referencePath, source.referenceText);
    }
  }
  // Kernels are edited while others run.
  for (const KernelSource& source : job.kernels) {
    beside_.erase(wholePath(source.path));
    beside_.erase(wholePath(source.referencePath));
  }
}

void ProblemFiles::rememberBeside(const std::filesystem::path& problem, const std::string& text) {
  constexpr std::size_t mostBeside = 256;
  std::error_code ignored;
  for (std::filesystem::directory_iterator each(wholePath(problem).parent_path(), ignored), end; each != end;
       each.increment(ignored)) {
    if (ignored || beside_.size() >= mostBeside) return;
    const std::filesystem::path& path = each->path();
    if (!each->is_regular_file(ignored) || !hasWord(text, path.stem().string())) continue;
    if (const State state = stateOf(path); state != State()) beside_.emplace(path, state);
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

std::string ProblemFiles::changedBeside() {
  for (auto& [path, known] : beside_)
    if (const State state = stateOf(path); state != std::exchange(known, state)) return path.string();
  return {};
}

}  // namespace wb
