// SPDX-License-Identifier: Apache-2.0
// What tools say of runs that are made up: texts that a model reads, and the numbers beside them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/service/mcp/tools/bounded.h"
#include "core/service/mcp/tools/explain.h"
#include "core/service/mcp/tools/run_summary.h"
#include "tests/core/figures/golden.h"
#include "tests/core/figures/profile_sample.h"
#include "tests/core/figures/sample_report.h"
#include "tests/core/service/mcp/answers.h"

namespace wb {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

RunStatus ended(const std::string& device = "cuda:0") {
  RunStatus status;
  status.id = fakeRunId(1);
  status.state = RunState::finished;
  status.title = "kernel.cu";
  status.device = device;
  status.startedAt = 1000;
  status.endedAt = 1012;
  return status;
}

std::string shown(const ToolAnswer& answer) {
  return answer.text + "\n" + answer.structured.dump(1) + "\n";
}

std::shared_ptr<const Report> shared(Report report) {
  return std::make_shared<const Report>(std::move(report));
}

TEST(McpTools, SumUpRuns) {
  std::string text;
  for (const auto& [title, report] : {std::pair{"all pass", samples::allPass()},
                                      {"mixed", samples::mixedFailures()},
                                      {"compile failure", samples::compileFailure()},
                                      {"crash", samples::crash()},
                                      {"no worker", samples::noWorker()},
                                      {"hostile", samples::hostile()}})
    text += fmt::format("=== {}\n{}", title, shown(runAnswer(ended(), shared(report))));
  RunStatus running = ended();
  running.state = RunState::running;
  text += "=== under way\n" + shown(runAnswer(running, shared(samples::timingHalfWay())));
  running.state = RunState::queued;
  running.ahead = 3;
  text += "=== queued\n" + shown(runAnswer(running, nullptr));
  running.state = RunState::expired;
  running.reason = "its 600 s were over";
  text += "=== expired\n" + shown(runAnswer(running, shared(samples::cancelledHalfWay())));
  expectGolden("mcp_runs.txt", text);
}

TEST(McpTools, SumUpProfiles) {
  std::string text = "=== profiled\n" + profileAnswer(ended(), shared(folded(samples::profiledRun()))).text;
  text += "=== machine code alone\n" + profileAnswer(ended("cpu"), shared(folded(samples::staticRun()))).text;
  expectGolden("mcp_profiles.txt", text);
}

TEST(McpTools, ExplainFailingCases) {
  const Report report = samples::mixedFailures();
  std::string text;
  for (std::size_t i = 0; i < report.kernels[0]->cases.size(); ++i)
    if (tally(report.kernels[0]->cases[i].check.verdict) == Tally::fail)
      text += explainCase(report, {0, i}) + "\n";
  expectGolden("mcp_explained.txt", text);
  EXPECT_TRUE(caseNamed(report, ""));
  EXPECT_FALSE(caseNamed(samples::allPass(), ""));
  for (const char* wrong : {"0/99", "9/0", "0", "x/y", "0/-1", "/"})
    EXPECT_FALSE(caseNamed(report, wrong)) << wrong;
}

TEST(McpTools, AreBounded) {
  const Report report = samples::many(5000);
  const ToolAnswer answer = runAnswer(ended(), shared(report));
  EXPECT_LT(answer.text.size(), 2 * longestAnswer);
  EXPECT_LT(answer.structured.dump().size(), 10'000U);
  EXPECT_THAT(answer.text, HasSubstr("read_run(run_id="));
}

class McpToolsOverRuns : public ::testing::Test {
 protected:
  McpToolsOverRuns() { client.initialize(); }
  std::string add(const samples::Run& run) {
    Submission submission;
    submission.job = run.job;
    submission.client = "ada";
    const std::string id = std::get<std::string>(service.submit(std::move(submission)));
    service.answer(id, run.events);
    return id;
  }
  std::string textOf(const std::string& tool, const json& arguments) {
    return client.call(tool, arguments).at("content").at(0).at("text");
  }
  FakeService service;
  McpHost host = fakeHost(service);
  McpClient client{host};
};

TEST_F(McpToolsOverRuns, PageThroughFigures) {
  const std::string id = add(samples::manyEvents(100));
  const std::string first = textOf("read_run", {{"run_id", id}, {"figure", "cases"}, {"most_rows", 5}});
  EXPECT_THAT(first, HasSubstr("Rows 1 to 5 of 100 are shown"));
  EXPECT_THAT(first, HasSubstr("first_row=5"));
  const std::string last =
      textOf("read_run", {{"run_id", id}, {"figure", "cases"}, {"first_row", 98}, {"most_rows", 5}});
  EXPECT_THAT(last, HasSubstr("Rows 99 to 100 of 100 are shown."));
  EXPECT_NE(first, last);
  EXPECT_THAT(textOf("read_run", {{"run_id", id}, {"figure", "roofline"}}), HasSubstr("."));
}

TEST_F(McpToolsOverRuns, ShowMachineCodeInPages) {
  const std::string id = add(samples::profiledRun());
  const json all = client.call("show_assembly", {{"run_id", id}}).at("structuredContent");
  EXPECT_GT(all.at("lines"), 3);
  const json part = client.call("show_assembly", {{"run_id", id}, {"first_line", 1}, {"most_lines", 2}});
  EXPECT_EQ(part.at("structuredContent").at("lines_shown"), 2);
  EXPECT_THAT(part.at("content").at(0).at("text").get<std::string>(), HasSubstr("first_line=3"));
  const json filtered =
      client.call("show_assembly", {{"run_id", id}, {"filter", "ldg"}}).at("structuredContent");
  EXPECT_LT(filtered.at("lines"), all.at("lines"));
  EXPECT_THAT(filtered.at("text").get<std::string>(), HasSubstr("LDG"));
  EXPECT_TRUE(client.call("show_assembly", {{"run_id", id}, {"form", 99}}).at("isError"));
  const std::string without = add(samples::manyEvents(3));
  EXPECT_THAT(textOf("show_assembly", {{"run_id", without}}), HasSubstr("profile_kernel"));
}

TEST_F(McpToolsOverRuns, CompareRuns) {
  const std::string a = add(samples::manyEvents(20)), b = add(samples::manyEvents(20));
  const json result = client.call("compare_runs", {{"a", a}, {"b", b}});
  EXPECT_FALSE(result.at("isError"));
  EXPECT_GT(result.at("structuredContent").at("operators").size(), 1U);
}

TEST_F(McpToolsOverRuns, CompareSourcesOnOneDevice) {
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, {JobStarted{}}); });
  json wanted = reluRun();
  wanted["a"] = wanted["b"] = wanted["source"];
  wanted.erase("source");
  const json values = client.call("compare_sources", wanted).at("structuredContent");
  EXPECT_EQ(values.at("a").at("run_id"), fakeRunId(1));
  EXPECT_EQ(values.at("b").at("run_id"), fakeRunId(2));
  EXPECT_EQ(service.submission(fakeRunId(1)).job.kernels.at(0).path, "a.cpp");
}

