// SPDX-License-Identifier: Apache-2.0
#include "core/service/mcp/http_mcp.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"

namespace wb {
namespace {

constexpr const char* sessionHeader = "mcp-session-id";
constexpr const char* versionHeader = "mcp-protocol-version";
constexpr const char* path = "/mcp/";
constexpr std::string_view jsonType = "application/json", eventsType = "text/event-stream";

HttpResponse refusal(int status, std::string message, RpcCode code = RpcCode::invalidRequest) {
  return HttpResponse::json(status, rpcError({code, std::move(message)}));
}

/// What a header Accept takes, by RFC 9110, less its weights.
bool accepts(const HttpRequest& request, std::string_view type) {
  const std::string given = lowerCase(request.header("accept").value_or(""));
  const std::string group = std::string(type.substr(0, type.find('/'))) + "/*";
  for (const std::string_view part : split(given, ',')) {
    const std::string_view range = trimmed(part.substr(0, part.find(';')));
    if (range == type || range == group || range == "*/*") return true;
  }
  return false;
}

bool isJson(const HttpRequest& request) {
  const std::string given = lowerCase(request.header("content-type").value_or(""));
  return trimmed(std::string_view(given).substr(0, given.find(';'))) == jsonType;
}

std::string randomId() {
  std::random_device random;
  std::string id;
  for (int i = 0; i < 4; ++i) id += fmt::format("{:08x}", random());
  return id;
}

/// The messages that answer one request, on their way from the session to its connection.
class Mailbox final : public McpOutlet {
 public:
  void message(const std::string& line) override {
    const std::lock_guard lock(mutex_);
    lines_.push_back(line);
    changed_.notify_all();
  }
  void end() override {
    const std::lock_guard lock(mutex_);
    isOver_ = true;
    changed_.notify_all();
  }

  struct Taken {
    std::deque<std::string> lines;
    bool isOver = false;
  };
  /// Waits for messages, or until nothing came for so long.
  Taken take(std::chrono::milliseconds wait) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, wait, [&] { return isOver_ || !lines_.empty(); });
    return {std::exchange(lines_, {}), isOver_};
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  bool isOver_ = false;
};

std::string eventOf(const std::string& line) {
  return fmt::format("event: message\r\ndata: {}\r\n\r\n", line);
}

/// Sends what a mailbox gets until it is over, the client is gone or the server stops.
void pump(Mailbox& mailbox, const std::function<bool()>& isWanted, std::chrono::seconds heartbeat,
          const HttpWrite& write) {
  using Clock = std::chrono::steady_clock;
  auto said = Clock::now();
  for (;;) {
    const Mailbox::Taken taken = mailbox.take(std::chrono::milliseconds{500});
    for (const std::string& line : taken.lines)
      if (!write(eventOf(line))) return;
    if (taken.isOver) return;
    if (isWanted && !isWanted()) return;
    if (!taken.lines.empty()) said = Clock::now();
    if (Clock::now() - said < heartbeat) continue;
    if (!write(": still here\r\n\r\n")) return;
    said = Clock::now();
  }
}

HttpResponse events(const std::string& session) {
  HttpResponse response;
  response.headers = {{"Content-Type", std::string(eventsType)},
                      {"Cache-Control", "no-cache, no-transform"},
                      {sessionHeader, session}};
  return response;
}

/// What a text is before its session takes it.
bool isInitialize(const RpcBatch& batch) {
  const auto* message = batch.messages.size() == 1 ? std::get_if<RpcMessage>(&batch.messages[0]) : nullptr;
  return !batch.isArray && message && message->kind == RpcMessage::Kind::request &&
         message->method == "initialize";
}

bool isKnownVersion(const std::string& version) {
  const auto& known = mcpVersions();
  return std::find(known.begin(), known.end(), version) != known.end();
}

}  // namespace

McpHttp::McpHttp(McpHost host, McpHttpLimits limits, Now now)
    : host_(std::move(host)), limits_(limits), now_(std::move(now)) {}

std::size_t McpHttp::sessionCount() const {
  const std::lock_guard lock(mutex_);
  return sessions_.size();
}

