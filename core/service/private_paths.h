// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

/// Folders of this machine that no client is told of. In a text
/// - a path into the packages of a Python is what follows: "torch/nn/modules/module.py";
/// - a listed folder is a word: "/root/x/a.cpp" → "(home)/x/a.cpp";
/// - any other path below a folder that lies in "/" is its last part: "/opt/torch/a.so" → "a.so".
/// An absolute path begins where no name, path or address goes on.
class PrivatePaths {
 public:
  /// Adds a folder; "/" and what is no absolute path are left out.
  void add(const std::filesystem::path& folder, std::string word);
  /// Adds a folder that lies in "/", by its name.
  void addTop(std::string name) { tops_.insert(std::move(name)); }
  /// Takes it away again: paths that begin so mean something else.
  void removeTop(const std::string& name) { tops_.erase(name); }
  [[nodiscard]] std::string hidden(std::string_view text) const;

 private:
  struct Folder {
    std::string path, word;
  };
  [[nodiscard]] const Folder* listed(std::string_view text, std::size_t at) const;
  [[nodiscard]] bool isBelowTop(std::string_view text, std::size_t at) const;
  /// The longest first.
  std::vector<Folder> folders_;
  std::set<std::string, std::less<>> tops_;
};

/// The folders of this user, of Warpbench and of temporary files by words, and all that lies in "/".
[[nodiscard]] PrivatePaths privatePathsHere();

}  // namespace wb
