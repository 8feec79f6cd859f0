// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

/// Folders of this machine that no client is told of, each with the word that stands in answers for it.
class PrivatePaths {
 public:
  /// Adds a folder; "/" and what is no absolute path are left out.
  void add(const std::filesystem::path& folder, std::string word);
  /// The text with the word in the place of each folder, the longest folder first: "/root/x/a.cpp" →
  /// "(home)/a.cpp".
  [[nodiscard]] std::string hidden(std::string text) const;

 private:
  struct Folder {
    std::string path, word;
  };
  /// The longest first.
  std::vector<Folder> folders_;
};

/// The folders of this user, of Warpbench and of temporary files.
[[nodiscard]] PrivatePaths privatePathsHere();

}  // namespace wb
