// SPDX-License-Identifier: Apache-2.0
// Every event log of tests/golden/events, real runs' and made ones, as every figure's text.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/base/files/file.h"
#include "core/figures/figures.h"
#include "core/figures/text/text.h"
#include "tests/core/figures/golden.h"
#include "tests/core/figures/profile_sample.h"

namespace wb {
namespace {

const std::filesystem::path folder = std::filesystem::path(WB_SOURCE_DIR) / "tests" / "golden" / "events";

std::string allText(const Report& report, std::size_t width) {
  std::string text = "progress: " + progressLine(report) + "\n";
  for (const FigureInfo& figure : figures()) {
    if (!wanted(figure, report)) continue;
    text += "\n" + toText(figure.make(report), {width, false, 60});
  }
  // Golden files outlive versions.
  const std::size_t at = text.rfind(WB_VERSION);
  if (at != std::string::npos) text.replace(at, std::string_view(WB_VERSION).size(), "VERSION");
  return text;
}

/// The made ones are kept as files too, as text of the codec that reads them.
TEST(ProfileGolden, MadeLogsAreOfThisCodec) {
  expectGolden("events/made_softmax.jsonl", samples::eventLog(samples::profiledRun()));
  expectGolden("events/made_mm.jsonl", samples::eventLog(samples::severalLaunchesRun()));
  expectGolden("events/made_refused.jsonl", samples::eventLog(samples::refusedRun()));
  expectGolden("events/made_static.jsonl", samples::eventLog(samples::staticRun()));
}

TEST(ProfileGolden, EveryLogGivesEveryFigure) {
  std::vector<std::filesystem::path> logs;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".jsonl") logs.push_back(entry.path());
  std::sort(logs.begin(), logs.end());
  ASSERT_GE(logs.size(), 4U);
  for (const auto& log : logs) {
    SCOPED_TRACE(log.filename().string());
    const auto content = readFile(log);
    ASSERT_TRUE(content);
    const auto run = samples::runFromLog(*content);
    ASSERT_TRUE(run) << run.error().place.line << ": " << describe(run.error());
    const Report report = samples::folded(*run);
    EXPECT_NE(report.outcome, Outcome::running) << "the log ends before the run did";
    expectGolden("events/" + log.stem().string() + ".txt", allText(report, 110));
  }
}

TEST(ProfileGolden, ABrokenLogNamesItsLine) {
  const auto broken = samples::runFromLog(samples::eventLog(samples::staticRun()) + "{\"event\": 3}\n");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().place.line, 7);
}

}  // namespace
}  // namespace wb
