// SPDX-License-Identifier: Apache-2.0
// How a job is cut into shards that know nothing of each other, and how what they say becomes one run's.
#include "core/run/shards.h"

#include <gmock/gmock.h>

#include "tests/core/run/run_steps.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

Job jobOf(std::size_t kernels, std::size_t cases) {
  Job job;
  for (std::size_t k = 0; k < kernels; ++k) {
    KernelSource source;
    source.path = "relu.cpp";
    source.op = "relu";
    job.kernels.push_back(source);
  }
  for (std::size_t i = 0; i < cases; ++i)
    job.cases.push_back({.op = "aten::relu", .args = std::to_string(i)});
  return job;
}

std::vector<std::string> texts(const std::vector<JobWork>& shards) {
  std::vector<std::string> all;
  for (const JobWork& shard : shards) all.push_back(text(shard));
  return all;
}

TEST(Shards, CasesOfOneKernelAreDealtOut) {
  EXPECT_THAT(texts(shardsOf(jobOf(1, 5), 2)),
              ElementsAre("0: check 0 2 4, time 0 2 4", "0: check 1 3, time 1 3"));
  EXPECT_THAT(texts(shardsOf(jobOf(1, 2), 8)), ElementsAre("0: check 0, time 0", "0: check 1, time 1"));
  EXPECT_THAT(texts(shardsOf(jobOf(1, 5), 1)), ElementsAre("0: check, time"));
}

TEST(Shards, WholeKernelsWhereThereAreEnoughOrTheirCasesBelongTogether) {
  EXPECT_THAT(texts(shardsOf(jobOf(4, 3), 2)),
              ElementsAre("0: check, time; 2: check, time", "1: check, time; 3: check, time"));
  Job profiled = jobOf(1, 6);
  profiled.stages.add(Stage::profile);
  EXPECT_THAT(shardsOf(profiled, 3), SizeIs(1));
  Job unknown = jobOf(1, 6);
  unknown.kernels[0].op.clear();
  EXPECT_THAT(shardsOf(unknown, 3), SizeIs(1));
}

TEST(Shards, WhatEachSaysAnewIsSaidOnce) {
  const Job job = jobOf(1, 4);
  Gathering gathering(job, shardsOf(job, 2));
  Report report = startReport(job);
  const auto take = [&](std::size_t shard, const Event& event) {
    const auto own = gathering.take(shard, event);
    if (own) fold(report, *own);
    return own.has_value();
  };
  const Diagnosed warning{0, {.severity = Severity::warning, .message = "unused"}};
  EXPECT_TRUE(take(0, JobStarted{{.device = "cuda:0"}, "2026-11-22T20:00:00Z"}));
  EXPECT_TRUE(take(0, compileStarted()));
  EXPECT_FALSE(take(1, JobStarted{{.device = "cuda:0"}, "2026-11-22T21:00:00Z"}));
  EXPECT_FALSE(take(1, compileStarted()));
  EXPECT_FALSE(take(1, warning));
  EXPECT_TRUE(take(0, warning));
  // Whoever has compiled it first speaks of it; nobody need wait for the one that began first.
  EXPECT_TRUE(take(1, compiledWith(0, 4)));
  EXPECT_FALSE(take(0, compiledWith(0, 4)));
  for (const std::uint32_t i : {1U, 3U}) EXPECT_TRUE(take(1, checkedStep(0, i, Verdict::pass)));
  EXPECT_FALSE(take(1, checkedStep(0, 0, Verdict::crashed))) << "that case is not its own";
  EXPECT_FALSE(take(1, Finished{Outcome::finished, 3}));
  EXPECT_EQ(gathering.finished(), (Finished{Outcome::cancelled, 3}));
  for (const std::uint32_t i : {0U, 2U}) EXPECT_TRUE(take(0, checkedStep(0, i, Verdict::pass)));
  EXPECT_FALSE(take(0, Finished{Outcome::cancelled, 4})) << "it was preempted, and will go on";
  EXPECT_FALSE(gathering.isDone(0));
  EXPECT_FALSE(take(0, Finished{Outcome::workerLost, 5}));
  EXPECT_EQ(gathering.finished(), (Finished{Outcome::workerLost, 5})) << "none started";
  take(0, Finished{Outcome::finished, 5});
  EXPECT_EQ(gathering.finished(), (Finished{Outcome::finished, 5}));
  EXPECT_EQ(report.kernels[0]->counts.passed, 4);
  EXPECT_THAT(report.kernels[0]->diagnostics, SizeIs(1));
  EXPECT_EQ(report.startedAt, "2026-11-22T20:00:00Z");
  EXPECT_THAT(report.log, SizeIs(0));
}

TEST(Shards, ATimingNamesItsDeviceWhereThatIsNotTheReports) {
  const Job job = jobOf(1, 4);
  Gathering gathering(job, shardsOf(job, 2));
  const auto timedOn = [&](std::size_t shard, std::uint32_t index, const std::string& device) {
    CaseTiming timing;
    timing.device = device;
    const auto said = gathering.take(shard, StepDone{Stage::time, 0, index, timing});
    return said ? resultIn<CaseTiming>(*said)->device : "nothing";
  };
  gathering.take(0, JobStarted{{.deviceName = "H200"}, ""});
  gathering.take(1, JobStarted{{.deviceName = "H100"}, ""});
  EXPECT_EQ(timedOn(0, 0, ""), "");
  EXPECT_EQ(timedOn(1, 1, ""), "H100");
  // Both were interrupted, and went on elsewhere.
  EXPECT_EQ(timedOn(0, 2, "A100"), "A100");
  EXPECT_EQ(timedOn(1, 3, "H200"), "");
}

}  // namespace
}  // namespace wb
