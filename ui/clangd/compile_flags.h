// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <filesystem>

namespace wb {

/// Where headers are that kernels include; an empty path is one that was not found.
struct HeaderPlaces {
  /// The package's "include" folder, and that of its interpreter.
  std::filesystem::path torch, python;
  /// The toolkit, which has "include" in it.
  std::filesystem::path cuda;
  /// A folder of ours, in which the headers lie that clang asks for and CUDA 13 does not have, and the one
  /// that every raw CUDA kernel begins with.
  std::filesystem::path ours;
};

/// Looks for the headers of an interpreter's torch and of CUDA, and writes our own into the user's cache.
/// Touches the disk: not for the thread of the window. `python` may be empty, which is the set-up's.
[[nodiscard]] HeaderPlaces findHeaders(const std::string& python);

/// The command with which clangd (14 and later) parses a kernel of a language (its id; empty for a header),
/// CUDA 13 included. Only the host's side of CUDA is parsed, which sees the kernels too.
[[nodiscard]] QStringList compileCommand(const QString& path, const QString& language,
                                         const HeaderPlaces& places);

}  // namespace wb
