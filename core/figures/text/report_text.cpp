// SPDX-License-Identifier: Apache-2.0
#include "core/figures/text/report_text.h"

#include <algorithm>
#include <vector>

#include "core/figures/figures.h"
#include "core/figures/profile/profile_figures.h"
#include "core/figures/text/text_parts.h"
#include "core/figures/text/text_width.h"
#include "core/figures/verdict/verdict_line.h"

namespace wb {

namespace {

/// Machine code of a real kernel fills screens; the reports have all of it.
constexpr int highestRankOfCode = 1;

/// Figures one below the other, and why those are missing that have nothing to show.
class Shown {
 public:
  Shown(const Report& report, const TextStyle& style) : report_(report), style_(style) {}

  void add(const FigureInfo& info, OneCase only = {}) {
    const Figure figure = info.make(report_, only);
    if (const std::string why(whyEmpty(figure)); !why.empty()) {
      if (std::find(reasons_.begin(), reasons_.end(), why) == reasons_.end()) reasons_.push_back(why);
      return;
    }
    TextStyle style = style_;
    style.maxRows = info.rows;
    text_ += "\n" + toText(figure, style);
  }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::string withReasons() const {
    std::string text = text_;
    for (const std::string& why : reasons_) text += "\n" + why + "\n";
    return text;
  }

 private:
  const Report& report_;
  TextStyle style_;
  std::string text_;
  std::vector<std::string> reasons_;
};

std::string codeText(const Report& report, const TextStyle& style) {
  Shown shown(report, style);
  for (const FigureInfo& info : figures())
    if (info.ofCode && info.rank <= highestRankOfCode) shown.add(info);
  return "\nProfile: the static view alone, for this ran on the CPU. Counters, samples and timelines need a "
         "GPU.\n" +
         shown.text();
}

std::string pageText(const Report& report, const TextStyle& style, OneCase only) {
  Shown shown(report, style);
  for (const FigureInfo& info : figures())
    if (info.page == Page::profile && info.rank == 0) shown.add(info, only);
  return shown.withReasons();
}

std::string profileText(const Report& report, const TextStyle& style) {
  if (!report.stages.has(Stage::profile)) return {};
  if ((report.target.device.empty() ? report.device : report.target.device) == "cpu")
    return codeText(report, style);
  const std::vector<CaseKey> cases = profiledCases(report);
  if (cases.empty()) return "\nProfile\n" + pageText(report, style, {});
  std::string text;
  for (const CaseKey key : cases)
    text += "\nProfile of " + caseTitle(report, key) + "\n" + pageText(report, style, key);
  return text;
}

/// A word as a shell takes it.
std::string forShell(std::string_view word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// The first failing cases with their first wrong elements.
std::string failingText(const Report& report, const TextStyle& style) {
  constexpr std::size_t mostCases = 3, mostElements = 6;
  TextStyle few = style;
  few.maxRows = mostElements;
  std::string text;
  const std::vector<CaseKey> keys = casesWithElements(report);
  for (std::size_t i = 0; i < std::min(keys.size(), mostCases); ++i) {
    const CaseRow& row = report.kernels[keys[i].kernel]->cases[keys[i].index];
    text += "\n" + toText(errorMaps(report, keys[i]), style) + "\n" +
            toText(elementsTable(report, keys[i]), few) + "To run only this case: --only " +
            forShell(row.definition.args) + "\n";
  }
  return text;
}

}  // namespace

std::string reportText(const Report& report, const TextStyle& style) {
  Shown shown(report, style);
  for (const FigureInfo& info : figures())
    if (info.page == Page::summary && info.rank == 0) shown.add(info);
  return "\n" + wrapped(printable(verdictText(verdictLine(report))), style.width) + shown.text() +
         failingText(report, style) + profileText(report, style);
}

}  // namespace wb
