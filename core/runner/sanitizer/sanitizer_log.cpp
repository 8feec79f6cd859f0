// SPDX-License-Identifier: Apache-2.0
#include "core/runner/sanitizer/sanitizer_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <utility>

#include "core/base/text.h"

namespace wb {
namespace {

constexpr std::string_view prefix = "=========";

bool startsWithOne(std::string_view text, std::initializer_list<std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view each) { return text.starts_with(each); });
}

struct Location {
  std::string function;
  Place place;
};

/// The place "/a/b.cu:12"; what follows the line number, if anything, goes to `rest`.
Place placeIn(std::string_view text, std::string_view* rest = nullptr) {
  for (auto colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':', colon + 1)) {
    int line = 0;
    const char* end = text.data() + text.size();
    const auto [stop, wrong] = std::from_chars(text.data() + colon + 1, end, line);
    if (wrong != std::errc() || colon == 0 || (stop != end && *stop != ':' && *stop != ' ')) continue;
    if (rest != nullptr && stop != end) *rest = std::string_view(stop, static_cast<std::size_t>(end - stop));
    return Place{std::string(text.substr(0, colon)), line, 0};
  }
  return {};
}

/// The location in a line: since 2022 "scale(float *, int)+0xd0 in a.cu:9", before "0xd0 in
/// /b/a.cu:9:scale(float*,int)". In both the file is there only with line information.
Location locationIn(std::string_view text) {
  text = trimmed(text);
  Location found;
  if (const auto hazards = text.rfind(" ["); hazards != std::string_view::npos && text.ends_with(']'))
    text = trimmed(text.substr(0, hazards));
  if (text.starts_with("0x")) {
    const auto in = text.find(" in ");
    if (in == std::string_view::npos) return found;
    const std::string_view where = text.substr(in + 4);
    std::string_view rest;
    found.place = placeIn(where, &rest);
    found.function = found.place.line == 0 ? where : rest.empty() ? rest : rest.substr(1);
    return found;
  }
  const auto offset = text.rfind("+0x");
  if (offset == std::string_view::npos) {
    std::string_view rest;  // in a frame of 2021: "/b/a.cu:9:scale(float*,int)"
    found.place = placeIn(text, &rest);
    found.function = found.place.line == 0 ? text : rest.empty() ? rest : rest.substr(1);
    return found;
  }
  found.function = trimmed(text.substr(0, offset));
  const auto in = text.find(" in ", offset);
  if (in != std::string_view::npos) found.place = placeIn(trimmed(text.substr(in + 4)));
  return found;
}

/// The plain name of a function: the one that was launched is called "[clone kernel(int *)] outlined()" where
/// a part of it was outlined.
std::string plainName(std::string function) {
  if (const auto end = function.find("] "); function.starts_with("[clone ") && end != std::string::npos)
    return function.substr(7, end - 7);
  return function;
}

class Reader {
 public:
  void line(std::string_view raw) {
    const auto at = raw.find(prefix);
    if (at == std::string_view::npos) return;  // it is a line of the program, where no log file was asked for
    std::string_view text = raw.substr(at + prefix.size());
    const bool indented = text.starts_with("  ");
    text = trimmed(text);
    if (text.empty()) return close();
    if (indented || isContinuation(text)) return detail(text);
    close();
    headline(text);
  }

  SanitizerLog finish() {
    close();
    return std::move(log_);
  }

 private:
  static bool isContinuation(std::string_view text) {
    return startsWithOne(text, {"at ", "by ", "and ", "Address ", "Access ", "Device Frame", "Host Frame",
                                "Saved host backtrace", "Current Value", "Incoming Value", "Write Thread",
                                "Read Thread", "in "});
  }

