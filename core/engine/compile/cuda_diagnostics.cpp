// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/engine/compile/diagnostic_lines.h"

namespace wb {
namespace {

using Lines = std::vector<std::string_view>;

struct SeverityWord {
  std::string_view text;
  Severity severity;
};
constexpr std::array severityWords{
    SeverityWord{"catastrophic error", Severity::error},
    SeverityWord{"internal error", Severity::error},
    SeverityWord{"command-line error", Severity::error},
    SeverityWord{"error", Severity::error},
    SeverityWord{"warning", Severity::warning},
    SeverityWord{"remark", Severity::note},
    SeverityWord{"note", Severity::note},
};

std::string_view leftTrimmed(std::string_view text) {
  const auto start = text.find_first_not_of(" \t");
  return start == std::string_view::npos ? std::string_view{} : text.substr(start);
}

bool isBlank(std::string_view line) {
  return leftTrimmed(line).empty();
}
bool isCaret(std::string_view line) {
  return leftTrimmed(line) == "^";
}

/// Parses "error: text" or "warning #177-D: text".
std::optional<Diagnostic> parseSeverityAndMessage(std::string_view text) {
  for (const auto& word : severityWords) {
    if (!text.starts_with(word.text)) continue;
    text.remove_prefix(word.text.size());
    Diagnostic d;
    d.severity = word.severity;
    if (text.starts_with(" #")) {
      const auto colon = text.find(':');
      if (colon == std::string_view::npos) return std::nullopt;
      d.code = text.substr(1, colon - 1);
      text.remove_prefix(colon);
    }
    if (!text.starts_with(": ")) return std::nullopt;
    d.message = text.substr(2);
    return d;
  }
  return std::nullopt;
}

/// Parses "k.cu(4): error: …". The file's name may itself contain parentheses.
std::optional<Diagnostic> parseHeader(std::string_view line) {
  if (line.starts_with(' ')) return std::nullopt;  // an excerpt, which may quote anything
  constexpr std::string_view endOfSource = "At end of source: ";
  if (line.starts_with(endOfSource)) return parseSeverityAndMessage(line.substr(endOfSource.size()));
  for (auto close = line.find("): "); close != std::string_view::npos; close = line.find("): ", close + 1)) {
    const auto open = line.rfind('(', close);
    if (open == std::string_view::npos || open == 0) continue;
    int number = 0;
    const char* const last = line.data() + close;
    const auto [end, error] = std::from_chars(line.data() + open + 1, last, number);
    if (error != std::errc{} || end != last) continue;
    auto d = parseSeverityAndMessage(line.substr(close + 3));
    if (!d) continue;
    d->place = Place{std::string{line.substr(0, open)}, number, 0};
    return d;
  }
  return std::nullopt;
}

/// Parses "ptxas error   : text", "ptxas FILE, line 26; error   : text", "nvlink error   : …" and "nvcc fatal
/// : …".
std::optional<Diagnostic> parseToolLine(std::string_view line) {
  std::string_view program;
  for (const std::string_view name : {"ptxas ", "nvlink ", "nvcc "})
    if (line.starts_with(name)) program = name;
  if (program.empty()) return std::nullopt;
  std::string_view rest = line.substr(program.size());
  std::string where;
  if (const auto at = rest.find(", line "); at != std::string_view::npos) {
    const auto semicolon = rest.find("; ", at);
    if (semicolon == std::string_view::npos) return std::nullopt;
    where = " (PTX line " + std::string{rest.substr(at + 7, semicolon - at - 7)} + ")";
    rest = rest.substr(semicolon + 2);
  }
  for (const auto& [word, severity] :
       {SeverityWord{"error", Severity::error}, SeverityWord{"fatal", Severity::error},
        SeverityWord{"warning", Severity::warning}}) {
    if (!rest.starts_with(word)) continue;
    const auto text = leftTrimmed(rest.substr(word.size()));
    if (!text.starts_with(": ")) return std::nullopt;
    Diagnostic d;
    d.severity = severity;
    d.message = std::string{program} + std::string{word} + ": " + std::string{text.substr(2)} + where;
    return d;
  }
  return std::nullopt;
}

/// The column of the caret. Excerpts are indented by two, and nvcc prints __global__ and the like expanded.
int columnOf(std::string_view excerpt, std::string_view caret, bool expanded) {
  const auto at = caret.find('^');
  std::size_t column = at >= 2 ? at - 2 + 1 : 1;
  if (!expanded) return static_cast<int>(column);
  constexpr std::string_view open = "__attribute__((";
  for (auto i = excerpt.find(open); i != std::string_view::npos && i < at; i = excerpt.find(open, i + 1)) {
    const auto word = excerpt.substr(i + open.size());
    for (const std::string_view name : {"global", "device", "host", "shared", "constant", "managed"}) {
      constexpr std::size_t grown = open.size() + 2 - 4;  // "__attribute__((x))" for "__x__"
      if (word.starts_with(name) && word.substr(name.size()).starts_with("))") && column > grown)
        column -= grown;
    }
  }
  return static_cast<int>(column);
}

/// Reads the lines after a header that belong to it, and returns the first that does not.
std::size_t readBody(const Lines& lines, std::size_t next, bool expanded, Diagnostic& d) {
  const auto isEnd = [&](std::string_view line) { return isBlank(line) || !line.starts_with(' '); };
  for (; next < lines.size() && !isEnd(lines[next]); ++next) {
    if (next + 1 < lines.size() && isCaret(lines[next + 1])) {
      d.place.column = columnOf(lines[next], lines[next + 1], expanded);
      ++next;
    } else if (!isCaret(lines[next])) {
      d.message += "\n" + std::string{leftTrimmed(lines[next])};
    }
  }
  return next;
}

/// The file that the line `2 errors detected in the compilation of "k.cu".` names, for messages "At end of
/// source".
std::string compiledFile(const Lines& lines) {
  constexpr std::string_view phrase = " detected in the compilation of \"";
  for (const auto line : lines) {
    const auto at = line.find(phrase);
    const auto end = line.rfind('"');
    if (at != std::string_view::npos && end > at + phrase.size())
      return std::string{line.substr(at + phrase.size(), end - at - phrase.size())};
  }
  return {};
}

}  // namespace

std::vector<Diagnostic> parseCudaDiagnostics(const Lines& lines, std::string_view tool) {
  std::vector<Diagnostic> out;
  // nvcc compiles for the host and for the device, and so says some things twice.
  const auto add = [&](Diagnostic d) {
    d.tool = tool;
    if (d.severity == Severity::note || std::find(out.begin(), out.end(), d) == out.end())
      out.push_back(std::move(d));
  };
  const std::string file = compiledFile(lines);
  for (std::size_t i = 0; i < lines.size();) {
    const auto line = lines[i++];
    if (auto d = parseHeader(line)) {
      i = readBody(lines, i, tool == "nvcc", *d);
      if (d->place.file.empty()) d->place.file = file;
      add(*std::move(d));
    } else if (auto t = parseToolLine(line)) {
      add(*std::move(t));
    } else if (auto host = parseHostLine(line, tool)) {
      add(*std::move(host));
    }
  }
  return out;
}

}  // namespace wb
