// SPDX-License-Identifier: Apache-2.0
#include "core/service/mcp/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "core/service/mcp/completions.h"
#include "core/service/mcp/prompts.h"
#include "core/service/mcp/resources.h"

namespace wb {
namespace {

/// So many calls of a session run at once.
constexpr std::size_t mostCalls = 8;
/// The version whose clients may send several messages in an array.
constexpr std::string_view versionWithBatches = "2025-03-26";

constexpr std::array<std::string_view, 8> levels = {"debug", "info",     "notice", "warning",
                                                    "error", "critical", "alert",  "emergency"};

int levelOf(std::string_view name) {
  const auto* const at = std::find(levels.begin(), levels.end(), name);
  return at == levels.end() ? -1 : static_cast<int>(at - levels.begin());
}

constexpr const char* instructions =
    "Warpbench compiles GPU and CPU kernels (torch C++, CUDA, Triton, Python), checks them against PyTorch's "
    "own operators and times both. Write a kernel (new_kernel gives a first one), run it with run_kernel, "
    "and "
    "read what it says: a kernel is good when every case is right and the interval of its speedup lies above "
    "1. When a case fails ask explain_failing_case; when it is slow ask profile_kernel, then show_assembly. "
    "compare_sources says which of two versions is faster. A run that takes long goes on when a call "
    "returns: "
    "read_run waits for it.";

/// The text that is `name` of an object; "" where it has none.
std::string textOf(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

McpJson progressTokenOf(const nlohmann::json& params) {
  const auto meta = params.find("_meta");
  if (meta == params.end() || !meta->is_object()) return nullptr;
  const auto token = meta->find("progressToken");
  const bool fits = token != meta->end() && (token->is_string() || token->is_number_integer());
  return fits ? McpJson(*token) : McpJson(nullptr);
}

RpcError refusal(RpcCode code, std::string text) {
  return {code, std::move(text)};
}

McpJson answerJson(const ToolAnswer& answer, bool withValues) {
  McpJson content = McpJson::array({McpJson{{"type", "text"}, {"text", answer.text}}});
  // Clients of older versions know neither links nor values.
  if (withValues)
    for (const McpLink& link : answer.links)
      content.push_back(
          {{"type", "resource_link"}, {"uri", link.uri}, {"name", link.name}, {"mimeType", link.mimeType}});
  McpJson json{{"content", std::move(content)}};
  if (withValues && !answer.structured.is_null()) json["structuredContent"] = answer.structured;
  json["isError"] = answer.isError;
  return json;
}

McpJson listed(const char* name, McpJson items) {
  McpJson json = McpJson::object();
  json[name] = std::move(items);
  return json;
}

}  // namespace

const std::vector<std::string_view>& mcpVersions() {
  static const std::vector<std::string_view> versions = {"2025-06-18", versionWithBatches, "2024-11-05"};
  return versions;
}

/// What is still to be answered of one text. Answers to an array go out together, as one array.
class McpSession::Replies {
 public:
  Replies(std::shared_ptr<McpOutlet> outlet, std::size_t due, bool isArray)
      : outlet_(std::move(outlet)), due_(due), isArray_(isArray) {}

  /// A notification about a request that is not answered yet.
  void tell(const McpJson& notification) {
    const std::lock_guard lock(mutex_);
    if (due_ > 0) outlet_->message(lineOf(notification));
  }
  /// Null is a request that has no answer, since the client cancelled it.
  void answer(const McpJson& answer) {
    const std::lock_guard lock(mutex_);
    if (!answer.is_null()) {
      if (isArray_)
        answers_.push_back(answer);
      else
        outlet_->message(lineOf(answer));
    }
    if (--due_ > 0) return;
    if (!answers_.empty()) outlet_->message(lineOf(answers_));
    outlet_->end();
  }

 private:
  std::mutex mutex_;
  const std::shared_ptr<McpOutlet> outlet_;
  std::size_t due_;
  const bool isArray_;
  McpJson answers_ = McpJson::array();
};

struct McpSession::Call {
  McpJson id;
  bool isOver = false;
  /// The client does not want its answer any more.
  bool isCancelled = false;
  std::stop_source stop{};
  std::thread thread{};
};

McpSession::McpSession(const McpHost& host, std::string client) : host_(host), client_(std::move(client)) {}

McpSession::~McpSession() {
  stop();
  for (Call& call : calls_)
    if (call.thread.joinable()) call.thread.join();
}

void McpSession::stop() {
  const std::lock_guard lock(mutex_);
  for (Call& call : calls_) {
    call.isCancelled = true;
    call.stop.request_stop();
  }
}

std::string McpSession::version() const {
  const std::lock_guard lock(mutex_);
  return version_;
}

bool McpSession::isBusy() const {
  const std::lock_guard lock(mutex_);
  return std::any_of(calls_.begin(), calls_.end(), [](const Call& call) { return !call.isOver; });
}

void McpSession::wait() const {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] {
    return std::all_of(calls_.begin(), calls_.end(), [](const Call& call) { return call.isOver; });
  });
}

