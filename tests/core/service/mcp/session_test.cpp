// SPDX-License-Identifier: Apache-2.0
// What a session of the Model Context Protocol answers, message by message.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/base/files/paths.h"
#include "tests/core/figures/golden.h"
#include "tests/core/model/steps.h"
#include "tests/core/service/mcp/answers.h"

namespace wb {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class McpSessionTest : public ::testing::Test {
 protected:
  FakeService service;
  McpHost host = fakeHost(service);
  McpClient client{host};

  static std::string textOf(const json& result) { return result.at("content").at(0).at("text"); }
  static Compiled oneReluCase() {
    Compiled compiled;
    compiled.op = "aten::relu";
    Case& one = compiled.cases.emplace_back();
    one.op = "aten::relu";
    one.args = "((T([4], f32),), {})";
    one.shapes = "4";
    one.dtype = "f32";
    return compiled;
  }
};

TEST_F(McpSessionTest, AgreesOnTheVersionThatTheClientWantsOrOnTheNewest) {
  for (const auto& [wanted, agreed] : {std::pair{"2025-06-18", "2025-06-18"},
                                       {"2025-03-26", "2025-03-26"},
                                       {"2024-11-05", "2024-11-05"},
                                       {"2031-01-01", "2025-06-18"}}) {
    McpClient other(host);
    const json answer = other.ask("initialize", {{"protocolVersion", wanted}});
    EXPECT_EQ(answer.at("result").at("protocolVersion"), agreed);
    EXPECT_EQ(answer.at("result").at("serverInfo").at("name"), "warpbench");
  }
}

TEST_F(McpSessionTest, BeginsWithInitializeOnceAndAnswersPingsBefore) {
  EXPECT_EQ(client.ask("tools/list").at("error").at("code"), -32600);
  EXPECT_EQ(client.ask("tools/call", {{"name", "machine"}}).at("error").at("code"), -32600);
  EXPECT_EQ(client.ask("ping").at("result"), json::object());
  EXPECT_EQ(client.ask("initialize").at("error").at("code"), -32602);
  client.initialize();
  EXPECT_EQ(client.ask("initialize", {{"protocolVersion", "2025-06-18"}}).at("error").at("code"), -32600);
  EXPECT_TRUE(client.ask("tools/list").contains("result"));
}

TEST_F(McpSessionTest, AnswersWhatIsNoMessageAndStaysUsable) {
  client.initialize();
  const std::pair<std::string, int> texts[] = {
      {"", -32700},
      {"{", -32700},
      {"\xff\xfe", -32700},
      {"7", -32600},
      {"null", -32600},
      {"{}", -32600},
      {"[]", -32600},
      {"[1]", -32600},
      {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":1})", -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":7})", -32600},
      {R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":{},"method":"ping"})", -32600},
      {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"no/such"})", -32601},
      {R"({"jsonrpc":"2.0","id":1,"method":"server/discover"})", -32601},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"machine","arguments":[]}})",
       -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"resources/read"})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}})", -32002},
      {R"({"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"no"}})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"mend_kernel"}})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"loud"}})", -32602},
      {R"({"jsonrpc":"2.0","id":1,"method":"completion/complete"})", -32602},
      {std::string(100'000, '['), -32600},
      {std::string(longestRpcText + 1, ' '), -32600},
  };
  for (const auto& [text, code] : texts) {
    const auto answers = client.send(text);
    ASSERT_TRUE(answers) << text.substr(0, 80);
    const std::vector<json> all = answers->all();
    ASSERT_EQ(all.size(), 1U) << text.substr(0, 80);
    EXPECT_EQ(all[0].at("error").at("code"), code) << text.substr(0, 80) << " → " << all[0];
    EXPECT_EQ(client.ask("ping").at("result"), json::object());
  }
}

TEST_F(McpSessionTest, SaysNothingToNotificationsAndAnswers) {
  client.initialize();
  EXPECT_FALSE(client.send(R"({"jsonrpc":"2.0","method":"notifications/none"})"));
  EXPECT_FALSE(
      client.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}})"));
  EXPECT_FALSE(client.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled"})"));
  EXPECT_FALSE(client.send(R"({"jsonrpc":"2.0","id":4,"result":{}})"));
}

TEST_F(McpSessionTest, TakesBatchesWhereTheVersionHasThem) {
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","method":"notifications/none"},)"
      R"({"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"machine"}},7])";
  client.initialize();
  EXPECT_EQ(client.send(batch)->all().at(0).at("error").at("code"), -32600);
  McpClient older(host);
  older.initialize("2025-03-26");
  const std::vector<json> answers = older.send(batch)->all();
  ASSERT_EQ(answers.size(), 1U);
  ASSERT_EQ(answers[0].size(), 3U);
  EXPECT_FALSE(older.send(R"([{"jsonrpc":"2.0","method":"notifications/none"}])"));
}

