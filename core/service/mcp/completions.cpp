// SPDX-License-Identifier: Apache-2.0
#include "core/service/mcp/completions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/figures/figures.h"
#include "core/model/operators/catalogue.h"
#include "core/model/operators/operator_name.h"
#include "core/model/operators/operator_search.h"
#include "core/service/mcp/tools/run_request.h"

namespace wb {
namespace {

/// So many values the protocol takes in one answer.
constexpr std::size_t mostValues = 100, mostAsked = 1000;

std::vector<std::string> runsOf(const McpHost& host, const std::string& client) {
  std::vector<std::string> ids;
  for (const RunStatus& status : host.service->runs(mostAsked))
    if (status.client == client) ids.push_back(status.id);
  return ids;
}

std::vector<std::string> valuesFor(const McpHost& host, const std::string& client,
                                   const std::string& argument, const std::string& begun) {
  std::vector<std::string> values;
  if (argument == "run" || argument == "run_id") values = runsOf(host, client);
  if (argument == "language") values = languageIds();
  if (argument == "figure")
    for (const FigureInfo& info : figures()) values.emplace_back(info.id);
  std::erase_if(values, [&](const std::string& value) { return !value.starts_with(begun); });
  if (argument != "op") return values;
  // Somebody types, so what would have to be made first is left out.
  if (const auto catalogue = readCatalogue())
    for (const std::size_t at : searchOperators(begun, catalogue->operators, mostAsked))
      values.push_back(shortName(catalogue->operators[at].name));
  return values;
}

}  // namespace

std::variant<McpJson, RpcError> complete(const McpHost& host, const std::string& client,
                                         const nlohmann::json& params) {
  const auto argument = params.find("argument");
  const auto textOf = [&](const char* name) {
    const bool isThere = argument != params.end() && argument->is_object() && argument->contains(name) &&
                         argument->at(name).is_string();
    return isThere ? argument->at(name).get<std::string>() : std::string();
  };
  if (textOf("name").empty() || !params.contains("ref"))
    return RpcError{RpcCode::invalidParams, "'ref' and 'argument' with a name and a value are needed"};
  std::vector<std::string> values = valuesFor(host, client, textOf("name"), textOf("value"));
  const std::size_t all = values.size();
  values.resize(std::min(all, mostValues));
  return McpJson{{"completion", {{"values", values}, {"total", all}, {"hasMore", all > values.size()}}}};
}

}  // namespace wb
