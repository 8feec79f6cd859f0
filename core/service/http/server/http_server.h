// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/service/http/server/request_record.h"
#include "core/service/http_message.h"

namespace wb {

/// What an HTTP server listens to and what it lets pass.
struct HttpServerOptions {
  /// An address of this machine, "127.0.0.1" or "::1"; "0.0.0.0" is all.
  std::string address = "127.0.0.1";
  /// 0 takes a free one.
  int port = 0;
  /// Files in PEM; both or none.
  std::string certificate, key;
  /// Further connections are told to come again.
  std::size_t mostConnections = 512;
  std::size_t headBytes = 32 << 10, bodyBytes = 32 << 20;
  double requestSeconds = 30, idleSeconds = 15, takeSeconds = 30;
};

/// What answers the requests of a server. All are called on connections' threads, many at once.
struct HttpHost {
  /// Looks at a request whose body was not read yet and says who the client is (`HttpRequest::client`); an
  /// answer instead of nothing refuses it.
  std::function<std::optional<HttpResponse>(HttpRequest&)> admit;
  std::function<HttpResponse(HttpRequest&)> answer;
  /// Hears of every request when its answer was sent.
  std::function<void(const RequestRecord&)> record;
};

/// Listens on an address, with a thread for every connection. httplib reads requests and writes answers;
/// connections, their limits and their ends are ours.
class HttpServer {
 public:
  /// Errors: the address cannot be listened to, the certificate or the key cannot be read.
  static Result<std::unique_ptr<HttpServer>> open(const HttpServerOptions& options, HttpHost host);
  /// Stops.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] int port() const;
  [[nodiscard]] std::size_t connections() const;
  /// Takes no connections from now on, tells everything under way that nobody wants it, and waits until the
  /// connections have ended. May be called more than once.
  void stop();

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace wb
