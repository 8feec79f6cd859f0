// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

#include "core/figures/cases/case_line.h"
#include "core/figures/cells.h"
#include "core/report/formats.h"

namespace wb {

namespace {

/// Whether a spreadsheet would take a text for a formula, which may start programs: "=cmd|…", "@SUM(…)".
bool looksLikeFormula(std::string_view text) {
  if (text.empty() || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos) return false;
  if (text.front() == '+') return true;  // from_chars does not take this sign, and no figure here has it
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error != std::errc() || end != text.data() + text.size();
}

/// A field by RFC 4180: one with a comma, a quote or a line end is quoted, and quotes in it are doubled. A
/// text that a spreadsheet would run as a formula gets an apostrophe, which makes it a text there; numbers
/// stay numbers.
std::string field(std::string_view text) {
  if (looksLikeFormula(text)) return field("'" + std::string(text));
  // A kernel's escape sequences would colour, or worse, the terminal that shows the file.
  const auto shown = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7F ? ' ' : c;
  };
  std::string plain(text);
  std::transform(plain.begin(), plain.end(), plain.begin(), shown);
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return plain;
  std::string quoted = "\"";
  for (const char c : plain) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

/// A line of fields, which every column gives one of.
template <class FieldOf>
std::string line(FieldOf&& fieldOf) {
  std::string text;
  for (const ColumnOf<CaseLine>& column : caseDataColumns())
    text.append(&column == caseDataColumns().data() ? "" : ",").append(field(fieldOf(column)));
  return text + "\r\n";
}

}  // namespace

Result<std::string> csvReport(const Report& report) {
  std::string text = line([](const ColumnOf<CaseLine>& column) { return column.column.title; });
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    const std::string label = kernelLabel(report, k);
    forEachCase(*report.kernels[k], [&](std::size_t, const CaseRow& row) {
      text += line([&](const ColumnOf<CaseLine>& column) { return column.cell({row, label}).text; });
    });
  }
  return text;
}

}  // namespace wb
