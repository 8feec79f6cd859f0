// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/base/text.h"
#include "core/engine/compile/diagnostic_lines.h"

namespace wb {
namespace {

struct SeverityWord {
  std::string_view text;
  Severity severity;
};
constexpr std::array severityWords{
    SeverityWord{": error: ", Severity::error},
    SeverityWord{": warning: ", Severity::warning},
    SeverityWord{": note: ", Severity::note},
    SeverityWord{": fatal error: ", Severity::error},
    SeverityWord{": internal compiler error: ", Severity::error},
    SeverityWord{": sorry, unimplemented: ", Severity::error},
};

/// Removes ":123" from the end of `text` and gives the number; 0 when there is none.
int takeNumber(std::string_view& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return 0;
  const auto digits = text.substr(colon + 1);
  int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) return 0;
  text = text.substr(0, colon);
  return value;
}

/// Parses "file:12:3", "file:12" or "file".
Place parsePlace(std::string_view text) {
  Place place;
  const int last = takeNumber(text);
  const int first = last != 0 ? takeNumber(text) : 0;
  place.line = first != 0 ? first : last;
  place.column = first != 0 ? last : 0;
  place.file = text;
  return place;
}

/// Whether a line is one of g++'s excerpts, "   12 | int x;" and "      | ^~~", which may quote anything.
bool isExcerpt(std::string_view line) {
  const auto bar = line.find(" |");
  return bar != std::string_view::npos && line.starts_with(' ') &&
         line.substr(0, bar).find_first_not_of(" 0123456789+") == std::string_view::npos;
}

/// Removes " [-Wformat=]" from the message.
std::string takeCode(std::string_view& message) {
  const auto open = message.rfind(" [-W");
  if (open == std::string_view::npos || !message.ends_with(']')) return {};
  std::string code{message.substr(open + 2, message.size() - open - 3)};
  message = message.substr(0, open);
  return code;
}

/// Whether a name is a program's that stands where a file's name would be.
bool isProgram(std::string_view name) {
  name = fileNameOf(name);
  constexpr std::array programs{"ld",   "collect2", "clang", "clang++", "g++",  "gcc",  "cc1plus",
                                "mold", "ld.lld",   "lld",   "ld.gold", "nvcc", "nvrtc"};
  return std::any_of(programs.begin(), programs.end(), [&](const char* p) { return name == p; }) ||
         name.starts_with("clang-") || name.starts_with("clang++-") || name.starts_with("g++-");
}

bool isSummaryOfLinker(const Diagnostic& d) {
  return d.message.starts_with("ld returned ") || d.message.starts_with("linker command failed");
}

std::optional<Diagnostic> parseLinkerLine(std::string_view line, std::string_view tool) {
  for (const std::string_view word : {"undefined reference to ", "multiple definition of "}) {
    const auto at = line.find(word);
    if (at == std::string_view::npos || (at > 0 && line[at - 1] != ' ')) continue;
    std::string_view before = trimmed(line.substr(0, at));
    if (!before.ends_with(':')) continue;
    before.remove_suffix(1);
    if (const auto ld = before.find(": "); ld != std::string_view::npos && isProgram(before.substr(0, ld)))
      before = trimmed(before.substr(ld + 1));
    if (const auto section = before.find(":(."); section != std::string_view::npos)
      before = before.substr(0, section);
    Place place = parsePlace(before.starts_with('(') ? std::string_view{} : before);
    return Diagnostic{Severity::error, std::string{line.substr(at)}, "", std::move(place), std::string{tool}};
  }
  return std::nullopt;
}

/// The lines that come before a message and belong to it.
class Context {
 public:
  /// Takes a line; true when it was such a line.
  bool take(std::string_view line, std::string_view tool) {
    return takeInclusion(line, tool) || takeInstantiation(line, tool);
  }
  void appendTo(std::vector<Diagnostic>& out, const Diagnostic& owner) {
    if (owner.severity != Severity::note) {
      std::move(instantiations_.begin(), instantiations_.end(), std::back_inserter(out));
      if (instantiations_.empty() && inclusion_) out.push_back(*std::move(inclusion_));
    }
    instantiations_.clear();
    inclusion_.reset();
  }

 private:
  bool takeInclusion(std::string_view line, std::string_view tool) {
    const bool first = line.starts_with("In file included from ");
    const bool more = !first && inclusion_ && trimmed(line).starts_with("from ") && line.starts_with(' ');
    if (!first && !more) return false;
    // The outermost file is in g++'s last line and in clang's first one.
    if (first && inclusion_) return true;
    std::string_view where = line.substr(line.find("from ") + 5);
    while (where.ends_with(':') || where.ends_with(',')) where.remove_suffix(1);
    inclusion_ = Diagnostic{Severity::note, "included from here", "", parsePlace(where), std::string{tool}};
    return true;
  }
  bool takeInstantiation(std::string_view line, std::string_view tool) {
    for (const std::string_view word :
         {":   required ", ":   recursively required ", ":   in 'constexpr' ", ":   in ‘constexpr’ "}) {
      const auto at = line.find(word);
      if (at == std::string_view::npos) continue;
      instantiations_.push_back(Diagnostic{Severity::note, std::string{trimmed(line.substr(at + 1))}, "",
                                           parsePlace(line.substr(0, at)), std::string{tool}});
      return true;
    }
    return false;
  }
  std::vector<Diagnostic> instantiations_;
  std::optional<Diagnostic> inclusion_;
};

}  // namespace

std::optional<Diagnostic> parseHostLine(std::string_view line, std::string_view tool) {
  if (isExcerpt(line)) return std::nullopt;
  auto at = std::string_view::npos;
  SeverityWord word{};
  for (const auto& candidate : severityWords) {
    const auto found = line.find(candidate.text);
    if (found < at) at = found, word = candidate;
  }
  if (at == std::string_view::npos) return parseLinkerLine(line, tool);
  Diagnostic d;
  d.severity = word.severity;
  d.tool = tool;
  d.place = parsePlace(line.substr(0, at));
  const bool program = isProgram(d.place.file.substr(0, d.place.file.find(": ")));
  if (d.place.line == 0 && !program && line.starts_with(' ')) return std::nullopt;
  if (program) d.place = {};
  std::string_view message = line.substr(at + word.text.size());
  d.code = takeCode(message);
  d.message = trimmed(message);
  return d;
}

std::vector<Diagnostic> parseHostDiagnostics(const std::vector<std::string_view>& lines,
                                             std::string_view tool) {
  std::vector<Diagnostic> out;
  Context context;
  bool anyError = false;
  for (const auto line : lines) {
    if (context.take(line, tool)) continue;
    auto d = parseHostLine(line, tool);
    if (!d || (anyError && isSummaryOfLinker(*d))) continue;
    anyError = anyError || d->severity == Severity::error;
    out.push_back(*d);
    context.appendTo(out, *d);
  }
  return out;
}

}  // namespace wb
