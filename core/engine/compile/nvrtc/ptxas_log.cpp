// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "core/engine/compile/nvrtc/nvrtc.h"

namespace wb {
namespace {

template <class Use>
void eachLine(std::string_view text, Use use) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    use(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
}

/// The number before a phrase, as in "… 12 bytes spill stores …"; 0 where the phrase is absent.
std::int64_t before(std::string_view line, std::string_view phrase) {
  auto end = line.find(phrase);
  if (end == std::string_view::npos) return 0;
  while (end > 0 && line[end - 1] == ' ') --end;
  auto begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  std::int64_t value = 0;
  std::from_chars(line.data() + begin, line.data() + end, value);
  return value;
}

bool isFigure(std::string_view line) {
  return line.starts_with("ptxas info") || line.starts_with("ptxas    ") || line.starts_with("ptxas  ");
}

}  // namespace

std::vector<PtxasFigures> ptxasFigures(std::string_view log) {
  std::vector<PtxasFigures> all;
  eachLine(log, [&](std::string_view line) {
    if (!isFigure(line)) return;
    constexpr std::string_view opening = "Compiling entry function '";
    if (const auto at = line.find(opening); at != std::string_view::npos) {
      const auto name = line.substr(at + opening.size());
      all.push_back({std::string(name.substr(0, name.find('\''))), 0, 0, 0, 0});
    }
    if (all.empty()) return;
    PtxasFigures& now = all.back();
    if (line.find("bytes spill stores") != std::string_view::npos) {
      now.spillStores = static_cast<int>(before(line, "bytes spill stores"));
      now.spillLoads = static_cast<int>(before(line, "bytes spill loads"));
    }
    if (line.find(" registers") != std::string_view::npos) {
      now.registers = static_cast<int>(before(line, "registers"));
      now.sharedBytes = before(line, "bytes smem");
    }
  });
  return all;
}

std::string compilerMessages(std::string_view log) {
  std::string messages;
  eachLine(log, [&](std::string_view line) {
    if (isFigure(line)) return;
    messages += line;
    messages += '\n';
  });
  return messages;
}

}  // namespace wb
