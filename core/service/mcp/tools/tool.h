// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/doctor/doctor.h"
#include "core/model/operators/catalogue.h"
#include "core/service/mcp/rpc.h"
#include "core/service/service.h"

namespace wb {

class EvaluationServer;

/// What tools work on, and what is different between a server and a program on somebody's own machine.
struct McpHost {
  Service* service = nullptr;
  /// For the tools of the evaluation server; null: they are not there.
  EvaluationServer* evaluation = nullptr;
  /// The operators of torch; reading them may take seconds the first time.
  std::function<Result<Catalogue>()> catalogue;
  /// What the doctor says of this machine; empty where clients are others, since that names folders.
  std::function<std::vector<DoctorLine>(const std::stop_token&)> doctor;
  /// Kernels run inside walls unless they are judged strictly, which has walls of its own.
  bool sandbox = false;
  /// Kernels are judged strictly unless a client says otherwise; where it is `always`, clients cannot.
  bool strict = false, strictAlways = false;
  /// The interpreter whose torch is used; "" means the one that is found.
  std::string python{};
  /// What `initialize` says of this program.
  std::string version = "0.1.0";
};

/// One argument of a tool.
struct McpArgument {
  enum class Kind { text, integer, number, boolean };
  std::string_view name;
  Kind kind = Kind::text;
  /// A sentence for the model that calls.
  std::string meaning{};
  bool required = false;
  /// What holds where it is not given; null for nothing.
  McpJson fallback = nullptr;
  /// The words that it may be; empty for any.
  std::vector<std::string> words{};
  double least = 0, most = std::numeric_limits<double>::infinity();
};

/// Arguments that fit their tool's list.
class McpArguments {
 public:
  McpArguments() = default;
  /// Errors name the argument, and what it should be.
  static Result<McpArguments> read(const nlohmann::json& given, const std::vector<McpArgument>& known);

  [[nodiscard]] std::string text(const char* name) const;
  [[nodiscard]] double number(const char* name) const;
  [[nodiscard]] std::int64_t integer(const char* name) const;
  [[nodiscard]] std::optional<bool> flag(const char* name) const;

 private:
  nlohmann::json values_ = nlohmann::json::object();
};

/// A resource that belongs to an answer.
struct McpLink {
  std::string uri, name, mimeType;
};

/// What a tool says. Both forms are bounded: what was left out is counted, with the way to get it.
struct ToolAnswer {
  /// Markdown for the model.
  std::string text;
  /// The same as values; null where there are none.
  McpJson structured = nullptr;
  bool isError = false;
  std::vector<McpLink> links{};
};

/// What a call has beside its arguments. The functions may be called from the call's thread.
struct ToolCall {
  const McpHost& host;
  /// Whose runs these are.
  std::string client;
  std::stop_token stop;
  /// Says how far the call is, 0 to 1, and what it does.
  std::function<void(double, const std::string&)> progress;
  /// Says something to whoever watches, at a level of syslog's: "info", "warning".
  std::function<void(std::string_view, const std::string&)> log;
};

struct McpTool {
  std::string_view name, title;
  /// What it does, when to use it and what to do with the answer, for a model.
  std::string description{};
  std::vector<McpArgument> arguments{};
  /// The schema of the answer's values; null where it has none.
  McpJson output = nullptr;
  /// It changes nothing: neither files nor the queue.
  bool readOnly = true;
  std::function<ToolAnswer(const McpArguments&, const ToolCall&)> run{};
  /// Instead of `arguments` and `run`, for arguments that are more than a flat list.
  McpJson input = nullptr;
  std::function<ToolAnswer(const nlohmann::json&, const ToolCall&)> runRaw{};
};

/// The schema of a tool's arguments.
[[nodiscard]] McpJson inputSchema(const McpTool& tool);
/// A tool as tools/list has it.
[[nodiscard]] McpJson toolJson(const McpTool& tool);

/// All tools. Some have lists of words that depend on the host, such as its devices.
[[nodiscard]] std::vector<McpTool> mcpTools(const McpHost& host);

/// Calls a tool. An unknown name and arguments that do not fit are answers that say so, since a model can
/// mend that.
[[nodiscard]] ToolAnswer callTool(const std::string& name, const nlohmann::json& arguments,
                                  const ToolCall& call);

/// A member of an answer's values.
struct McpMember {
  std::string_view name, type, meaning;
  bool required = true;
};
/// The schema of an object with these members; their type is a word of JSON Schema, and "?" after it allows
/// null.
[[nodiscard]] McpJson objectSchema(const std::vector<McpMember>& members);

/// An answer that says what is wrong, so that the model can do better.
[[nodiscard]] ToolAnswer failed(const Error& error);
[[nodiscard]] ToolAnswer failed(std::string text, std::string hint = {});

}  // namespace wb
