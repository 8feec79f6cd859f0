// SPDX-License-Identifier: Apache-2.0
// What workers are sent of a job.
#include "core/run/job_parts.h"

#include <gmock/gmock.h>

#include "tests/core/run/run_steps.h"
#include "tests/core/run/simulated_cluster.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t manyCases = 2000;
constexpr std::size_t manyPlaces = 64;

Job ofTwoOperators() {
  Job job = twoKernels();
  job.kernels[0].op = "relu";
  job.kernels[0].text = "one";
  job.kernels[1].op = "add.Tensor";
  job.kernels[1].text = "two";
  job.cases = {{.op = "aten::relu", .args = "0", .dtype = "f32"},
               {.op = "aten::add.Tensor", .args = "other", .dtype = "i64"},
               {.op = "aten::relu", .args = "1", .dtype = "f16"},
               {.op = "aten::relu", .args = "2", .dtype = "f32"}};
  return job;
}

/// After the first kernel was compiled.
Report compiledReport(const Job& job) {
  Report report = startReport(job);
  Compiled compiled;
  compiled.op = "aten::relu";
  compiled.cases = {job.cases[0], job.cases[2], job.cases[3]};
  fold(report, compiledStep(compiled));
  return report;
}

StageWork only(Stage stage, std::vector<std::uint32_t> cases) {
  return {stage, std::move(cases)};
}

TEST(JobParts, LeaveOutWhatTheWorkerHasNoNeedOf) {
  Job job = ofTwoOperators();
  const Report report = startReport(job);
  const Job part = JobParts(job, report).of({true, {wholeOf(job, 0)}});
  ASSERT_EQ(part.kernels.size(), 2U);  // under their numbers
  EXPECT_EQ(part.kernels[0], job.kernels[0]);
  EXPECT_EQ(part.kernels[1], KernelSource{});
  EXPECT_EQ(part.cases.size(), 3U);
  EXPECT_EQ(part.work->kernels[0].planned, std::nullopt);
  EXPECT_EQ(JobParts(job, report).of(workIn(job)).cases, job.cases);
  job.kernels[0].op.clear();  // which of them it runs only the worker knows
  EXPECT_EQ(JobParts(job, report).of({true, {wholeOf(job, 0)}}).cases, job.cases);
}

TEST(JobParts, OfACompiledKernelHoldTheCasesOfTheirWorkUnderTheirNumbers) {
  const Job job = ofTwoOperators();
  const Report report = compiledReport(job);
  KernelWork work{0, true, {only(Stage::check, {2}), only(Stage::time, {1, 2, 9})}};
  const Job part = JobParts(job, report).of({true, {work}});
  EXPECT_THAT(part.cases, IsEmpty());
  const PlannedCases& planned = *part.work->kernels[0].planned;
  EXPECT_EQ(planned.op, "aten::relu");
  EXPECT_EQ(planned.count, 3U);
  EXPECT_THAT(planned.dtypes, ElementsAre("f32", "f16"));  // of all, since for these it is compiled
  EXPECT_THAT(planned.numbers, ElementsAre(1, 2));
  EXPECT_THAT(planned.cases, ElementsAre(job.cases[2], job.cases[3]));
  EXPECT_EQ(*find(planned, 2), job.cases[3]);
  EXPECT_EQ(find(planned, 0), nullptr);
}

TEST(JobParts, WhereAStageNamesNoCasesAllOfThemAreThere) {
  const Job job = ofTwoOperators();
  const Report report = compiledReport(job);
  KernelWork work{0, true, {only(Stage::check, {2}), {Stage::profile}}};
  const Job part = JobParts(job, report).of({true, {work}});
  EXPECT_THAT(part.work->kernels[0].planned->numbers, ElementsAre(0, 1, 2));
}

TEST(JobParts, OfACompiledKernelAndOneThatIsNotHoldWhatEachNeeds) {
  const Job job = ofTwoOperators();
  const Report report = compiledReport(job);
  KernelWork work{0, true, {only(Stage::check, {1})}};
  const Job part = JobParts(job, report).of({true, {work, wholeOf(job, 1)}});
  EXPECT_THAT(part.cases, ElementsAre(job.cases[1]));
  EXPECT_THAT(part.work->kernels[0].planned->numbers, ElementsAre(1));
  EXPECT_EQ(part.work->kernels[1].planned, std::nullopt);
}

std::size_t bytesSent(std::uint32_t cases, std::size_t places, bool time = false) {
  Cluster cluster(jobOf({cases}, time), std::vector<double>(places, 1), [](const Step&) { return 1.0; });
  cluster.run();
  EXPECT_EQ(cluster.verdicts().size(), cases);
  return cluster.bytesSent();
}

TEST(JobParts, TogetherAreAsLongAsTheirCasesAndNotAsTheWholeJobForEachPiece) {
  for (const bool time : {false, true}) {
    const std::size_t alone = bytesSent(manyCases, 1, time), shared = bytesSent(manyCases, manyPlaces, time);
    // Once for the worker that compiles it, once for those that run the cases, and a little for each piece.
    EXPECT_LT(shared, 5 * alone) << time;
    EXPECT_LT(bytesSent(2 * manyCases, manyPlaces, time), 2.2 * static_cast<double>(shared)) << time;
  }
}

TEST(JobParts, OfManyKernelsDoNotGrowWithTheKernelsOfOthers) {
  const auto bytesOfOne = [](std::size_t kernels) {
    const Job job = jobOf(std::vector<std::uint32_t>(kernels, 1));
    const Report report = startReport(job);
    return dump(toJson(JobParts(job, report).of({true, {wholeOf(job, 0)}}))).size();
  };
  constexpr std::size_t few = 10, many = 1000, mostForEach = 4;
  EXPECT_LE(bytesOfOne(many), bytesOfOne(few) + mostForEach * (many - few));
}

}  // namespace
}  // namespace wb
