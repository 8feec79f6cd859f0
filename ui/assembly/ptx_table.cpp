// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/assembly/ptx_table.h"

#include <cctype>
#include <charconv>
#include <map>
#include <string_view>

namespace wb {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

/// The number at the front, which is taken away; -1 without one.
int takeNumber(std::string_view& text) {
  text = trimmed(text);
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return -1;
  text.remove_prefix(std::size_t(end - text.data()));
  return number;
}

std::string_view baseName(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

template <class Take>
void eachLine(std::string_view text, const Take& take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// .file 1 "kernel.cu": numbers and names, wherever they stand.
std::map<int, std::string> filesOf(std::string_view ptx) {
  std::map<int, std::string> files;
  eachLine(ptx, [&files](std::string_view line) {
    line = trimmed(line);
    if (!line.starts_with(".file")) return;
    line.remove_prefix(5);
    const int number = takeNumber(line);
    const std::size_t open = line.find('"'), close = line.find('"', open + 1);
    if (number >= 0 && close != std::string_view::npos)
      files[number] = std::string(line.substr(open + 1, close - open - 1));
  });
  return files;
}

/// Text of one compiled form.
class Lines {
 public:
  Lines(Table& table, const KernelReport& kernel, const Artifact& artifact, std::size_t index, bool several)
      : table_(table), kernel_(kernel), index_(index), files_(filesOf(artifact.assembly)) {
    if (several) label_ = artifact.name + (artifact.dtype.empty() ? "" : " " + artifact.dtype);
    eachLine(artifact.assembly, [this](std::string_view line) { take(line); });
  }

 private:
  void take(std::string_view line) {
    const std::string_view text = trimmed(line);
    if (text.starts_with(".loc")) return locate(text.substr(4));
    if (text.starts_with(".section")) inSection_ = true;
    const bool blank = text.empty() && (blank_ || !label_.empty());
    blank_ = text.empty();
    if (inSection_ || blank || text.starts_with(".file")) return;
    if (text == "}" || text.starts_with(".")) place_ = {};
    add(line);
  }

  void locate(std::string_view text) {
    const int file = takeNumber(text), number = takeNumber(text);
    place_ = {};
    if (number <= 0) return;
    const auto known = files_.find(file);
    const std::string name = known == files_.end() ? kernel_.source.path : known->second;
    // Compilers work on a copy in a folder of their own: the name tells.
    const bool own = baseName(name) == baseName(kernel_.source.path);
    place_ = {own ? kernel_.source.path : name, number, 0};
  }

  void add(std::string_view line) {
    std::string text;
    for (const char c : line) text += c == '\t' ? std::string("  ") : std::string(1, c);
    std::vector<Cell> cells(3);
    cells[0].text = label_;
    cells[0].tone = Tone::muted;
    cells[1].text = std::move(text);
    const bool quiet = trimmed(line).starts_with(".") || trimmed(line).starts_with("//");
    cells[1].tone = quiet ? Tone::muted : Tone::neutral;
    if (place_.line > 0) {
      const bool own = place_.file == kernel_.source.path;
      cells[2].text =
          (own ? std::string() : std::string(baseName(place_.file)) + ":") + std::to_string(place_.line);
      cells[2].detail = place_.file;
      cells[2].sort = place_.line;
    }
    table_.rows.push_back(std::move(cells));
    table_.rowIds.push_back(std::to_string(index_) + "/" + std::to_string(table_.rows.size()));
    table_.places.push_back(place_);
  }

  Table& table_;
  const KernelReport& kernel_;
  std::size_t index_;
  std::map<int, std::string> files_;
  std::string label_;
  Place place_;
  bool inSection_ = false, blank_ = true;
};

}  // namespace

Table ptxTable(const Report& report, std::size_t kernel) {
  Table table;
  table.id = "ptx";
  table.title = "PTX of the candidate";
  table.columns = {{"function", "Function", false, "Compiled form that it belongs to", 2},
                   {"text", "PTX", false, "As the compiler wrote it"},
                   {"place", "Line", false, "Line of the source that it was made for"}};
  table.empty = "This kernel has no PTX: its language has none, or it was not compiled yet";
  if (kernel >= report.kernels.size() || !report.kernels[kernel]->compiled) return table;
  const KernelReport& one = *report.kernels[kernel];
  const std::vector<Artifact>& artifacts = one.compiled->artifacts;
  for (std::size_t i = 0; i < artifacts.size(); ++i) Lines(table, one, artifacts[i], i, artifacts.size() > 1);
  return table;
}

}  // namespace wb
