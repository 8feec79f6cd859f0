// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <httplib.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/process/process.h"
#include "core/base/process/process_tree.h"

namespace wb {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::HasSubstr;

constexpr auto longEnough = 60s;

/// The program `warpbench-service` in a folder of its own.
class ServiceProgramTest : public testing::Test {
 protected:
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("wb-service-program-" + std::to_string(::getpid()));
  std::string worker = WB_BINARY_DIR "/tests/bin/warpbench-fake-worker";
  std::string address;

  ~ServiceProgramTest() override { std::filesystem::remove_all(folder); }

  [[nodiscard]] Command command(std::vector<std::string> words, const std::string& program = "warpbench") {
    const bool isOfTests = program != "warpbench";
    std::vector<std::string> argv{WB_BINARY_DIR + std::string(isOfTests ? "/tests/bin/" : "/bin/") + program};
    argv.insert(argv.end(), words.begin(), words.end());
    return {.argv = argv,
            .folder = {},
            .environment = {{"WARPBENCH_WORKER", worker},
                            {"WARPBENCH_CONFIG", (folder / "config").string()},
                            {"WARPBENCH_DATA", (folder / "data").string()}}};
  }
  Captured run(const std::vector<std::string>& words, const std::string& program = "warpbench") {
    auto captured = runToEnd(command(words, program), longEnough);
    EXPECT_TRUE(captured) << captured.error().text;
    return captured ? *captured : Captured{};
  }

