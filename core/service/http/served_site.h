// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/service/http/access/tokens.h"
#include "core/service/http/config/config.h"
#include "core/service/http/text/log.h"
#include "core/service/http_message.h"
#include "core/service/service.h"

namespace wb {

/// A service with everything around it that clients see.
class ServedSite {
 public:
  /// The routes of rooms that this one does not know, over the service as clients reach it.
  using MoreRoutes = std::function<HttpRoutes(Service&)>;

  struct Parts {
    /// Must live longer.
    Service& service;
    ServeConfig config;
    std::vector<Token> tokens;
    /// Every job runs inside walls; is judged strictly, or is where it can be.
    bool sandbox = false, strict = false, strictAlways = false;
    MoreRoutes moreRoutes;
    ServiceLog log;
    /// PagesContext::compilers.
    std::function<std::string()> compilers{};
  };

  /// Listens from now on. Errors: the address, the certificate.
  static Result<std::unique_ptr<ServedSite>> open(Parts parts);
  virtual ~ServedSite() = default;
  ServedSite(const ServedSite&) = delete;
  ServedSite& operator=(const ServedSite&) = delete;

  [[nodiscard]] virtual int port() const = 0;
  /// Lets in who has one of these from now on.
  virtual void useTokens(const std::vector<Token>& tokens) = 0;
  /// Refuses new runs, lets those that are under way end within the configured time, and answers meanwhile;
  /// then ends all connections.
  virtual void drain() = 0;

 protected:
  ServedSite() = default;
};

}  // namespace wb