TEST_F(McpSessionTest, ListsWhatItHas) {
  client.initialize();
  // What a machine has is not the same everywhere.
  json tools = client.ask("tools/list").at("result").at("tools");
  std::string text;
  for (const json& tool : tools) text += tool.dump(1) + "\n";
  expectGolden("mcp_tools.txt", text);
  EXPECT_EQ(client.ask("prompts/list").at("result").at("prompts").size(), 3U);
  const json templates = client.ask("resources/templates/list").at("result").at("resourceTemplates");
  EXPECT_THAT(templates.dump(), HasSubstr("warpbench://runs/{run}/report.html"));
  EXPECT_THAT(client.ask("resources/list").dump(), HasSubstr("warpbench://help/raw-cuda.md"));
}

TEST_F(McpSessionTest, RunsAKernelAndSaysHowFarItIs) {
  client.initialize();
  client.ask("logging/setLevel", {{"level", "info"}});
  const auto answers = client.begin("run_kernel", reluRun());
  const std::string id = service.waitForRuns(1).at(0);
  EXPECT_EQ(service.submission(id).client, "ada");
  EXPECT_EQ(service.submission(id).job.kernels.at(0).path, "kernel.cpp");
  service.start(id);
  service.say(id, JobStarted{});
  service.say(id, compileStarted());
  service.say(id, compiledStep(oneReluCase()));
  // So far: where it waits or what it does, told while it goes on.
  EXPECT_EQ(answers->first(2).size(), 2U);
  service.say(id, checkedStep(0, 0, Verdict::mismatch));
  service.end(id);
  const std::vector<json> all = answers->all();
  double last = -1;
  int progress = 0, logs = 0;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const json& params = all[i].at("params");
    if (all[i].at("method") == "notifications/message") {
      ++logs;
      continue;
    }
    ++progress;
    EXPECT_EQ(params.at("progressToken"), "here");
    EXPECT_GT(params.at("progress").get<double>(), last);
    last = params.at("progress");
  }
  EXPECT_GE(progress, 1);
  EXPECT_GE(logs, 1);
  const json result = all.back().at("result");
  EXPECT_FALSE(result.at("isError"));
  const json& values = result.at("structuredContent");
  EXPECT_EQ(values.at("run_id"), id);
  EXPECT_EQ(values.at("state"), "finished");
  EXPECT_EQ(values.at("correct"), false);
  EXPECT_EQ(values.at("failing_cases").at(0).at("case"), "0/0");
  EXPECT_THAT(textOf(result), HasSubstr("explain_failing_case"));
  EXPECT_EQ(result.at("content").at(1).at("uri"), "warpbench://runs/" + id + "/report.md");
}

TEST_F(McpSessionTest, SaysNeitherValuesNorLinksToOlderClients) {
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, {JobStarted{}}); });
  client.initialize("2024-11-05");
  const json result = client.call("run_kernel", reluRun());
  EXPECT_FALSE(result.contains("structuredContent"));
  EXPECT_EQ(result.at("content").size(), 1U);
}

TEST_F(McpSessionTest, ACancelledCallEndsItsRunAndHasNoAnswer) {
  client.initialize();
  const auto answers = client.begin("run_kernel", reluRun());
  const std::string id = service.waitForRuns(1).at(0);
  service.start(id);
  client.sendMessage(json{{"jsonrpc", "2.0"},
                          {"method", "notifications/cancelled"},
                          {"params", {{"requestId", client.lastId()}, {"reason", "enough"}}}});
  EXPECT_EQ(service.waitForEnd(id).state, RunState::cancelled);
  for (const json& message : answers->all()) EXPECT_TRUE(message.contains("method")) << message;
  EXPECT_EQ(client.ask("ping").at("result"), json::object());
}

TEST_F(McpSessionTest, ACallThatOnlyWaitsLeavesTheRunWhenItIsCancelled) {
  client.initialize();
  json wanted = reluRun();
  wanted["wait_seconds"] = 0;
  client.call("run_kernel", wanted);
  service.start(fakeRunId(1));
  const auto answers = client.begin("read_run", {{"run_id", fakeRunId(1)}, {"wait_seconds", 1000}});
  client.sendMessage(json{{"jsonrpc", "2.0"},
                          {"method", "notifications/cancelled"},
                          {"params", {{"requestId", client.lastId()}}}});
  for (const json& message : answers->all()) EXPECT_TRUE(message.contains("method")) << message;
  EXPECT_EQ(service.status(fakeRunId(1))->state, RunState::running);
}

