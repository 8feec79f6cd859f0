// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wb {

/// A kernel from which the user can start.
struct GalleryItem {
  std::string title, summary;
  /// The file name, which the new document gets.
  std::string file;
  /// Whether it is a worked example and not an empty template.
  bool sample = false;
  /// It runs on a GPU alone.
  bool needsGpu = false;
  /// The text without what it says of itself to the gallery.
  std::string text;
};

/// Takes title, summary and device from a source's leading comment: the title is a line "Title: …", else the
/// first line of words; the summary is the lines after it up to an empty one. The lines that begin with
/// "Title:" and "Summary:" are for the gallery, and the item's text is without them.
[[nodiscard]] GalleryItem describeKernel(std::string file, std::string text);

/// All templates of a resource folder by language, then all its samples by file name. What cannot be read is
/// left out. This reads files, so it is not for the UI thread.
[[nodiscard]] std::vector<GalleryItem> readGallery(const std::filesystem::path& resources);

}  // namespace wb
