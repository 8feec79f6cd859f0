// SPDX-License-Identifier: Apache-2.0
#include "core/engine/pipeline/pipeline.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "core/model/exit/exit_status.h"
#include "core/model/json/json_fields.h"
#include "core/model/report.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Case caseOf(const std::string& op, const std::string& args) {
  Case made;
  made.op = op;
  made.args = args;
  made.dtype = "f32";
  return made;
}

KernelSource kernel(const std::string& path, const std::string& language, const std::string& op) {
  KernelSource source;
  source.path = path;
  source.language = language;
  source.op = op;
  return source;
}

Job atenRelu() {
  Job job;
  job.kernels.push_back(kernel("aten", "aten", "relu"));
  job.suite = "test";
  job.cases = {caseOf("aten::relu", "((T([8], f32),), {})"), caseOf("aten::sum", "((T([8], f32),), {})"),
               caseOf("aten::relu", "((T([3, 3], f32),), {})")};
  job.timing.capSeconds = 0.02;
  return job;
}

/// Names of the events, and the report that they make.
struct Outcomes {
  std::vector<std::string> names;
  std::vector<Event> events;
  Report report;
};

/// "compile started", "compiled", "time started", "timed"; other events by their names.
std::string nameOf(const Event& event) {
  if (const auto* started = std::get_if<StepStarted>(&event))
    return std::string(name(started->stage)) + " started";
  return std::visit(
      [](const auto& each) {
        using E = std::remove_cvref_t<decltype(each)>;
        if constexpr (std::is_same_v<E, StepDone>)
          return std::visit(
              [](const auto& r) { return std::string(resultName<std::remove_cvref_t<decltype(r)>>); },
              each.result);
        else
          return std::string(structName<E>);
      },
      event);
}

Outcomes run(const Job& job, const std::function<void(const Event&, std::stop_source&)>& on = {}) {
  Pipeline pipeline({"test", "cpu", "2.11.0"});
  Outcomes outcomes{{}, {}, startReport(job)};
  std::stop_source stop;
  pipeline.run(
      job,
      [&](const Event& event) {
        // Whose turn it is has a test of its own.
        if (!std::holds_alternative<SideStarted>(event)) outcomes.names.push_back(nameOf(event));
        outcomes.events.push_back(event);
        fold(outcomes.report, event);
        if (on) on(event, stop);
      },
      stop.get_token());
  return outcomes;
}

TEST(Pipeline, SaysWhichSideRunsBeforeItDoes) {
  Job job = atenRelu();
  job.stages.remove(Stage::time);
  std::vector<std::string> turns;
  for (const Event& event : run(job).events)
    if (const auto* turn = std::get_if<SideStarted>(&event); turn && turn->index == 0)
      turns.push_back((turn->side ? std::string(name(*turn->side)) : "-") + (turn->first ? ", first" : ""));
  ASSERT_GE(turns.size(), 4U);
  turns.resize(4);
  EXPECT_THAT(turns, ElementsAre("reference", "candidate, first", "reference", "-"));
}

TEST(Pipeline, SaysEverythingInOrder) {
  const Outcomes outcomes = run(atenRelu());
  EXPECT_THAT(outcomes.names, ElementsAre("JobStarted", "compile started", "compiled", "check started",
                                          "checked", "check started", "checked", "time started", "timed",
                                          "time started", "timed", "Finished"));
  EXPECT_EQ(counts(outcomes.report).passed, 2);
  EXPECT_EQ(counts(outcomes.report).timed, 2);
  EXPECT_EQ(outcomes.report.outcome, Outcome::finished);
  EXPECT_EQ(exitStatus(outcomes.report), 0);
  EXPECT_EQ(outcomes.report.target.torch, "2.11.0");
  EXPECT_FALSE(outcomes.report.target.deviceName.empty());
}

TEST(Pipeline, RunsOnlyTheStagesThatAreWanted) {
  Job job = atenRelu();
  job.stages = {Stage::check};
  EXPECT_THAT(run(job).names, ElementsAre("JobStarted", "compile started", "compiled", "check started",
                                          "checked", "check started", "checked", "Finished"));
  job.stages = {Stage::time};
  EXPECT_THAT(run(job).names, ElementsAre("JobStarted", "compile started", "compiled", "time started",
                                          "timed", "time started", "timed", "Finished"));
  job.stages = {};
  EXPECT_THAT(run(job).names, ElementsAre("JobStarted", "compile started", "compiled", "Finished"));
}