TEST_F(McpSessionTest, TheEndOfASessionEndsItsRuns) {
  {
    McpClient leaving(host);
    leaving.initialize();
    leaving.begin("run_kernel", reluRun());
    service.start(service.waitForRuns(1).at(0));
  }
  EXPECT_EQ(service.waitForEnd(fakeRunId(1)).state, RunState::cancelled);
}

TEST_F(McpSessionTest, ACallThatDoesNotWaitLeavesARunThatCanBeRead) {
  client.initialize();
  json wanted = reluRun();
  wanted["wait_seconds"] = 0;
  EXPECT_EQ(client.call("run_kernel", wanted).at("structuredContent").at("state"), "queued");
  service.answer(fakeRunId(1), {JobStarted{}});
  const json read = client.call("read_run", {{"run_id", fakeRunId(1)}, {"wait_seconds", 100}});
  EXPECT_EQ(read.at("structuredContent").at("state"), "finished");
  wanted["wait_seconds"] = 0;
  client.call("run_kernel", wanted);
  const json cancelled = client.call("cancel_run", {{"run_id", fakeRunId(2)}});
  EXPECT_EQ(cancelled.at("structuredContent").at("state"), "cancelled");
  const json runs = client.call("read_last_runs", {{"most", 1}}).at("structuredContent");
  EXPECT_EQ(runs.at("all"), 2);
  EXPECT_EQ(runs.at("runs").size(), 1U);
}

TEST_F(McpSessionTest, SaysWhenTheQueueIsFull) {
  client.initialize();
  service.refuseAll(Refusal{{Stage::job, "the queue is full", "wait for your runs"}, 12});
  const json result = client.call("run_kernel", reluRun());
  EXPECT_TRUE(result.at("isError"));
  EXPECT_THAT(textOf(result), HasSubstr("try again in 12 s"));
}

TEST_F(McpSessionTest, SaysWhatIsWrongWithArguments) {
  client.initialize();
  const std::tuple<const char*, json, const char*> calls[] = {
      {"run_kernels", json::object(), "did you mean run_kernel"},
      {"run_kernel", json::object(), "'source' is missing"},
      {"run_kernel", {{"source", 7}}, "'source' must be a string"},
      {"run_kernel", {{"source", "x"}, {"sorce", "y"}}, "no argument 'sorce'"},
      {"run_kernel", {{"source", "x"}, {"effort", "huge"}}, "quick, standard, thorough"},
      {"run_kernel", {{"source", "x"}, {"device", "cuda:7"}}, "auto, cpu"},
      {"run_kernel", {{"source", "x"}, {"suite", "/etc/passwd"}}, "smoke"},
      {"run_kernel", {{"source", "x"}, {"wait_seconds", -1}}, "from 0"},
      {"run_kernel", {{"source", "x"}, {"cases", "((T([4], f32),), {})"}}, "without an operator"},
      {"run_kernel", {{"source", "x"}, {"op", "relu"}, {"cases", "((T([4]"}}, "cases:1"},
      {"run_kernel", {{"source", "x"}, {"op", "relu"}, {"tolerance", "near"}}, "near"},
      {"read_run", {{"run_id", "no"}}, "there is no run 'no'"},
      {"cancel_run", {{"run_id", "no"}}, "there is no run 'no'"},
      {"explain_failing_case", {{"run_id", "no"}}, "there is no run 'no'"},
      {"show_assembly", {{"run_id", "no"}}, "there is no run 'no'"},
      {"compare_runs", {{"a", "no"}, {"b", "no"}}, "there is no run 'no'"},
      {"new_kernel", {{"op", "rela"}}, "relu"},
      {"list_cases", {{"op", "nothing"}}, "nothing"},
  };
  for (const auto& [tool, arguments, said] : calls) {
    const json result = client.call(tool, arguments);
    EXPECT_TRUE(result.at("isError")) << tool << " " << arguments;
    EXPECT_THAT(textOf(result), HasSubstr(said)) << tool << " " << arguments;
  }
}

TEST_F(McpSessionTest, KnowsNothingOfOtherClientsRuns) {
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, {JobStarted{}}); });
  client.initialize();
  client.call("run_kernel", reluRun());
  McpClient other(host, "eve");
  other.initialize();
  EXPECT_TRUE(other.call("read_run", {{"run_id", fakeRunId(1)}}).at("isError"));
  EXPECT_TRUE(other.call("cancel_run", {{"run_id", fakeRunId(1)}}).at("isError"));
  EXPECT_EQ(other.call("read_last_runs", json::object()).at("structuredContent").at("all"), 0);
  const std::string uri = "warpbench://runs/" + fakeRunId(1) + "/report.json";
  EXPECT_EQ(other.ask("resources/read", {{"uri", uri}}).at("error").at("code"), -32002);
  EXPECT_TRUE(client.ask("resources/read", {{"uri", uri}}).contains("result"));
}

