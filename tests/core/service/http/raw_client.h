// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace wb {

/// A connection to this machine whose bytes a test chooses, since a library's client sends nothing that is
/// wrong.
class RawClient {
 public:
  explicit RawClient(int port);
  ~RawClient();
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  /// Sends all of it; false where the server has closed.
  bool send(std::string_view bytes);
  /// Says that nothing more will be sent.
  void endSending();
  /// Everything that comes until the server closes.
  std::string readToEnd();
  /// What has come when `end` has come, or until the server closes.
  std::string readUntil(std::string_view end);
  void close();

 private:
  int socket_;
  std::string received_;
};

/// The status of an answer; 0 where there is none.
[[nodiscard]] int statusOf(std::string_view answer);
/// A request with the headers that every client sends.
[[nodiscard]] std::string requestText(std::string_view method, std::string_view path,
                                      std::string_view body = {}, std::string_view headers = {});

}  // namespace wb
