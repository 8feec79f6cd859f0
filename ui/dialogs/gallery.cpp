// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/gallery.h"

#include <algorithm>
#include <sstream>

#include "core/base/files/file.h"
#include "core/base/text.h"
#include "core/model/languages.h"

namespace wb {
namespace {

constexpr std::string_view titleKey = "Title:", summaryKey = "Summary:", deviceKey = "Device:";

// The words of a comment line; nothing for a line of code.
bool commentWords(const std::string& line, bool& inBlock, std::string& words) {
  std::string_view rest = line;
  const auto from = rest.find_first_not_of(" \t");
  rest.remove_prefix(from == std::string_view::npos ? rest.size() : from);
  if (inBlock) {
    const auto end = rest.find("*/");
    inBlock = end == std::string_view::npos;
    words = trimmed(rest.substr(0, end));
    if (words.starts_with("# "))  // a comment of TOML within the comment
      words = std::string(trimmed(std::string_view(words).substr(2)));
    return true;
  }
  if (rest.starts_with("//") || rest.starts_with("#!") || rest.starts_with("# ")) {
    words = trimmed(rest.substr(2));
    return true;
  }
  if (rest.starts_with("/*")) {
    const auto end = rest.find("*/");
    inBlock = end == std::string_view::npos;
    words = trimmed(rest.substr(2, end == std::string_view::npos ? end : end - 2));
    return true;
  }
  words.clear();
  return rest.empty();
}

void readFolder(const std::filesystem::path& folder, bool sample, std::vector<GalleryItem>& into) {
  std::error_code ignored;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    const auto extension = file.extension();
    if (extension != ".cpp" && extension != ".cu" && extension != ".py") continue;
    Result<std::string> text = readSource(file);
    if (!text) continue;
    into.push_back(describeKernel(file.filename().string(), std::move(*text)));
    into.back().sample = sample;
  }
}

/// The text without the lines of its leading comment that only the gallery reads.
std::string withoutKeys(const std::string& text) {
  std::istringstream lines(text);
  std::string line, words, kept;
  bool inBlock = false, leading = true;
  while (std::getline(lines, line)) {
    leading = leading && commentWords(line, inBlock, words);
    const bool isKey = leading && (words.starts_with(titleKey) || words.starts_with(summaryKey));
    if (!isKey) kept += line + "\n";
  }
  return kept;
}

}  // namespace

GalleryItem describeKernel(std::string file, std::string text) {
  GalleryItem item;
  std::istringstream lines(text);
  std::string line, words;
  bool inBlock = false, isDone = false;
  while (std::getline(lines, line) && commentWords(line, inBlock, words)) {
    if (words.starts_with(deviceKey)) item.needsGpu = words.find("cuda") != std::string::npos;
    if (isDone || words.starts_with("SPDX-") || words.starts_with("warpbench") ||
        words.starts_with(deviceKey))
      continue;
    if (words.starts_with(titleKey)) {
      item.title = trimmed(std::string_view(words).substr(titleKey.size()));
    } else if (words.starts_with(summaryKey)) {
      item.summary = trimmed(std::string_view(words).substr(summaryKey.size()));
      isDone = true;
    } else if (words.empty()) {
      isDone = !item.title.empty();
    } else if (item.title.empty()) {
      item.title = words;
    } else {
      item.summary += (item.summary.empty() ? "" : " ") + words;
    }
  }
  if (item.title.empty()) item.title = file;
  const Language* language = detectLanguage(file, text);
  item.needsGpu = item.needsGpu || (language && language->needsGpu);
  item.file = std::move(file);
  item.text = withoutKeys(text);
  return item;
}

std::vector<GalleryItem> readGallery(const std::filesystem::path& resources) {
  std::vector<GalleryItem> items;
  readFolder(resources / "templates", false, items);
  // The templates are in the order of the languages; one that is no language's own comes last.
  const auto rank = [](const GalleryItem& item) {
    const auto all = languages();
    return std::find_if(all.begin(), all.end(),
                        [&](const Language& each) { return each.templateFile == item.file; }) -
           all.begin();
  };
  std::stable_sort(items.begin(), items.end(),
                   [&](const GalleryItem& a, const GalleryItem& b) { return rank(a) < rank(b); });
  readFolder(resources / "samples", true, items);
  return items;
}

}  // namespace wb
