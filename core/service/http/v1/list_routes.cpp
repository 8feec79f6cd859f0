// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "core/model/languages.h"
#include "core/model/operators/operator_name.h"
#include "core/service/http/v1/v1.h"
#include "core/suites/suites.h"

namespace wb {
namespace {

using Json = nlohmann::ordered_json;

HttpResponse operators(const V1Context& context, const HttpRequest& request) {
  const auto catalogue = context.operators();
  if (!catalogue) return v1Error(503, catalogue.error().text, catalogue.error().hint);
  const std::string search = request.queried("search").value_or("");
  Json list = Json::array();
  for (const OperatorEntry& entry : catalogue->operators)
    if (search.empty() || matches(search, entry.name) || entry.name.find(search) != std::string::npos)
      list.push_back({{"name", shortName(entry.name)}, {"schema", entry.schema}});
  return HttpResponse::json(200, Json{{"torch", catalogue->torch}, {"operators", std::move(list)}});
}

HttpResponse suiteList() {
  Json list = Json::array();
  for (const SuiteInfo& suite : suites())
    if (suite.name != "beside")
      list.push_back({{"name", suite.name},
                      {"description", suite.description},
                      {"is_made", suite.file.empty()},
                      {"takes_dtype", suite.takesDtype}});
  return HttpResponse::json(200, Json{{"suites", std::move(list)}});
}

HttpResponse languageList() {
  Json list = Json::array();
  for (const Language& language : languages())
    list.push_back({{"id", language.id},
                    {"title", language.title},
                    {"extension", language.extension},
                    {"description", language.summary},
                    {"needs_gpu", language.needsGpu}});
  return HttpResponse::json(200, Json{{"languages", std::move(list)}});
}

HttpResponse deviceList(const Service& service, const HttpRequest& request) {
  Json list = Json::array();
  for (const DeviceState& device : service.devices()) {
    Json runs = Json::array();
    for (const std::string& id : device.runs)
      if (const auto run = service.status(id);
          run && (request.client.isAdmin || run->client == request.client.name))
        runs.push_back(id);
    const Target& target = device.worker.target;
    list.push_back({{"id", device.device},
                    {"name", target.deviceName},
                    {"architecture", target.architecture},
                    {"torch", target.torch},
                    {"memory_bytes", target.memoryBytes},
                    {"worker", name(device.worker.state)},
                    {"workers_lost", device.worker.restarts},
                    {"is_busy", !device.runs.empty()},
                    {"runs", std::move(runs)},
                    {"failure", device.worker.failure.text}});
  }
  return HttpResponse::json(200, Json{{"devices", std::move(list)}});
}

}  // namespace

void addListRoutes(HttpRoutes& to, const V1Context& context) {
  Service& service = context.service;
  const auto add = [&](const char* path, auto answer, std::string_view summary, std::string_view what,
                       nlohmann::json more = nlohmann::json::object()) {
    to.routes.push_back({"GET", path, answer, HttpAccess::client,
                         operation(summary, {{"200", answerOf(what)}}, std::move(more))});
  };
  add("/v1/operators", [context](const HttpRequest& request) { return operators(context, request); },
      "List operators of ATen", "{\"torch\", \"operators\": [{\"name\", \"schema\"}, …]}",
      {{"parameters", {queryParameter("search", "A glob, or a part of the name")}}});
  add(
      "/v1/suites", [](const HttpRequest&) { return suiteList(); }, "List suites", "{\"suites\": […]}");
  add(
      "/v1/languages", [](const HttpRequest&) { return languageList(); }, "List languages of kernels",
      "{\"languages\": […]}");
  add(
      "/v1/devices", [&service](const HttpRequest& request) { return deviceList(service, request); },
      "List devices and what each does", "{\"devices\": […]}");
}

}  // namespace wb
