// SPDX-License-Identifier: Apache-2.0
// The tools of the evaluation server, as its clients call them.
#include <fmt/format.h>
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

TEST_F(McpEvaluationTest, AMissingArgumentIsAnError) {
  for (const json& arguments :
       {json::object(), json{{"kernel_type", "torch"}}, json{{"request", json::object()}}})
    EXPECT_EQ(client.call("evaluate_kernel", arguments).value("isError", false), true) << arguments;
  EXPECT_EQ(client.call("get_job_status", json::object()).value("isError", false), true);
  const json outOfBounds{{"kernel_source", "x"}, {"kernel_type", "torch"}, {"num_trials", 0}};
  EXPECT_EQ(client.call("evaluate_kernel", outOfBounds).value("isError", false), false);
}

TEST_F(McpEvaluationTest, RefusesWhatTheToolsOfTheOriginalRefuse) {
  const auto errorOf = [&](const std::string& tool, const json& arguments) {
    const json body = result(tool, arguments);
    EXPECT_EQ(body.at("status"), "failed");
    return body.value("error", "");
  };
  EXPECT_EQ(errorOf("evaluate_kernel", {{"kernel_source", "x"}, {"kernel_type", "cuda"}}),
            "cuda kernels require io_contract to be specified");
  json compared{{"ref_kernel_source", "x"},
                {"ref_kernel_type", "torch"},
                {"custom_kernel_source", "y"},
                {"custom_kernel_type", "cuda"}};
  EXPECT_EQ(errorOf("compare_kernels", compared),
            "custom kernel (cuda) requires io_contract to be specified");
  compared["custom_kernel_type"] = "torch";
  compared["atol"] = 5;
  EXPECT_EQ(errorOf("compare_kernels", compared), "Validation error: atol must be between 0 and 1.0");
  compared["atol"] = 0;
  compared["rtol"] = -1;
  EXPECT_EQ(errorOf("compare_kernels", compared), "Validation error: rtol must be between 0 and 1.0");
}

TEST_F(McpEvaluationTest, LooksAtAContract) {
  const auto argument = [](json spec, const char* role) {
    return json{{"name", "a"}, {"type", "tensor"}, {"role", role}, {"tensor_spec", std::move(spec)}};
  };
  const auto called = [&](const json& argument, const json& launch) {
    return result("evaluate_kernel", {{"kernel_source", "x"},
                                      {"kernel_type", "cuda"},
                                      {"io_contract", {{"args", {argument}}, {"launch", launch}}}});
  };
  const auto wrong = [&](const json& argument, const json& launch, const std::string& expected) {
    const json body = called(argument, launch);
    EXPECT_EQ(body.at("status"), "failed") << body;
    EXPECT_THAT(body.value("error", ""), ::testing::StartsWith("IOContract validation error: "));
    EXPECT_THAT(body.value("error", ""), HasSubstr(expected));
  };
  const json random{{"shape", {4}}, {"init", {{"kind", "randn"}}}}, empty{{"shape", {4}}};
  const json launch{{"grid", {{"x", 1}}}, {"block", {{"x", 32}}}};
  EXPECT_EQ(called(argument(random, "input"), launch).at("status"), "success");
  EXPECT_EQ(called(argument(empty, "output"), launch).at("status"), "success");
  wrong(argument(empty, "input"), launch, "argument 'a': an input needs an init or data");
  wrong(argument(random, "in"), launch, "the role 'in' is none of input, output, inout");
  wrong(argument({{"shape", {0}}, {"init", {{"kind", "randn"}}}}, "input"), launch, "1 and more");
  wrong(argument({{"shape", {4}}, {"dtype", "half"}}, "output"), launch, "there is no dtype 'half'");
  wrong(argument({{"shape", {4}}, {"init", {{"kind", "full"}}}}, "input"), launch, "needs fill_value");
  wrong({{"name", "n"}, {"type", "int"}, {"value", 2.5}}, launch,
        "argument 'n': an int needs a whole number");
  wrong(argument(random, "input"), nullptr, "a cuda kernel needs a launch");
  wrong(argument(random, "input"), {{"grid", {{"x", 1}}}, {"block", {{"x", 32}, {"y", 33}}}},
        "1024 threads at most; this one has 1056");
}

/// The original's stricter look asks a sequence for a launch of its own, which nothing there uses.
TEST_F(McpEvaluationTest, ASequenceNeedsNoLaunch) {
  const json contract{{"args",
                       {{{"name", "x"},
                         {"type", "tensor"},
                         {"role", "input"},
                         {"tensor_spec", {{"shape", {4}}, {"init", {{"kind", "randn"}}}}}}}}};
  const json kernel{{"source_code", "def run(x):\n    return x\n"},
                    {"kernel_type", "multi_kernel"},
                    {"metadata", {{"entry_point", "run"}}},
                    {"io", contract}};
  EXPECT_EQ(result("evaluate_kernel", {{"request", {{"kernel", kernel}}}}).at("status"), "success");
  EXPECT_EQ(result("evaluate_kernel", {{"kernel_source", kernel.at("source_code")},
                                       {"kernel_type", "multi_kernel"},
                                       {"metadata", kernel.at("metadata")},
                                       {"io_contract", contract}})
                .at("status"),
            "success");
  EXPECT_EQ(result("compare_kernels", {{"request", {{"ref_kernel", kernel}, {"custom_kernel", kernel}}}})
                .at("status"),
            "success");
}

TEST_F(McpEvaluationTest, ATimeOutNamesItsJob) {
  // Nobody answers, and the fake service's clock is not waited for: the run expires.
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.end(id, RunState::expired); });
  const json body =
      result("evaluate_kernel", {{"kernel_source", "x"}, {"kernel_type", "torch"}, {"timeout", 5}});
  EXPECT_EQ(body.at("error"),
            fmt::format("Job {} timed out after 5 seconds", body.at("job_id").get<std::string>()));
}

TEST_F(McpEvaluationTest, DeviceMetricsAreReadWhereTheyAreWanted) {
  const auto stagesWith = [&](const json& wanted) {
    const json body =
        result("evaluate_kernel",
               {{"kernel_source", "x"}, {"kernel_type", "torch"}, {"enable_device_metrics", wanted}});
    return service.submission(body.at("job_id")).job.stages;
  };
  EXPECT_TRUE(stagesWith(true).has(Stage::profile));
  EXPECT_FALSE(stagesWith(false).has(Stage::profile));
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
