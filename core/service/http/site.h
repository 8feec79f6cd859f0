// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/service/http/access/request_rates.h"
#include "core/service/http/access/tokens.h"
#include "core/service/http_message.h"
#include "core/service/private_paths.h"

namespace wb {

/// Whom a site lets in, and what it lets pass.
struct SiteRules {
  /// The server listens to this machine alone.
  bool isLoopback = true;
  /// Where there are any, a request needs one of them.
  std::vector<Token> tokens;
  /// Names that a request's Host may have besides those of this machine; only asked for on loopback.
  std::vector<std::string> hosts;
  /// Of each client without a token's own limit; 0 is no limit.
  int requestsPerMinute = 0;
  std::size_t jsonDepth = 64;
  /// Folders that no answer names.
  PrivatePaths paths;
  /// Hears what went wrong in a route; may be empty.
  std::function<void(const std::string&)> onError;
};

/// All routes of a server: which of them a request means, whether it may, and what is answered. It knows no
/// socket. Its functions may be called from any thread.
class Site {
 public:
  Site(SiteRules rules, HttpRoutes routes);

  /// Looks at a request without its body: fills in the client and the route's parameters, and gives the
  /// answer of one that is refused.
  std::optional<HttpResponse> admit(HttpRequest& request);
  /// Answers a request that was admitted.
  [[nodiscard]] HttpResponse answer(const HttpRequest& request) const;

  /// From now on these are the tokens.
  void useTokens(std::vector<Token> tokens);

  [[nodiscard]] const HttpRoutes& routes() const { return routes_; }

 private:
  struct Found {
    const HttpRoute* route = nullptr;
    std::map<std::string, std::string> parameters;
    /// The methods of the path where none is the request's.
    std::vector<std::string> others;
  };
  [[nodiscard]] Found find(std::string_view method, std::string_view path) const;
  [[nodiscard]] std::optional<HttpResponse> wrongHost(const HttpRequest& request) const;
  [[nodiscard]] std::optional<HttpResponse> identify(HttpRequest& request, HttpAccess access);
  [[nodiscard]] HttpResponse noRoute(const HttpRequest& request, const Found& found) const;
  [[nodiscard]] HttpResponse called(const HttpRoute& route, const HttpRequest& request) const;

  [[nodiscard]] std::shared_ptr<const std::vector<Token>> tokens() const;

  SiteRules rules_;
  mutable std::mutex tokensMutex_;
  std::shared_ptr<const std::vector<Token>> tokens_;
  HttpRoutes routes_;
  /// The parts of each route's path.
  std::vector<std::vector<std::string>> parts_;
  RequestRates rates_;
};

}  // namespace wb
