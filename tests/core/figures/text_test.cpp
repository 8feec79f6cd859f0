// SPDX-License-Identifier: Apache-2.0
#include "core/figures/text/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "core/figures/cells.h"
#include "core/figures/charts/scale.h"
#include "core/figures/figures.h"
#include "core/figures/text/text_width.h"
#include "core/model/pace.h"
#include "tests/core/figures/sample_report.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(TextWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(displayWidth("abc"), 3U);
  EXPECT_EQ(displayWidth("1.94×"), 5U);
  EXPECT_EQ(displayWidth("e\u0301"), 1U);
  EXPECT_EQ(displayWidth("核心"), 4U);
  EXPECT_EQ(displayWidth("\xFF\xFE"), 2U);
  EXPECT_EQ(displayWidth(""), 0U);
}

TEST(TextWidth, CutsAtWholeCharacters) {
  EXPECT_EQ(truncated("abcdef", 6), "abcdef");
  EXPECT_EQ(truncated("abcdef", 4), "abc…");
  EXPECT_EQ(truncated("核心核心", 4), "核…");
  EXPECT_EQ(truncated("abc", 0), "");
  EXPECT_EQ(truncated("1.94×", 1), "…");
}

TEST(TextWidth, ControlCharactersDoNotReachTheTerminal) {
  EXPECT_EQ(printable("a\x1b[31mb\nc\td"), "a [31mb c d");
  EXPECT_EQ(printable("\u0085x"), "  x");
  EXPECT_EQ(printable("5×5"), "5×5");
}

TEST(Text, EveryLineFitsTheTerminal) {
  for (const std::size_t width : {60U, 80U, 120U})
    for (const Report& report : {samples::allPass(), samples::compileFailure(), samples::noWorker()}) {
      std::istringstream lines(toText(problemsTable(report), {width, false, 0}));
      for (std::string line; std::getline(lines, line);) EXPECT_LE(displayWidth(line), width) << line;
      std::istringstream bars(toText(speedupChart(report), {width, false, 0}));
      for (std::string line; std::getline(bars, line);) EXPECT_LE(displayWidth(line), width) << line;
      std::istringstream cards(toText(headline(report), {width, false, 0}));
      for (std::string line; std::getline(cards, line);) EXPECT_LE(displayWidth(line), width) << line;
    }
}

TEST(Text, ChartsAndTablesSurviveAnyInterval) {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const Speedup& odd : {Speedup{2, 0, 0, Pace::undecided}, Speedup{2, 3.76e-6, 4978717, Pace::undecided},
                             Speedup{2, 1, infinite, Pace::undecided}}) {
    Report report = samples::allPass();
    report.kernels[0].write().cases.write(0).timing->speedup = odd;
    const BarChart chart = speedupChart(report);
    for (const Bar& bar : chart.bars) EXPECT_TRUE(std::isfinite(bar.high)) << bar.label;
    EXPECT_LT(scaleOf(chart).high / scaleOf(chart).low, 30) << "the picture stays that of the values";
    const std::string drawn = toText(chart, {80, false, 0});
    EXPECT_THAT(drawn, HasSubstr("too noisy"));
    EXPECT_THAT(drawn, Not(HasSubstr("2.00×")));
    std::istringstream lines(drawn);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(displayWidth(line), 80U) << line;
    const std::string cases = toText(casesTable(report), {0, false, 0});
    EXPECT_THAT(cases, Not(HasSubstr("inf")));
    EXPECT_THAT(cases, HasSubstr("too noisy"));
    EXPECT_THAT(cases, Not(HasSubstr("2.00×")));
  }
}

TEST(Text, ColoursFollowTonesAndOnlyOnRequest) {
  Table table;
  table.title = "T";
  table.columns = {{.key = "a", .title = "A"}};
  table.rows = {{.cells = {textCell("fine", Tone::good)}}, {.cells = {textCell("broken", Tone::bad)}}};
  EXPECT_THAT(toText(table, {0, true, 0}), HasSubstr("\x1b[32mfine  \x1b[0m"));
  EXPECT_THAT(toText(table, {0, true, 0}), HasSubstr("\x1b[31mbroken\x1b[0m"));
  EXPECT_THAT(toText(table), Not(HasSubstr("\x1b")));
}

TEST(Text, EscapeSequencesOfAKernelAreDefused) {
  for (const FigureInfo& figure : figures())
    EXPECT_THAT(toText(figure.make(samples::hostile())), Not(HasSubstr("\x1b")));
}

TEST(Text, EmptyColumnsAreLeftOut) {
  Table table;
  table.columns = {{.key = "a", .title = "A"}, {.key = "b", .title = "Unused"}};
  table.rows = {{.cells = {textCell("x"), textCell("")}}};
  EXPECT_THAT(toText(table), Not(HasSubstr("Unused")));
}

TEST(Text, SharesAreDrawnWhereThereIsRoom) {
  Table table;
  table.columns = {{.key = "a", .title = "A", .kind = ColumnKind::share}};
  table.rows = {{.cells = {textCell("50 %")}}, {.cells = {textCell("7 %")}}, {.cells = {textCell("")}}};
  table.rows[0].cells[0].bar = 0.5;
  table.rows[1].cells[0].bar = 1.0 / 48;
  EXPECT_THAT(toText(table), HasSubstr("███    50 %\n▏       7 %\n"));
  EXPECT_THAT(toText(table, {8, false, 0}), HasSubstr("50 %\n 7 %\n"));
}

TEST(Text, RowsBeyondTheLimitAreCounted) {
  EXPECT_THAT(toText(casesTable(samples::many(300)), {0, false, 10}), HasSubstr("… and 290 more"));
}

}  // namespace
}  // namespace wb
