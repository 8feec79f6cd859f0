// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/served_site.h"

#include <chrono>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "core/runner/prepare.h"
#include "core/service/http/access/guarded_service.h"
#include "core/service/http/pages/pages.h"
#include "core/service/http/server/http_server.h"
#include "core/service/http/site.h"
#include "core/service/http/v1/v1.h"

namespace wb {
namespace {

constexpr std::string_view healthPath = "/health";

std::map<std::string, ClientLimits> limitsIn(const std::vector<Token>& tokens) {
  std::map<std::string, ClientLimits> limits;
  for (const Token& token : tokens) limits.emplace(token.name, token.limits);
  return limits;
}

SubmissionRules submissionRules(const ServedSite::Parts& parts) {
  return {.sandbox = parts.sandbox,
          .strict = parts.strict,
          .strictAlways = parts.strictAlways,
          .limits = limitsIn(parts.tokens)};
}

void append(HttpRoutes& to, HttpRoutes from) {
  to.routes.insert(to.routes.end(), std::make_move_iterator(from.routes.begin()),
                   std::make_move_iterator(from.routes.end()));
  to.schemas.update(from.schemas);
}

class Served final : public ServedSite {
 public:
  explicit Served(Parts parts)
      : parts_(std::move(parts)),
        service_(parts_.service, submissionRules(parts_)),
        site_(siteRules(), allRoutes()) {}
  /// Connections still ask for what is below while they end.
  ~Served() override {
    if (server_) server_->stop();
  }

  Result<void> listen() {
    auto opened = HttpServer::open(parts_.config.http,
                                   {.admit = [this](HttpRequest& request) { return site_.admit(request); },
                                    .answer = [this](HttpRequest& request) { return site_.answer(request); },
                                    .record =
                                        [this](const RequestRecord& record) {
                                          requests_.take(record);
                                          parts_.log.request(record);
                                        }});
    if (!opened) return std::move(opened).error();
    const std::lock_guard lock(mutex_);
    server_ = *std::move(opened);
    return {};
  }

  [[nodiscard]] int port() const override { return server_->port(); }

  void useTokens(const std::vector<Token>& tokens) override {
    service_.useLimits(limitsIn(tokens));
    site_.useTokens(tokens);
  }

  void drain() override {
    service_.drain(std::chrono::milliseconds(static_cast<std::int64_t>(parts_.config.drainSeconds * 1000)));
    server_->stop();
  }

 private:
  [[nodiscard]] SiteRules siteRules() const {
    PrivatePaths paths = privatePathsHere();
    paths.add(parts_.config.service.folder, "(service)");
    return {.isLoopback = isLoopback(parts_.config.http.address),
            .tokens = parts_.tokens,
            .hosts = parts_.config.hosts,
            .requestsPerMinute = parts_.config.requestsPerMinute,
            .jsonDepth = static_cast<std::size_t>(parts_.config.jsonDepth),
            .paths = std::move(paths),
            .onError = [this](const std::string& text) { parts_.log.say("error", text); }};
  }

  [[nodiscard]] std::size_t connections() {
    const std::lock_guard lock(mutex_);
    return server_ ? server_->connections() : 0;
  }

  /// What asks whether the service is well hears first what was looked at, whatever else the route says.
  HttpRoute looking(HttpRoute route) {
    route.access = HttpAccess::machine;
    if (!route.operation.is_null())
      route.operation["responses"].update({{"500", {{"description", "What is not well"}}},
                                           {"503", {{"description", "The service is about to end"}}}});
    route.answer = [this, answer = std::move(route.answer)](const HttpRequest& request) {
      if (service_.isDraining())
        return HttpResponse::json(
            503, nlohmann::ordered_json{{"status", "draining"},
                                        {"error", "the service takes no more jobs and ends"}});
      for (const HealthLook& look : lookAtHealth(service_, parts_.config.service.folder))
        if (!look.isGood)
          return HttpResponse::json(
              500, nlohmann::ordered_json{{"status", "unhealthy"}, {"error", look.what + ": " + look.found}});
      return answer(request);
    };
    return route;
  }

  HttpRoutes allRoutes() {
    HttpRoutes all;
    if (parts_.moreRoutes) append(all, parts_.moreRoutes(service_));
    bool hasHealth = false;
    for (HttpRoute& route : all.routes)
      if (route.path == healthPath) {
        route = looking(std::move(route));
        hasHealth = true;
      }
    append(all, v1Routes({.service = service_,
                          .python = parts_.config.python,
                          .operators = [python = parts_.config.python] { return catalogueOfTorch(python); },
                          .isDraining = [this] { return service_.isDraining(); }}));
    append(all, pageRoutes({.service = service_,
                            .folder = parts_.config.service.folder,
                            .requests = requests_,
                            .connections = [this] { return connections(); },
                            .compilers = parts_.compilers,
                            .isDraining = [this] { return service_.isDraining(); }}));
    if (!hasHealth)
      all.routes.push_back(looking({"GET", std::string(healthPath),
                                    [](const HttpRequest&) {
                                      return HttpResponse::json(200, nlohmann::json{{"status", "healthy"}});
                                    },
                                    HttpAccess::machine, nullptr}));
    append(all, documentRoutes(all));
    return all;
  }

  Parts parts_;
  GuardedService service_;
  RequestCounts requests_;
  Site site_;
  std::mutex mutex_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace

Result<std::unique_ptr<ServedSite>> ServedSite::open(Parts parts) {
  auto served = std::make_unique<Served>(std::move(parts));
  WB_DO(served->listen());
  return std::unique_ptr<ServedSite>(std::move(served));
}

}  // namespace wb
