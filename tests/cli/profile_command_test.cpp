// SPDX-License-Identifier: Apache-2.0
// `warpbench profile` as a shell sees it, with the fake worker that says it is a GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/files/file.h"
#include "core/model/json/json_codec.h"
#include "tests/cli/cli_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::Not;

class ProfileCommand : public CliFixture {
 protected:
  void SetUp() override {
    CliFixture::SetUp();
    write("relu.cu",
          "/* warpbench\noperator = \"aten::relu\"\nargs = [\"self\", \"out\", \"numel(self)\"]\n*/\n"
          "extern \"C\" __global__ void fake_kernel(const float* in, float* out, long n) {}\n");
  }
  Captured profile(std::vector<std::string> arguments, const std::string& fake = "--device=cuda:0") {
    arguments.insert(arguments.begin(), {"profile", "relu.cu", "--device", "cpu"});
    return run(std::move(arguments), {{"WARPBENCH_FAKE", fake + " --mismatch=none"}});
  }
};

TEST_F(ProfileCommand, ShowsMetricsSideBySideAndTheRest) {
  const Captured result = profile({});
  EXPECT_EQ(result.ending.exitCode, 0) << result.err;
  for (const char* part :
       {"Profile of relu", "Advice", "Candidate", "Reference", "Difference", "DRAM throughput",
        "Metrics, cold L2", "Launches, cold L2", "fake_kernel", "Timeline of one call, hot L2",
        "long scoreboard: waits for global or local memory", "Hot lines"})
    EXPECT_THAT(result.out, HasSubstr(part));
}

TEST_F(ProfileCommand, CountersSayColdOrHotWhateverWasAskedFor) {
  const Captured hot =
      profile({"--case", "0", "--caches", "hot", "--report", "hot.html", "--json", "hot.json"});
  EXPECT_EQ(hot.ending.exitCode, 0) << hot.err;
  EXPECT_THAT(hot.out, HasSubstr("Metrics, hot L2"));
  EXPECT_THAT(hot.out, Not(HasSubstr("cold L2\n")));
  EXPECT_THAT(*readFile(folder_ / "hot.html"), HasSubstr("Metrics, hot L2"));
  const auto report = reportFromJson(*parseJson(*readFile(folder_ / "hot.json")));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->profile.caches, CacheState::hot);
  const auto& row = report->kernels[0]->cases[0];
  ASSERT_TRUE(row.profile);
  EXPECT_EQ((*row.profile)->candidate.caches, CacheState::hot);
  EXPECT_EQ(profile({"--caches", "warm"}).ending.exitCode, 2);
}

TEST_F(ProfileCommand, RunWithProfileIsTheSame) {
  const Captured result =
      run({"run", "relu.cu", "--device", "cpu", "--profile", "--sections", "memory", "--no-lines"},
          {{"WARPBENCH_FAKE", "--device=cuda:0 --mismatch=none"}});
  EXPECT_EQ(result.ending.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("DRAM read"));
  EXPECT_THAT(result.out, Not(HasSubstr("Hot lines")));
  EXPECT_THAT(result.out, HasSubstr("were not asked for"));
}

TEST_F(ProfileCommand, WritesReportAndTrace) {
  const Captured result = profile(
      {"--trace", "out.json", "--report", "second.trace.json", "--report", "out.html", "--json", "r.json"});
  EXPECT_EQ(result.ending.exitCode, 0) << result.err;
  const auto trace = parseJson(*readFile(folder_ / "out.json"));
  ASSERT_TRUE(trace);
  EXPECT_GE((*trace)["traceEvents"].size(), 4U);
  EXPECT_EQ(*readFile(folder_ / "second.trace.json"), *readFile(folder_ / "out.json"));
  EXPECT_THAT(*readFile(folder_ / "out.html"), HasSubstr("id=\"metrics\""));
  const auto report = reportFromJson(*parseJson(*readFile(folder_ / "r.json")));
  ASSERT_TRUE(report);
  EXPECT_EQ(counts(*report).profiled, 1);
}

TEST_F(ProfileCommand, RefusedCountersSayTheRemedyAndShowWhatNeedsNone) {
  const Captured result = profile({}, "--device=cuda:0 --mode=counters-refused");
  EXPECT_EQ(result.ending.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("ERR_NVGPUCTRPERM"));
  EXPECT_THAT(result.out, HasSubstr("Timeline of one call"));
  EXPECT_THAT(result.out, HasSubstr("fake_kernel"));
}

TEST_F(ProfileCommand, OnACpuThereIsTheStaticViewAlone) {
  const Captured result = profile({}, "--device=cpu");
  EXPECT_THAT(result.out, HasSubstr("the static view alone"));
  EXPECT_THAT(result.out, HasSubstr("LDG.E R2"));
  EXPECT_THAT(result.out, Not(HasSubstr("DRAM throughput")));
}

TEST_F(ProfileCommand, ATraceWithoutATimelineFailsAndSaysWhy) {
  const Captured result = profile({"--trace", "out.json"}, "--device=cuda:0 --mode=not-profiled");
  EXPECT_EQ(result.ending.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("another profiler is attached"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.json"));
}

TEST_F(ProfileCommand, ACrashWhileProfilingKeepsTheResult) {
  const Captured result = profile({"--case", "0"}, "--device=cuda:0 --mode=segfault:0 --stage=profile");
  EXPECT_EQ(result.ending.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("while it was profiled"));
}

TEST_F(ProfileCommand, BadOptionsAreUsage) {
  EXPECT_EQ(profile({"--sections", "nonsense"}).ending.exitCode, 2);
  EXPECT_EQ(profile({"--case", "first"}).ending.exitCode, 2);
  EXPECT_EQ(profile({"--no-timeline", "--trace", "x.json"}).ending.exitCode, 2);
}

TEST_F(ProfileCommand, ListsSectionsAndMetrics) {
  EXPECT_THAT(run({"list", "sections"}).out, HasSubstr("speed_of_light"));
  const Captured all = run({"list", "metrics"}), some = run({"list", "metrics", "dram__bytes"});
  EXPECT_THAT(all.out, HasSubstr("sm__throughput"));
  EXPECT_THAT(some.out, HasSubstr("dram__bytes_read.sum (quick)"));
  EXPECT_THAT(some.out, Not(HasSubstr("sm__throughput")));
  EXPECT_EQ(run({"list", "metrics", "nothing_like_it"}).ending.exitCode, 2);
}

}  // namespace
}  // namespace wb
