// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace wb {

/// When the program was started that has the keeper of this process for a child, in nanoseconds since 1970; 0
/// where that is one that serves others for long, or it is not known.
[[nodiscard]] std::int64_t beginOfRun();

/// The files from which processes like this one are started: Warpbench's own, torch's and NumPy's, Python's
/// library, and those that Python loads whenever it starts. Without walls a kernel may write to them, so that
/// a later process would be its own. Files with code that Python has compiled count where they were there
/// already.
class OwnFiles {
 public:
  /// Takes the present state.
  OwnFiles();

  /// One that is another one now, is gone, or has come: "torch/nn/functional.py"; "" where none is.
  [[nodiscard]] std::string changed() const;

  /// One that was changed since the program was started that has the keeper of this process for a child: a
  /// kernel of the same run may have done so and ended its worker. "" where none was, or where that program
  /// is one that serves others for long.
  [[nodiscard]] std::string changedInThisRun() const;
  /// The same since a time in nanoseconds since 1970. What Python has compiled counts only where a file was
  /// written to that is older: Python itself makes a new one, and so may others without being noticed.
  [[nodiscard]] std::string changedSince(std::int64_t began) const;

 private:
  struct State {
    std::uint64_t file = 0, links = 0;
    std::int64_t size = 0;
    /// When it was written last, when anything of it was changed, and when it was made, in nanoseconds; the
    /// last is 0 where the file system does not know. Programs can set the first of them.
    std::int64_t written = 0, changed = 0, made = 0;
    bool operator==(const State&) const = default;
    [[nodiscard]] bool isOther(const State& now) const;
  };
  static State stateOf(const std::filesystem::path& path);
  [[nodiscard]] std::string nameOf(const std::filesystem::path& path) const;
  void add(const std::filesystem::path& folder);
  [[nodiscard]] std::filesystem::path pythonsLibrary() const;
  [[nodiscard]] std::set<std::filesystem::path> startFiles() const;

  /// The folder in which Python finds packages, torch's among them.
  std::filesystem::path packages_;
  std::map<std::filesystem::path, State> files_;
};

}  // namespace wb