void McpHttp::forgetIdle() {
  std::vector<std::shared_ptr<McpSession>> forgotten;  // they end outside the lock
  const std::lock_guard lock(mutex_);
  for (auto at = sessions_.begin(); at != sessions_.end();) {
    const bool isIdle = now_() - at->second.used >= limits_.idle && !at->second.session->isBusy();
    if (isIdle) forgotten.push_back(std::move(at->second.session));
    at = isIdle ? sessions_.erase(at) : std::next(at);
  }
}

std::string McpHttp::begin(const std::string& client) {
  std::shared_ptr<McpSession> replaced;
  const std::lock_guard lock(mutex_);
  std::size_t own = 0;
  auto oldest = sessions_.end();
  for (auto at = sessions_.begin(); at != sessions_.end(); ++at) {
    if (at->second.client != client) continue;
    ++own;
    if (at->second.session->isBusy()) continue;
    if (oldest == sessions_.end() || at->second.used < oldest->second.used) oldest = at;
  }
  const bool isFull = own >= limits_.mostSessionsPerClient || sessions_.size() >= limits_.mostSessions;
  if (isFull && oldest == sessions_.end()) return {};
  if (isFull) {
    replaced = std::move(oldest->second.session);
    sessions_.erase(oldest);
  }
  std::string id = randomId();
  sessions_[id] = {std::make_shared<McpSession>(host_, client), client, now_()};
  return id;
}

McpHttp::Found McpHttp::find(const HttpRequest& request) {
  const std::string version = request.header(versionHeader).value_or("");
  if (!version.empty() && !isKnownVersion(version))
    return {nullptr,
            refusal(400, fmt::format("Bad Request: Unsupported protocol version: {}. Supported versions: {}",
                                     version.substr(0, 100), joined(mcpVersions(), ", ")))};
  const auto id = request.header(sessionHeader);
  if (!id || id->empty()) return {nullptr, refusal(400, "Bad Request: Missing session ID")};
  const std::lock_guard lock(mutex_);
  const auto at = sessions_.find(*id);
  // Whether somebody else has such a session is not told.
  if (at == sessions_.end() || at->second.client != request.client.name)
    return {nullptr, refusal(404, "Session not found")};
  at->second.used = now_();
  return {at->second.session, {}};
}

HttpResponse McpHttp::post(const HttpRequest& request) {
  forgetIdle();
  if (!accepts(request, jsonType) || !accepts(request, eventsType))
    return refusal(406, "Not Acceptable: Client must accept both application/json and text/event-stream");
  if (!isJson(request)) return refusal(415, "Unsupported Media Type: Content-Type must be application/json");
  RpcBatch batch = readRpc(request.body);
  if (!batch.isArray)
    if (const auto* error = std::get_if<RpcError>(&batch.messages[0]))
      return HttpResponse::json(400, rpcError(*error));
  std::shared_ptr<McpSession> session;
  std::string id;
  if (isInitialize(batch) && !request.header(sessionHeader)) {
    id = begin(request.client.name);
    if (id.empty()) return refusal(503, "Too many open sessions", RpcCode::internalError);
    const std::lock_guard lock(mutex_);
    session = sessions_.at(id).session;
  } else {
    Found found = find(request);
    if (!found.session) return std::move(found.refusal);
    session = std::move(found.session);
    id = *request.header(sessionHeader);
  }
  const auto mailbox = std::make_shared<Mailbox>();
  const bool isAnswered = session->receive(std::move(batch), mailbox);
  if (session->version().empty()) {
    // Nothing was agreed on, so there is no session; its errors are an answer all the same.
    const std::lock_guard lock(mutex_);
    sessions_.erase(id);
  }
  if (!isAnswered) {
    HttpResponse response;
    response.status = 202;
    response.headers = {{"Content-Type", std::string(jsonType)}, {sessionHeader, id}};
    return response;
  }
  HttpResponse response = events(id);
  response.stream = [mailbox, isWanted = request.isWanted, heartbeat = limits_.heartbeat](
                        const HttpWrite& write) { pump(*mailbox, isWanted, heartbeat, write); };
  return response;
}

