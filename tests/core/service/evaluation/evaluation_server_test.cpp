// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <atomic>
#include <memory>

#include "core/service/evaluation/evaluation_routes.h"
#include "core/service/wall_clock.h"
#include "tests/core/service/fake_service.h"

namespace wb {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* plainRequest =
    R"({"kernel":{"source_code":"x","kernel_type":"torch"},"num_trials":3,"timeout":5})";

/// The events of a kernel that passes and is timed.
std::vector<Event> goodRun() {
  Target target;
  target.device = "cuda:0";
  target.deviceName = "NVIDIA H200";
  Compiled compiled;
  compiled.seconds = 0.5;
  compiled.cached = true;
  compiled.cases.resize(1);
  CaseCheck check;
  check.verdict = Verdict::pass;
  CaseTiming timing;
  timing.blocks = {Block{{2e-3, 2e-3}, {1e-3, 1e-3}}};
  return {JobStarted{target, "2026-01-01T00:00:00Z"},
          StepStarted{Stage::compile, 0, std::nullopt},
          StepDone{Stage::compile, 0, std::nullopt, compiled},
          StepStarted{Stage::check, 0, 0},
          StepDone{Stage::check, 0, 0, check},
          StepStarted{Stage::time, 0, 0},
          StepDone{Stage::time, 0, 0, timing}};
}

class EvaluationRoutes : public testing::Test {
 protected:
  HttpResponse ask(const std::string& method, const std::string& path, const std::string& body = {},
                   const std::string& type = "application/json") {
    HttpRequest request;
    request.method = method;
    request.path = path;
    request.body = body;
    request.headers.emplace("Content-Type", type);
    if (!key.empty()) request.headers.emplace("Idempotency-Key", key);
    request.client = client;
    request.isWanted = [this] { return isWanted.load(); };
    std::string pattern = path;
    if (path.starts_with("/job/")) {
      request.parameters["id"] = path.substr(std::string("/job/").size());
      pattern = "/job/{id}";
    }
    for (const HttpRoute& route : routes.routes)
      if (route.method == method && route.path == pattern) return route.answer(request);
    ADD_FAILURE() << "no route " << method << " " << path;
    return {};
  }
  static Json bodyOf(const HttpResponse& response) { return Json::parse(response.body); }
  static std::string headerOf(const HttpResponse& response, const std::string& name) {
    const auto found = response.headers.find(name);
    return found == response.headers.end() ? std::string() : found->second;
  }

  FakeService service{{"cuda:0", "cuda:1"}};
  std::shared_ptr<EvaluationServer> server =
      std::make_shared<EvaluationServer>(service, EvaluationHost{"pod", "10.0.0.1"});
  HttpRoutes routes = evaluationRoutes(server);
  std::atomic<bool> isWanted{true};
  /// The header Idempotency-Key of what is asked.
  std::string key;
  HttpClient client{.name = "somebody", .address = "127.0.0.1"};
};

TEST_F(EvaluationRoutes, TellOfAJobItsOwnerAlone) {
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, goodRun()); });
  const std::string id = bodyOf(ask("POST", "/evaluate", plainRequest))["job_id"];
  EXPECT_EQ(ask("GET", "/job/" + id).status, 200);
  client.name = "another";
  EXPECT_EQ(ask("GET", "/job/" + id).status, 404);
  client.isAdmin = true;
  EXPECT_EQ(ask("GET", "/job/" + id).status, 200);
}

TEST_F(EvaluationRoutes, AnswerWithWhatBecameOfTheKernel) {
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, goodRun()); });
  const HttpResponse response = ask("POST", "/evaluate", plainRequest);
  EXPECT_EQ(response.status, 200) << response.body;
  EXPECT_EQ(headerOf(response, "Cache-Control"), "no-cache, no-store, must-revalidate");
  EXPECT_EQ(headerOf(response, "Pragma"), "no-cache");
  EXPECT_EQ(headerOf(response, "Expires"), "0");
  EXPECT_EQ(headerOf(response, "X-GPU-Type"), "h200");
  const Json body = bodyOf(response);
  EXPECT_EQ(body["job_id"], fakeRunId(1));
  EXPECT_EQ(body["kernel_exec_result"]["runtime"], 1.0);
  EXPECT_EQ(body["status"], "success");
  const Submission submission = service.submission(fakeRunId(1));
  EXPECT_EQ(submission.client, "somebody");
  EXPECT_EQ(submission.deadlineSeconds, 5);
  EXPECT_EQ(submission.job.kernels.size(), 1U);
  EXPECT_TRUE(submission.job.stages.has(Stage::profile));
}

TEST_F(EvaluationRoutes, CompareOnTwoPaths) {
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, goodRun()); });
  const char* const older = R"({"ref_code":"a","custom_code":"b"})";
  for (const char* path : {"/compare", "/"}) {
    const Json body = bodyOf(ask("POST", path, older));
    EXPECT_EQ(body["ref_runtime"]["mean"], 2.0) << path;
  }
  EXPECT_EQ(service.submission(fakeRunId(2)).deadlineSeconds, 30);
  EXPECT_EQ(ask("POST", "/evaluate", older).status, 400);
}

