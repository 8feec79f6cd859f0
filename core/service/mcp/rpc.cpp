// SPDX-License-Identifier: Apache-2.0
#include "core/service/mcp/rpc.h"

#include <fmt/format.h>

#include <utility>

namespace wb {
namespace {

RpcError wrongText(RpcCode code, std::string message) {
  return {code, std::move(message)};
}

/// How deep the brackets of a text go; what stands in strings is none. It needs no stack.
int depthOf(std::string_view text) {
  int depth = 0, deepest = 0;
  bool inString = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (inString) {
      if (c == '\\')
        ++at;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

bool isId(const nlohmann::json& id) {
  return id.is_string() || id.is_number_integer();
}

std::variant<RpcMessage, RpcError> messageOf(const nlohmann::json& json) {
  RpcError error{RpcCode::invalidRequest, {}};
  if (!json.is_object()) {
    error.message = "a message is a JSON object";
    return error;
  }
  const auto id = json.find("id");
  const bool hasId = id != json.end();
  if (hasId && isId(*id)) error.id = *id;
  const auto version = json.find("jsonrpc");
  if (version == json.end() || *version != "2.0") {
    error.message = "'jsonrpc' must be \"2.0\"";
    return error;
  }
  RpcMessage message;
  message.id = error.id;
  const auto method = json.find("method");
  if (method == json.end()) {
    if (hasId && (json.contains("result") || json.contains("error"))) {
      message.kind = RpcMessage::Kind::response;
      return message;
    }
    error.message = "a message has a 'method', or an 'id' and a 'result' or an 'error'";
    return error;
  }
  if (!method->is_string()) {
    error.message = "'method' must be a text";
    return error;
  }
  if (hasId && !isId(*id)) {
    error.message = "'id' must be a text or a whole number";
    return error;
  }
  message.kind = hasId ? RpcMessage::Kind::request : RpcMessage::Kind::notification;
  message.method = method->get<std::string>();
  const auto params = json.find("params");
  if (params == json.end()) return message;
  if (!params->is_object()) {
    error.code = RpcCode::invalidParams;
    error.message = "'params' must be an object";
    return error;
  }
  message.params = *params;
  return message;
}

}  // namespace

RpcBatch readRpc(std::string_view text) {
  RpcBatch batch;
  const auto refuse = [&](RpcCode code, std::string message) {
    batch.messages.emplace_back(wrongText(code, std::move(message)));
    return batch;
  };
  if (text.size() > longestRpcText)
    return refuse(RpcCode::invalidRequest,
                  fmt::format("the message has {} bytes; {} are the most", text.size(), longestRpcText));
  if (depthOf(text) > deepestRpcText)
    return refuse(RpcCode::invalidRequest,
                  fmt::format("the message is nested deeper than {} levels", deepestRpcText));
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    return refuse(RpcCode::parseError, fmt::format("Parse error: {}", error.what()));
  }
  if (!json.is_array()) {
    batch.messages.push_back(messageOf(json));
    return batch;
  }
  if (json.empty()) return refuse(RpcCode::invalidRequest, "a batch holds at least one message");
  if (json.size() > mostInBatch)
    return refuse(RpcCode::invalidRequest, fmt::format("a batch holds {} messages at most", mostInBatch));
  batch.isArray = true;
  for (const nlohmann::json& each : json) batch.messages.push_back(messageOf(each));
  return batch;
}

McpJson rpcResult(const McpJson& id, McpJson result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

McpJson rpcError(const RpcError& error) {
  McpJson inner{{"code", static_cast<int>(error.code)}, {"message", error.message}};
  if (!error.data.is_null()) inner["data"] = error.data;
  return {{"jsonrpc", "2.0"}, {"id", error.id}, {"error", std::move(inner)}};
}

McpJson rpcNotification(std::string_view method, McpJson params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

std::string lineOf(const McpJson& message) {
  return message.dump(-1, ' ', false, McpJson::error_handler_t::replace);
}

}  // namespace wb
