// SPDX-License-Identifier: Apache-2.0
#include "core/service/evaluation/evaluation_routes.h"

#include <cmath>
#include <utility>
#include <variant>

#include "core/service/evaluation/evaluation_schemas.h"

namespace wb {
namespace {

void forbidCaching(HttpResponse& response) {
  response.headers.emplace("Cache-Control", "no-cache, no-store, must-revalidate");
  response.headers.emplace("Pragma", "no-cache");
  response.headers.emplace("Expires", "0");
}

HttpResponse keyIsTooLong() {
  constexpr int wrong = 400;
  HttpResponse response = HttpResponse::json(
      wrong, nlohmann::ordered_json{{"error", std::string(IdempotencyKey::header) + " has more than " +
                                                  std::to_string(IdempotencyKey::mostBytes) + " bytes"},
                                    {"details", nlohmann::ordered_json::object()},
                                    {"status", "client_error"}});
  forbidCaching(response);
  return response;
}

HttpResponse answerRequest(EvaluationServer& server, EvaluationRoute route, const HttpRequest& request) {
  const auto read = readEvaluation(route, request.body, request.header("Content-Type").value_or(""));
  if (const auto* refused = std::get_if<RefusedRequest>(&read)) {
    HttpResponse response = HttpResponse::text(refused->status, "application/json", refused->body);
    if (refused->hasNoCacheHeaders) forbidCaching(response);
    return response;
  }
  auto key = IdempotencyKey::of(request, route == EvaluationRoute::evaluate ? "evaluate" : "compare");
  if (!key) return keyIsTooLong();
  const std::function<bool()> isWanted = request.isWanted ? request.isWanted : [] { return true; };
  EvaluationReply reply =
      server.run(std::get<EvaluationRequest>(read),
                 {.client = request.client.name, .isWanted = isWanted, .key = *std::move(key)});
  HttpResponse response = HttpResponse::json(reply.status, reply.body);
  forbidCaching(response);
  if (reply.status == 200 && reply.body.contains("gpu_type"))
    response.headers.emplace("X-GPU-Type", reply.body["gpu_type"].get<std::string>());
  if (reply.retryAfterSeconds > 0)
    response.headers.emplace("Retry-After",
                             std::to_string(static_cast<long>(std::ceil(reply.retryAfterSeconds))));
  return response;
}

HttpResponse answerJob(const EvaluationServer& server, const HttpRequest& request) {
  const auto id = request.parameters.find("id");
  const std::string wanted = id == request.parameters.end() ? std::string() : id->second;
  // Another client's job is answered like one that does not exist, so ids tell nobody anything.
  const auto client = request.client.isAdmin ? std::nullopt : std::optional(request.client.name);
  if (const auto body = server.job(wanted, client)) return HttpResponse::json(200, *body);
  constexpr int notFound = 404;
  HttpResponse response = HttpResponse::json(
      notFound, nlohmann::ordered_json{{"error", "Job " + wanted + " not found"}, {"status", "error"}});
  forbidCaching(response);
  return response;
}

}  // namespace

HttpRoutes evaluationRoutes(const std::shared_ptr<EvaluationServer>& server) {
  HttpRoutes made;
  const auto add = [&](const char* method, const char* path, HttpAccess access, auto answer) {
    made.routes.push_back({method, path, std::move(answer), access, evaluationOperation(path)});
  };
  const auto asking = [&](EvaluationRoute route) {
    return [server, route](const HttpRequest& request) { return answerRequest(*server, route, request); };
  };
  add("POST", "/evaluate", HttpAccess::client, asking(EvaluationRoute::evaluate));
  add("POST", "/compare", HttpAccess::client, asking(EvaluationRoute::compare));
  add("POST", "/", HttpAccess::client, asking(EvaluationRoute::compare));
  add("GET", "/health", HttpAccess::machine, [server](const HttpRequest&) {
    const auto body = server->health();
    constexpr int failed = 500;
    if (body["status"] == "healthy") return HttpResponse::json(200, body);
    return HttpResponse::json(
        failed, nlohmann::ordered_json{{"status", "unhealthy"}, {"error", "no device runs jobs"}});
  });
  add("GET", "/stats", HttpAccess::client,
      [server](const HttpRequest&) { return HttpResponse::json(200, server->stats()); });
  add("GET", "/job/{id}", HttpAccess::client,
      [server](const HttpRequest& request) { return answerJob(*server, request); });
  add("POST", "/admin/cleanup-jobs", HttpAccess::admin, [server](const HttpRequest&) {
    server->cleanUp();
    return HttpResponse::json(200, nlohmann::ordered_json{{"status", "cleanup_completed"}});
  });
  made.schemas = evaluationSchemas();
  return made;
}

}  // namespace wb
