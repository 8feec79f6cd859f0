// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <utility>

#include "core/base/text.h"
#include "core/service/http/text/json_depth.h"

namespace wb {
namespace {

HttpResponse refusal(int status, std::string_view detail) {
  return HttpResponse::json(status, nlohmann::json{{"detail", detail}});
}

std::vector<std::string> partsOf(std::string_view path) {
  std::vector<std::string> parts;
  for (const std::string_view part : split(path, '/')) parts.emplace_back(part);
  return parts;
}

bool isParameter(std::string_view part) {
  return part.starts_with('{') && part.ends_with('}');
}

bool fits(const std::vector<std::string>& route, const std::vector<std::string>& path) {
  return std::ranges::equal(route, path, [](const std::string& wanted, const std::string& given) {
    return isParameter(wanted) ? !given.empty() : wanted == given;
  });
}

/// The host without its port: "[::1]:8000" → "::1".
std::string_view hostName(std::string_view host) {
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.find(':'));
}

/// The secret behind "Bearer"; nothing where the header is another.
std::optional<std::string_view> bearer(std::string_view header) {
  constexpr std::string_view scheme = "bearer ";
  if (header.size() <= scheme.size() || lowerCase(header.substr(0, scheme.size())) != scheme)
    return std::nullopt;
  return trimmed(header.substr(scheme.size()));
}

}  // namespace

Site::Site(SiteRules rules, HttpRoutes routes)
    : rules_(std::move(rules)),
      tokens_(std::make_shared<const std::vector<Token>>(rules_.tokens)),
      routes_(std::move(routes)) {
  for (const HttpRoute& route : routes_.routes) {
    parts_.push_back(partsOf(route.path));
    // Pages and documents name routes, which are no folders.
    if (parts_.back().size() > 1) rules_.paths.removeTop(parts_.back()[1]);
  }
}

void Site::useTokens(std::vector<Token> tokens) {
  auto fresh = std::make_shared<const std::vector<Token>>(std::move(tokens));
  const std::lock_guard lock(tokensMutex_);
  tokens_ = std::move(fresh);
}

std::shared_ptr<const std::vector<Token>> Site::tokens() const {
  const std::lock_guard lock(tokensMutex_);
  return tokens_;
}

Site::Found Site::find(std::string_view method, std::string_view path) const {
  Found found;
  const auto parts = partsOf(path);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (!fits(parts_[i], parts)) continue;
    const HttpRoute& route = routes_.routes[i];
    if (route.method != method) {
      found.others.push_back(route.method);
      continue;
    }
    found.route = &route;
    for (std::size_t part = 0; part < parts.size(); ++part)
      if (const std::string& name = parts_[i][part]; isParameter(name))
        found.parameters.emplace(name.substr(1, name.size() - 2), parts[part]);
    return found;
  }
  return found;
}

std::optional<HttpResponse> Site::wrongHost(const HttpRequest& request) const {
  const std::string host = request.header("Host").value_or("");
  const std::string name = lowerCase(hostName(host));
  const bool isHere = name == "localhost" || name == "127.0.0.1" || name == "::1";
  // A page of another site whose name was made to mean this machine still says its own name here.
  if (rules_.isLoopback && !isHere && std::ranges::find(rules_.hosts, name) == rules_.hosts.end())
    return refusal(403, "The request is for another host; hosts in the configuration adds names");
  const auto origin = request.header("Origin");
  if (!origin) return std::nullopt;
  const auto scheme = origin->find("://");
  if (scheme == std::string::npos || lowerCase(origin->substr(scheme + 3)) != lowerCase(host))
    return refusal(403, "Pages of other sites may not send requests here");
  return std::nullopt;
}

