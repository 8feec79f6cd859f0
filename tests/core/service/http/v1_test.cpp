// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <future>
#include <thread>

#include "tests/core/service/http/raw_client.h"
#include "tests/core/service/http/site_fixture.h"

namespace wb {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class V1Test : public SiteTest {
 protected:
  std::string submit(const httplib::Headers& headers = {}) {
    auto http = client();
    const auto answer = http.Post("/v1/runs", headers, reluRun, "application/json");
    EXPECT_EQ(answer->status, 202) << answer->body;
    return json::parse(answer->body).value("id", "");
  }
  json get(const std::string& path, int status = 200, const httplib::Headers& headers = {}) {
    auto http = client();
    const auto answer = http.Get(path, headers);
    EXPECT_EQ(answer->status, status) << path << ": " << answer->body;
    return json::parse(answer->body, nullptr, false);
  }
};

TEST_F(V1Test, AcceptsARunAndSaysWhereItIs) {
  open();
  auto http = client();
  const auto answer =
      http.Post("/v1/runs", R"({"sources":[{"name":"relu.py","text":"import torch","op":"relu"}],
    "stages":["compile","check"],"effort":"quick","priority":7,"deadline_seconds":30,"device":"cpu"})",
                "application/json");
  ASSERT_EQ(answer->status, 202) << answer->body;
  const json run = json::parse(answer->body);
  const std::string id = run.at("id");
  EXPECT_EQ(answer->get_header_value("Location"), "/v1/runs/" + id);
  EXPECT_EQ(run.at("state"), "queued");
  EXPECT_EQ(run.at("links").at("events"), "/v1/runs/" + id + "/events");
  const Submission submission = service.submission(id);
  EXPECT_EQ(submission.priority, 7);
  EXPECT_EQ(submission.deadlineSeconds, 30);
  EXPECT_EQ(submission.client, "127.0.0.1");
  EXPECT_EQ(submission.job.kernels.at(0).path, "relu.py");
  EXPECT_EQ(submission.job.kernels.at(0).text, "import torch");
  EXPECT_EQ(submission.job.timing.capSeconds, 0.25);
  EXPECT_FALSE(submission.job.cases.empty());
  EXPECT_EQ(get("/v1/runs/" + id).at("state"), "queued");
  EXPECT_EQ(get("/v1/runs").at("runs").size(), 1U);
}

TEST_F(V1Test, NamesEveryWrongFieldWithItsPlace) {
  open();
  auto http = client();
  const auto answer = http.Post(
      "/v1/runs", R"({"sources":[{"name":"../../etc/passwd","text":5},{"name":"a.py","text":"x","lang":"y"}],
        "suite":"/etc/passwd","stages":["cook"],"device":"cuda:9","priority":1000,"efort":"quick"})",
      "application/json");
  ASSERT_EQ(answer->status, 400);
  std::map<std::string, std::string> problems;
  const json body = json::parse(answer->body);
  for (const json& each : body.at("problems")) problems[each.at("at")] = each.at("message");
  EXPECT_THAT(problems["sources[0].name"], HasSubstr("without folders"));
  EXPECT_EQ(problems["sources[0].text"], "expected a string");
  EXPECT_THAT(problems["sources[1].lang"], HasSubstr("there is no such field"));
  EXPECT_THAT(problems["suite"], HasSubstr("there is no suite"));
  EXPECT_THAT(problems["stages"], HasSubstr("cook"));
  EXPECT_THAT(problems["device"], HasSubstr("auto, cpu"));
  EXPECT_THAT(problems["priority"], HasSubstr("-100 to 100"));
  EXPECT_THAT(problems["efort"], HasSubstr("did you mean effort"));
  EXPECT_TRUE(service.runs(10).empty());
}

