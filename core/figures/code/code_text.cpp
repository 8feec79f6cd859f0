// SPDX-License-Identifier: Apache-2.0
#include "core/figures/code/code_text.h"

#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "core/base/text.h"

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

/// The number behind a word: "line: " in "(line: 12, column: 3)"; -1 without it.
int numberAfter(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return -1;
  std::string_view rest = text.substr(at + word.size());
  return takeNumber(rest);
}

std::string_view quoted(std::string_view text) {
  const std::size_t open = text.find('"'), close = text.find('"', open + 1);
  return close == std::string_view::npos ? std::string_view() : text.substr(open + 1, close - open - 1);
}

std::string withoutTabs(std::string_view line) {
  std::string text;
  for (const char c : line) text += c == '\t' ? std::string("  ") : std::string(1, c);
  return text;
}

/// Collects lines, of blank ones that follow each other the first.
class Lines {
 public:
  explicit Lines(std::string own) : own_(std::move(own)) {}
  void add(std::string_view line, Place place) {
    const bool blank = trimmed(line).empty();
    if (blank && blank_) return;
    blank_ = blank;
    all_.push_back({withoutTabs(line), std::move(place)});
  }
  /// The place as it is shown: compilers work on a copy in a folder of their own, and the name tells.
  [[nodiscard]] Place placeAt(std::string_view file, int line) const {
    if (line <= 0) return {};
    return {isOwn(file) ? own_ : std::string(file), line, 0};
  }
  [[nodiscard]] bool isOwn(std::string_view file) const { return fileNameOf(file) == fileNameOf(own_); }
  [[nodiscard]] const std::string& own() const { return own_; }
  std::vector<CodeLine> take() { return std::move(all_); }

 private:
  std::string own_;
  std::vector<CodeLine> all_;
  bool blank_ = true;
};

/// .file 1 "kernel.cu": numbers and names, wherever they stand.
std::map<int, std::string> filesOfPtx(std::string_view ptx) {
  std::map<int, std::string> files;
  for (const std::string_view whole : splitLines(ptx)) {
    std::string_view line = trimmed(whole);
    if (!line.starts_with(".file")) continue;
    line.remove_prefix(5);
    const int number = takeNumber(line);
    if (const std::string_view name = quoted(line); number >= 0 && !name.empty()) files[number] = name;
  }
  return files;
}

std::vector<CodeLine> ptxLines(std::string_view ptx, Lines lines) {
  const std::map<int, std::string> files = filesOfPtx(ptx);
  Place place;
  for (const std::string_view whole : splitLines(ptx)) {
    const std::string_view text = trimmed(whole);
    if (text.starts_with(".loc")) {
      std::string_view rest = text.substr(4);
      const int file = takeNumber(rest), number = takeNumber(rest);
      const auto known = files.find(file);
      place = lines.placeAt(known == files.end() ? lines.own() : known->second, number);
      continue;
    }
    if (text.starts_with(".section")) break;  // what follows is for debuggers
    if (text.starts_with(".file")) continue;
    if (text == "}" || text.starts_with(".")) place = {};
    lines.add(whole, text.empty() ? Place() : place);
  }
  return lines.take();
}

/// What stands in the brackets that begin at `open`; empty when they are not closed.
std::string_view bracketed(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return text.substr(open + 1, i - open - 1);
  }
  return {};
}

/// MLIR's places: `#loc3 = loc("/a/b.py":12:24)`, `loc(callsite(#loc3 at #loc7))`, `loc("name"(#loc3))`.
class MlirPlaces {
 public:
  MlirPlaces(std::string_view text, const Lines& lines) : lines_(lines) {
    for (const std::string_view whole : splitLines(text)) {
      const std::string_view line = trimmed(whole);
      const std::size_t equals = line.find(" = loc(");
      if (line.starts_with("#loc") && equals != std::string_view::npos)
        named_.emplace(line.substr(0, equals), bracketed(line, equals + 6));
    }
  }
  /// The place in the kernel's own file if there is one, else the first.
  [[nodiscard]] Place resolve(std::string_view text, int depth = 0) const {
    Place first;
    if (depth > 16) return first;
    for (std::size_t i = 0; i < text.size(); ++i) {
      Place found;
      if (text[i] == '"') {
        const std::size_t close = text.find('"', i + 1);
        if (close == std::string_view::npos) break;
        if (close + 1 < text.size() && text[close + 1] == ':') {
          std::string_view rest = text.substr(close + 2);
          found = lines_.placeAt(text.substr(i + 1, close - i - 1), takeNumber(rest));
        }
        i = close;
      } else if (text[i] == '#') {
        const std::size_t end = text.find_first_of(" ,()[]", i);
        const auto named = named_.find(text.substr(i, end == std::string_view::npos ? end : end - i));
        if (named != named_.end()) found = resolve(named->second, depth + 1);
        i = end == std::string_view::npos ? text.size() : end;
      }
      if (found.line <= 0) continue;
      if (lines_.isOwn(found.file)) return found;
      if (first.line <= 0) first = std::move(found);
    }
    return first;
  }