std::optional<HttpResponse> Site::identify(HttpRequest& request, HttpAccess access) {
  HttpClient& client = request.client;
  client.name = client.address;
  const std::string authorization = request.header("Authorization").value_or("");
  const auto secret = bearer(authorization);
  const std::shared_ptr<const std::vector<Token>> tokens = this->tokens();
  const Token* token = secret ? tokenOf(*secret, *tokens) : nullptr;
  int perMinute = rules_.requestsPerMinute;
  if (token != nullptr) {
    client.name = token->name;
    client.isAdmin = token->isAdmin;
    if (token->limits.requestsPerMinute > 0) perMinute = token->limits.requestsPerMinute;
  } else if (tokens->empty()) {
    // Whoever is on this machine and finds no tokens may do everything: the server is theirs.
    client.isAdmin = rules_.isLoopback;
  }
  const bool isOpen = access == HttpAccess::anybody || (access == HttpAccess::machine && rules_.isLoopback) ||
                      (tokens->empty() && rules_.isLoopback);
  if (token == nullptr && !isOpen) {
    HttpResponse response = refusal(401, secret ? "There is no such token" : "A token is needed");
    response.headers.emplace("WWW-Authenticate", "Bearer");
    return response;
  }
  if (access == HttpAccess::admin && !client.isAdmin) return refusal(403, "This is for administrators");
  const double wait = rates_.take(client.name, perMinute, std::chrono::steady_clock::now());
  if (wait > 0) {
    HttpResponse response = refusal(429, fmt::format("{} requests a minute are the limit", perMinute));
    response.headers.emplace("Retry-After", fmt::format("{:.0f}", std::ceil(wait)));
    return response;
  }
  return std::nullopt;
}

HttpResponse Site::noRoute(const HttpRequest& request, const Found& found) const {
  if (!found.others.empty()) {
    HttpResponse response = refusal(405, "Method Not Allowed");
    response.headers.emplace("Allow", joined(found.others, ", "));
    return response;
  }
  std::string other = request.path;
  if (other.size() > 1 && other.ends_with('/'))
    other.pop_back();
  else
    other += '/';
  // The path is one of our own, so nothing that the client sent gets into the header.
  const Found there = find(request.method, other);
  if ((there.route == nullptr || !there.parameters.empty()) && there.others.empty())
    return refusal(404, "Not Found");
  HttpResponse response{.status = 307, .headers = {{"Location", other}}, .body = {}, .stream = {}};
  return response;
}

std::optional<HttpResponse> Site::admit(HttpRequest& request) {
  if (auto wrong = wrongHost(request)) return wrong;
  Found found = find(request.method, request.path);
  const HttpAccess access = found.route != nullptr ? found.route->access : HttpAccess::client;
  if (auto refused = identify(request, access)) return refused;
  if (found.route == nullptr) return noRoute(request, found);
  request.parameters = std::move(found.parameters);
  return std::nullopt;
}

HttpResponse Site::called(const HttpRoute& route, const HttpRequest& request) const {
  try {
    return route.answer(request);
  } catch (const std::exception& error) {
    if (rules_.onError) rules_.onError(fmt::format("{} {}: {}", route.method, route.path, error.what()));
    return refusal(500, "Internal Server Error");
  }
}

HttpResponse Site::answer(const HttpRequest& request) const {
  const Found found = find(request.method, request.path);
  if (found.route == nullptr) return noRoute(request, found);
  if (isDeeperThan(request.body, rules_.jsonDepth))
    return refusal(400, "There was an error parsing the body");
  HttpResponse response = called(*found.route, request);
  response.headers.emplace("X-Content-Type-Options", "nosniff");
  response.body = rules_.paths.hidden(response.body);
  if (response.stream)
    response.stream = [this, stream = std::move(response.stream)](const HttpWrite& write) {
      try {
        stream([&](std::string_view piece) { return write(rules_.paths.hidden(piece)); });
      } catch (const std::exception& error) {
        if (rules_.onError) rules_.onError(fmt::format("a stream ended: {}", error.what()));
      }
    };
  return response;
}

}  // namespace wb