bool McpSession::receive(std::string_view text, std::shared_ptr<McpOutlet> outlet) {
  return receive(readRpc(text), std::move(outlet));
}

bool McpSession::receive(RpcBatch batch, std::shared_ptr<McpOutlet> outlet) {
  reap();
  if (batch.isArray && version() != versionWithBatches) {
    batch.messages.assign(1, refusal(RpcCode::invalidRequest,
                                     fmt::format("this version of the protocol has no batches; send one "
                                                 "message at a time")));
    batch.isArray = false;
  }
  const auto isAnswered = [](const std::variant<RpcMessage, RpcError>& each) {
    const auto* message = std::get_if<RpcMessage>(&each);
    return message == nullptr || message->kind == RpcMessage::Kind::request;
  };
  const auto due = std::count_if(batch.messages.begin(), batch.messages.end(), isAnswered);
  const auto replies =
      std::make_shared<Replies>(std::move(outlet), static_cast<std::size_t>(due), batch.isArray);
  for (const auto& each : batch.messages) {
    if (const auto* error = std::get_if<RpcError>(&each))
      replies->answer(rpcError(*error));
    else
      take(std::get<RpcMessage>(each), replies);
  }
  return due > 0;
}

void McpSession::take(const RpcMessage& message, const std::shared_ptr<Replies>& replies) {
  if (message.kind == RpcMessage::Kind::notification) return notified(message);
  // We ask the client nothing, so there is no question that this answers.
  if (message.kind == RpcMessage::Kind::response) return;
  if (message.method == "tools/call" && !version().empty()) return startCall(message, replies);
  auto answered = answer(message);
  if (auto* error = std::get_if<RpcError>(&answered)) {
    error->id = message.id;
    replies->answer(rpcError(*error));
  } else {
    replies->answer(rpcResult(message.id, std::get<McpJson>(std::move(answered))));
  }
}

std::variant<McpJson, RpcError> McpSession::initialize(const nlohmann::json& params) {
  const std::string wanted = textOf(params, "protocolVersion");
  if (wanted.empty()) return refusal(RpcCode::invalidParams, "'protocolVersion' must be a text");
  const auto& known = mcpVersions();
  const std::lock_guard lock(mutex_);
  if (!version_.empty()) return refusal(RpcCode::invalidRequest, "the session is initialized already");
  version_ =
      std::find(known.begin(), known.end(), wanted) == known.end() ? std::string(known.front()) : wanted;
  McpJson nothing = McpJson::object();
  return McpJson{{"protocolVersion", version_},
                 {"capabilities",
                  {{"logging", nothing},
                   {"completions", nothing},
                   {"prompts", {{"listChanged", false}}},
                   {"resources", {{"subscribe", false}, {"listChanged", false}}},
                   {"tools", {{"listChanged", false}}}}},
                 {"serverInfo", {{"name", "warpbench"}, {"title", "Warpbench"}, {"version", host_.version}}},
                 {"instructions", instructions}};
}

std::variant<McpJson, RpcError> McpSession::answer(const RpcMessage& message) {
  const std::string& method = message.method;
  const nlohmann::json& params = message.params;
  if (method == "ping") return McpJson::object();
  if (method == "initialize") return initialize(params);
  static constexpr std::array<std::string_view, 10> known = {
      "tools/list",   "tools/call",  "resources/list",      "resources/templates/list", "resources/read",
      "prompts/list", "prompts/get", "completion/complete", "logging/setLevel",         "ping"};
  if (std::find(known.begin(), known.end(), method) == known.end())
    return refusal(RpcCode::methodNotFound, fmt::format("there is no method '{}'", method.substr(0, 100)));
  if (version().empty()) return refusal(RpcCode::invalidRequest, "the first request must be 'initialize'");
  // Every list is whole, so there is no place where another page begins.
  if (method.ends_with("/list") && params.contains("cursor") && !params.at("cursor").is_null())
    return refusal(RpcCode::invalidParams, "there is no such cursor: lists have one page");
  if (method == "tools/list") {
    McpJson tools = McpJson::array();
    for (const McpTool& tool : mcpTools(host_)) tools.push_back(toolJson(tool));
    return listed("tools", std::move(tools));
  }
  if (method == "resources/list") return listed("resources", listResources(host_, client_));
  if (method == "resources/templates/list") return listed("resourceTemplates", listResourceTemplates());
  if (method == "resources/read") return readResource(host_, client_, textOf(params, "uri"));
  if (method == "prompts/list") return listed("prompts", listPrompts());
  if (method == "prompts/get") return getPrompt(params);
  if (method == "completion/complete") return complete(host_, client_, params);
  const int level = levelOf(textOf(params, "level"));
  if (level < 0) return refusal(RpcCode::invalidParams, "'level' is debug, info, notice, warning, error, …");
  const std::lock_guard lock(mutex_);
  leastLevel_ = level;
  return McpJson::object();
}

