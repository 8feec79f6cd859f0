// SPDX-License-Identifier: Apache-2.0
// The tools of the evaluation server, as its clients call them.
#include <gmock/gmock.h>

#include "core/service/evaluation/evaluation_server.h"
#include "tests/core/service/mcp/answers.h"

namespace wb {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::vector<Event> run(Verdict verdict) {
  Target target;
  target.device = "cuda:0";
  target.deviceName = "NVIDIA H200";
  Compiled compiled;
  compiled.cases.resize(1);
  CaseCheck check;
  check.verdict = verdict;
  check.message = "it says why";
  std::vector<Event> events{JobStarted{target, "2026-01-01T00:00:00Z"},
                            StepStarted{Stage::compile, 0, std::nullopt},
                            StepDone{Stage::compile, 0, std::nullopt, compiled},
                            StepStarted{Stage::check, 0, 0}, StepDone{Stage::check, 0, 0, check}};
  if (verdict != Verdict::pass) return events;
  CaseTiming timing;
  timing.blocks = {Block{{2e-3, 2e-3}, {1e-3, 1e-3}}};
  events.emplace_back(StepStarted{Stage::time, 0, 0});
  events.emplace_back(StepDone{Stage::time, 0, 0, timing});
  return events;
}

class McpEvaluationTest : public ::testing::Test {
 protected:
  McpEvaluationTest() {
    host.evaluation = &server;
    client.initialize();
    becomes(Verdict::pass);
  }
  void becomes(Verdict verdict) {
    service.onSubmit([verdict](FakeService& fake, const std::string& id) { fake.answer(id, run(verdict)); });
  }
  json result(const std::string& tool, json arguments) {
    const json called = client.call(tool, std::move(arguments));
    const json& structured = called.at("structuredContent").at("result");
    EXPECT_EQ(json::parse(called.at("content").at(0).at("text").get<std::string>()), structured)
        << "the text is the same as indented JSON";
    return structured;
  }

  FakeService service{{"cuda:0"}};
  EvaluationServer server{service, EvaluationHost{"pod", "10.0.0.1"}};
  McpHost host = fakeHost(service);
  McpClient client{host};
};

TEST_F(McpEvaluationTest, EvaluatesAKernelInEitherStyle) {
  const json kernel{{"source_code", "x"}, {"kernel_type", "torch"}};
  for (const json& arguments : {json{{"request", {{"kernel", kernel}, {"timeout", 7}}}},
                                json{{"kernel_source", "x"}, {"kernel_type", "torch"}, {"timeout", 7}}}) {
    const json body = result("evaluate_kernel", arguments);
    EXPECT_EQ(body.at("status"), "success") << body.dump(1);
    EXPECT_EQ(body.at("kernel_exec_result").at("runtime"), 1.0);
    EXPECT_FALSE(body.contains("ref_runtime"));
    EXPECT_FALSE(body.contains("gpu_type")) << "it stands in answers over HTTP alone";
    EXPECT_EQ(service.submission(body.at("job_id")).deadlineSeconds, 7);
  }
}

TEST_F(McpEvaluationTest, AReferenceMakesItAComparison) {
  const json flat{{"kernel_source", "x"},
                  {"kernel_type", "torch"},
                  {"reference_kernel_source", "y"},
                  {"reference_kernel_type", "torch"}};
  const json body = result("evaluate_kernel", flat);
  EXPECT_EQ(body.at("ref_runtime").at("mean"), 2.0) << body.dump(1);
  EXPECT_EQ(service.submission(body.at("job_id")).job.tolerance.atol, 1e-8);
}

TEST_F(McpEvaluationTest, ComparesTwoKernels) {
  const json body = result("compare_kernels", {{"ref_kernel_source", "x"},
                                               {"ref_kernel_type", "torch"},
                                               {"custom_kernel_source", "y"},
                                               {"custom_kernel_type", "torch"},
                                               {"rtol", 0.5}});
  EXPECT_EQ(body.at("kernel_exec_result").at("correctness"), true) << body.dump(1);
  EXPECT_EQ(body.at("ref_runtime").at("mean"), 2.0);
  EXPECT_EQ(service.submission(body.at("job_id")).job.tolerance.rtol, 0.5);
}

TEST_F(McpEvaluationTest, ValidatesAKernel) {
  const json arguments{{"kernel_source", "x"}, {"kernel_type", "torch"}};
  EXPECT_EQ(result("validate_kernel", arguments).at("validated"), true);
  becomes(Verdict::threw);
  const json failed = result("validate_kernel", arguments);
  EXPECT_EQ(failed.at("compiled"), true);
  EXPECT_EQ(failed.at("validated"), false);
  EXPECT_THAT(failed.at("validation_error"), HasSubstr("it says why"));
}

TEST_F(McpEvaluationTest, SaysWhatIsWrongWithARequest) {
  const json body = result("evaluate_kernel", {{"kernel_type", "torch"}});
  EXPECT_EQ(body.at("status"), "failed");
  EXPECT_THAT(body.at("error"), HasSubstr("Validation error: "));
  EXPECT_THAT(body.at("error"), HasSubstr("source_code"));
  service.refuseAll(Refusal{Error{Stage::job, "the queue is full"}, 2});
  EXPECT_EQ(result("evaluate_kernel", {{"kernel_source", "x"}, {"kernel_type", "torch"}}).at("error"),
            "the queue is full");
}

TEST_F(McpEvaluationTest, TellsOfTheServerAndOfJobs) {
  const json evaluated = result("evaluate_kernel", {{"kernel_source", "x"}, {"kernel_type", "torch"}});
  const json stats = result("get_server_stats", json::object());
  EXPECT_EQ(stats.at("gpu_count"), 1);
  EXPECT_EQ(stats.at("job_stats").at("total_jobs"), 1);
  EXPECT_EQ(result("get_job_status", {{"job_id", evaluated.at("job_id")}}).at("status"), "completed");
  EXPECT_EQ(result("get_job_status", {{"job_id", "none"}}).at("status"), "not_found");
}

}  // namespace
}  // namespace wb
