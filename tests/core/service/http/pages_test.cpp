// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <regex>

#include "core/base/text.h"
#include "core/service/http/pages/assets.h"
#include "core/service/http/pages/pages.h"
#include "tests/core/service/http/site_fixture.h"

namespace wb {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class PagesTest : public SiteTest {
 protected:
  std::string body(const std::string& path, int status = 200) {
    auto http = client();
    const auto answer = http.Get(path);
    EXPECT_EQ(answer->status, status) << path;
    return answer->body;
  }
};

TEST_F(PagesTest, HealthLooks) {
  open();
  const json good = json::parse(body("/v1/health"));
  EXPECT_EQ(good.at("status"), "healthy");
  EXPECT_EQ(good.at("looks").size(), 3U);
  body("/health");
  DeviceState device{.device = "cpu", .worker = {.state = WorkerStatus::State::failed}, .runs = {}};
  device.worker.failure.text = "no torch";
  service.setDevice(0, device);
  EXPECT_EQ(json::parse(body("/v1/health", 503)).at("status"), "unhealthy");
  const json bad = json::parse(body("/health", 500));
  EXPECT_EQ(bad.at("status"), "unhealthy");
  EXPECT_EQ(bad.at("error"), "device cpu: no worker starts: no torch");
  service.setDevice(0, {.device = "cpu", .worker = {}, .runs = {}, .noWorker = "there is no Python"});
  EXPECT_EQ(json::parse(body("/health", 500)).at("error"),
            "device cpu: the last run found no worker: there is no Python");
}

TEST_F(PagesTest, HealthSaysWhereTheCompilersAreAndIsGoodWithoutThem) {
  compilers = [] { return "not prepared, since there is no torch"; };
  open();
  const json looks = json::parse(body("/v1/health")).at("looks");
  EXPECT_EQ(
      looks.back(),
      json({{"what", "compilers"}, {"is_good", true}, {"found", "not prepared, since there is no torch"}}));
}

TEST_F(PagesTest, HealthSeesAFolderThatIsGone) {
  config.service.folder = "/no/such/folder";
  open();
  EXPECT_THAT(body("/v1/health", 503), HasSubstr("cannot be written"));
}

/// Every line is one that Prometheus reads, each name is described once, before its values.
TEST_F(PagesTest, MetricsAreInPrometheusFormat) {
  open();
  service.setCounts({.accepted = 9, .finished = 7, .queued = 2, .waited = 1.5});
  // On one connection a request is counted before the next one is read.
  auto http = client();
  http.Get("/v1/suites");
  http.Get("/nothing");
  const std::string text = http.Get("/metrics")->body;
  const std::regex comment("# (HELP warpbench_[a-z_]+ .+|TYPE warpbench_[a-z_]+ (counter|gauge|histogram))");
  const std::regex value(R"re(warpbench_[a-z_]+(\{[a-z]+="[^"]*"\})? [-+0-9.e]+)re");
  std::set<std::string> described;
  for (const std::string_view line : splitLines(text)) {
    const std::string one(line);
    if (one.starts_with('#'))
      EXPECT_TRUE(std::regex_match(one, comment)) << one;
    else
      EXPECT_TRUE(std::regex_match(one, value)) << one;
    if (one.starts_with("# TYPE")) EXPECT_TRUE(described.insert(one).second) << one;
  }
  EXPECT_THAT(text, HasSubstr("warpbench_runs_total{state=\"finished\"} 7\n"));
  EXPECT_THAT(text, HasSubstr("warpbench_runs_queued 2\n"));
  EXPECT_THAT(text, HasSubstr("warpbench_http_requests_total{status=\"404\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("warpbench_http_request_seconds_bucket{le=\"+Inf\"}"));
  EXPECT_THAT(text, HasSubstr("warpbench_device_up{device=\"cpu\"} 1\n"));
}

TEST_F(PagesTest, ThePageNeedsNothingFromElsewhere) {
  open();
  for (const char* path :
       {"/", "/docs", "/assets/frame", "/assets/page.js", "/assets/page.css", "/assets/docs.js"}) {
    const std::string text = body(path);
    EXPECT_FALSE(text.empty());
    EXPECT_EQ(text.find("//cdn"), std::string::npos) << path;
    EXPECT_EQ(text.find("src=\"http"), std::string::npos) << path;
    EXPECT_EQ(text.find("url(http"), std::string::npos) << path;
  }
  auto http = client();
  EXPECT_THAT(http.Get("/")->get_header_value("Content-Security-Policy"), HasSubstr("default-src 'none'"));
  EXPECT_THAT(http.Get("/assets/frame")->get_header_value("Content-Security-Policy"), HasSubstr("sandbox"));
}

/// What OpenAPI 3.1 asks of a document, as far as this one has it.
void expectWellFormed(const json& api) {
  EXPECT_EQ(api.at("openapi"), "3.1.0");
  EXPECT_TRUE(api.at("info").contains("title") && api.at("info").contains("version"));
  std::set<std::string> ids;
  for (const auto& [path, methods] : api.at("paths").items())
    for (const auto& [method, operation] : methods.items()) {
      const std::string where = method + " " + path;
      EXPECT_TRUE(ids.insert(operation.at("operationId")).second) << where;
      ASSERT_FALSE(operation.at("responses").empty()) << where;
      for (const auto& [status, response] : operation.at("responses").items())
        EXPECT_TRUE(response.contains("description")) << where << status;
      std::set<std::string> named;
      for (const json& parameter : operation.value("parameters", json::array()))
        if (parameter.at("in") == "path") {
          EXPECT_EQ(parameter.at("required"), true);
          named.insert(parameter.at("name"));
        }
      std::set<std::string> wanted;
      const std::regex brace(R"(\{([^}]*)\})");
      for (auto at = std::sregex_iterator(path.begin(), path.end(), brace); at != std::sregex_iterator();
           ++at)
        wanted.insert((*at)[1]);
      EXPECT_EQ(named, wanted) << where;
    }
  const std::regex reference("\"\\$ref\":\"#/components/schemas/([^\"]*)\"");
  const std::string text = api.dump();
  for (auto at = std::sregex_iterator(text.begin(), text.end(), reference); at != std::sregex_iterator();
       ++at)
    EXPECT_TRUE(api.at("components").at("schemas").contains((*at)[1].str())) << (*at)[1];
}

TEST(OpenApi, APartOfAPathIsDescribedOnce) {
  HttpRoutes routes;
  const json own{{"name", "id"}, {"in", "path"}, {"description", "The job"}};
  routes.routes.push_back({"GET", "/job/{id}/{part}", nullptr, HttpAccess::anybody, {{"parameters", {own}}}});
  const json parameters = json(openApi(routes))["paths"]["/job/{id}/{part}"]["get"]["parameters"];
  ASSERT_EQ(parameters.size(), 2U) << parameters.dump(1);
  EXPECT_EQ(parameters[0], own);
  EXPECT_EQ(parameters[1]["name"], "part");
}

TEST_F(PagesTest, TheInterfaceIsDescribedAsItIs) {
  open();
  const json api = json::parse(body("/openapi.json"));
  expectWellFormed(api);
  EXPECT_EQ(api.at("info").at("title"), "CUDA Evaluation Server V2");
  EXPECT_EQ(api.at("info").at("version"), "2.0.0");
  // Whatever is described is there, by its method: nothing is answered with 404 "Not Found" or 405.
  auto http = client();
  for (const auto& [path, methods] : api.at("paths").items())
    for (const auto& [method, operation] : methods.items()) {
      const std::string real = std::regex_replace(path, std::regex(R"(\{[^}]*\})"), "x");
      const auto answer = method == "get"      ? http.Get(real)
                          : method == "delete" ? http.Delete(real)
                                               : http.Post(real, "{}", "application/json");
      ASSERT_TRUE(answer) << method << " " << path;
      EXPECT_NE(answer->status, 405) << method << " " << path;
      EXPECT_NE(answer->body, R"({"detail":"Not Found"})") << method << " " << path;
    }
  for (const char* path : {"/v1/runs", "/v1/runs/{id}", "/v1/runs/{id}/events", "/v1/runs/{id}/report",
                           "/v1/runs/{id}/figures", "/v1/runs/{id}/figures/{figure}", "/v1/operators",
                           "/v1/suites", "/v1/languages", "/v1/devices", "/v1/health", "/metrics"})
    EXPECT_TRUE(api.at("paths").contains(path)) << path;
}

}  // namespace
}  // namespace wb
