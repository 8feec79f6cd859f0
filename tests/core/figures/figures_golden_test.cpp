// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/figures/figures.h"
#include "core/figures/text/text.h"
#include "tests/core/figures/golden.h"
#include "tests/core/figures/sample_report.h"

namespace wb {
namespace {

/// Everything that is said of a report, as text.
std::string allText(const Report& report) {
  std::string text = "progress: " + progressLine(report) + "\n";
  for (const FigureInfo& figure : figures())
    if (figure.id != "environment" && wanted(figure, report)) text += "\n" + toText(figure.make(report));
  return text;
}

TEST(FiguresGolden, AllPass) {
  expectGolden("figures_all_pass.txt", allText(samples::allPass()));
}
TEST(FiguresGolden, MixedFailures) {
  expectGolden("figures_mixed.txt", allText(samples::mixedFailures()));
}
TEST(FiguresGolden, CompileFailure) {
  expectGolden("figures_compile_failure.txt", allText(samples::compileFailure()));
}
TEST(FiguresGolden, Crash) {
  expectGolden("figures_crash.txt", allText(samples::crash()));
}
TEST(FiguresGolden, CancelledHalfWay) {
  expectGolden("figures_cancelled.txt", allText(samples::cancelledHalfWay()));
}
TEST(FiguresGolden, TimingHalfWay) {
  expectGolden("figures_timing.txt", allText(samples::timingHalfWay()));
}
TEST(FiguresGolden, CompileOnly) {
  expectGolden("figures_compile_only.txt", allText(samples::compileOnly()));
}
TEST(FiguresGolden, SeveralKernels) {
  expectGolden("figures_several.txt", allText(samples::severalKernels()));
}
TEST(FiguresGolden, NoWorker) {
  expectGolden("figures_no_worker.txt", allText(samples::noWorker()));
}
TEST(FiguresGolden, EmptyJob) {
  expectGolden("figures_empty.txt", allText(samples::emptyJob()));
}
TEST(FiguresGolden, NarrowTerminal) {
  std::string text;
  for (const FigureInfo& figure : figures())
    if (figure.id != "environment" && figure.page != Page::profile)
      text += toText(figure.make(samples::mixedFailures()), {80, false, 4}) + "\n";
  expectGolden("figures_narrow.txt", text);
}

}  // namespace
}  // namespace wb
