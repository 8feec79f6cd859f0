// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/model/job.h"
#include "core/runner/remote/files/neighbours.h"

namespace wb {

/// By it a set of files is known; two of the same paths and content are one.
[[nodiscard]] std::string hashOf(const std::vector<CarriedFile>& files);

/// The files as one text, and back. Error: it is none, or a path leads somewhere else.
[[nodiscard]] std::string packedFiles(const std::vector<CarriedFile>& files);
Result<std::vector<CarriedFile>> unpackedFiles(std::string_view text);

/// Writes the files below `folder`/hash, as they stand below the root here, if they are not there yet, and
/// removes others that were not used for two weeks. Error: nothing can be written there.
Result<void> storeFiles(const std::vector<CarriedFile>& files, const std::filesystem::path& folder);

/// The way of paths to another machine, where the files of this one are below a folder, and back.
class PathsThere {
 public:
  PathsThere() = default;
  /// `root` is the folder there.
  explicit PathsThere(std::string root) : root_(std::move(root)) {}
  /// As root() and kernels() of another one gave them.
  PathsThere(std::string root, std::vector<std::pair<std::string, std::string>> kernels)
      : root_(std::move(root)), kernels_(std::move(kernels)) {}

  /// The job with the paths of its sources as they are there.
  [[nodiscard]] Job there(Job job);
  /// A text of that machine with the paths as they are here; `isJson` says how they are written in it.
  [[nodiscard]] std::string here(std::string text, bool isJson) const;

  [[nodiscard]] const std::string& root() const { return root_; }
  /// The paths of kernels there, and as the job has them here.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& kernels() const { return kernels_; }

 private:
  [[nodiscard]] std::string there(const std::string& path);

  std::string root_;
  std::vector<std::pair<std::string, std::string>> kernels_;
};

}  // namespace wb