void McpSession::notified(const RpcMessage& message) {
  if (message.method != "notifications/cancelled") return;
  const auto id = message.params.find("requestId");
  if (id == message.params.end()) return;
  const McpJson wanted = *id;
  const std::lock_guard lock(mutex_);
  for (Call& call : calls_) {
    if (call.isOver || call.id != wanted) continue;
    call.isCancelled = true;
    call.stop.request_stop();
  }
}

void McpSession::reap() {
  std::list<Call> over;
  {
    const std::lock_guard lock(mutex_);
    for (auto at = calls_.begin(); at != calls_.end();) {
      const auto next = std::next(at);
      if (at->isOver) over.splice(over.end(), calls_, at);
      at = next;
    }
  }
  for (Call& call : over) call.thread.join();
}

void McpSession::startCall(const RpcMessage& message, const std::shared_ptr<Replies>& replies) {
  const auto refuse = [&](RpcCode code, std::string text) {
    replies->answer(rpcError({code, std::move(text), message.id}));
  };
  if (textOf(message.params, "name").empty()) return refuse(RpcCode::invalidParams, "'name' must be a text");
  if (const auto given = message.params.find("arguments");
      given != message.params.end() && !given->is_object() && !given->is_null())
    return refuse(RpcCode::invalidParams, "'arguments' must be an object");
  std::unique_lock lock(mutex_);
  std::size_t running = 0;
  for (const Call& call : calls_) {
    if (call.isOver) continue;
    ++running;
    if (call.id == message.id) {
      lock.unlock();
      return refuse(RpcCode::invalidRequest, "a call with this id is under way");
    }
  }
  if (running >= mostCalls) {
    lock.unlock();
    return refuse(RpcCode::invalidRequest,
                  fmt::format("{} calls of this session are under way; wait for one of them", mostCalls));
  }
  Call& call = calls_.emplace_back(Call{message.id});
  call.thread = std::thread([this, &call, message, replies] { runCall(call, message, replies); });
}

void McpSession::runCall(Call& call, const RpcMessage& message, const std::shared_ptr<Replies>& replies) {
  const McpJson token = progressTokenOf(message.params);
  double said = -1;
  const ToolCall context{
      .host = host_,
      .client = client_,
      .stop = call.stop.get_token(),
      .progress =
          [&](double share, const std::string& what) {
            // It has to grow with every notification.
            const double progress = std::min(std::floor(share * 1000) / 10, 100.0);
            if (token.is_null() || progress <= said) return;
            said = progress;
            replies->tell(rpcNotification(
                "notifications/progress",
                {{"progressToken", token}, {"progress", progress}, {"total", 100}, {"message", what}}));
          },
      .log =
          [&](std::string_view level, const std::string& text) {
            {
              const std::lock_guard lock(mutex_);
              if (levelOf(level) < leastLevel_) return;
            }
            replies->tell(rpcNotification("notifications/message",
                                          {{"level", level}, {"logger", "warpbench"}, {"data", text}}));
          }};
  const std::string name = textOf(message.params, "name");
  const auto given = message.params.find("arguments");
  const nlohmann::json arguments =
      given == message.params.end() || given->is_null() ? nlohmann::json::object() : *given;
  McpJson answer;
  try {
    const ToolAnswer told = callTool(name, arguments, context);
    answer = rpcResult(message.id, answerJson(told, version() == mcpVersions().front()));
  } catch (const std::exception& error) {
    answer = rpcError({RpcCode::internalError, fmt::format("the tool failed: {}", error.what()), message.id});
  }
  bool isCancelled = false;
  {
    const std::lock_guard lock(mutex_);
    isCancelled = call.isCancelled;
  }
  replies->answer(isCancelled ? McpJson(nullptr) : answer);
  // The session may go as soon as the call is over; nothing of it is touched after that.
  const std::lock_guard lock(mutex_);
  call.isOver = true;
  ended_.notify_all();
}

}  // namespace wb
