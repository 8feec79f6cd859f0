// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace wb {

/// JSON that is written: its members stay in the order in which they were set. What is read is
/// nlohmann::json, which finds the members of a large object quickly.
using McpJson = nlohmann::ordered_json;

/// The codes of JSON-RPC 2.0, and the one that MCP adds.
enum class RpcCode : int {
  parseError = -32700,
  invalidRequest = -32600,
  methodNotFound = -32601,
  invalidParams = -32602,
  internalError = -32603,
  resourceNotFound = -32002,
};

struct RpcError {
  RpcCode code = RpcCode::internalError;
  std::string message;
  /// The id of the message that it answers; null where that could not be read.
  McpJson id = nullptr;
  McpJson data = nullptr;
};

/// A message of the client.
struct RpcMessage {
  enum class Kind { request, notification, response };
  Kind kind = Kind::request;
  /// A text or a whole number; null for a notification.
  McpJson id = nullptr;
  std::string method;
  /// Always an object.
  nlohmann::json params = nlohmann::json::object();
};

/// What a text holds: one message, or several in an array.
struct RpcBatch {
  std::vector<std::variant<RpcMessage, RpcError>> messages;
  bool isArray = false;
};

/// Larger or deeper texts are refused before they are parsed.
constexpr std::size_t longestRpcText = std::size_t{8} << 20;
constexpr int deepestRpcText = 64;
/// An array of more messages is refused.
constexpr std::size_t mostInBatch = 50;

/// Reads a text of JSON-RPC 2.0. What is not a message is an error in its place; nothing throws.
[[nodiscard]] RpcBatch readRpc(std::string_view text);

/// The texts of answers and notifications, in one line. Invalid UTF-8 in them is replaced.
[[nodiscard]] McpJson rpcResult(const McpJson& id, McpJson result);
[[nodiscard]] McpJson rpcError(const RpcError& error);
[[nodiscard]] McpJson rpcNotification(std::string_view method, McpJson params);
[[nodiscard]] std::string lineOf(const McpJson& message);

}  // namespace wb
