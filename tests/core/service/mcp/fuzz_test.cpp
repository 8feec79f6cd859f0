// SPDX-License-Identifier: Apache-2.0
// Messages that nobody would write on purpose. Whatever comes, a session answers in JSON-RPC or not at all,
// and goes on. The seed is fixed, so that what fails here fails again; WARPBENCH_FUZZ=N takes N messages.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "tests/core/service/mcp/answers.h"

namespace wb {
namespace {

using nlohmann::json;

class Messages {
 public:
  explicit Messages(unsigned seed) : random_(seed) {}

  std::string next() {
    json message = {{"jsonrpc", "2.0"},
                    {"id", number(3) == 0 ? json("a") : json(number(50))},
                    {"method", methods[number(methods.size())]},
                    {"params", params()}};
    for (std::size_t changes = number(3); changes > 0; --changes) change(message, 0);
    std::string text = message.dump(-1, ' ', false, json::error_handler_t::replace);
    if (number(20) == 0) text = "[" + text + "," + text + "]";
    for (std::size_t flips = number(4) == 0 ? number(4) : 0; flips > 0 && !text.empty(); --flips)
      text[number(text.size())] = static_cast<char>(number(256));
    if (number(30) == 0) text.resize(number(text.size() + 1));
    return text;
  }

 private:
  std::size_t number(std::size_t below) { return random_() % below; }
  json params() {
    json arguments = {{"run_id", number(2) == 0 ? fakeRunId(1) : "x"},
                      {"case", "0/0"},
                      {"figure", "cases"},
                      {"search", "sum"},
                      {"op", "relu"},
                      {"source", "at::Tensor relu(at::Tensor x) { return x; }"},
                      {"language", "torch_cpp"},
                      {"cases", "((T([4], f32),), {})"},
                      {"first_row", 0}};
    // Fewer of them fit a tool.
    for (const char* name :
         {"run_id", "case", "figure", "search", "op", "source", "language", "cases", "first_row"})
      if (number(2) == 0) arguments.erase(name);
    return {{"name", tools[number(tools.size())]},
            {"arguments", arguments},
            {"protocolVersion", "2025-03-26"},
            {"uri", "warpbench://runs/" + fakeRunId(1) + "/report.json"},
            {"level", "debug"},
            {"requestId", number(50)},
            {"ref", {{"type", "ref/prompt"}}},
            {"argument", {{"name", "run_id"}, {"value", ""}}},
            {"_meta", {{"progressToken", 1}}}};
  }
  json odd() {
    switch (number(9)) {
      case 0:
        return nullptr;
      case 1:
        return -1;
      case 2:
        return 1e300;
      case 3:
        return json::array({json::array()});
      case 4:
        return {{"a", {{"b", 1}}}};
      case 5:
        return std::string(number(3000), 'x');
      case 6:
        return "\xc3\x28\xff";
      case 7:
        return true;
      default:
        return "warpbench://help/../x";
    }
  }
  /// Replaces, removes or adds a member somewhere.
  void change(json& at, int depth) {
    if (!at.is_object() || at.empty() || depth > 3) {
      at = odd();
      return;
    }
    auto member = at.begin();
    std::advance(member, number(at.size()));
    switch (number(4)) {
      case 0:
        at.erase(member);
        break;
      case 1:
        at[std::to_string(number(9))] = odd();
        break;
      case 2:
        member.value() = odd();
        break;
      default:
        change(member.value(), depth + 1);
    }
  }

  const std::vector<std::string> methods = {"initialize",
                                            "ping",
                                            "tools/list",
                                            "tools/call",
                                            "tools/call",
                                            "tools/call",
                                            "resources/list",
                                            "resources/read",
                                            "prompts/list",
                                            "prompts/get",
                                            "completion/complete",
                                            "logging/setLevel",
                                            "notifications/cancelled",
                                            "notifications/initialized",
                                            "x"};
  const std::vector<std::string> tools = {"run_kernel",     "read_run",       "read_last_runs",
                                          "cancel_run",     "show_assembly",  "explain_failing_case",
                                          "list_operators", "compare_runs",   "new_kernel",
                                          "machine",        "profile_kernel", "nothing"};
  std::mt19937 random_;
};

TEST(McpFuzz, ASessionSurvivesAnything) {
  const char* wanted = std::getenv("WARPBENCH_FUZZ");
  const int count = wanted != nullptr ? std::atoi(wanted) : 3000;
  FakeService service;
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, {JobStarted{}}); });
  const McpHost host = fakeHost(service);
  McpClient client(host);
  client.initialize("2025-03-26");
  Messages messages(20251122);
  std::vector<std::shared_ptr<Answers>> due;
  int answered = 0;
  for (int i = 0; i < count; ++i) {
    if (const auto answers = client.send(messages.next())) due.push_back(answers);
    if (i % 50 != 49) continue;
    for (const auto& answers : due)
      for (const json& line : answers->all())
        for (const json& one : line.is_array() ? line : json::array({line})) {
          ++answered;
          ASSERT_EQ(one.at("jsonrpc"), "2.0");
          ASSERT_TRUE(one.contains("result") || one.contains("error") || one.contains("method")) << one;
        }
    due.clear();
    service.forgetEnded();
  }
  EXPECT_GT(answered, count / 2);
  client.session.wait();
  EXPECT_EQ(client.ask("ping").at("result"), json::object());
}

}  // namespace
}  // namespace wb
