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

  /// One that was written to since, and does not say what the job says; "" where none is.
  [[nodiscard]] std::string changed() const;

 private:
  /// The file's number, and when anything of it was changed, in nanoseconds; zeros where there is none.
  using State = std::pair<std::uint64_t, std::int64_t>;
  static State stateOf(const std::filesystem::path& path);

  struct Known {
    State state;
    const std::string* text;
  };
  std::map<std::filesystem::path, Known> files_;
};

}  // namespace wb
