// SPDX-License-Identifier: Apache-2.0
#include "core/service/mcp/tools/tool.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/nearest.h"
#include "core/base/text.h"

namespace wb {
namespace {

/// The type of an argument as JSON Schema names it.
std::string_view typeName(McpArgument::Kind kind) {
  constexpr std::array<std::string_view, 4> names = {"string", "integer", "number", "boolean"};
  return names[static_cast<std::size_t>(kind)];
}

Error wrongArgument(std::string text, std::string hint = {}) {
  return {Stage::job, std::move(text), std::move(hint)};
}

bool hasKind(const nlohmann::json& value, McpArgument::Kind kind) {
  switch (kind) {
    case McpArgument::Kind::text:
      return value.is_string();
    case McpArgument::Kind::integer:
      // Some clients write whole numbers with a point.
      return value.is_number_integer() ||
             (value.is_number_float() && value.get<double>() == std::floor(value.get<double>()));
    case McpArgument::Kind::number:
      return value.is_number();
    case McpArgument::Kind::boolean:
      break;
  }
  return value.is_boolean();
}

Result<void> check(const McpArgument& argument, const nlohmann::json& value) {
  if (!hasKind(value, argument.kind))
    return wrongArgument(fmt::format("'{}' must be {} {}", argument.name,
                                     argument.kind == McpArgument::Kind::integer ? "an" : "a",
                                     typeName(argument.kind)));
  if (argument.kind == McpArgument::Kind::text && !argument.words.empty()) {
    const std::string word = value.get<std::string>();
    if (std::find(argument.words.begin(), argument.words.end(), word) == argument.words.end())
      return wrongArgument(fmt::format("'{}' cannot be '{}'", argument.name, word),
                           "it is one of " + joined(argument.words, ", "));
  }
  if (value.is_number()) {
    const double number = value.get<double>();
    if (!(number >= argument.least && number <= argument.most))
      return wrongArgument(
          fmt::format("'{}' must be from {} to {}", argument.name, argument.least, argument.most));
  }
  return {};
}

}  // namespace

Result<McpArguments> McpArguments::read(const nlohmann::json& given, const std::vector<McpArgument>& known) {
  McpArguments arguments;
  std::vector<std::string> names;
  for (const McpArgument& argument : known) names.emplace_back(argument.name);
  for (const auto& [name, value] : given.items()) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string near = didYouMean(name, names);
    return wrongArgument(fmt::format("there is no argument '{}'", name),
                         near.empty() ? "the arguments are " + joined(names, ", ") : near);
  }
  for (const McpArgument& argument : known) {
    const std::string name(argument.name);
    const auto value = given.find(name);
    if (value == given.end() || value->is_null()) {
      if (argument.required)
        return wrongArgument(fmt::format("the argument '{}' is missing", name), argument.meaning);
      if (!argument.fallback.is_null()) arguments.values_[name] = argument.fallback;
      continue;
    }
    WB_DO(check(argument, *value));
    arguments.values_[name] = *value;
  }
  return arguments;
}

std::string McpArguments::text(const char* name) const {
  const auto value = values_.find(name);
  return value == values_.end() ? std::string() : value->get<std::string>();
}

double McpArguments::number(const char* name) const {
  const auto value = values_.find(name);
  return value == values_.end() ? 0 : value->get<double>();
}

std::int64_t McpArguments::integer(const char* name) const {
  return static_cast<std::int64_t>(number(name));
}

std::optional<bool> McpArguments::flag(const char* name) const {
  const auto value = values_.find(name);
  return value == values_.end() ? std::nullopt : std::optional(value->get<bool>());
}

McpJson inputSchema(const McpTool& tool) {
  if (!tool.input.is_null()) return tool.input;
  McpJson properties = McpJson::object(), required = McpJson::array();
  for (const McpArgument& argument : tool.arguments) {
    McpJson schema{{"type", typeName(argument.kind)}, {"description", argument.meaning}};
    if (!argument.words.empty()) schema["enum"] = argument.words;
    const bool isNumber =
        argument.kind == McpArgument::Kind::integer || argument.kind == McpArgument::Kind::number;
    if (isNumber) schema["minimum"] = argument.least;
    if (isNumber && std::isfinite(argument.most)) schema["maximum"] = argument.most;
    if (!argument.fallback.is_null()) schema["default"] = argument.fallback;
    properties[std::string(argument.name)] = std::move(schema);
    if (argument.required) required.push_back(argument.name);
  }
  McpJson schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  return schema;
}

McpJson toolJson(const McpTool& tool) {
  McpJson json{{"name", tool.name},
               {"title", tool.title},
               {"description", tool.description},
               {"inputSchema", inputSchema(tool)}};
  if (!tool.output.is_null()) json["outputSchema"] = tool.output;
  // No tool touches what a client has: runs are added, and only runs of its own end.
  json["annotations"] = {{"title", tool.title},
                         {"readOnlyHint", tool.readOnly},
                         {"destructiveHint", false},
                         {"idempotentHint", tool.readOnly},
                         {"openWorldHint", false}};
  return json;
}

McpJson objectSchema(const std::vector<McpMember>& members) {
  McpJson properties = McpJson::object(), required = McpJson::array();
  for (const McpMember& member : members) {
    const bool nullable = member.type.ends_with('?');
    const std::string type(nullable ? member.type.substr(0, member.type.size() - 1) : member.type);
    McpJson schema = McpJson::object();
    if (nullable)
      schema["type"] = McpJson::array({type, "null"});
    else
      schema["type"] = type;
    if (type == "array") schema["items"] = McpJson::object();
    schema["description"] = member.meaning;
    properties[std::string(member.name)] = std::move(schema);
    if (member.required) required.push_back(member.name);
  }
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}

ToolAnswer failed(const Error& error) {
  return {.text = describe(error), .isError = true};
}

ToolAnswer failed(std::string text, std::string hint) {
  return failed(Error{Stage::job, std::move(text), std::move(hint)});
}

}  // namespace wb
