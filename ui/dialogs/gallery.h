// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wb {

/// A kernel to start from.
struct GalleryItem {
  std::string title, summary;
  std::string file;     ///< file name: what the new document is called
  bool sample = false;  ///< a worked example, rather than an empty template
  std::string text;
};

/// Title and summary from a source's leading comment: a line "Title: …", else its first line of words; then
/// the lines after it up to an empty one.
[[nodiscard]] GalleryItem describeKernel(std::string file, std::string text);

/// All templates, by language, then all samples of a resource folder, by file name. What cannot be read is
/// left out. Reads files: not for the UI thread.
[[nodiscard]] std::vector<GalleryItem> readGallery(const std::filesystem::path& resources);

}  // namespace wb
