// SPDX-License-Identifier: Apache-2.0
// Requests that nobody would write on purpose, to all routes of a site without a socket. Whatever comes, a
// route answers and throws nothing. The seed is fixed, so that what fails here fails again; WARPBENCH_FUZZ=N
// takes N requests.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "core/service/evaluation/evaluation_routes.h"
#include "core/service/http/pages/pages.h"
#include "core/service/http/site.h"
#include "core/service/http/v1/v1.h"
#include "core/service/mcp/http_mcp.h"
#include "tests/core/service/mcp/answers.h"

namespace wb {
namespace {

using nlohmann::json;

json tensor() {
  return {
      {"name", "a"},
      {"type", "tensor"},
      {"role", "input"},
      {"tensor_spec",
       {{"shape", {4, 2}},
        {"dtype", "float32"},
        {"init", {{"kind", "randn"}, {"seed", 1}, {"mean", 0.5}}},
        {"data", {{"data_b64", "AAAAAA=="}, {"dtype", "float32"}, {"shape", {1}}, {"compress", "zlib"}}}}}};
}

json kernel() {
  return {{"source_code", "class Model: pass"},
          {"kernel_type", "cuda"},
          {"metadata", {{"kernel_name", "k"}, {"compiler_options", {"-O3"}}}},
          {"io",
           {{"args", {tensor(), {{"name", "n"}, {"type", "int"}, {"value", 4}}}},
            {"launch", {{"grid", {{"x", 1}}}, {"block", {{"x", 32}}}, {"num_warps", 4}}}}}};
}

/// A request of each route that takes a body, as a client means it.
const std::vector<std::pair<std::string, json>>& sensible() {
  static const std::vector<std::pair<std::string, json>> all{
      {"/evaluate", {{"kernel", kernel()}, {"num_trials", 3}, {"timeout", 9}}},
      {"/compare",
       {{"ref_kernel", kernel()},
        {"custom_kernel", kernel()},
        {"atol", 1e-3},
        {"rtol", 1e-3},
        {"timeout", 9}}},
      {"/", {{"ref_code", "a"}, {"custom_code", "b"}, {"num_trials", 5}}},
      {"/v1/runs",
       {{"sources", {{{"name", "relu.py"}, {"text", "x"}, {"op", "relu"}}}},
        {"stages", {"compile", "check"}},
        {"tolerance", {{"rtol", 1e-3}, {"atol", 1}}},
        {"priority", 3},
        {"deadline_seconds", 10},
        {"seed", 7},
        {"device", "cpu"}}},
      {"/mcp/",
       {{"jsonrpc", "2.0"},
        {"id", 1},
        {"method", "initialize"},
        {"params", {{"protocolVersion", "2025-06-18"}, {"capabilities", json::object()}}}}}};
  return all;
}

HttpRequest postOf(const std::string& path, const json& body) {
  HttpRequest request;
  request.headers = {{"Host", "localhost"}, {"Content-Type", "application/json"}, {"Accept", "*/*"}};
  if (path == "/mcp/") request.headers.find("Accept")->second = "application/json, text/event-stream";
  request.isWanted = [] { return true; };
  request.client.address = "127.0.0.1";
  request.method = "POST";
  request.path = path;
  request.body = body.dump(-1, ' ', false, json::error_handler_t::replace);
  return request;
}

HttpResponse answerOf(Site& site, HttpRequest request) {
  std::optional<HttpResponse> refused = site.admit(request);
  HttpResponse response = refused ? *std::move(refused) : site.answer(request);
  if (response.stream) response.stream([](std::string_view) { return false; });
  return response;
}

class Requests {
 public:
  explicit Requests(unsigned seed) : random_(seed) {}

