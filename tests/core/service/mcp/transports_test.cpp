// SPDX-License-Identifier: Apache-2.0
// The Model Context Protocol over HTTP and over lines: what each transport adds to a session.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "core/service/mcp/http_mcp.h"
#include "core/service/mcp/line_mcp.h"
#include "tests/core/service/mcp/answers.h"

namespace wb {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* initialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}})";
constexpr const char* ping = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";

class McpHttpTest : public ::testing::Test {
 protected:
  [[nodiscard]] static HttpRequest request(const std::string& method, const std::string& body,
                                           const std::string& session = {}) {
    HttpRequest request;
    request.method = method;
    request.path = "/mcp/";
    request.headers = {{"Accept", "application/json, text/event-stream"},
                       {"Content-Type", "application/json"}};
    if (!session.empty()) request.headers.emplace("Mcp-Session-Id", session);
    request.body = body;
    request.client.name = "ada";
    request.isWanted = [] { return true; };
    return request;
  }
  [[nodiscard]] HttpResponse post(const std::string& body, const std::string& session = {}) {
    return http.post(request("POST", body, session));
  }
  static std::string streamed(const HttpResponse& response) {
    std::string all;
    response.stream([&](std::string_view piece) {
      all += piece;
      return true;
    });
    return all;
  }
  static json errorOf(const HttpResponse& response) { return json::parse(response.body).at("error"); }
  std::string begin() {
    const HttpResponse response = post(initialize);
    EXPECT_EQ(response.status, 200);
    streamed(response);
    return response.headers.find("mcp-session-id")->second;
  }

  FakeService service;
  std::chrono::steady_clock::time_point now{};
  McpHttp http{fakeHost(service),
               {.mostSessions = 4, .mostSessionsPerClient = 3, .idle = std::chrono::seconds{100}},
               [this] { return now; }};
};

