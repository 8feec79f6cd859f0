// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "core/model/job.h"

namespace wb {

/// The files of a job's problems, as far as they are here. Without walls a kernel may write to them, so that
/// later runs would stand against another reference.
class ProblemFiles {
 public:
  /// Takes the present state. The job outlives this.
  explicit ProblemFiles(const Job& job);

  /// When the run began, in nanoseconds since 1970: all kernels of it are younger. Of a program that serves
  /// others for long it is when this was made.
  [[nodiscard]] std::int64_t began() const { return began_; }

  /// One that was written to since it was looked at, and does not say what the job says; "" where none is.
  /// Looks at a kernel's own and at a few of the others in turn: each of hundreds of kernels may have written
  /// to any, and to look at all after each takes as long as that is often.
  [[nodiscard]] std::string changed(const std::filesystem::path& own);
  /// The same with a look at all.
  [[nodiscard]] std::string changed();
  /// A file beside a problem that was written to since this was made or it was named before, and that the
  /// problem's text mentions, such as a module or data that it reads; "" where none is. It may be somebody's
  /// who saves it.
  [[nodiscard]] std::string changedBeside();

 private:
  /// The file's number, and when anything of it was changed, in nanoseconds; zeros where there is none.
  using State = std::pair<std::uint64_t, std::int64_t>;
  static State stateOf(const std::filesystem::path& path);

  struct Known {
    State state;
    const std::string* text;
  };
  using Files = std::map<std::filesystem::path, Known>;
  /// Whether that one is; it is known from then on.
  static bool isChanged(Files::value_type& file);

  void rememberBeside(const std::filesystem::path& problem, const std::string& text);

  std::int64_t began_;
  Files files_;
  std::map<std::filesystem::path, State> beside_;
  /// The first of those that are next in turn.
  std::filesystem::path next_;
};

}  // namespace wb
