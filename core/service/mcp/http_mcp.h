// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "core/service/http_message.h"
#include "core/service/mcp/session.h"
#include "core/service/mcp/tools/tool.h"

namespace wb {

struct McpHttpLimits {
  /// How many sessions there may be, and how many of one client; its own oldest one makes room for another.
  std::size_t mostSessions = 200, mostSessionsPerClient = 20;
  /// How many streams may be open on which nothing is asked; each holds a connection.
  std::size_t mostIdleStreams = 32;
  /// After so long without a message a session is forgotten, unless a call of it is under way.
  std::chrono::seconds idle{3600};
  /// A stream that is silent for so long gets a comment, by which a client that is gone is noticed.
  std::chrono::seconds heartbeat{10};
};

/// The Model Context Protocol over HTTP ("streamable HTTP"): POST, GET and DELETE of /mcp/, with sessions
/// that a header names. A session belongs to the client that began it. Requests are answered as Server-Sent
/// Events. A client that loses its connection has not cancelled anything: its run goes on, and can be read
/// later.
class McpHttp {
 public:
  using Now = std::function<std::chrono::steady_clock::time_point()>;

  explicit McpHttp(McpHost host, McpHttpLimits limits = {}, Now now = std::chrono::steady_clock::now);

  [[nodiscard]] HttpResponse post(const HttpRequest& request);
  [[nodiscard]] HttpResponse get(const HttpRequest& request);
  [[nodiscard]] HttpResponse remove(const HttpRequest& request);

  [[nodiscard]] std::size_t sessionCount() const;

 private:
  struct Entry {
    std::shared_ptr<McpSession> session;
    std::string client;
    std::chrono::steady_clock::time_point used;
    /// Whether a stream without a question is open.
    bool hasStream = false;
  };
  struct Found {
    std::shared_ptr<McpSession> session;
    /// What is answered where there is none.
    HttpResponse refusal;
  };

  [[nodiscard]] Found find(const HttpRequest& request);
  /// A new session, under an id that nobody can guess; "" where there are too many.
  [[nodiscard]] std::string begin(const std::string& client);
  void forgetIdle();

  const McpHost host_;
  const McpHttpLimits limits_;
  const Now now_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> sessions_;
  std::size_t idleStreams_ = 0;
};

/// The routes of /mcp/, which keep what answers them.
[[nodiscard]] HttpRoutes mcpRoutes(const std::shared_ptr<McpHttp>& mcp);

}  // namespace wb
