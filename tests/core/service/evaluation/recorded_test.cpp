// SPDX-License-Identifier: Apache-2.0
// Requests and their answers, word for word, in tests/golden/evaluation: lines that begin with > are sent,
// and those with < come back. "= words" says what becomes of every run from there on (endings() below). What
// the original refuses was recorded from its own models and routes; what it answers follows its contract.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "core/jobs/evaluation/contract_metrics.h"
#include "core/jobs/evaluation/evaluation_job.h"
#include "core/service/evaluation/device_metrics.h"
#include "core/service/evaluation/evaluation_routes.h"
#include "core/service/http/site.h"
#include "tests/core/figures/golden.h"
#include "tests/core/service/fake_service.h"

namespace wb {
namespace {

using Ending = std::function<void(FakeService&, const std::string&)>;

std::vector<Event> begun() {
  Target target;
  target.device = "cuda:0";
  target.deviceName = "NVIDIA H100 80GB HBM3";
  target.architecture = "sm_90";
  target.multiprocessors = 132;
  return {JobStarted{target, "2026-01-01T00:00:00Z"}, StepStarted{Stage::compile, 0, std::nullopt}};
}

std::vector<Event> compiled(std::size_t cases = 1) {
  Compiled made;
  made.seconds = 0.25;
  made.cases.resize(cases);
  std::vector<Event> events = begun();
  events.emplace_back(StepDone{Stage::compile, 0, std::nullopt, made});
  return events;
}

std::vector<Event> checked(const std::vector<CaseCheck>& checks) {
  std::vector<Event> events = compiled(checks.size());
  for (std::uint32_t i = 0; i < checks.size(); ++i) {
    events.emplace_back(StepStarted{Stage::check, 0, i});
    events.emplace_back(StepDone{Stage::check, 0, i, checks[i]});
  }
  return events;
}

CaseCheck check(Verdict verdict, std::string message = {}, std::string trace = {}) {
  CaseCheck made;
  made.verdict = verdict;
  made.message = std::move(message);
  made.trace = std::move(trace);
  return made;
}

std::vector<Event> timed() {
  std::vector<Event> events = checked({check(Verdict::pass)});
  CaseTiming timing;
  timing.blocks = {Block{{4e-3, 2e-3}, {1e-3, 1.5e-3}}};
  timing.callsPerSample = 20;
  timing.speedup = {2, 1.5, 2.25, Pace::faster};
  events.emplace_back(StepStarted{Stage::time, 0, 0});
  events.emplace_back(StepDone{Stage::time, 0, 0, timing});
  return events;
}

std::vector<Event> counted() {
  std::vector<Event> events = timed();
  events.emplace_back(StepStarted{Stage::profile, 0, 0});
  for (const Side side : {Side::reference, Side::candidate}) {
    Launch launch;
    launch.grid = {64, 1, 1};
    launch.block = {side == Side::reference ? 128 : 256, 1, 1};
    launch.seconds = 1e-5;
    launch.metrics = {{"sm__throughput.avg.pct_of_peak_sustained_elapsed", 40}};
    ProfilePart part;
    part.side = side;
    part.part.launches = {launch};
    part.last = side == Side::candidate;
    events.emplace_back(StepDone{Stage::profile, 0, 0, part});
  }
  return events;
}

std::vector<Event> failed(const std::string& text, const std::string& trace = {}) {
  std::vector<Event> events = begun();
  Error error{Stage::compile, text};
  error.trace = trace;
  events.emplace_back(StageFailed{0, error});
  return events;
}

std::vector<Event> lost(std::vector<Event> events, Stage stage, const std::string& doing,
                        const std::string& how) {
  WorkerLost loss;
  loss.blame = Blame::kernel;
  loss.kernel = 0;
  loss.stage = stage;
  loss.doing = doing;
  loss.how = how;
  events.emplace_back(loss);
  return events;
}

CaseCheck mismatch() {
  CaseCheck made = check(Verdict::mismatch, "4 of 100 elements differ, the first at [3]");
  made.errors.emplace();
  made.errors->maxAbs = 5e-3;
  made.errors->p50Abs = 1e-4;
  made.atol = made.rtol = 1e-5;
  return made;
}

const std::map<std::string, Ending>& endings() {
  const auto answers = [](std::vector<Event> events) -> Ending {
    return [events](FakeService& service, const std::string& id) {
      service.start(id, "cuda:0");
      for (const Event& event : events) service.say(id, event);
      service.end(id);
    };
  };
  const auto ends = [](RunState state, const std::string& reason) -> Ending {
    return [state, reason](FakeService& service, const std::string& id) {
      service.start(id, "cuda:0");
      service.end(id, state, reason);
    };
  };
  const auto refused = [](const Refusal& refusal) -> Ending {
    return [refusal](FakeService& service, const std::string&) { service.refuseAll(refusal); };
  };
  static const std::map<std::string, Ending> all{
      {"right and timed", answers(timed())},
      {"right, timed and counted", answers(counted())},
      {"right and not timed", answers([] {
         std::vector<Event> events = checked({check(Verdict::pass)});
         events.emplace_back(StepStarted{Stage::time, 0, 0});
         events.emplace_back(StepDone{Stage::time, 0, 0, NoResult{"it is interpreted"}});
         return events;
       }())},
      {"does not compile", answers(failed("SyntaxError: invalid syntax",
                                          "Traceback (most recent call last):\n  File \"kernel.py\", line 9\n"
                                          "SyntaxError: invalid syntax\n"))},
      {"crashes while it compiles",
       answers(lost(begun(), Stage::compile, "compiling kernel.py", "segmentation fault (SIGSEGV)"))},
      {"the reference does not compile",
       answers(failed(std::string(referenceFailed) + "NameError: name 'y' is not defined"))},
      {"throws", answers(checked({check(Verdict::threw, "ValueError: no",
                                        "Traceback (most recent call last):\n  File \"kernel.py\", line 4\n"
                                        "ValueError: no\n")}))},
      {"throws the second time",
       answers(checked({check(Verdict::threw, "the second time: ValueError: no")}))},
      {"has no inputs",
       answers(checked({check(Verdict::refused, "ValueError: Unsupported init kind: random")}))},
      {"has another shape", answers(checked({check(Verdict::wrongShape, "expected shape 4×2, got 4")}))},
      {"is wrong", answers(checked({mismatch()}))},
      {"is not finite", answers(checked({check(Verdict::mismatch, "all 4 elements differ: NaN")}))},
      {"hangs while it is checked", answers(checked({check(Verdict::hung, "did not finish within 30.0 s")}))},
      {"runs out of time", ends(RunState::expired, "Its deadline passed while it ran.")},
      {"has no worker", ends(RunState::failed, "No worker could be started on cuda:0.")},
      {"finds the queue full", refused({Error{Stage::job, "The queue is full: 1000 runs wait."}, 4.2})},
      {"finds the disk full",
       refused({Error{Stage::job, "there is no space left"}, 30, Refusal::Cause::noDisk})},
  };
  return all;
}

class Recorded : public testing::Test {
 protected:
  /// The answers of a file of tests/golden/evaluation, in their places.
  std::string answered(const std::string& name) {
    std::ifstream file(std::filesystem::path(WB_SOURCE_DIR) / "tests/golden/evaluation" / name);
    EXPECT_TRUE(file.good()) << name;
    std::string text;
    std::optional<HttpRequest> request;
    const auto flush = [&] {
      if (request) text += answerOf(*request);
      request.reset();
    };
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("< ")) continue;
      if (line.starts_with("> ") && !request)
        request = requestOf(line.substr(2));
      else if (line.starts_with("> "))
        add(*request, line.substr(2));
      else
        flush();
      if (line.starts_with("= ")) becomes(line.substr(2));
      text += line + "\n";
    }
    flush();
    return text;
  }

