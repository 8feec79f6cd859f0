// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/service/mcp/session.h"
#include "tests/core/service/fake_service.h"

namespace wb {

/// Keeps what a session answers to one text.
class Answers final : public McpOutlet {
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
  /// All messages, when there will be no more.
  std::vector<nlohmann::json> all() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return isOver_; });
    return parsed(lines_.size());
  }
  /// The first so many messages, when they are there.
  std::vector<nlohmann::json> first(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return lines_.size() >= count || isOver_; });
    return parsed(std::min(count, lines_.size()));
  }

 private:
  [[nodiscard]] std::vector<nlohmann::json> parsed(std::size_t count) const {
    std::vector<nlohmann::json> messages;
    for (std::size_t i = 0; i < count; ++i) messages.push_back(nlohmann::json::parse(lines_[i]));
    return messages;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
  bool isOver_ = false;
};

/// A host on a service whose runs the test steps, with three operators.
[[nodiscard]] inline McpHost fakeHost(FakeService& service) {
  McpHost host;
  host.service = &service;
  host.catalogue = [] {
    return Result<Catalogue>(
        Catalogue{"2.11.0",
                  {{"aten::add.Tensor",
                    "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", true},
                   {"aten::relu", "aten::relu(Tensor self) -> Tensor", true},
                   {"aten::sum.dim_IntList",
                    "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? "
                    "dtype=None) -> Tensor",
                    false}}});
  };
  return host;
}

/// A session with its client.
class McpClient {
 public:
  explicit McpClient(const McpHost& host, std::string name = "ada") : session(host, std::move(name)) {}

  /// Sends a text; null where nothing is answered.
  std::shared_ptr<Answers> send(const std::string& text) {
    auto answers = std::make_shared<Answers>();
    return session.receive(text, answers) ? answers : nullptr;
  }
  std::shared_ptr<Answers> sendMessage(const nlohmann::json& message) { return send(message.dump()); }
  /// The answer to a request.
  nlohmann::json ask(const std::string& method, nlohmann::json params = nlohmann::json::object()) {
    return sendMessage(request(method, std::move(params)))->all().back();
  }
  nlohmann::json request(const std::string& method, nlohmann::json params) {
    return {{"jsonrpc", "2.0"}, {"id", ++last_}, {"method", method}, {"params", std::move(params)}};
  }
  void initialize(const std::string& version = "2025-06-18") {
    ask("initialize", {{"protocolVersion", version},
                       {"capabilities", nlohmann::json::object()},
                       {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
    sendMessage(nlohmann::json{{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
  }
  /// The result of a call whose run, if there is one, ends by itself.
  nlohmann::json call(const std::string& tool, nlohmann::json arguments) {
    return ask("tools/call", {{"name", tool}, {"arguments", std::move(arguments)}}).at("result");
  }
  std::shared_ptr<Answers> begin(const std::string& tool, nlohmann::json arguments) {
    return sendMessage(request(
        "tools/call",
        {{"name", tool}, {"arguments", std::move(arguments)}, {"_meta", {{"progressToken", "here"}}}}));
  }
  [[nodiscard]] int lastId() const { return last_; }

  McpSession session;

 private:
  int last_ = 0;
};

/// What run_kernel takes for one small case.
[[nodiscard]] inline nlohmann::json reluRun() {
  return {{"source", "#include <torch/all.h>\nat::Tensor relu(at::Tensor x) { return x; }\n"},
          {"op", "relu"},
          {"cases", "((T([4], f32),), {})"}};
}

}  // namespace wb