TEST_F(V1Test, TakesCasesOfAClientsOwn) {
  open();
  auto http = client();
  const auto ask = [&](const std::string& cases, const std::string& more) {
    const json body{{"sources", {{{"name", "relu.py"}, {"text", "import torch"}}}}, {"cases", cases}};
    return http.Post("/v1/runs", body.dump().insert(1, more), "application/json");
  };
  const auto answer = ask("((T([8], f32),), {})\n\n((T([2, 3], bf16),), {})\n", R"("op":"relu",)");
  ASSERT_EQ(answer->status, 202) << answer->body;
  const Job job = service.submission(json::parse(answer->body).at("id")).job;
  ASSERT_EQ(job.cases.size(), 2U);
  EXPECT_EQ(job.cases[1].args, "((T([2, 3], bf16),), {})");
  EXPECT_EQ(job.suite, "given cases");
  const auto wrong = ask("((T([8], f32),), {})\n((T([8], f99),), {})", R"("op":"relu",)");
  ASSERT_EQ(wrong->status, 400);
  const json problem = json::parse(wrong->body).at("problems").at(0);
  EXPECT_EQ(problem.at("at"), "cases");
  EXPECT_THAT(problem.at("message").get<std::string>(), HasSubstr("cases:2:"));
  EXPECT_EQ(ask("((T([8], f32),), {})", "")->status, 400) << "calls of what?";
}

TEST_F(V1Test, SaysWhatIsNoJson) {
  open();
  auto http = client();
  for (const char* body : {"", "{", "[]", "null", "5", "\xff"}) {
    const auto answer = http.Post("/v1/runs", body, "application/json");
    EXPECT_EQ(answer->status, 400) << body;
  }
}

TEST_F(V1Test, TheSameKeyIsTheSameRun) {
  open();
  const httplib::Headers key{{"Idempotency-Key", "one"}};
  EXPECT_EQ(submit(key), submit(key));
  EXPECT_EQ(service.runs(10).size(), 1U);
  auto http = client();
  const auto same =
      http.Post("/v1/runs", key, R"({ "stages": ["compile", "check"], "op": "relu" })", "application/json");
  EXPECT_EQ(same->status, 202) << "the order of names and blanks do not count";
  const auto other = http.Post("/v1/runs", key, R"({"op":"relu","stages":["compile"]})", "application/json");
  EXPECT_EQ(other->status, 422) << other->body;
  EXPECT_EQ(service.runs(10).size(), 1U);
}

TEST_F(V1Test, AFullQueueSaysWhenToComeAgain) {
  open();
  service.refuseAll(Refusal{{Stage::job, "1000 runs wait", "try later"}, 3.2});
  auto http = client();
  const auto full = http.Post("/v1/runs", reluRun, "application/json");
  EXPECT_EQ(full->status, 429);
  EXPECT_EQ(full->get_header_value("Retry-After"), "4");
  service.refuseAll(Refusal{{Stage::job, "the disk is full", {}}, 30, Refusal::Cause::noDisk});
  const auto noRoom = http.Post("/v1/runs", reluRun, "application/json");
  EXPECT_EQ(noRoom->status, 507);
  EXPECT_EQ(noRoom->get_header_value("Retry-After"), "30");
  service.refuseAll(Refusal{{Stage::job, "the job is wrong", {}}, 0});
  EXPECT_EQ(http.Post("/v1/runs", reluRun, "application/json")->status, 400);
}

TEST_F(V1Test, RefusesParametersThatItDoesNotKnow) {
  open();
  const auto problemOf = [&](const std::string& query) {
    const json body = get("/v1/runs?" + query, 400);
    EXPECT_EQ(body.at("problems").size(), 1U);
    return body.at("problems").at(0).value("at", "") + ": " + body.at("problems").at(0).value("message", "");
  };
  EXPECT_EQ(problemOf("mots=20"), "?mots: there is no such parameter; did you mean most?");
  EXPECT_EQ(problemOf("count=20"), "?count: there is no such parameter; there are most, state");
  EXPECT_EQ(problemOf("most=-1"), "?most: expected a whole number from 1 to 1000");
  EXPECT_THAT(problemOf("state=over"), HasSubstr("?state: expected queued, running"));
  EXPECT_EQ(get("/v1/devices?most=2", 400).at("problems").at(0).at("message"),
            "there is no such parameter; this path has none");
  get("/v1/runs?most=2&state=queued");
}