 private:
  void becomes(const std::string& ending) {
    const auto found = endings().find(ending);
    ASSERT_NE(found, endings().end()) << ending;
    service_.refuseAll(std::nullopt);
    if (ending.starts_with("finds")) found->second(service_, "");
    service_.onSubmit(found->second);
  }
  static HttpRequest requestOf(const std::string& line) {
    HttpRequest request;
    const auto blank = line.find(' ');
    request.method = line.substr(0, blank);
    request.path = line.substr(blank + 1);
    request.headers = {{"Host", "localhost"}};
    request.client.address = "127.0.0.1";
    request.isWanted = [] { return true; };
    return request;
  }
  /// A header or the body.
  static void add(HttpRequest& request, const std::string& line) {
    static const std::regex header("([A-Za-z-]+): (.*)");
    std::smatch parts;
    if (std::regex_match(line, parts, header))
      request.headers.emplace(parts[1], parts[2]);
    else
      request.body = line;
  }
  std::string answerOf(HttpRequest request) {
    if (!request.header("Content-Type")) request.headers.emplace("Content-Type", "application/json");
    std::optional<HttpResponse> refused = site_.admit(request);
    const HttpResponse response = refused ? *std::move(refused) : site_.answer(request);
    std::string text = fmt::format("< {}\n", response.status);
    for (const auto& [name, value] : response.headers)
      if (name != "X-Content-Type-Options" && (name != "Content-Type" || value != "application/json"))
        text += fmt::format("< {}: {}\n", name, value);
    if (response.body.empty()) return text;
    static const std::regex now(R"("timestamp":[0-9.e+]+)");
    return text + fmt::format("< {}\n", std::regex_replace(response.body, now, R"("timestamp":NOW)"));
  }

  FakeService service_{{"cuda:0", "cuda:1"}};
  std::shared_ptr<EvaluationServer> server_ = std::make_shared<EvaluationServer>(
      service_, EvaluationHost{.podName = "pod", .podIp = "10.0.0.1", .deviceMetrics = false});
  Site site_{SiteRules{}, evaluationRoutes(server_)};
};

TEST_F(Recorded, FieldsThatAreWrong) {
  expectGolden("evaluation/fields.txt", answered("fields.txt"));
}
TEST_F(Recorded, BodiesAndRoutesThatThereAreNot) {
  expectGolden("evaluation/bodies.txt", answered("bodies.txt"));
}
TEST_F(Recorded, Answers) {
  expectGolden("evaluation/answers.txt", answered("answers.txt"));
}

/// Each counter with the names that it has in answers: one alone, so that every row shows.
TEST(RecordedMetrics, HaveTheNamesOfTheirGroups) {
  std::string text;
  for (const std::string& metric : countedMetrics()) {
    SideProfile profile;
    Launch launch;
    launch.seconds = 1e-5;
    launch.metrics = {{metric, 100}};
    profile.launches = {launch};
    const nlohmann::ordered_json groups = deviceMetrics(profile, {});
    text += metric;
    for (const auto& [group, names] : groups.items())
      for (const auto& [name, value] : names.items())
        if (value == 100) text += fmt::format(" {}.{}", group, name);
    text += "\n";
  }
  expectGolden("evaluation/metrics.txt", text);
}

}  // namespace
}  // namespace wb