  HttpRequest next(const HttpRoutes& routes) {
    HttpRequest request = postOf("/", nullptr);
    if (number(4) == 0) {
      const HttpRoute& route = routes.routes[number(routes.routes.size())];
      request.method = route.method;
      request.path = route.path;
      for (std::size_t at = 0; (at = request.path.find('{')) != std::string::npos;)
        request.path.replace(
            at, request.path.find('}', at) + 1 - at,
            number(3) == 0 ? odd().dump(-1, ' ', false, json::error_handler_t::replace) : "1");
      constexpr std::array parameters{"wait", "most", "state", "after", "format", "search", "count"};
      request.query = {{parameters[number(parameters.size())],
                        odd().dump(-1, ' ', false, json::error_handler_t::replace)}};
      request.body = odd().dump(-1, ' ', false, json::error_handler_t::replace);
      return request;
    }
    const auto& [path, body] = sensible()[number(sensible().size())];
    json changed = body;
    for (std::size_t changes = number(4); changes > 0; --changes) change(changed);
    request = postOf(path, changed);
    for (std::size_t flips = number(4) == 0 ? number(4) : 0; flips > 0; --flips)
      request.body[number(request.body.size())] = static_cast<char>(number(256));
    if (number(30) == 0) request.body.resize(number(request.body.size()));
    return request;
  }

 private:
  std::size_t number(std::size_t below) { return random_() % below; }
  json odd() {
    switch (number(10)) {
      case 0:
        return nullptr;
      case 1:
        return -1;
      case 2:
        return 1e300;
      case 3:
        return json::array({json::array()});
      case 4:
        return json::object();
      case 5:
        return std::string(number(2000), 'x');
      case 6:
        return "\xc3\x28\xff";
      case 7:
        return std::int64_t{1} << 62;
      case 8:
        return "1e999";
      default:
        return number(2) == 0;
    }
  }
  /// Puts something odd in the place of some part, or takes it away.
  void change(json& value) {
    const bool goesOn = value.is_structured() && !value.empty() && number(5) != 0;
    if (!goesOn) {
      value = odd();
      return;
    }
    auto child = value.begin();
    std::advance(child, static_cast<std::ptrdiff_t>(number(value.size())));
    if (number(6) == 0)
      value.erase(child);
    else
      change(*child);
  }

  std::mt19937 random_;
};

TEST(SiteFuzz, EveryRequestIsAnswered) {
  const char* wanted = std::getenv("WARPBENCH_FUZZ");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  const int count = wanted != nullptr ? std::atoi(wanted) : 1000;
  FakeService service;
  service.onSubmit([](FakeService& fake, const std::string& id) { fake.answer(id, {}); });
  const auto evaluation = std::make_shared<EvaluationServer>(service, EvaluationHost{"pod", "127.0.0.1"});
  McpHost host = fakeHost(service);
  host.evaluation = evaluation.get();
  RequestCounts counts;
  HttpRoutes routes = evaluationRoutes(evaluation);
  for (HttpRoutes& more :
       std::array{mcpRoutes(std::make_shared<McpHttp>(host)),
                  v1Routes({.service = service, .python = {}, .operators = host.catalogue, .isDraining = {}}),
                  pageRoutes({.service = service, .folder = "/tmp", .requests = counts, .connections = [] {
                                return std::size_t{1};
                              }})})
    for (HttpRoute& route : more.routes) routes.routes.push_back(std::move(route));
  std::string thrown;
  Site site({.onError = [&](const std::string& what) { thrown = what; }}, routes);
  for (const auto& [path, body] : sensible()) {
    const HttpResponse answered = answerOf(site, postOf(path, body));
    EXPECT_TRUE(answered.status == 200 || answered.status == 202)
        << path << " is refused as it stands: " << answered.body;
  }
  Requests requests(7);
  std::map<int, int> statuses;
  int accepted = 0;
  for (int i = 0; i < count && thrown.empty(); ++i) {
    HttpRequest request = requests.next(routes);
    const HttpResponse response = answerOf(site, request);
    ++statuses[response.status];
    if (request.path == "/v1/runs" && response.status == 202) ++accepted;
    EXPECT_TRUE(response.status >= 200 && response.status < 600) << request.path << "\n" << request.body;
    EXPECT_EQ(thrown, "") << request.method << " " << request.path << "\n" << request.body;
    if (i % 100 == 0) service.forgetEnded();
  }
  EXPECT_GT(statuses[200], count / 50) << "most requests were refused before anybody read them";
  EXPECT_GT(statuses[400], count / 50);
  EXPECT_GT(accepted, count / 50) << "most runs were refused before anybody planned them";
}

}  // namespace
}  // namespace wb