TEST_F(V1Test, AFigureIsAPageOrAPicture) {
  open();
  const std::string id = submit();
  const auto speedupChart = [&](const std::string& format) {
    auto http = client();
    return http.Get("/v1/runs/" + id + "/figures/speedup?format=" + format);
  };
  service.start(id);
  const auto page = speedupChart("html");
  ASSERT_EQ(page->status, 200) << page->body;
  EXPECT_EQ(page->get_header_value("Content-Type"), "text/html; charset=utf-8");
  EXPECT_THAT(page->get_header_value("Content-Security-Policy"), HasSubstr("sandbox"));
  EXPECT_THAT(page->body, HasSubstr("<section id=\"speedup\""));
  EXPECT_EQ(json::parse(speedupChart("svg")->body).at("error"),
            "this figure is no chart, or has nothing to draw yet");
  CaseCheck check;
  check.verdict = Verdict::pass;
  CaseTiming timing;
  timing.speedup = {2, 1.9, 2.1, Pace::faster};
  Compiled compiled;
  compiled.cases.resize(15);
  service.say(id, StepDone{Stage::compile, 0, std::nullopt, compiled});
  service.say(id, StepDone{Stage::check, 0, 0, check});
  service.say(id, StepDone{Stage::time, 0, 0, timing});
  const auto picture = speedupChart("svg");
  ASSERT_EQ(picture->status, 200) << picture->body;
  EXPECT_EQ(picture->get_header_value("Content-Type"), "image/svg+xml");
  EXPECT_THAT(picture->get_header_value("Content-Security-Policy"), HasSubstr("sandbox"));
  EXPECT_TRUE(picture->body.starts_with("<svg xmlns="));
}

TEST_F(V1Test, ADeadlineIsNoCancelling) {
  open();
  const auto saidOf = [&](RunState state) {
    const std::string id = submit();
    service.start(id);
    service.say(id, Finished{Outcome::cancelled, 1});
    service.end(id, state);
    const json figures = get("/v1/runs/" + id + "/figures");
    return figures.value("verdict", "") + "\n" + figures.value("progress", "");
  };
  EXPECT_THAT(saidOf(RunState::cancelled), testing::AllOf(HasSubstr("Cancelled."), HasSubstr("cancelled")));
  const std::string expired = saidOf(RunState::expired);
  EXPECT_THAT(expired,
              testing::AllOf(HasSubstr("Ended by its deadline."), HasSubstr("\nended by its deadline")));
  EXPECT_THAT(expired, testing::Not(HasSubstr("ancelled")));
}

TEST_F(V1Test, WaitsForTheEnd) {
  open();
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, {}); });
  auto http = client();
  const auto answer = http.Post("/v1/runs?wait=30", reluRun, "application/json");
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(json::parse(answer->body).at("state"), "finished");
}

TEST_F(V1Test, AClientThatGoesAwayEndsItsRun) {
  open();
  RawClient raw(site->port());
  raw.send(requestText("POST", "/v1/runs?wait=600", reluRun));
  const std::string id = service.waitForRuns(1).at(0);
  raw.close();
  EXPECT_EQ(service.waitForEnd(id).state, RunState::cancelled);
}

TEST_F(V1Test, AClientWithAKeyComesBackToItsRun) {
  open();
  const httplib::Headers key{{"Idempotency-Key", "one"}};
  {
    httplib::Client impatient("127.0.0.1", site->port());
    impatient.set_read_timeout(std::chrono::milliseconds{300});
    EXPECT_FALSE(impatient.Post("/v1/runs?wait=600", key, reluRun, "application/json"));
  }
  const std::string id = service.waitForRuns(1).at(0);
  // The server sees within moments that the first one is gone, and leaves the run alone.
  std::this_thread::sleep_for(std::chrono::milliseconds{500});
  EXPECT_EQ(service.status(id)->state, RunState::queued);
  service.answer(id, {});
  const auto answer = client().Post("/v1/runs?wait=600", key, reluRun, "application/json");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(json::parse(answer->body).at("id"), id);
  EXPECT_EQ(service.runs(10).size(), 1U);
}

TEST_F(V1Test, CancelsARun) {
  open();
  const std::string id = submit();
  auto http = client();
  EXPECT_EQ(http.Delete("/v1/runs/" + id)->status, 202);
  EXPECT_EQ(service.waitForEnd(id).state, RunState::cancelled);
  EXPECT_EQ(http.Delete("/v1/runs/no-such-run")->status, 404);
}

TEST_F(V1Test, GivesTheReportInEveryForm) {
  open();
  const std::string id = submit();
  auto http = client();
  service.answer(id, {});
  const auto report = get("/v1/runs/" + id + "/report");
  EXPECT_EQ(report.at("outcome"), "finished");
  const auto html = http.Get("/v1/runs/" + id + "/report?format=html");
  EXPECT_THAT(html->body, HasSubstr("<html"));
  EXPECT_THAT(html->get_header_value("Content-Security-Policy"), HasSubstr("sandbox"));
  EXPECT_EQ(http.Get("/v1/runs/" + id + "/report?format=md")->status, 200);
  EXPECT_THAT(http.Get("/v1/runs/" + id + "/report?format=csv")->body, HasSubstr(","));
  EXPECT_EQ(http.Get("/v1/runs/" + id + "/report?format=pdf")->status, 400);
}