TEST(Pipeline, RunsTheCasesThatItsWorkBringsUnderTheirNumbers) {
  Job job = atenRelu();
  const Report whole = run(job).report;
  const std::vector<std::uint32_t> second{1};
  KernelWork work{0, true, {{Stage::check, second}, {Stage::time, second}}};
  work.planned = PlannedCases{"aten::relu", 2, {"f32"}, second, {job.cases[2]}};
  job.work = JobWork{true, {work}};
  job.cases.clear();
  const Outcomes part = run(job);
  EXPECT_THAT(part.names, ElementsAre("compile started", "check started", "checked", "time started", "timed",
                                      "Finished"));
  for (const Event& event : part.events)
    if (const auto* check = resultIn<CaseCheck>(event)) {
      EXPECT_EQ(std::get<StepDone>(event).index, 1U);
      EXPECT_EQ(check->verdict, Verdict::pass);
      EXPECT_EQ(check->errors, whole.kernels[0]->cases[1].check.errors);
    }
}

TEST(Pipeline, GoesOnWhereAnotherWorkerWasLost) {
  Job job = atenRelu();
  const std::vector<std::uint32_t> second{1}, both{0, 1};
  job.work = JobWork{true, {{0, true, {{Stage::check, second}, {Stage::time, both}}, {}, {0}, {}}}};
  EXPECT_THAT(run(job).names, ElementsAre("compile started", "check started", "checked", "time started",
                                          "timed", "time started", "timed", "Finished"));
  job.work = JobWork{true, {{0, true, {{Stage::time, second}}, {}, {0, 1}, {}}}};
  EXPECT_THAT(run(job).names, ElementsAre("compile started", "time started", "timed", "Finished"));
  job.kernels.push_back(job.kernels[0]);
  job.work = JobWork{true, {wholeOf(job, 1)}};
  const Outcomes last = run(job);
  EXPECT_EQ(last.names.front(), "compile started");
  EXPECT_EQ(std::get<StepStarted>(last.events.front()).kernel, 1U);
}

TEST(Pipeline, StopsBetweenCases) {
  const Outcomes outcomes = run(atenRelu(), [](const Event& event, std::stop_source& stop) {
    if (resultIn<CaseCheck>(event)) stop.request_stop();
  });
  EXPECT_THAT(outcomes.names, ElementsAre("JobStarted", "compile started", "compiled", "check started",
                                          "checked", "Finished"));
  EXPECT_EQ(outcomes.report.outcome, Outcome::cancelled);
  EXPECT_EQ(exitStatus(outcomes.report), 130);
}

std::string failureOf(Job job, KernelSource source) {
  job.kernels = {std::move(source)};
  const Outcomes outcomes = run(job);
  EXPECT_EQ(outcomes.names.back(), "Finished");
  EXPECT_EQ(exitStatus(outcomes.report), 2);
  const auto& failure = outcomes.report.kernels[0]->failure;
  return failure ? describe(*failure) : "no failure";
}

TEST(Pipeline, AKernelThatCannotBePlannedFailsAndSaysWhy) {
  EXPECT_THAT(failureOf(atenRelu(), kernel("aten", "aten", "rellu")), HasSubstr("relu"));
  EXPECT_THAT(failureOf(atenRelu(), kernel("aten", "aten", "abs")), HasSubstr("relu.default, sum.default"));
  EXPECT_THAT(failureOf(atenRelu(), kernel("x.txt", "", "relu")), HasSubstr("no kernel language"));
  EXPECT_THAT(failureOf(atenRelu(), kernel("x", "fortran", "relu")), HasSubstr("'fortran'"));
}

TEST(Pipeline, OneFailingKernelDoesNotStopTheNext) {
  Job job = atenRelu();
  job.kernels.insert(job.kernels.begin(), kernel("aten", "aten", "rellu"));
  const Outcomes outcomes = run(job);
  EXPECT_TRUE(outcomes.report.kernels[0]->failure);
  EXPECT_EQ(outcomes.report.kernels[1]->counts.passed, 2);
}

TEST(Pipeline, RawCudaCompilesWithoutAGpuAndSaysThatOnlyExecutionIsMissing) {
  Job job = atenRelu();
  job.kernels = {kernel("relu.cu", "", "")};
  job.kernels[0].text =
      "/* warpbench\noperator = \"aten::relu\"\nargs = [\"self\", \"out\", \"numel(self)\"]\n*/\n"
      "extern \"C\" __global__ void relu(const scalar_t* x, scalar_t* y, long n) {\n"
      "  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;\n"
      "  if (i < n) y[i] = x[i] > scalar_t(0) ? x[i] : scalar_t(0);\n}\n";
  const Outcomes outcomes = run(job);
  ASSERT_TRUE(outcomes.report.kernels[0]->compiled)
      << (outcomes.report.kernels[0]->failure ? describe(*outcomes.report.kernels[0]->failure) : "");
  EXPECT_THAT(outcomes.report.kernels[0]->compiled->note, HasSubstr("Not run"));
  EXPECT_EQ(counts(outcomes.report).checked, 0);
}

}  // namespace
}  // namespace wb