TEST_F(McpHttpTest, AnswersRequestsAsEventsInASession) {
  const HttpResponse response = post(initialize);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.headers.find("content-type")->second, "text/event-stream");
  const std::string text = streamed(response);
  EXPECT_THAT(text, StartsWith("event: message\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":"));
  EXPECT_THAT(text, HasSubstr("2025-06-18"));
  EXPECT_TRUE(text.ends_with("\r\n\r\n"));
  const std::string session = response.headers.find("mcp-session-id")->second;
  EXPECT_EQ(session.size(), 32U);
  EXPECT_EQ(streamed(post(ping, session)),
            "event: message\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\r\n\r\n");
  const HttpResponse told = post(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", session);
  EXPECT_EQ(told.status, 202);
  EXPECT_EQ(told.body, "");
  EXPECT_FALSE(told.stream);
}

TEST_F(McpHttpTest, RefusesWhatTheProtocolDoesNotHave) {
  const std::string session = begin();
  const auto with = [&](const char* header, const char* value, const char* body = ping) {
    HttpRequest wrong = request("POST", body, session);
    wrong.headers.erase(header);
    if (*value != '\0') wrong.headers.emplace(header, value);
    return http.post(wrong);
  };
  EXPECT_EQ(with("Accept", "").status, 406);
  EXPECT_EQ(with("Accept", "application/json").status, 406);
  EXPECT_EQ(errorOf(with("Accept", "text/event-stream")).at("code"), -32600);
  EXPECT_EQ(with("Accept", "*/*").status, 200);
  EXPECT_EQ(with("Accept", "text/*;q=0.5, APPLICATION/JSON").status, 200);
  EXPECT_EQ(with("Content-Type", "text/plain").status, 415);
  EXPECT_EQ(with("Content-Type", "application/json; charset=utf-8").status, 200);
  EXPECT_EQ(with("Mcp-Protocol-Version", "2025-03-26").status, 200);
  EXPECT_EQ(with("Mcp-Protocol-Version", "2026-07-28").status, 400);
  EXPECT_EQ(with("Mcp-Session-Id", "").status, 400);
  EXPECT_EQ(with("Mcp-Session-Id", "00000000000000000000000000000000").status, 404);
  EXPECT_EQ(errorOf(with("X", "", "{")).at("code"), -32700);
  EXPECT_EQ(with("X", "", "{}").status, 400);
  // Nothing was agreed on, so no session is left.
  EXPECT_EQ(post(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})").status, 200);
  EXPECT_EQ(http.sessionCount(), 1U);
}

TEST_F(McpHttpTest, ASessionBelongsToItsClient) {
  const std::string session = begin();
  HttpRequest foreign = request("POST", ping, session);
  foreign.client.name = "eve";
  EXPECT_EQ(http.post(foreign).status, 404);
  foreign.method = "DELETE";
  EXPECT_EQ(http.remove(foreign).status, 404);
  EXPECT_EQ(post(ping, session).status, 200);
}

TEST_F(McpHttpTest, SessionsEndAndAreBounded) {
  const std::string first = begin();
  EXPECT_EQ(http.remove(request("DELETE", "", first)).status, 200);
  EXPECT_EQ(post(ping, first).status, 404);
  const std::string second = begin();
  now += std::chrono::seconds{99};
  EXPECT_EQ(post(ping, second).status, 200);
  now += std::chrono::seconds{99};
  EXPECT_EQ(post(ping, second).status, 200);
  now += std::chrono::seconds{100};
  EXPECT_EQ(post(ping, second).status, 404);
  EXPECT_EQ(http.sessionCount(), 0U);
  // A client's own oldest session makes room; another's never does.
  const std::string oldest = begin();
  for (int i = 0; i < 3; ++i) {
    now += std::chrono::seconds{1};
    begin();
  }
  EXPECT_EQ(http.sessionCount(), 3U);
  EXPECT_EQ(post(ping, oldest).status, 404);
  HttpRequest other = request("POST", initialize);
  other.client.name = "bob";
  EXPECT_EQ(http.post(other).status, 200);
  other.client.name = "eve";
  EXPECT_EQ(http.post(other).status, 503);
}

TEST_F(McpHttpTest, TheEndOfASessionEndsItsCalls) {
  const std::string session = begin();
  const json call{{"jsonrpc", "2.0"},
                  {"id", 3},
                  {"method", "tools/call"},
                  {"params", {{"name", "run_kernel"}, {"arguments", reluRun()}}}};
  const HttpResponse running = post(call.dump(), session);
  const std::string id = service.waitForRuns(1).at(0);
  now += std::chrono::seconds{1000};
  EXPECT_EQ(post(ping, session).status, 200) << "a session with a call is not idle";
  EXPECT_EQ(http.remove(request("DELETE", "", session)).status, 200);
  EXPECT_EQ(streamed(running), "");
  EXPECT_EQ(service.waitForEnd(id).state, RunState::cancelled);
}

TEST_F(McpHttpTest, AStreamWithoutAQuestionIsOneForASession) {
  const std::string session = begin();
  HttpRequest asked = request("GET", "", session);
  asked.headers.erase("Accept");
  EXPECT_EQ(http.get(asked).status, 406);
  EXPECT_EQ(http.get(request("GET", "")).status, 400);
  HttpRequest wanted = request("GET", "", session);
  wanted.isWanted = [&] {
    // The stream is open now.
    EXPECT_EQ(http.get(request("GET", "", session)).status, 409);
    return false;
  };
  const HttpResponse stream = http.get(wanted);
  ASSERT_EQ(stream.status, 200);
  EXPECT_EQ(streamed(stream), "");
  EXPECT_EQ(http.get(request("GET", "", session)).status, 200);
}

/// A client of lines, over two pipes.
class McpLines : public ::testing::Test {
 protected:
  McpLines() {
    EXPECT_EQ(::pipe2(in.data(), O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(out.data(), O_CLOEXEC), 0);
    server = std::thread([this] { serveMcpLines(host, "mcp", in[0], out[1]); });
  }
  ~McpLines() override {
    hangUp();
    ::close(in[0]);
    ::close(out[0]);
    ::close(out[1]);
  }
  void hangUp() {
    if (!server.joinable()) return;
    ::close(in[1]);
    server.join();
  }
  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(in[1], text.data(), text.size());
      ASSERT_GT(written, 0);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  json read() {
    std::string line;
    for (char c = 0; ::read(out[0], &c, 1) == 1 && c != '\n';) line += c;
    return json::parse(line);
  }

  FakeService service;
  McpHost host = fakeHost(service);
  std::array<int, 2> in{}, out{};
  std::thread server;
};

TEST_F(McpLines, TakesAMessageOnEachLine) {
  write(std::string(initialize) + "\n\r\n  \n");
  EXPECT_EQ(read().at("result").at("protocolVersion"), "2025-06-18");
  const std::string text = std::string(ping) + "\r\n" + ping + "\n";
  for (const char c : text) write(std::string(1, c));
  EXPECT_EQ(read().at("id"), 2);
  EXPECT_EQ(read().at("id"), 2);
}

TEST_F(McpLines, ALineThatIsTooLongIsRefusedAndTheNextOneTaken) {
  for (std::size_t i = 0; i <= longestRpcText / 65'536; ++i) write(std::string(65'536, 'x'));
  write("\n" + std::string(ping) + "\n");
  EXPECT_EQ(read().at("error").at("code"), -32600);
  EXPECT_EQ(read().at("id"), 2);
}

TEST_F(McpLines, TheEndOfTheInputEndsWhatRuns) {
  write(std::string(initialize) + "\n");
  read();
  const json call{{"jsonrpc", "2.0"},
                  {"id", 3},
                  {"method", "tools/call"},
                  {"params", {{"name", "run_kernel"}, {"arguments", reluRun()}}}};
  write(call.dump() + "\n");
  const std::string id = service.waitForRuns(1).at(0);
  hangUp();
  EXPECT_EQ(service.waitForEnd(id).state, RunState::cancelled);
}

}  // namespace
}  // namespace wb