TEST_F(V1Test, GivesEveryFigureItLists) {
  open();
  const std::string id = submit();
  service.answer(id, {});
  const json list = get("/v1/runs/" + id + "/figures");
  ASSERT_FALSE(list.at("figures").empty());
  auto http = client();
  for (const json& figure : list.at("figures")) {
    const std::string link = figure.at("link");
    EXPECT_TRUE(get(link).contains("kind")) << link;
    for (const char* format : {"csv", "md", "text"})
      EXPECT_EQ(http.Get(link + "?format=" + format)->status, 200) << link << format;
  }
  EXPECT_EQ(http.Get("/v1/runs/" + id + "/figures/none")->status, 404);
}

TEST_F(V1Test, ListsWhatThereIs) {
  open();
  const auto holds = [](const json& list, const char* key, const char* value) {
    return std::any_of(list.begin(), list.end(), [&](const json& each) { return each.at(key) == value; });
  };
  EXPECT_TRUE(holds(get("/v1/suites").at("suites"), "name", "smoke"));
  EXPECT_TRUE(holds(get("/v1/languages").at("languages"), "id", "triton"));
  EXPECT_TRUE(holds(get("/v1/devices").at("devices"), "id", "cpu"));
}

TEST_F(V1Test, ClientsSeeTheirOwnRunsAlone) {
  tokens = {tokenFor("ann"), tokenFor("bob"), tokenFor("root", {}, true)};
  open();
  const std::string id = submit(as("ann"));
  EXPECT_EQ(service.submission(id).client, "ann");
  get("/v1/runs/" + id, 200, as("ann"));
  get("/v1/runs/" + id, 404, as("bob"));
  get("/v1/runs/" + id + "/report", 404, as("bob"));
  get("/v1/runs/" + id + "/events", 404, as("bob"));
  auto http = client();
  EXPECT_EQ(http.Delete("/v1/runs/" + id, as("bob"))->status, 404);
  EXPECT_FALSE(isOver(service.status(id)->state));
  EXPECT_TRUE(get("/v1/runs", 200, as("bob")).at("runs").empty());
  EXPECT_EQ(get("/v1/runs", 200, as("root")).at("runs").size(), 1U);
  get("/v1/runs/" + id, 200, as("root"));
}

TEST_F(V1Test, HoldsRunsToWhatTheirTokenMay) {
  tokens = {tokenFor("ann", {.mostQueued = 1, .highestPriority = 5})};
  open();
  auto http = client();
  const auto first = http.Post("/v1/runs", as("ann"), R"({"op":"relu","priority":50})", "application/json");
  ASSERT_EQ(first->status, 202);
  EXPECT_EQ(service.submission(json::parse(first->body).at("id")).priority, 5);
  EXPECT_EQ(http.Post("/v1/runs", as("ann"), reluRun, "application/json")->status, 429);
}

TEST_F(V1Test, WhileItStopsItAnswersAndTakesNothingNew) {
  open();
  const std::string id = submit();
  service.start(id);
  RawClient raw(site->port());
  raw.send(requestText("GET", "/v1/runs/" + id + "/events"));
  raw.readUntil("retry: 2000");
  std::thread stopping([&] { site->drain(); });
  while (!service.isDraining()) std::this_thread::yield();
  {
    auto http = client();
    const auto refused = http.Post("/v1/runs", reluRun, "application/json");
    EXPECT_EQ(refused->status, 503);
    EXPECT_FALSE(refused->get_header_value("Retry-After").empty());
    EXPECT_EQ(http.Get("/v1/runs/" + id)->status, 200);
    for (const char* path : {"/health", "/v1/health"}) {
      const auto health = http.Get(path);
      EXPECT_EQ(health->status, 503) << path;
      EXPECT_EQ(json::parse(health->body).at("status"), "draining") << path;
    }
  }
  service.end(id);
  EXPECT_THAT(raw.readUntil("event: end"), HasSubstr("event: Finished"));
  stopping.join();
  EXPECT_EQ(raw.readUntil("HTTP/1.1").find("HTTP/1.1"), std::string::npos);
}

}  // namespace
}  // namespace wb
