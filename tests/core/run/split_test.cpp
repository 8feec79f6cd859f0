// SPDX-License-Identifier: Apache-2.0
// How a job is shared among workers.
#include "core/run/split.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/core/run/run_steps.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Crowd alone{1, 1}, onOneDevice{2, 1}, onTheirOwn{2, 2};

Job jobOfKernels(std::size_t kernels, std::size_t cases, bool time = true) {
  Job job;
  for (std::size_t k = 0; k < kernels; ++k) {
    KernelSource source;
    source.path = "relu.cpp";
    source.op = "relu";
    job.kernels.push_back(source);
  }
  for (std::size_t i = 0; i < cases; ++i)
    job.cases.push_back({.op = "aten::relu", .args = std::to_string(i)});
  job.stages.set(Stage::time, time);
  return job;
}

std::vector<std::string> texts(const std::vector<JobWork>& pieces) {
  std::vector<std::string> all;
  for (const JobWork& piece : pieces) all.push_back(text(piece));
  return all;
}

std::vector<JobWork> firstPieces(const Job& job, const Crowd& crowd) {
  return piecesOf(job, startReport(job), roundsOf(job, crowd).front(), crowd);
}

TEST(Rounds, AWorkerAloneDoesAllInOne) {
  Job job = jobOfKernels(2, 4);
  job.stages.add(Stage::profile);
  EXPECT_THAT(roundsOf(job, alone), ElementsAre(Round{{Stage::check, Stage::time, Stage::profile}, false}));
  EXPECT_THAT(texts(firstPieces(job, alone)),
              ElementsAre("0: check, time, profile; 1: check, time, profile"));
}

TEST(Rounds, OnASharedDeviceOneMeasuresAloneWhatAllHaveChecked) {
  Job job = jobOfKernels(2, 4);
  job.stages.add(Stage::profile);
  EXPECT_THAT(roundsOf(job, onOneDevice),
              ElementsAre(Round{{Stage::check}, false}, Round{{Stage::time, Stage::profile}, true}));
  job.stages = {Stage::check};
  EXPECT_THAT(roundsOf(job, onOneDevice), ElementsAre(Round{{Stage::check}, false}));
  job.stages = {Stage::time};
  EXPECT_THAT(roundsOf(job, onOneDevice), ElementsAre(Round{{Stage::time}, true}));
}

TEST(Rounds, OnDevicesOfTheirOwnAllMeasure) {
  Job job = jobOfKernels(8, 4);
  job.stages.add(Stage::profile);
  EXPECT_THAT(roundsOf(job, onTheirOwn),
              ElementsAre(Round{{Stage::check, Stage::time, Stage::profile}, false}));
  job.kernels.resize(1);  // spread by its cases, of which few are profiled
  EXPECT_THAT(roundsOf(job, onTheirOwn),
              ElementsAre(Round{{Stage::check, Stage::time}, false}, Round{{Stage::profile}, false}));
}

TEST(Rounds, AStageThatTheRunnerGivesItselfIsInNone) {
  Job job = jobOfKernels(2, 4, false);
  job.stages.add(Stage::sanitize);
  for (const Crowd& crowd : {alone, onOneDevice, onTheirOwn})
    EXPECT_THAT(roundsOf(job, crowd), ElementsAre(Round{{Stage::check}, false}));
}

TEST(Rounds, WithoutAStageAllCompile) {
  Job job = jobOfKernels(3, 4);
  job.stages = {};
  EXPECT_THAT(roundsOf(job, onOneDevice), ElementsAre(Round{{}, false}));
  EXPECT_THAT(texts(firstPieces(job, onOneDevice)), ElementsAre("0: ", "1: ", "2: "));
}

TEST(Pieces, AStageOfTheWholeKernelIsInTheFirstOfItsPieces) {
  Job job = jobOfKernels(1, 8, false);
  job.stages.add(Stage::sanitize);
  const Round round{{Stage::check, Stage::sanitize}, false};
  EXPECT_THAT(texts(piecesOf(job, startReport(job), round, onTheirOwn)),
              ElementsAre("0: check 0 1 2 3, sanitize", "0: check 4 5 6 7"));
}