TEST_F(McpSessionTest, ReadsResources) {
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, {JobStarted{}}); });
  client.initialize();
  client.call("run_kernel", reluRun());
  const std::string run = "warpbench://runs/" + fakeRunId(1);
  const std::tuple<std::string, const char*, const char*> known[] = {
      {run + "/report.md", "text/markdown", "# kernel.cpp"},
      {run + "/report.html", "text/html", "<html"},
      {run + "/report.json", "application/json", "\"kernels\""},
      {run + "/figures/environment", "text/markdown", "Environment"},
      {"warpbench://help/raw-cuda.md", "text/markdown", "# "}};
  for (const auto& [uri, type, part] : known) {
    const json content = client.ask("resources/read", {{"uri", uri}}).at("result").at("contents").at(0);
    EXPECT_EQ(content.at("uri"), uri);
    EXPECT_EQ(content.at("mimeType"), type);
    EXPECT_THAT(content.at("text").get<std::string>(), HasSubstr(part)) << uri;
  }
  for (const std::string& uri : {run, run + "/", run + "/report.exe", run + "/figures/no",
                                 std::string("warpbench://help/../../../../etc/passwd"),
                                 std::string("warpbench://help/"), std::string("warpbench://runs/")})
    EXPECT_EQ(client.ask("resources/read", {{"uri", uri}}).at("error").at("code"), -32002) << uri;
  EXPECT_THAT(client.ask("resources/list").dump(), HasSubstr(run + "/report.md"));
}

TEST_F(McpSessionTest, NoAnswerNamesAFolderOfTheMachine) {
  service.onSubmit([](FakeService& fake, const std::string& id) {
    fake.answer(id, {JobStarted{}, compiledStep(oneReluCase())});
  });
  client.initialize();
  json wanted = reluRun();
  wanted.erase("cases");
  std::string said = client.call("run_kernel", wanted).dump();
  said += client.ask("resources/read", {{"uri", "warpbench://runs/" + fakeRunId(1) + "/report.json"}}).dump();
  said += client.call("machine", json::object()).dump();
  said += client.call("list_cases", {{"op", "relu"}}).dump();
  EXPECT_EQ(said.find(resourceFolder().string()), std::string::npos);
  for (const Case& each : service.submission(fakeRunId(1)).job.cases)
    EXPECT_EQ(each.origin.file.find('/'), std::string::npos) << each.origin.file;
}

TEST_F(McpSessionTest, CompletesWhatIsTyped) {
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, {}); });
  client.initialize();
  client.call("run_kernel", reluRun());
  const auto completed = [&](const char* argument, const char* begun) {
    return client
        .ask("completion/complete", {{"ref", {{"type", "ref/prompt"}, {"name", "mend_kernel"}}},
                                     {"argument", {{"name", argument}, {"value", begun}}}})
        .at("result")
        .at("completion")
        .at("values");
  };
  EXPECT_EQ(completed("run_id", "0000"), json::array({fakeRunId(1)}));
  EXPECT_EQ(completed("run_id", "f"), json::array());
  EXPECT_EQ(completed("language", "tri"), json::array({"triton"}));
  EXPECT_EQ(completed("what", ""), json::array());
}

TEST_F(McpSessionTest, PutsArgumentsIntoPrompts) {
  client.initialize();
  const json prompt =
      client.ask("prompts/get", {{"name", "write_kernel"}, {"arguments", {{"op", "gelu"}}}}).at("result");
  const std::string text = prompt.at("messages").at(0).at("content").at("text");
  EXPECT_THAT(text, HasSubstr("operator gelu in the language triton"));
  EXPECT_EQ(text.find('{'), std::string::npos);
}

TEST_F(McpSessionTest, RunsOnlySoManyCallsAtOnce) {
  client.initialize();
  std::vector<std::shared_ptr<Answers>> begun;
  for (int i = 0; i < 8; ++i) begun.push_back(client.begin("run_kernel", reluRun()));
  service.waitForRuns(8);
  const json refused = client.ask("tools/call", {{"name", "machine"}});
  EXPECT_THAT(refused.at("error").at("message").get<std::string>(), HasSubstr("under way"));
  for (std::size_t i = 1; i <= 8; ++i) service.answer(fakeRunId(i), {});
  for (const auto& answers : begun) EXPECT_FALSE(answers->all().empty());
  client.session.wait();
  EXPECT_TRUE(client.ask("tools/call", {{"name", "machine"}}).contains("result"));
}

}  // namespace
}  // namespace wb