 private:
  const Lines& lines_;
  std::map<std::string_view, std::string_view> named_;
};

std::vector<CodeLine> mlirLines(std::string_view text, Lines lines) {
  const MlirPlaces places(text, lines);
  for (const std::string_view line : splitLines(text)) {
    if (trimmed(line).starts_with("#loc")) continue;
    const std::size_t at = line.rfind(" loc(");
    // One of a function's parameter is not that of its line.
    const std::string_view inside = at == std::string_view::npos ? "" : bracketed(line, at + 4);
    const bool ends = !inside.empty() && at + 6 + inside.size() == line.size();
    lines.add(ends ? line.substr(0, at) : line, ends ? places.resolve(inside) : Place());
  }
  return lines.take();
}

/// LLVM's metadata, by number: "DILocation(line: 9, column: 4, scope: !5, inlinedAt: !7)".
class DebugInfo {
 public:
  DebugInfo(std::string_view text, const Lines& lines) : lines_(lines) {
    for (const std::string_view whole : splitLines(text)) {
      std::string_view line = trimmed(whole);
      if (!line.starts_with("!")) continue;
      line.remove_prefix(1);
      const int number = takeNumber(line);
      if (number >= 0 && line.starts_with(" = ")) nodes_[number] = line.substr(3);
    }
  }
  [[nodiscard]] Place placeAt(int number) const {
    Place first;
    for (int steps = 0; number >= 0 && steps < 64; ++steps) {
      const std::string_view location = nodeAt(number);
      const Place found =
          lines_.placeAt(fileOf(numberAfter(location, "scope: !")), numberAfter(location, "line: "));
      if (found.line > 0 && lines_.isOwn(found.file)) return found;
      if (first.line <= 0) first = found;
      number = numberAfter(location, "inlinedAt: !");
    }
    return first;
  }

 private:
  [[nodiscard]] std::string_view nodeAt(int number) const {
    const auto at = nodes_.find(number);
    return at == nodes_.end() ? std::string_view() : at->second;
  }
  [[nodiscard]] std::string_view fileOf(int scope) const {
    for (int steps = 0; scope >= 0 && steps < 64; ++steps) {
      const std::string_view node = nodeAt(scope);
      if (const int file = numberAfter(node, "file: !"); file >= 0) return quoted(nodeAt(file));
      scope = numberAfter(node, "scope: !");
    }
    return {};
  }

  const Lines& lines_;
  std::map<int, std::string_view> nodes_;
};

std::vector<CodeLine> llvmLines(std::string_view text, Lines lines) {
  const DebugInfo info(text, lines);
  for (const std::string_view line : splitLines(text)) {
    if (trimmed(line).starts_with("!")) continue;
    constexpr std::string_view ofFunction = " !dbg !", ofInstruction = ", !dbg !";
    const std::size_t at = line.find(ofInstruction), named = line.find(ofFunction);
    if (at != std::string_view::npos) {
      std::string_view number = line.substr(at + ofInstruction.size());
      const int location = takeNumber(number);
      lines.add(line.substr(0, at), info.placeAt(location));
    } else if (named != std::string_view::npos && line.ends_with(" {")) {
      lines.add(std::string(line.substr(0, named)) + " {", {});
    } else {
      lines.add(line, {});
    }
  }
  return lines.take();
}

}  // namespace

std::vector<CodeLine> codeLines(ListingKind kind, std::string_view text, const std::string& own) {
  switch (kind) {
    case ListingKind::ttir:
    case ListingKind::ttgir:
      return mlirLines(text, Lines(own));
    case ListingKind::llir:
      return llvmLines(text, Lines(own));
    default:
      return ptxLines(text, Lines(own));
  }
}

}  // namespace wb
