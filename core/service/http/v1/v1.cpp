// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/v1/v1.h"

#include <utility>

#include "core/service/http/v1/run_request.h"

namespace wb {
namespace {

using nlohmann::json;

json schemas() {
  json all = runRequestSchemas();
  const json text{{"type", "string"}}, number{{"type", "number"}}, whole{{"type", "integer"}};
  const json link = text;
  all["Run"] = {
      {"type", "object"},
      {"required", json::array({"id", "state", "title", "device", "links"})},
      {"properties",
       {{"id", text},
        {"state",
         {{"type", "string"}, {"enum", {"queued", "running", "finished", "cancelled", "expired", "failed"}}}},
        {"title", text},
        {"device", text},
        {"client", text},
        {"priority", whole},
        {"ahead", {{"type", "integer"}, {"description", "How many runs are to start before it"}}},
        {"submitted_at", {{"type", "number"}, {"description", "Seconds since 1970, as all times here"}}},
        {"started_at", number},
        {"ended_at", number},
        {"deadline_at", number},
        {"reason", {{"type", "string"}, {"description", "Why it failed, expired or was cancelled"}}},
        {"restarts", whole},
        {"links",
         {{"type", "object"},
          {"properties", {{"self", link}, {"events", link}, {"report", link}, {"figures", link}}}}}}}};
  all["Error"] = {
      {"type", "object"},
      {"required", json::array({"error"})},
      {"properties",
       {{"error", text},
        {"hint", text},
        {"problems",
         {{"type", "array"},
          {"items",
           {{"type", "object"},
            {"properties",
             {{"at", {{"type", "string"}, {"description", "sources[0].text"}}}, {"message", text}}}}}}}}}};
  return all;
}

}  // namespace

HttpRoutes v1Routes(const V1Context& context) {
  HttpRoutes all;
  all.schemas = schemas();
  addRunRoutes(all, context);
  addEventRoutes(all, context);
  addResultRoutes(all, context);
  addListRoutes(all, context);
  return all;
}

nlohmann::ordered_json runJson(const RunStatus& run) {
  const std::string self = "/v1/runs/" + run.id;
  nlohmann::ordered_json object{{"id", run.id},
                                {"state", name(run.state)},
                                {"title", run.title},
                                {"device", run.device},
                                {"client", run.client},
                                {"priority", run.priority},
                                {"ahead", run.ahead},
                                {"submitted_at", run.submittedAt},
                                {"started_at", run.startedAt},
                                {"ended_at", run.endedAt},
                                {"deadline_at", run.deadlineAt},
                                {"reason", run.reason},
                                {"restarts", run.restarts}};
  object["links"] = {{"self", self},
                     {"events", self + "/events"},
                     {"report", self + "/report"},
                     {"figures", self + "/figures"}};
  return object;
}

HttpResponse v1Error(int status, std::string_view text, std::string_view hint) {
  nlohmann::ordered_json body{{"error", text}};
  if (!hint.empty()) body["hint"] = hint;
  return HttpResponse::json(status, body);
}

std::optional<RunStatus> runOf(const Service& service, const HttpRequest& request) {
  auto run = service.status(request.parameters.at("id"));
  // Another client's run is answered like one that does not exist, so ids tell nobody anything.
  if (run && !request.client.isAdmin && run->client != request.client.name) return std::nullopt;
  return run;
}

HttpResponse noSuchRun(const HttpRequest& request) {
  return v1Error(404, "there is no run " + request.parameters.at("id").substr(0, 64),
                 "GET /v1/runs lists those that there are");
}

nlohmann::json operation(std::string_view summary, nlohmann::json good, nlohmann::json more) {
  json result{{"summary", summary}, {"responses", std::move(good)}, {"tags", json::array({"v1"})}};
  result.update(more);
  result["responses"]["default"] = answerOf("What is wrong", "Error");
  return result;
}

nlohmann::json answerOf(std::string_view what, std::string_view schema, std::string_view type) {
  json content{{std::string(type), json::object()}};
  if (!schema.empty())
    content[std::string(type)]["schema"] = {{"$ref", "#/components/schemas/" + std::string(schema)}};
  else
    content[std::string(type)]["schema"] = json::object();
  return {{"description", what}, {"content", std::move(content)}};
}

nlohmann::json queryParameter(std::string_view name, std::string_view what, nlohmann::json schema) {
  return {{"name", name}, {"in", "query"}, {"description", what}, {"schema", std::move(schema)}};
}

}  // namespace wb
