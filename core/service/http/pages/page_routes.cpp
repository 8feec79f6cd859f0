// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/service/http/pages/assets.h"
#include "core/service/http/pages/pages.h"

namespace wb {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
constexpr std::string_view framePolicy =
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:; frame-ancestors 'self'";

HttpRoute page(std::string path, std::string_view type, std::string_view text,
               std::string_view allowed = policy) {
  return {"GET", std::move(path),
          [type, text, allowed](const HttpRequest&) {
            HttpResponse response = HttpResponse::text(200, type, std::string(text));
            response.headers.emplace("Content-Security-Policy", std::string(allowed));
            response.headers.emplace("Cache-Control", "no-cache");
            return response;
          },
          HttpAccess::anybody, nullptr};
}

HttpResponse health(const PagesContext& context) {
  Json looks = Json::array();
  bool isGood = true;
  for (const HealthLook& look : lookAtHealth(context.service, context.folder)) {
    isGood = isGood && look.isGood;
    looks.push_back({{"what", look.what}, {"is_good", look.isGood}, {"found", look.found}});
  }
  if (context.compilers)
    looks.push_back({{"what", "compilers"}, {"is_good", true}, {"found", context.compilers()}});
  const ServiceCounts counts = context.service.counts();
  const bool isDraining = context.isDraining && context.isDraining();
  const char* const status = isDraining ? "draining" : isGood ? "healthy" : "unhealthy";
  return HttpResponse::json(isGood && !isDraining ? 200 : 503, Json{{"status", status},
                                                                    {"version", WB_VERSION},
                                                                    {"queued", counts.queued},
                                                                    {"running", counts.running},
                                                                    {"uptime_seconds", counts.uptimeSeconds},
                                                                    {"looks", std::move(looks)}});
}

/// Stopped workers as they were at most a second ago: metrics may be asked for by many at once, and each look
/// reads a file for each thread of the service.
class LastLook {
 public:
  std::vector<StoppedWorker> stopped() {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (!at_ || now - *at_ > std::chrono::seconds{1}) {
      stopped_ = stoppedWorkers();
      at_ = now;
    }
    return stopped_;
  }

 private:
  std::mutex mutex_;
  std::optional<std::chrono::steady_clock::time_point> at_;
  std::vector<StoppedWorker> stopped_;
};

nlohmann::json described(std::string_view summary, std::string_view type) {
  const nlohmann::json content{{std::string(type), {{"schema", nlohmann::json::object()}}}};
  return {{"summary", summary},
          {"tags", nlohmann::json::array({"operation"})},
          {"responses", {{"200", {{"description", "All is well"}, {"content", content}}}}}};
}

}  // namespace

HttpRoutes pageRoutes(const PagesContext& context) {
  HttpRoutes all;
  all.routes.push_back(page("/", "text/html; charset=utf-8", asset::servicePage));
  all.routes.push_back(page("/assets/frame", "text/html; charset=utf-8", asset::serviceFrame, framePolicy));
  all.routes.push_back(page("/assets/page.js", "text/javascript; charset=utf-8", asset::serviceScript));
  all.routes.push_back(page("/assets/page.css", "text/css; charset=utf-8", asset::serviceStyle));
  all.routes.push_back(page("/assets/docs.js", "text/javascript; charset=utf-8", asset::serviceDocsScript));
  nlohmann::json healthDocs = described("Look at workers, folder and disk", "application/json");
  healthDocs["responses"]["503"] = {{"description", "Something is wrong, or the service is about to end"}};
  all.routes.push_back({"GET", "/v1/health", [context](const HttpRequest&) { return health(context); },
                        HttpAccess::machine, std::move(healthDocs)});
  all.routes.push_back({"GET", "/metrics",
                        [context, look = std::make_shared<LastLook>()](const HttpRequest&) {
                          return HttpResponse::text(
                              200, "text/plain; version=0.0.4; charset=utf-8",
                              metricsText(context.service.counts(), context.service.devices(),
                                          look->stopped(), context.requests.values(), context.connections()));
                        },
                        HttpAccess::machine, described("Fetch metrics for Prometheus", "text/plain")});
  return all;
}

}  // namespace wb
