// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/figures/figures.h"
#include "core/report/formats.h"
#include "core/report/svg/svg_picture.h"
#include "tests/core/figures/profile_sample.h"
#include "tests/core/figures/sample_report.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The pictures of a report's figures by their ids; "" where a figure is none.
std::map<std::string, std::string> picturesOf(const Report& report) {
  std::map<std::string, std::string> pictures;
  for (const FigureInfo& info : figures()) pictures[std::string(info.id)] = svgFigure(info.make(report));
  return pictures;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(SvgFigure, ChartsArePicturesAndNothingElseIs) {
  const Report report = samples::folded(samples::profiledRun());
  const auto pictures = picturesOf(report);
  const std::set<FigureKind> charts{FigureKind::bars, FigureKind::plane, FigureKind::time, FigureKind::stack};
  for (const FigureInfo& info : figures()) {
    const Figure figure = info.make(report);
    const bool isChart = charts.contains(info.kind) && whyEmpty(figure).empty();
    EXPECT_EQ(!pictures.at(std::string(info.id)).empty(), isChart) << info.id;
  }
  for (const char* id : {"roofline", "timeline"}) EXPECT_FALSE(pictures.at(id).empty()) << id;
  EXPECT_EQ(pictures.at("cases"), "");
}

TEST(SvgFigure, EveryElementIsClosedAndEveryNumberIsOne) {
  for (const Report& report :
       {samples::folded(samples::profiledRun()), samples::many(200), samples::hostile(),
        samples::severalKernels(), samples::timingHalfWay(), samples::emptyJob()})
    for (const auto& [id, picture] : picturesOf(report)) {
      for (const char* tag : {"svg", "text", "g", "clipPath", "title", "circle", "style"})
        EXPECT_EQ(occurrences(picture, std::string("<") + tag + " ") +
                      occurrences(picture, std::string("<") + tag + ">"),
                  occurrences(picture, std::string("</") + tag + ">"))
            << id << " " << tag;
      EXPECT_THAT(picture, Not(HasSubstr("nan"))) << id;
      EXPECT_THAT(picture, Not(HasSubstr("inf\""))) << id;
    }
}

TEST(SvgFigure, HostileTextStaysText) {
  for (const auto& [id, picture] : picturesOf(samples::hostile())) {
    EXPECT_THAT(picture, Not(HasSubstr("<script"))) << id;
    EXPECT_THAT(picture, Not(HasSubstr("<b>"))) << id;
  }
}

TEST(SvgFigure, ABarHasItsLabelItsValueAndItsInterval) {
  BarChart chart;
  chart.title = "Speedup by case";
  chart.axis = "Speedup";
  chart.bars = {{"relu", 1.5, 1.4, 1.6, "1.50×", Tone::good, "0/0"},
                {"noisy", 1, 0, 0, "too noisy", Tone::muted, ""}};
  const std::string picture = svgFigure(chart);
  for (const char* part :
       {">Speedup by case<", ">relu<", ">1.50×<", ">too noisy<", "class=\"f-good\"", ">1.0×<"})
    EXPECT_THAT(picture, HasSubstr(part));
  EXPECT_EQ(occurrences(picture, "class=\"l-text\""), 3U) << "one interval with its two ends";
  EXPECT_THAT(picture, HasSubstr("prefers-color-scheme:dark"));
}

TEST(SvgFigure, LongNamesAreShortened) {
  EXPECT_EQ(shortened("relu", 100), "relu");
  EXPECT_EQ(shortened("ßßßßßßßßßß", 40), "ßßßßß…");
}

}  // namespace
}  // namespace wb
