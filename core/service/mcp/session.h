// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "core/service/mcp/rpc.h"
#include "core/service/mcp/tools/tool.h"

namespace wb {

/// Where the answer to one text of the client goes, and what is said of it before. Called from any thread,
/// one call at a time.
class McpOutlet {
 public:
  McpOutlet() = default;
  virtual ~McpOutlet() = default;
  McpOutlet(const McpOutlet&) = delete;
  McpOutlet& operator=(const McpOutlet&) = delete;

  /// A message of JSON-RPC, in one line without its end.
  virtual void message(const std::string& line) = 0;
  /// No more messages come. A call that the client cancelled ends without an answer.
  virtual void end() = 0;
};

/// One client's session of the Model Context Protocol, 2025-06-18 and the two versions before it. Texts come
/// in, messages go out; where they come from is the transport's matter. Whatever comes, the session stays
/// usable. Calls of tools run on threads of their own, so pings and cancellations are taken meanwhile.
class McpSession {
 public:
  /// `client` is whose runs the session's are. The host must outlive the session.
  McpSession(const McpHost& host, std::string client);
  /// Ends all calls, which cancels their runs.
  ~McpSession();
  McpSession(const McpSession&) = delete;
  McpSession& operator=(const McpSession&) = delete;

  /// Takes a text. True: something is answered through the outlet, now or later, and then the outlet ends.
  /// False: nothing is, and the outlet is not used.
  bool receive(std::string_view text, std::shared_ptr<McpOutlet> outlet);
  bool receive(RpcBatch batch, std::shared_ptr<McpOutlet> outlet);

  /// The version that was agreed on; "" before that.
  [[nodiscard]] std::string version() const;
  /// Whether a call is under way.
  [[nodiscard]] bool isBusy() const;
  /// Waits until no call is under way.
  void wait() const;
  /// Asks all calls to end, and returns at once.
  void stop();

 private:
  class Replies;
  struct Call;

  void take(const RpcMessage& message, const std::shared_ptr<Replies>& replies);
  [[nodiscard]] std::variant<McpJson, RpcError> answer(const RpcMessage& message);
  [[nodiscard]] std::variant<McpJson, RpcError> initialize(const nlohmann::json& params);
  void notified(const RpcMessage& message);
  void startCall(const RpcMessage& message, const std::shared_ptr<Replies>& replies);
  void runCall(Call& call, const RpcMessage& message, const std::shared_ptr<Replies>& replies);
  void reap();

  const McpHost& host_;
  const std::string client_;
  mutable std::mutex mutex_;
  mutable std::condition_variable ended_;
  std::string version_;
  /// Log messages of this severity and worse are sent; 0 is "debug".
  int leastLevel_ = 4;
  std::list<Call> calls_;
};

/// The versions that are spoken, the newest first.
[[nodiscard]] const std::vector<std::string_view>& mcpVersions();

}  // namespace wb