TEST_F(McpToolsOverRuns, FindOperatorsAndCasesAndBeginKernels) {
  const json found = client.call("list_operators", {{"search", "sum"}}).at("structuredContent");
  EXPECT_EQ(found.at("operators").at(0).at("op"), "sum.dim_IntList");
  EXPECT_THAT(textOf("list_operators", {{"search", "reluu"}}), HasSubstr("relu"));
  const json cases = client.call("list_cases", {{"op", "relu"}, {"most", 2}}).at("structuredContent");
  EXPECT_EQ(cases.at("cases").size(), 2U);
  EXPECT_GT(cases.at("all"), 2);
  const json kernel =
      client.call("new_kernel", {{"op", "relu"}, {"language", "triton"}}).at("structuredContent");
  EXPECT_EQ(kernel.at("op"), "relu.default");
  EXPECT_THAT(kernel.at("source").get<std::string>(), HasSubstr("triton.jit"));
}

TEST_F(McpToolsOverRuns, TheDoctorIsThereForTheMachinesOwnUserAlone) {
  EXPECT_TRUE(client.call("machine", {{"doctor", true}}).at("isError"));
  host.doctor = [](const std::stop_token&) {
    return std::vector<DoctorLine>{{DoctorLine::State::good, "torch", "2.11.0 in /home/ada"}};
  };
  EXPECT_THAT(textOf("machine", {{"doctor", true}}), HasSubstr("/home/ada"));
}

TEST_F(McpToolsOverRuns, AStrictServerIsAlwaysStrict) {
  host.strictAlways = true;
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, {}); });
  json wanted = reluRun();
  wanted["strict"] = false;
  EXPECT_TRUE(client.call("run_kernel", wanted).at("isError"));
  client.call("run_kernel", reluRun());
  EXPECT_TRUE(service.submission(fakeRunId(1)).job.strict);
  host.strictAlways = false;
  host.sandbox = true;
  client.call("run_kernel", wanted);
  EXPECT_FALSE(service.submission(fakeRunId(2)).job.strict);
  EXPECT_TRUE(service.submission(fakeRunId(2)).job.sandbox);
}

TEST(McpBounded, LinesStayWhatTheyAreAndPagesGoOn) {
  const std::vector<std::string> lines = {"one", "two", std::string(1000, 'x'), "four"};
  const LinesPart part = linesPart(lines, 1, 2, 10'000);
  EXPECT_EQ(part.shown, 2U);
  EXPECT_LT(part.text.size(), 600U);
  EXPECT_EQ(linesPart(lines, 0, 10, 1).shown, 1U);
  EXPECT_EQ(linesPart(lines, 9, 10, 100).shown, 0U);
  EXPECT_THAT(fenced("a\n```\nb"), HasSubstr("````text\n"));
}

}  // namespace
}  // namespace wb
