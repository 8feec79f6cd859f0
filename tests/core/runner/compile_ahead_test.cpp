// SPDX-License-Identifier: Apache-2.0
// Places with a GPU, and places without one that compile for them, against the fake worker.
#include <gmock/gmock.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/model/log_sources.h"
#include "core/runner/runner.h"
#include "tests/core/runner/fake_runs.h"

namespace wb {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::Not;

const std::string compilerSource = "compiler";

WorkerPlace fakeGpu(const std::vector<std::string>& arguments = {}, const std::string& title = "gpubox") {
  return {fakeLauncher(arguments), "cuda:0", "host of " + title, title};
}
WorkerPlace fakeNode(const std::vector<std::string>& arguments = {}) {
  return {fakeLauncher(arguments), "cpu", "host of node", "node"};
}

std::unique_ptr<Runner> runnerOf(std::vector<WorkerPlace> places) {
  RunnerOptions options = quickOptions();
  options.warmSpare = false;
  // To write down what is too large takes a worker that a sanitizer watches up to ten seconds, in silence.
  options.heartbeatSeconds = 60;
  return std::make_unique<Runner>(std::move(places), options);
}

std::unique_ptr<Runner> gpuAndNode(const std::vector<std::string>& node = {},
                                   const std::vector<std::string>& gpu = {}) {
  std::vector<WorkerPlace> places;
  places.push_back(fakeGpu(gpu));
  places.push_back(fakeNode(node));
  return runnerOf(std::move(places));
}

/// Kernels with texts of their own, so that each is built by itself.
Job kernels(std::size_t count, const std::string& arguments = "") {
  Job job = fakeJob(std::vector<std::string>(count, "--mismatch=none " + arguments));
  for (std::size_t i = 0; i < count; ++i) job.kernels[i].text += "// kernel " + std::to_string(i) + "\n";
  // A case may be held for as long as a busy machine takes to compile ahead.
  job.limits.caseSeconds = job.limits.firstCallSeconds = 600;
  return job;
}

std::vector<std::string> notes(const Report& report) {
  std::vector<std::string> all;
  for (const auto& kernel : report.kernels) all.push_back(kernel->compiled ? kernel->compiled->note : "none");
  return all;
}

void expectAllPassed(const Report& report) {
  EXPECT_EQ(report.outcome, Outcome::finished);
  const Counts all = counts(report);
  EXPECT_EQ(all.passed, all.total);
  EXPECT_EQ(all.timed, all.total);
  EXPECT_EQ(report.target.device, "cuda:0");
}

/// While there is such a file, no kernel with its argument gets beyond its first case.
class Hold {
 public:
  Hold() { std::ofstream(path_) << "held"; }
  ~Hold() { release(); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  void release() const { std::filesystem::remove(path_); }
  [[nodiscard]] std::string argument() const { return " --hold=" + path_.string(); }

 private:
  const std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("warpbench-hold-" + std::to_string(::getpid()));
};

/// Waits for so many log lines with these words.
void waitForLines(Recorder& run, const std::string& words, int count) {
  run.waitForEvents([&](const std::vector<Event>& events) {
    return std::ranges::count_if(events, [&](const Event& event) {
             const auto* line = std::get_if<Log>(&event);
             return line != nullptr && line->text.find(words) != std::string::npos;
           }) >= count;
  });
}

TEST(CompileAhead, WhatOnePlaceBuildsIsUsedByTheOther) {
  const Hold hold;
  Recorder run(kernels(4, hold.argument()));
  const auto runner = gpuAndNode();
  run.submit(*runner);
  waitForLines(run, "built ahead on node", 3);
  hold.release();
  const Report& report = run.wait();
  expectAllPassed(report);
  EXPECT_THAT(notes(report), testing::ElementsAre("", "Built on node.", "Built on node.", "Built on node."));
  EXPECT_TRUE(report.kernels[1]->compiled->cached);
  const std::string said = run.log(std::string(placeSource));
  EXPECT_THAT(
      said,
      HasSubstr("cpu of node runs no cases of this run: it compiles ahead for the others what it can."));
  EXPECT_THAT(said, HasSubstr("cpu of node compiles torch C++ ahead for cuda:0 of gpubox (sm_90)."));
  // Its device is none of those on which the run went.
  EXPECT_THAT(said, Not(HasSubstr("devices differ")));
  EXPECT_EQ(run.log(std::string(targetSource)), "gpubox\n");
}

TEST(CompileAhead, AllPlacesWithAGpuGetTheirFiles) {
  const Hold hold;
  Recorder run(kernels(8, hold.argument()));
  std::vector<WorkerPlace> places;
  places.push_back(fakeNode());
  places.push_back(fakeGpu({}, "one"));
  places.push_back(fakeGpu({}, "two"));
  const auto runner = runnerOf(std::move(places));
  run.submit(*runner);
  waitForLines(run, "built ahead on node", 6);
  hold.release();
  const Report& report = run.wait();
  expectAllPassed(report);
  EXPECT_GE(std::ranges::count(notes(report), "Built on node."), 6);
}

TEST(CompileAhead, ALostCompilerCostsNoCaseAndNoFault) {
  const Hold hold;
  Recorder run(kernels(6, "--ahead=crash" + hold.argument()));
  const auto runner = gpuAndNode();
  run.submit(*runner);
  run.waitForLog(std::string(placeSource), "It compiles nothing more in this run.");
  hold.release();
  const Report& report = run.wait();
  expectAllPassed(report);
  EXPECT_TRUE(report.losses.empty());
  EXPECT_THAT(notes(report), Each(""));
  EXPECT_THAT(
      run.log(std::string(placeSource)),
      HasSubstr(
          "The worker on cpu of node was lost while it compiled relu.cpp ahead, which is compiled where "
          "it runs: "));
}

TEST(CompileAhead, NobodyWaitsForASlowCompiler) {
  Recorder run(kernels(3, "--ahead-delay=3600"));
  const auto runner = gpuAndNode();
  run.submit(*runner);
  const Report& report = run.wait();
  expectAllPassed(report);
  EXPECT_THAT(notes(report), Each(""));
  // It was told to stop, and serves the next run.
  const Hold hold;
  Recorder next(kernels(2, hold.argument()));
  next.submit(*runner);
  next.waitForLog(compilerSource, "built ahead on node");
  hold.release();
  expectAllPassed(next.wait());
}

TEST(CompileAhead, ACompilerThatDoesNotStopIsEndedWithTheRun) {
  const Hold hold;
  Recorder run(kernels(2, "--ahead=hang" + hold.argument()));
  const auto runner = gpuAndNode();
  run.submit(*runner);
  run.waitForLog(std::string(placeSource), "compiles torch C++ ahead");
  hold.release();
  const Report& report = run.wait();
  expectAllPassed(report);
  EXPECT_TRUE(report.losses.empty());
}

TEST(CompileAhead, WhatIsTooLargeIsSaidAndCompiledAgain) {
  const Hold hold;
  Recorder run(kernels(2, "--ahead=large" + hold.argument()));
  const auto runner = gpuAndNode();
  run.submit(*runner);
  run.waitForLog(compilerSource, "has built is");
  hold.release();
  const Report& report = run.wait();
  expectAllPassed(report);
  EXPECT_THAT(notes(report), Each(""));
  EXPECT_THAT(run.log(compilerSource), HasSubstr("relu.cpp: what node has built is"));
}

TEST(CompileAhead, WhereItIsNotAllowedItIsSaidAndAllIsAsItWas) {
  const Hold hold;
  Recorder run(kernels(3, hold.argument()));
  const auto runner = gpuAndNode({"--builds-with=another compiler"});
  run.submit(*runner);
  run.waitForLog(std::string(placeSource), "does not compile");
  hold.release();
  const Report& report = run.wait();
  expectAllPassed(report);
  EXPECT_THAT(notes(report), Each(""));
  EXPECT_THAT(
      run.log(std::string(placeSource)),
      HasSubstr(
          "cpu of node does not compile torch C++ ahead for cuda:0 of gpubox (sm_90): its C++ compiler is "
          "another compiler, and fake compiler 1.0 there."));
}

TEST(CompileAhead, OnTheMachineThatMeasuresNothingIsCompiledBeside) {
  const Hold hold;
  Recorder run(kernels(3, hold.argument()));
  const auto runner = gpuAndNode({"--host=one"}, {"--host=one"});
  run.submit(*runner);
  run.waitForLog(std::string(placeSource), "would disturb what is timed there");
  hold.release();
  EXPECT_THAT(notes(run.wait()), Each(""));
}

TEST(CompileAhead, ARunWithoutSuchKernelsLeavesThePlaceAlone) {
  Job job = fakeJob({"--mismatch=none"});
  job.kernels[0] = {"relu.py", "# fake: --cases=8 --mismatch=none\n", "python", "relu"};
  std::vector<WorkerPlace> places;
  places.push_back(fakeGpu());
  auto starts = std::make_shared<std::atomic<int>>(0);
  places.push_back(
      {std::make_unique<CountingLauncher>(fakeLauncher({}), starts), "cpu", "host of node", "node"});
  Report report = startReport(job);
  std::string said;
  int startsInRun = -1;
  const auto runner = runnerOf(std::move(places));
  runner->submit(job, [&](Runner::RunId, const Event& event) {
    fold(report, event);
    if (const auto* line = std::get_if<Log>(&event)) said += line->text + "\n";
    if (std::holds_alternative<Finished>(event)) startsInRun = *starts;
  });
  runner->wait();
  expectAllPassed(report);
  EXPECT_EQ(startsInRun, 0);
  EXPECT_THAT(said, HasSubstr("cpu of node does nothing in this run"));
}

TEST(CompileAhead, WhereThereIsNoGpuAllRunCases) {
  Recorder run(kernels(4));
  std::vector<WorkerPlace> places;
  places.push_back(fakeNode());
  places.push_back({fakeLauncher({}), "cpu", "host of other", "other"});
  const auto runner = runnerOf(std::move(places));
  run.submit(*runner);
  const Report& report = run.wait();
  EXPECT_EQ(counts(report).passed, counts(report).total);
  EXPECT_THAT(notes(report), Each(""));
  EXPECT_EQ(run.log(std::string(placeSource)), "");
}

TEST(CompileAhead, ThePlaceCanBeChosen) {
  const Hold hold;
  Recorder run(kernels(2, hold.argument()));
  std::vector<WorkerPlace> places;
  places.push_back({fakeLauncher({"--host=one"}), "cpu", "host of one", "one"});
  places.push_back({fakeLauncher({"--host=two"}), "cpu", "host of two", "two"});
  places.back().compilesAhead = true;
  const auto runner = runnerOf(std::move(places));
  run.submit(*runner);
  run.waitForLog(compilerSource, "built ahead on two");
  hold.release();
  EXPECT_THAT(notes(run.wait()), testing::ElementsAre("", "Built on two."));
}

TEST(CompileAhead, OnlyWhoWasAskedToBuildIsHeard) {
  Recorder run(kernels(4, "--ahead=offer"));
  const auto runner = gpuAndNode();
  run.submit(*runner);
  const Report& report = run.wait();
  expectAllPassed(report);
  EXPECT_THAT(notes(report), Each(""));
}

TEST(CompileAhead, ACancelEndsBoth) {
  const Hold hold;
  Recorder run(kernels(3, "--ahead-delay=3600" + hold.argument()));
  const auto runner = gpuAndNode();
  const auto id = run.submit(*runner);
  run.waitForLog(std::string(placeSource), "compiles torch C++ ahead");
  runner->cancel(id);
  EXPECT_EQ(run.wait().outcome, Outcome::cancelled);
}

TEST(CompileAhead, WithoutAnyPlaceThatRunsTheRunEnds) {
  Recorder run(kernels(2));
  std::vector<WorkerPlace> places;
  places.push_back(fakeNode());
  places.push_back(fakeGpu({"--mode=hello-failure"}));
  const auto runner = runnerOf(std::move(places));
  run.submit(*runner);
  const Report& report = run.wait();
  EXPECT_EQ(report.outcome, Outcome::workerLost);
  ASSERT_TRUE(report.failure);
  EXPECT_THAT(report.failure->text, HasSubstr("torch 2.11 was not found"));
}

}  // namespace
}  // namespace wb