TEST_F(EvaluationRoutes, RefuseWithTheirOwnBodies) {
  const HttpResponse invalid = ask("POST", "/evaluate", "{}");
  EXPECT_EQ(invalid.status, 400);
  EXPECT_EQ(headerOf(invalid, "Pragma"), "no-cache");
  EXPECT_EQ(headerOf(invalid, "X-GPU-Type"), "");
  const HttpResponse noJson = ask("POST", "/evaluate", "{");
  EXPECT_EQ(noJson.status, 422);
  EXPECT_EQ(headerOf(noJson, "Pragma"), "");
}

TEST_F(EvaluationRoutes, SayThatTheTimeoutHasPassed) {
  service.onSubmit([](FakeService& fake, const std::string& id) {
    fake.start(id);
    fake.end(id, RunState::expired, "its deadline has passed");
  });
  const HttpResponse response = ask("POST", "/evaluate", plainRequest);
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(
      response.body,
      R"({"kernel_exec_result":{},"ref_runtime":{},"pod_name":"pod","pod_ip":"10.0.0.1","status":"error",)"
      R"("error":"Job timed out after 5 seconds","compilation_method":"cupy","job_id":")" +
          fakeRunId(1) + "\"}");
  EXPECT_EQ(headerOf(response, "Expires"), "0");
}

TEST_F(EvaluationRoutes, EndARunThatNobodyWaitsFor) {
  isWanted = false;
  EXPECT_EQ(ask("POST", "/evaluate", plainRequest).status, 500);
  EXPECT_EQ(service.waitForEnd(fakeRunId(1)).state, RunState::cancelled);
}

TEST_F(EvaluationRoutes, AnswerTheSameKeyWithTheSameRun) {
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, goodRun()); });
  service.setClock(secondsNow() - 10);
  key = "one";
  const HttpResponse first = ask("POST", "/evaluate", plainRequest);
  const HttpResponse again =
      ask("POST", "/evaluate",
          R"({"timeout":5, "num_trials":3, "kernel":{"kernel_type":"torch", "source_code":"x"}})");
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.body, first.body) << "neither the order of names nor blanks count";
  EXPECT_EQ(service.runs(10).size(), 1U);
  key = "two";
  EXPECT_EQ(bodyOf(ask("POST", "/evaluate", plainRequest))["job_id"], fakeRunId(2));
  client.name = "another";
  key = "one";
  EXPECT_EQ(bodyOf(ask("POST", "/evaluate", plainRequest))["job_id"], fakeRunId(3))
      << "a key is one client's own";
}

TEST_F(EvaluationRoutes, CountAnAnswerWithTheSameKeyOnce) {
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, goodRun()); });
  key = "one";
  service.setClock(secondsNow() + 10);
  (void)ask("POST", "/evaluate", plainRequest);
  EXPECT_EQ(bodyOf(ask("GET", "/stats"))["throughput"]["total_requests"], 1);
  service.setClock(secondsNow() - 10);
  key = "two";
  (void)ask("POST", "/evaluate", plainRequest);
  EXPECT_EQ(bodyOf(ask("GET", "/stats"))["throughput"]["total_requests"], 1)
      << "its run was handed in before this request came";
}

TEST_F(EvaluationRoutes, RefuseAKeyThatStandsForAnotherRequest) {
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, goodRun()); });
  key = "one";
  const char* const both =
      R"({"kernel":{"source_code":"x","kernel_type":"torch"},"ref_code":"a","custom_code":"b"})";
  EXPECT_EQ(ask("POST", "/compare", both).status, 200);
  EXPECT_EQ(ask("POST", "/", both).status, 200) << "another name of the same route";
  for (const auto& [path, body] :
       {std::pair{"/compare", R"({"ref_code":"a","custom_code":"c"})"}, std::pair{"/evaluate", both}}) {
    const HttpResponse other = ask("POST", path, body);
    EXPECT_EQ(other.status, 422);
    EXPECT_EQ(other.body,
              R"({"error":"the key is taken","details":{"Idempotency-Key":"one"},"status":"client_error"})");
    EXPECT_EQ(headerOf(other, "Pragma"), "no-cache");
  }
  EXPECT_EQ(service.runs(10).size(), 1U);
  key = std::string(257, 'k');
  const HttpResponse tooLong = ask("POST", "/evaluate", plainRequest);
  EXPECT_EQ(tooLong.status, 400);
  EXPECT_EQ(tooLong.body,
            R"({"error":"Idempotency-Key has more than 256 bytes","details":{},"status":"client_error"})");
}

TEST_F(EvaluationRoutes, LetARunWithAKeyGoOnWithoutItsClient) {
  key = "one";
  isWanted = false;
  EXPECT_EQ(ask("POST", "/evaluate", plainRequest).status, 500);
  EXPECT_EQ(service.status(fakeRunId(1))->state, RunState::queued);
  service.answer(fakeRunId(1), goodRun());
  isWanted = true;
  const HttpResponse response = ask("POST", "/evaluate", plainRequest);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(bodyOf(response)["job_id"], fakeRunId(1));
}

