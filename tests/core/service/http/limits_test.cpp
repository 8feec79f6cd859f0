// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstdlib>
#include <random>

#include "core/service/http/text/json_depth.h"
#include "tests/core/service/http/raw_client.h"
#include "tests/core/service/http/site_fixture.h"

namespace wb {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

TEST(JsonDepth, CountsBracketsOutsideTexts) {
  EXPECT_FALSE(isDeeperThan(R"([{"a":"[[[["}])", 2));
  EXPECT_TRUE(isDeeperThan("[[[", 2));
  EXPECT_FALSE(isDeeperThan(R"(["\"[[[["])", 2));
  EXPECT_FALSE(isDeeperThan("[][][][]", 1));
  EXPECT_FALSE(isDeeperThan("]]]]", 1));
  EXPECT_TRUE(isDeeperThan(std::string(10'000'000, '['), 64));
}

class LimitsTest : public SiteTest {
 protected:
  std::string answerTo(std::string_view bytes) {
    RawClient raw(site->port());
    raw.send(bytes);
    raw.endSending();
    return raw.readToEnd();
  }
  /// The server still answers.
  void expectAlive() {
    auto http = client();
    const auto answer = http.Get("/v1/suites");
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
  }
};

TEST_F(LimitsTest, LargeHeadersAreRefused) {
  config.http.headBytes = 4096;
  open();
  const std::string large(5000, 'x');
  EXPECT_EQ(statusOf(answerTo("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + large + "\r\n\r\n")), 431);
  EXPECT_EQ(statusOf(answerTo("GET /" + large + " HTTP/1.1\r\n\r\n")), 431);
  EXPECT_EQ(statusOf(answerTo(std::string(100'000, 'a'))), 431);
  expectAlive();
}

TEST_F(LimitsTest, LargeBodiesAreRefused) {
  config.http.bodyBytes = 1024;
  open();
  const std::string large = "\"" + std::string(2000, 'x') + "\"";
  EXPECT_EQ(statusOf(answerTo(requestText("POST", "/v1/runs", large))), 413);
  // Without a length nobody can tell before it comes.
  std::string chunks = "POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 100; ++i) chunks += "64\r\n" + std::string(100, 'x') + "\r\n";
  EXPECT_THAT(statusOf(answerTo(chunks)), AnyOf(400, 413));
  expectAlive();
}

TEST_F(LimitsTest, BodiesInChunksAreTaken) {
  open();
  std::string chunks = "POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const char c : reluRun) chunks += std::string("1\r\n") + c + "\r\n";
  const std::string answer = answerTo(chunks + "0\r\n\r\n");
  EXPECT_EQ(statusOf(answer), 202) << answer;
}

TEST_F(LimitsTest, FormsAreBodiesLikeOthers) {
  moreRoutes = [](Service&) {
    HttpRoutes routes;
    routes.routes.push_back({.method = "POST", .path = "/echo", .answer = [](const HttpRequest& request) {
                               return HttpResponse::text(200, *request.header("Content-Type"), request.body);
                             }});
    return routes;
  };
  open();
  auto http = client();
  for (const char* type : {"application/x-www-form-urlencoded", "multipart/form-data; boundary=b"}) {
    const std::string body = "a=" + std::string(20'000, 'x');
    const auto answer = http.Post("/echo", body, type);
    EXPECT_EQ(answer->status, 200) << type;
    EXPECT_EQ(answer->body, body) << type;
    EXPECT_EQ(answer->get_header_value("Content-Type"), type);
  }
}

TEST_F(LimitsTest, DeepJsonIsRefusedBeforeItIsParsed) {
  config.http.bodyBytes = 4 << 20;
  open();
  const std::string deep = "{\"a\":" + std::string(2'000'000, '[');
  const std::string answer = answerTo(requestText("POST", "/v1/runs", deep));
  EXPECT_EQ(statusOf(answer), 400);
  EXPECT_THAT(answer, HasSubstr("There was an error parsing the body"));
  expectAlive();
}

TEST_F(LimitsTest, CompressedBodiesAreNotUnpacked) {
  open();
  EXPECT_EQ(statusOf(answerTo(requestText("POST", "/v1/runs", "xx", "Content-Encoding: gzip\r\n"))), 415);
}

TEST_F(LimitsTest, ALengthIsSaidOnce) {
  open();
  for (const char* headers :
       {"Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip\r\n"})
    EXPECT_EQ(statusOf(answerTo(requestText("POST", "/v1/runs", "{}", headers))), 400) << headers;
  EXPECT_EQ(statusOf(answerTo("POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n")),
            400);
  expectAlive();
}

TEST_F(LimitsTest, WhatFollowsARefusedBodyIsNoRequest) {
  open();
  const std::string hidden = requestText("GET", "/v1/suites");
  const std::string answer = answerTo(requestText("GET", "/v1/languages", hidden) + requestText("GET", "/"));
  // One answer and no other: the connection ends behind a body that nobody has read.
  EXPECT_EQ(answer.find("HTTP/1.1", 1), std::string::npos) << answer;
}

TEST_F(LimitsTest, SeveralRequestsShareAConnection) {
  open();
  RawClient raw(site->port());
  raw.send(requestText("GET", "/v1/suites") + requestText("GET", "/v1/nothing"));
  EXPECT_EQ(statusOf(raw.readUntil("}]}")), 200);
  EXPECT_EQ(statusOf(raw.readUntil("}")), 404);
}

TEST_F(LimitsTest, SlowHeadsAndBodiesEnd) {
  config.http.requestSeconds = 0.2;
  config.http.idleSeconds = 0.2;
  open();
  RawClient head(site->port()), body(site->port()), silent(site->port());
  head.send("GET /v1/suites HTTP/1.1\r\nHost: lo");
  body.send("POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{\"op\"");
  EXPECT_EQ(statusOf(head.readToEnd()), 408);
  EXPECT_THAT(statusOf(body.readToEnd()), AnyOf(400, 408, 413));
  EXPECT_EQ(silent.readToEnd(), "");
  expectAlive();
}

TEST_F(LimitsTest, HalfRequestsLeaveNothingBehind) {
  open();
  for (const std::string& whole :
       {requestText("GET", "/v1/suites"), requestText("POST", "/v1/runs?wait=60", reluRun)})
    for (std::size_t size = 1; size < whole.size(); size += 7) {
      RawClient raw(site->port());
      raw.send(whole.substr(0, size));
    }
  expectAlive();
  site->drain();
  EXPECT_TRUE(service.runs(10).empty());
}

TEST_F(LimitsTest, FurtherConnectionsAreTurnedAway) {
  config.http.mostConnections = 2;
  open();
  RawClient one(site->port()), two(site->port());
  // Both are served once they were answered.
  for (RawClient* each : {&one, &two}) {
    each->send(requestText("GET", "/v1/nothing"));
    each->readUntil("}");
  }
  RawClient three(site->port());
  EXPECT_EQ(statusOf(three.readToEnd()), 503);
}

TEST_F(LimitsTest, PathsAndMethodsThatAreNone) {
  open();
  auto http = client();
  EXPECT_EQ(http.Get("/v1/nothing")->status, 404);
  EXPECT_EQ(nlohmann::json::parse(http.Get("/nothing")->body), (nlohmann::json{{"detail", "Not Found"}}));
  const auto wrong = http.Put("/v1/runs", "{}", "application/json");
  EXPECT_EQ(wrong->status, 405);
  EXPECT_EQ(wrong->get_header_value("Allow"), "POST, GET");
  const auto slash = http.Get("/v1/suites/");
  EXPECT_EQ(slash->status, 307);
  EXPECT_EQ(slash->get_header_value("Location"), "/v1/suites");
  EXPECT_EQ(http.Get("/v1/runs/%0d%0aX:%20y/")->status, 404);
  EXPECT_EQ(http.Get("/%2e%2e/etc/passwd")->status, 404);
}

TEST_F(LimitsTest, ARouteThatThrowsIsAnsweredAndSaid) {
  moreRoutes = [](Service&) {
    HttpRoutes routes;
    routes.routes.push_back(
        {.method = "GET", .path = "/breaks", .answer = [](const HttpRequest&) -> HttpResponse {
           throw std::runtime_error("a secret");
         }});
    return routes;
  };
  open();
  auto http = client();
  const auto answer = http.Get("/breaks");
  EXPECT_EQ(answer->status, 500);
  EXPECT_EQ(answer->body.find("secret"), std::string::npos);
  const auto lines = logged();
  EXPECT_THAT(lines.at(0).at("text").get<std::string>(), HasSubstr("GET /breaks: a secret"));
}

/// Requests that are nearly right: whatever a client sends, it is answered or the connection ends, and the
/// next one is served. WARPBENCH_FUZZ says how many.
TEST_F(LimitsTest, MalformedRequestsHarmNothing) {
  config.http.requestSeconds = 5;
  open();
  const char* asked = std::getenv("WARPBENCH_FUZZ");
  const int rounds = asked != nullptr ? std::atoi(asked) : 10'000;
  std::mt19937_64 random(20261122);
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  const std::vector<std::string> seeds{
      requestText("GET", "/v1/suites"),
      requestText("POST", "/v1/runs", R"({"sources":[{"name":"a.py","text":"x"}],"suite":"none"})"),
      requestText("DELETE", "/v1/runs/7"),
      "POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
      requestText("GET", "/v1/runs?most=3&state=queued", {}, "Range: bytes=0-5\r\nExpect: 100-continue\r\n"),
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\n"
      "Content-Length: 9\r\n\r\n--b--\r\n\r\n"};
  const std::vector<std::string> parts{
      "\r\n", "\r\n\r\n", ":",  " ",        "%", "%00", "\xff", "Content-Length: 9\r\n", "chunked", "0",
      "{",    "[",        "\"", "HTTP/1.1", "/", "?",   "\n",   "ffffffff\r\n"};
  std::map<int, int> answers;
  for (int round = 0; round < rounds; ++round) {
    std::string bytes = seeds[below(seeds.size())];
    for (std::size_t change = 0, changes = 1 + below(4); change < changes; ++change) {
      const std::size_t at = below(bytes.size() + 1);
      switch (below(4)) {
        case 0:
          bytes.insert(at, parts[below(parts.size())]);
          break;
        case 1:
          bytes.erase(at, below(20));
          break;
        case 2:
          if (at < bytes.size()) bytes[at] = static_cast<char>(random());
          break;
        default:
          bytes.insert(at, bytes.substr(below(bytes.size() + 1), below(40)));
      }
    }
    ++answers[statusOf(answerTo(bytes))];
  }
  for (const auto& [status, count] : answers) {
    RecordProperty("status" + std::to_string(status), count);
    EXPECT_LT(status, 500) << count << " requests were answered so";
  }
  EXPECT_GT(answers[400], 0);
  EXPECT_GT(answers[200], 0);
  expectAlive();
}

}  // namespace
}  // namespace wb