HttpResponse McpHttp::get(const HttpRequest& request) {
  forgetIdle();
  if (!accepts(request, eventsType))
    return refusal(406, "Not Acceptable: Client must accept text/event-stream");
  Found found = find(request);
  if (!found.session) return std::move(found.refusal);
  const std::string id = *request.header(sessionHeader);
  {
    const std::lock_guard lock(mutex_);
    const auto at = sessions_.find(id);
    if (at == sessions_.end()) return refusal(404, "Session not found");
    if (at->second.hasStream) return refusal(409, "Conflict: Only one SSE stream is allowed per session");
    if (idleStreams_ >= limits_.mostIdleStreams)
      return refusal(503, "Too many open streams", RpcCode::internalError);
  }
  HttpResponse response = events(id);
  // Nothing is ever said that no request asks for; the stream is there for clients that want one.
  response.stream = [this, id, isWanted = request.isWanted](const HttpWrite& write) {
    {
      const std::lock_guard lock(mutex_);
      const auto at = sessions_.find(id);
      if (at == sessions_.end() || at->second.hasStream) return;
      at->second.hasStream = true;
      ++idleStreams_;
    }
    Mailbox nothing;
    pump(
        nothing,
        [&] {
          {
            const std::lock_guard lock(mutex_);
            const auto at = sessions_.find(id);
            if (at == sessions_.end()) return false;
            at->second.used = now_();
          }
          return !isWanted || isWanted();
        },
        limits_.heartbeat, write);
    const std::lock_guard lock(mutex_);
    --idleStreams_;
    if (const auto at = sessions_.find(id); at != sessions_.end()) at->second.hasStream = false;
  };
  return response;
}

HttpResponse McpHttp::remove(const HttpRequest& request) {
  Found found = find(request);
  if (!found.session) return std::move(found.refusal);
  {
    const std::lock_guard lock(mutex_);
    sessions_.erase(*request.header(sessionHeader));
  }
  // Its calls end without an answer, and their runs are cancelled.
  found.session->stop();
  return HttpResponse::text(200, "application/json", "");
}

HttpRoutes mcpRoutes(const std::shared_ptr<McpHttp>& mcp) {
  const nlohmann::json refused{{"description", "A refusal, as an error of JSON-RPC"},
                               {"content", {{jsonType, {{"schema", {{"type", "object"}}}}}}}};
  const auto operation = [&](const char* summary, bool isFirst = false) {
    return nlohmann::json{
        {"summary", summary},
        {"tags", {"mcp"}},
        {"parameters",
         {{{"name", sessionHeader},
           {"in", "header"},
           {"required", !isFirst},
           {"description", "The session, as the answer to `initialize` has it"},
           {"schema", {{"type", "string"}}}}}},
        {"responses",
         {{"200", {{"description", "A message, or a stream of messages"}}}, {"default", refused}}}};
  };
  nlohmann::json post = operation("A message of the Model Context Protocol", true);
  post["responses"]["202"] = {{"description", "The message was taken, and there is nothing to answer"}};
  // Generators of clients know no list of types whose items are not said.
  const nlohmann::json object{{"type", "object"}};
  const nlohmann::json message{{"anyOf", {object, {{"type", "array"}, {"items", object}}}}};
  post["requestBody"] = {{"required", true},
                         {"content",
                          {{jsonType,
                            {{"schema", message},
                             {"example",
                              {{"jsonrpc", "2.0"},
                               {"id", 1},
                               {"method", "initialize"},
                               {"params",
                                {{"protocolVersion", mcpVersions().front()},
                                 {"capabilities", nlohmann::json::object()},
                                 {"clientInfo", {{"name", "example"}, {"version", "1"}}}}}}}}}}}};
  HttpRoutes routes;
  routes.routes = {{"POST", path, [mcp](const HttpRequest& request) { return mcp->post(request); },
                    HttpAccess::client, std::move(post)},
                   {"GET", path, [mcp](const HttpRequest& request) { return mcp->get(request); },
                    HttpAccess::client, operation("The stream of a session's unasked messages")},
                   {"DELETE", path, [mcp](const HttpRequest& request) { return mcp->remove(request); },
                    HttpAccess::client, operation("Ends a session")}};
  return routes;
}

}  // namespace wb