  /// Starts it on a free port and reads which one from its first line.
  Child serve() {
    auto child = Child::start(command({"serve", "--port", "0", "--devices", "cpu", "--sandbox", "false",
                                       "--strict", "false", "--log", "text"}));
    EXPECT_TRUE(child) << child.error().text;
    std::string line;
    for (char c = 0; ::read(child->output(), &c, 1) == 1 && c != '\n';) line += c;
    EXPECT_TRUE(line.starts_with("http://127.0.0.1:")) << line;
    address = line.substr(0, line.size() - 1);
    return *std::move(child);
  }
  [[nodiscard]] httplib::Client client() const {
    httplib::Client made(address);
    made.set_read_timeout(longEnough);
    return made;
  }
};

TEST_F(ServiceProgramTest, CheckSaysWhatItWouldDo) {
  const Captured good = run({"serve", "--check", "--port", "1234", "--sandbox", "false"});
  EXPECT_EQ(good.ending, Ending{}) << good.err;
  EXPECT_THAT(good.out, HasSubstr("127.0.0.1:1234"));
  EXPECT_THAT(good.out, HasSubstr("warning    kernels run without walls"));
  const Captured open = run({"serve", "--check", "--address", "0.0.0.0"});
  EXPECT_EQ(open.ending.exitCode, 2);
  EXPECT_THAT(open.err, HasSubstr("others can reach 0.0.0.0, and no token keeps them out"));
  const Captured wrong = run({"serve", "--check", "--python", "/nope", "--tls-key", "/nope"});
  EXPECT_EQ(wrong.ending.exitCode, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--python /nope is no program"));
  EXPECT_THAT(wrong.err, HasSubstr("TLS needs a certificate and its key"));
  EXPECT_EQ(run({"serve", "--port", "x"}).ending.exitCode, 2);
  EXPECT_EQ(run({"serve", "--no-such-option"}).ending.exitCode, 2);
  EXPECT_THAT(run({"serve", "--help"}).out, HasSubstr("--queue-most-per-client"));
}

TEST_F(ServiceProgramTest, ATokenIsShownOnce) {
  const Captured made = run({"serve", "token", "ci", "--queued", "5", "--admin"});
  ASSERT_EQ(made.ending, Ending{}) << made.err;
  EXPECT_THAT(made.out, testing::StartsWith("wb_"));
  EXPECT_EQ(run({"serve", "token", "ci"}).ending.exitCode, 2);
  const Captured checked = run({"serve", "--check", "--sandbox", "false"});
  EXPECT_THAT(checked.out, HasSubstr("whoever has one of 1 tokens"));
}

TEST_F(ServiceProgramTest, RunsAreKeptOverAStopAndAStart) {
  std::string id;
  {
    Child child = serve();
    auto http = client();
    const auto answer =
        http.Post("/v1/runs?wait=60", R"({"op":"relu","stages":["compile","check"]})", "application/json");
    ASSERT_TRUE(answer);
    ASSERT_EQ(answer->status, 200) << answer->body;
    const json run = json::parse(answer->body);
    EXPECT_EQ(run.at("state"), "finished");
    id = run.at("id");
    EXPECT_EQ(http.Get("/health")->status, 200);
    EXPECT_THAT(http.Get("/metrics")->body, HasSubstr("warpbench_runs_total{state=\"finished\"} 1\n"));
    ::kill(child.pid(), SIGTERM);
    const auto [ended, ending] = child.wait(longEnough);
    EXPECT_TRUE(ended);
    EXPECT_EQ(ending, Ending{});
  }
  Child child = serve();
  auto http = client();
  const auto answer = http.Get("/v1/runs/" + id + "/report");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(json::parse(answer->body).at("outcome"), "finished");
  ::kill(child.pid(), SIGTERM);
  EXPECT_TRUE(child.wait(longEnough).first);
}

/// A stopped worker at rest looks like any other to the service, which hears nothing of either.
TEST_F(ServiceProgramTest, HealthSeesAWorkerThatIsStopped) {
  Child child = serve();
  auto http = client();
  const auto ran =
      http.Post("/v1/runs?wait=60", R"({"op":"relu","stages":["compile","check"]})", "application/json");
  ASSERT_TRUE(ran && ran->status == 200);
  EXPECT_EQ(http.Get("/health")->status, 200);
  pid_t keeper = 0, worker = 0;
  for (const pid_t each : childrenOf(child.pid()))
    for (const pid_t below : childrenOf(each)) {
      keeper = each;
      worker = below;
    }
  ASSERT_GT(worker, 0);
  for (const pid_t process : {worker, keeper}) {
    ASSERT_EQ(::kill(process, SIGSTOP), 0);
    while (processState(process)->state != 'T') ::usleep(1000);
    const auto answer = http.Get("/health");
    EXPECT_EQ(answer->status, 500);
    EXPECT_EQ(json::parse(answer->body).at("error"),
              "device cpu: a worker does not answer: process " + std::to_string(process) + " is stopped");
    EXPECT_EQ(http.Get("/v1/health")->status, 503);
    EXPECT_THAT(http.Get("/metrics")->body, HasSubstr("warpbench_device_up{device=\"cpu\"} 0\n"));
    ASSERT_EQ(::kill(process, SIGCONT), 0);
    while (processState(process)->state == 'T') ::usleep(1000);
    EXPECT_EQ(http.Get("/health")->status, 200);
  }
  ::kill(child.pid(), SIGTERM);
  EXPECT_TRUE(child.wait(longEnough).first);
}

#ifdef WB_WITH_LOAD
/// Half a second of what `warpbench-service-load` does for minutes by hand.
TEST_F(ServiceProgramTest, ManyClientsAtOnceGetNoErrors) {
  Child child = serve();
  const Captured load = run({address, "20", "0.5"}, "warpbench-service-load");
  EXPECT_EQ(load.ending, Ending{}) << load.out << load.err;
  EXPECT_THAT(load.out, HasSubstr("errors but 429: 0"));
  ::kill(child.pid(), SIGTERM);
  EXPECT_TRUE(child.wait(longEnough).first);
}

#endif

TEST_F(ServiceProgramTest, OneServiceHasAFolder) {
  Child child = serve();
  const Captured second = run({"serve", "--port", "0", "--devices", "cpu", "--sandbox", "false"});
  EXPECT_NE(second.ending, Ending{});
  EXPECT_THAT(second.err, HasSubstr("warpbench serve: "));
  EXPECT_EQ(client().Get("/health")->status, 200);
}

#ifdef WB_WITH_ENGINE
/// The whole way: a kernel that is right and one that is wrong, on the CPU.
TEST_F(ServiceProgramTest, TheRealWorkerJudgesKernels) {
  // Its folders are the test's own, so that the environment that packaging/setup made is not found.
  if (std::getenv("WARPBENCH_PYTHON") == nullptr)
    GTEST_SKIP() << "not run: $WARPBENCH_PYTHON names no Python";
  worker = WB_BINARY_DIR "/bin/warpbench-worker";
  Child child = serve();
  auto http = client();
  http.set_read_timeout(300);
  const auto outcomeOf = [&](const std::string& body) {
    const json request{{"sources",
                        {{{"name", "relu.py"},
                          {"text", "import torch\ndef relu(x):\n    return " + body + "\n"},
                          {"op", "relu"}}}},
                       {"stages", {"compile", "check"}},
                       {"device", "cpu"}};
    const auto answer = http.Post("/v1/runs?wait=300", request.dump(), "application/json");
    EXPECT_EQ(answer->status, 200) << answer->body;
    const std::string id = json::parse(answer->body).value("id", "");
    return json::parse(http.Get("/v1/runs/" + id + "/figures")->body).value("verdict", "");
  };
  EXPECT_THAT(outcomeOf("torch.clamp(x, min=0)"), HasSubstr("15 of 15 right"));
  const std::string wrong = outcomeOf("x + 1");
  EXPECT_THAT(wrong, HasSubstr(" of 15 right"));
  EXPECT_THAT(wrong, testing::Not(HasSubstr("15 of 15 right")));
  const auto devices = http.Get("/v1/devices");
  EXPECT_THAT(devices->body, HasSubstr("2.11"));
}
#endif

}  // namespace
}  // namespace wb