TEST_F(EvaluationRoutes, SayWhenTheQueueIsFull) {
  service.refuseAll(Refusal{Error{Stage::job, "the queue is full"}, 2.5});
  const HttpResponse response = ask("POST", "/evaluate", plainRequest);
  EXPECT_EQ(response.status, 429);
  EXPECT_EQ(headerOf(response, "Retry-After"), "3");
  EXPECT_EQ(bodyOf(response)["error"], "the queue is full");
  EXPECT_FALSE(bodyOf(response).contains("job_id"));
}

TEST_F(EvaluationRoutes, SayWhenTheDiskIsFull) {
  service.refuseAll(Refusal{Error{Stage::job, "there is no space left"}, 30, Refusal::Cause::noDisk});
  const HttpResponse response = ask("POST", "/evaluate", plainRequest);
  EXPECT_EQ(response.status, 507);
  EXPECT_EQ(headerOf(response, "Retry-After"), "30");
}

TEST_F(EvaluationRoutes, GoToWhicheverGpuIsFreeFirst) {
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, goodRun()); });
  (void)ask("POST", "/evaluate", plainRequest);
  EXPECT_EQ(service.submission(fakeRunId(1)).job.device, "auto");
}

TEST_F(EvaluationRoutes, TellWhereAJobIs) {
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, goodRun()); });
  (void)ask("POST", "/evaluate", plainRequest);
  const HttpResponse response = ask("GET", "/job/" + fakeRunId(1));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(headerOf(response, "Pragma"), "");
  const Json body = bodyOf(response);
  EXPECT_EQ(body["status"], "completed");
  EXPECT_TRUE(body["created_at"].is_number_float());
  EXPECT_TRUE(body["error"].is_null());
  const HttpResponse unknown = ask("GET", "/job/none");
  EXPECT_EQ(unknown.status, 404);
  EXPECT_EQ(unknown.body, R"({"error":"Job none not found","status":"error"})");
  EXPECT_EQ(headerOf(unknown, "Pragma"), "no-cache");
}

TEST_F(EvaluationRoutes, TellHealthAndCounts) {
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, goodRun()); });
  EXPECT_EQ(
      bodyOf(ask("GET", "/stats"))["compilation_metrics"].dump(),
      R"({"total_compilations":0,"average_time_seconds":0.0,"success_rate":1.0,"cache_hit_rate":0.0,"total_time_seconds":0.0})");
  (void)ask("POST", "/evaluate", plainRequest);
  const Json health = bodyOf(ask("GET", "/health"));
  EXPECT_EQ(health["status"], "healthy");
  EXPECT_EQ(health["job_stats"]["total_jobs"], 1);
  EXPECT_EQ(health["job_stats"]["by_status"]["completed"], 1);
  EXPECT_EQ(health["gpu_manager"]["available_gpus"], 2);
  const Json stats = bodyOf(ask("GET", "/stats"));
  EXPECT_EQ(stats["compilation_metrics"]["total_compilations"], 1);
  EXPECT_EQ(stats["compilation_metrics"]["cache_hit_rate"], 1.0);
  EXPECT_EQ(stats["profiling_metrics"]["correctness_passed"], 1);
  EXPECT_EQ(stats["throughput"]["completed_requests"], 1);
  EXPECT_TRUE(stats["timestamp"].is_number_float());
  EXPECT_EQ(ask("POST", "/admin/cleanup-jobs").body, R"({"status":"cleanup_completed"})");
  EXPECT_EQ(bodyOf(ask("GET", "/job/" + fakeRunId(1)))["status"], "completed") << "it has just ended";
}

TEST_F(EvaluationRoutes, ForgetOldJobsAndTheServiceDoesNot) {
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, goodRun()); });
  service.setClock(secondsNow() - 301);
  (void)ask("POST", "/evaluate", plainRequest);
  EXPECT_EQ(ask("GET", "/job/" + fakeRunId(1)).status, 200);
  (void)ask("POST", "/admin/cleanup-jobs");
  EXPECT_EQ(ask("GET", "/job/" + fakeRunId(1)).status, 404);
  EXPECT_TRUE(service.report(fakeRunId(1)));
}

TEST_F(EvaluationRoutes, AreUnhealthyWithoutADevice) {
  FakeService none{std::vector<std::string>{}};
  routes = evaluationRoutes(std::make_shared<EvaluationServer>(none, EvaluationHost{"pod", "10.0.0.1"}));
  const HttpResponse response = ask("GET", "/health");
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(bodyOf(response)["status"], "unhealthy");
}

TEST_F(EvaluationRoutes, DescribeThemselves) {
  for (const HttpRoute& route : routes.routes) {
    EXPECT_TRUE(route.operation.contains("summary")) << route.path;
    EXPECT_TRUE(route.operation.contains("responses")) << route.path;
  }
  EXPECT_TRUE(routes.schemas.contains("KernelCode"));
}

}  // namespace
}  // namespace wb
