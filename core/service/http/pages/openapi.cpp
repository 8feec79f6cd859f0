// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <utility>

#include "core/base/text.h"
#include "core/service/http/pages/assets.h"
#include "core/service/http/pages/pages.h"

namespace wb {
namespace {

using Json = nlohmann::ordered_json;

// The title and the version of the interface that the evaluation server's clients know.
constexpr std::string_view title = "CUDA Evaluation Server V2";
constexpr std::string_view version = "2.0.0";

std::string operationId(const HttpRoute& route) {
  std::string id = lowerCase(route.method);
  for (const char c : route.path) id += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return id;
}

bool names(const Json& operation, std::string_view parameter) {
  const Json known = operation.value("parameters", Json::array());
  return std::ranges::any_of(
      known, [&](const Json& each) { return each.value("in", "") == "path" && each["name"] == parameter; });
}

/// A parameter for each part of the path in braces; every operation has to name them, and each once.
void addPathParameters(Json& operation, std::string_view path) {
  for (const std::string_view part : split(path, '/')) {
    if (!part.starts_with('{') || names(operation, part.substr(1, part.size() - 2))) continue;
    operation["parameters"].push_back({{"name", part.substr(1, part.size() - 2)},
                                       {"in", "path"},
                                       {"required", true},
                                       {"schema", {{"type", "string"}}}});
  }
}

}  // namespace

Json openApi(const HttpRoutes& routes) {
  Json paths = Json::object();
  for (const HttpRoute& route : routes.routes) {
    if (route.operation.is_null()) continue;
    Json operation = route.operation;
    if (!operation.contains("operationId")) operation["operationId"] = operationId(route);
    addPathParameters(operation, route.path);
    if (route.access == HttpAccess::client || route.access == HttpAccess::admin)
      operation["security"] = Json::array({Json{{"token", Json::array()}}, Json::object()});
    paths[route.path][lowerCase(route.method)] = std::move(operation);
  }
  return {{"openapi", "3.1.0"},
          {"info",
           {{"title", title},
            {"version", version},
            {"description",
             "Warpbench's service: kernels are compiled, checked against ATen and timed. /v1 is its own "
             "interface; /evaluate and /compare are those of the evaluation server."}}},
          {"paths", std::move(paths)},
          {"components",
           {{"schemas", routes.schemas},
            {"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}}}}};
}

HttpRoutes documentRoutes(const HttpRoutes& routes) {
  HttpRoutes all;
  const auto document = std::make_shared<const std::string>(openApi(routes).dump(2));
  all.routes.push_back(
      {"GET", "/openapi.json",
       [document](const HttpRequest&) { return HttpResponse::text(200, "application/json", *document); },
       HttpAccess::anybody, nullptr});
  all.routes.push_back({"GET", "/docs",
                        [](const HttpRequest&) {
                          return HttpResponse::text(200, "text/html; charset=utf-8",
                                                    std::string(asset::serviceDocs));
                        },
                        HttpAccess::anybody, nullptr});
  return all;
}

}  // namespace wb