  void headline(std::string_view text) {
    if (startsWithOne(text, {"ERROR SUMMARY", "RACECHECK SUMMARY"})) {
      log_.complete = true;
      return;
    }
    // "Program hit …": the check sees calls that fail, and its verdict says so.
    if (startsWithOne(text, {"COMPUTE-SANITIZER", "LEAK SUMMARY", "Program hit"})) return;
    open_ = true;
    located_ = false;
    current_ = {};
    if (text.starts_with("Warning: ")) current_.severity = Severity::warning;
    if (text.starts_with("Info: ")) current_.severity = Severity::note;
    for (const std::string_view level : {"Error: ", "Warning: ", "Info: "})
      if (text.starts_with(level)) text.remove_prefix(level.size());
    // "Race reported between Write access at f(int *)+0x90 in a.cu:41"
    if (const auto access = text.find(" access at "); text.starts_with("Race reported between ")) {
      if (access != std::string_view::npos) locate(text.substr(access + 11));
      text = text.substr(0, access == std::string_view::npos ? text.size() : access + 7);
    }
    while (text.ends_with(':') || text.ends_with(' ')) text.remove_suffix(1);
    current_.what = text;
  }

  void detail(std::string_view text) {
    if (!open_ || startsWithOne(text, {"Host Frame", "Saved host backtrace", "in "})) return;
    if (text.starts_with("at ")) return locate(text.substr(3));
    if (text.starts_with("Device Frame")) return frame(text.substr(text.find(':') + 1));
    if (startsWithOne(text, {"Write Thread", "Read Thread"})) {
      const auto at = text.find(" at ");
      if (at != std::string_view::npos && !located_) locate(text.substr(at + 4));
    }
    current_.facts.emplace_back(text);
  }

  void locate(std::string_view text) {
    Location found = locationIn(text);
    if (!std::exchange(located_, true)) current_.function = plainName(std::move(found.function));
    if (found.place.line > 0) current_.places.push_back(std::move(found.place));
  }

  /// Takes a frame; the outermost one is the function that was launched.
  void frame(std::string_view text) {
    Location found = locationIn(text);
    if (!found.function.empty()) current_.function = plainName(std::move(found.function));
    if (found.place.line > 0) current_.places.push_back(std::move(found.place));
  }

  void close() {
    if (!std::exchange(open_, false)) return;
    if (!located_) {  // it is about the tool itself, and not about a kernel
      log_.notes.push_back(std::move(current_.what));
      return;
    }
    const auto same = std::ranges::find_if(log_.findings, [&](const SanitizerFinding& each) {
      return each.what == current_.what && each.function == current_.function &&
             each.places == current_.places;
    });
    if (same != log_.findings.end())
      ++same->count;
    else
      log_.findings.push_back(std::move(current_));
  }

  SanitizerLog log_;
  SanitizerFinding current_;
  bool open_ = false, located_ = false;
};

bool sameFile(const Place& place, const std::string& ownFile) {
  return !ownFile.empty() &&
         std::filesystem::path(place.file).filename() == std::filesystem::path(ownFile).filename();
}

}  // namespace

SanitizerLog parseSanitizerLog(std::string_view text) {
  Reader reader;
  for (const std::string_view line : splitLines(text)) reader.line(line);
  return reader.finish();
}

bool isIn(const SanitizerFinding& finding, const std::string& ownFile) {
  return std::ranges::any_of(finding.places, [&](const Place& place) { return sameFile(place, ownFile); });
}

Diagnostic toDiagnostic(const SanitizerFinding& finding, const std::string& tool,
                        const std::string& ownFile) {
  Diagnostic made;
  made.severity = finding.severity;
  made.tool = "compute-sanitizer " + tool;
  made.message = finding.what;
  if (finding.count > 1) made.message += fmt::format(" ({} times)", finding.count);
  if (!finding.function.empty()) made.message += "\nin " + finding.function;
  for (const std::string& fact : finding.facts) made.message += "\n" + fact;
  const auto own =
      std::ranges::find_if(finding.places, [&](const Place& place) { return sameFile(place, ownFile); });
  if (own != finding.places.end())
    made.place = Place{ownFile, own->line, 0};
  else if (!finding.places.empty())
    made.place = finding.places.front();
  return made;
}

}  // namespace wb
