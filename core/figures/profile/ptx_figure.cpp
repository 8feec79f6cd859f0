// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <map>
#include <string_view>

#include "core/base/text.h"
#include "core/figures/cells.h"
#include "core/figures/columns.h"
#include "core/figures/profile/profile_figures.h"

namespace wb {
namespace {

/// The number at the front, which is taken away; -1 without one.
int takeNumber(std::string_view& text) {
  text = trimmed(text);
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return -1;
  text.remove_prefix(std::size_t(end - text.data()));
  return number;
}

/// .file 1 "kernel.cu": numbers and names, wherever they stand.
std::map<int, std::string> filesOf(std::string_view ptx) {
  std::map<int, std::string> files;
  for (const std::string_view whole : splitLines(ptx)) {
    std::string_view line = trimmed(whole);
    if (!line.starts_with(".file")) continue;
    line.remove_prefix(5);
    const int number = takeNumber(line);
    const std::size_t open = line.find('"'), close = line.find('"', open + 1);
    if (number >= 0 && close != std::string_view::npos)
      files[number] = std::string(line.substr(open + 1, close - open - 1));
  }
  return files;
}

struct PtxLine {
  const KernelReport& kernel;
  const std::string& label;
  std::string text;
  const Place& place;
};

Cell textOf(const PtxLine& line) {
  const std::string_view text = trimmed(line.text);
  const bool isQuiet = text.starts_with(".") || text.starts_with("//");
  return textCell(line.text, isQuiet ? Tone::muted : Tone::neutral);
}

const std::vector<ColumnOf<PtxLine>>& ptxColumns() {
  using Kind = ColumnKind;
  static const std::vector<ColumnOf<PtxLine>> columns = {
      {{.key = "function",
        .title = "Function",
        .meaning = "Compiled form that it belongs to",
        .kind = Kind::group,
        .rank = 2},
       [](const PtxLine& line) { return textCell(line.label, Tone::muted); }},
      {{.key = "text", .title = "PTX", .meaning = "As the compiler wrote it", .kind = Kind::code}, textOf},
      {{.key = "place",
        .title = "Line",
        .meaning = "Line of the source that it was made for",
        .kind = Kind::place},
       [](const PtxLine& line) { return line.place.line > 0 ? lineCell(line.kernel, line.place) : Cell{}; }},
  };
  return columns;
}

/// Text of one compiled form.
class Lines {
 public:
  Lines(TableOf<PtxLine>& table, const KernelReport& kernel, const Artifact& artifact, std::string id,
        std::string label)
      : table_(table),
        kernel_(kernel),
        id_(std::move(id)),
        label_(std::move(label)),
        files_(filesOf(artifact.assembly)) {
    for (const std::string_view line : splitLines(artifact.assembly)) take(line);
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
    const bool own = fileNameOf(name) == fileNameOf(kernel_.source.path);
    place_ = {own ? kernel_.source.path : name, number, 0};
  }

  void add(std::string_view line) {
    std::string text;
    for (const char c : line) text += c == '\t' ? std::string("  ") : std::string(1, c);
    table_.add(id_ + "/" + std::to_string(++count_), {kernel_, label_, std::move(text), place_}, place_);
  }

  TableOf<PtxLine>& table_;
  const KernelReport& kernel_;
  std::string id_, label_;
  std::map<int, std::string> files_;
  Place place_;
  int count_ = 0;
  bool inSection_ = false, blank_ = true;
};

/// The form's name and dtype, with the kernel's where there are several; "" for the only one.
std::string labelOf(const Report& report, std::size_t kernel, const Artifact& artifact, bool several) {
  if (!several) return {};
  const std::string label = artifact.name + (artifact.dtype.empty() ? "" : " " + artifact.dtype);
  return report.kernels.size() > 1 ? kernelLabel(report, kernel) + ": " + label : label;
}

}  // namespace

Table ptxTable(const Report& report, OneCase only) {
  TableOf<PtxLine> table("ptx", "PTX of the candidate", ptxColumns());
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    const KernelReport& kernel = *report.kernels[k];
    if ((only && only->kernel != k) || !kernel.compiled) continue;
    const std::vector<Artifact>& artifacts = kernel.compiled->artifacts;
    const bool several = artifacts.size() > 1 || (!only && report.kernels.size() > 1);
    for (std::size_t i = 0; i < artifacts.size(); ++i)
      Lines(table, kernel, artifacts[i], std::to_string(k) + "/" + std::to_string(i),
            labelOf(report, k, artifacts[i], several));
  }
  return std::move(table).take("This kernel has no PTX: its language has none, or it was not compiled yet");
}

}  // namespace wb