TEST(Pieces, TheKernelWithTheMostCasesGoesFirst) {
  Job job = jobOfKernels(6, 0);
  for (std::uint32_t k = 0; k < 6; ++k) {
    job.kernels[k].op = "op" + std::to_string(k);
    for (std::uint32_t i = 0; i < (k == 4 ? 9U : 2U); ++i)
      job.cases.push_back({.op = "aten::" + job.kernels[k].op});
  }
  const auto pieces = firstPieces(job, onOneDevice);
  ASSERT_THAT(pieces, SizeIs(6));
  EXPECT_EQ(text(pieces[0]), "4: check");
  EXPECT_EQ(text(pieces[1]), "0: check");
}

TEST(Pieces, FewKernelsAreCutAndEveryCaseIsInOnePiece) {
  const Job job = jobOfKernels(1, 40);
  for (const Crowd& crowd : {onOneDevice, onTheirOwn, Crowd{8, 8}}) {
    const auto pieces = firstPieces(job, crowd);
    EXPECT_EQ(pieces.size(), std::min<std::size_t>(4 * crowd.workers, 40 / 4));
    std::multiset<std::uint32_t> cases;
    for (const JobWork& piece : pieces) {
      ASSERT_THAT(piece.kernels, SizeIs(1));
      for (const StageWork& stage : piece.kernels[0].stages)
        if (stage.stage == Stage::check) cases.insert(stage.cases->begin(), stage.cases->end());
    }
    ASSERT_THAT(cases, SizeIs(40));
    EXPECT_THAT(std::set(cases.begin(), cases.end()), SizeIs(40));
  }
}

TEST(Pieces, ManyKernelsAreNotCut) {
  const auto pieces = firstPieces(jobOfKernels(10, 40), onOneDevice);
  ASSERT_THAT(pieces, SizeIs(10));
  EXPECT_EQ(text(pieces[0]), "0: check");
}

TEST(Pieces, OfManySmallKernelsSeveralMakeAPiece) {
  Job job = jobOfKernels(1000, 0, false);
  for (std::uint32_t k = 0; k < 1000; ++k) {
    job.kernels[k].op = "op" + std::to_string(k);
    for (std::uint32_t i = 0; i < (k == 7 ? 100U : 3U); ++i)
      job.cases.push_back({.op = "aten::" + job.kernels[k].op});
  }
  const auto pieces = firstPieces(job, onTheirOwn);
  EXPECT_EQ(text(pieces[0]), "7: check");
  EXPECT_THAT(pieces[1].kernels, SizeIs(16));
  EXPECT_LE(pieces.size(), 65U);
  std::multiset<std::uint32_t> kernels;
  for (const JobWork& piece : pieces)
    for (const KernelWork& each : piece.kernels) kernels.insert(each.kernel);
  EXPECT_THAT(kernels, SizeIs(1000));
  EXPECT_THAT(std::set(kernels.begin(), kernels.end()), SizeIs(1000));
}

TEST(Pieces, AJobWithoutCasesIsSharedByItsKernels) {
  EXPECT_THAT(firstPieces(jobOfKernels(6, 0, false), onTheirOwn), SizeIs(6));
}

TEST(Pieces, AKernelWhoseCasesAreNotKnownIsNotCut) {
  Job job = jobOfKernels(1, 40);
  job.kernels[0].op.clear();
  EXPECT_THAT(texts(firstPieces(job, onOneDevice)), ElementsAre("0: check"));
}

TEST(Pieces, OfALaterRoundAreWhatHasPassedAndOfOneKernelEach) {
  const Job job = jobOfKernels(3, 5);
  OneRun run(job);
  for (std::uint32_t k = 0; k < 2; ++k) {
    run.take(StepStarted{Stage::compile, k, {}});
    Compiled compiled;
    compiled.cases = job.cases;
    if (k == 1) compiled.cases[4].use = CaseUse::check;
    run.take(compiledStep(compiled, k));
    for (std::uint32_t i = 0; i < 5; ++i)
      run.take(checkedStep(k, i, i < 2 ? Verdict::mismatch : Verdict::pass));
  }
  const Round times = roundsOf(job, onOneDevice).back();
  // The third kernel never came to be compiled, and nobody knows why.
  EXPECT_THAT(texts(piecesOf(job, run.report, times, onOneDevice)),
              ElementsAre("0*: time 2 3 4", "1*: time 2 3"));
}

TEST(Pieces, OfAJobThatIsDoneAreNone) {
  const Job job = jobOfKernels(1, 5, false);
  OneRun run(job);
  run.take(StageFailed{0, {}});
  EXPECT_THAT(piecesOf(job, run.report, roundsOf(job, alone).front(), alone), IsEmpty());
}

}  // namespace
}  // namespace wb
