// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

/// Compares names of headers, which are the same in capitals.
struct HeaderLess {
  using is_transparent = void;
  [[nodiscard]] bool operator()(std::string_view a, std::string_view b) const;
};
using HttpHeaders = std::multimap<std::string, std::string, HeaderLess>;

/// Who asks, as far as the server knows.
struct HttpClient {
  /// The token's name, or the address where no token is asked for. It is what `Submission::client` wants.
  std::string name;
  std::string address;
  bool isAdmin = false;
};

/// A request whose body was read whole. It is within the server's limits, and its client was let in.
struct HttpRequest {
  /// The method in capitals: "GET".
  std::string method;
  /// The path without the query, with its percent signs resolved: "/v1/runs/7".
  std::string path;
  /// What stands where the route's path has braces: "id" → "7".
  std::map<std::string, std::string> parameters;
  std::multimap<std::string, std::string> query;
  HttpHeaders headers;
  std::string body;
  HttpClient client;
  /// Says whether the client is still there and the server goes on. May be asked from any thread while the
  /// request is being answered, as often as one likes; never empty in a running server.
  std::function<bool()> isWanted;

  /// The first header of this name; none if there is none.
  [[nodiscard]] std::optional<std::string> header(std::string_view name) const;
  /// The first value of this name in the query; none if there is none.
  [[nodiscard]] std::optional<std::string> queried(std::string_view name) const;
};

/// Sends a piece of a body at once. False: the client is gone or the server stops, and this was the last
/// piece that is worth sending.
using HttpWrite = std::function<bool(std::string_view)>;

struct HttpResponse {
  int status = 200;
  /// All headers but those of the connection and the length, which the server adds.
  HttpHeaders headers;
  std::string body;
  /// Sends the body piece by piece instead, on the connection's own thread, and returns when it is whole:
  /// Server-Sent Events. It may wait as long as it likes, but asks `HttpRequest::isWanted` or writes a
  /// heartbeat every few seconds.
  std::function<void(const HttpWrite&)> stream;

  /// An answer of JSON on one line.
  [[nodiscard]] static HttpResponse json(int status, const nlohmann::json& value);
  /// An answer of JSON whose members keep their order.
  [[nodiscard]] static HttpResponse json(int status, const nlohmann::ordered_json& value);
  /// An answer of a media type such as "text/html; charset=utf-8".
  [[nodiscard]] static HttpResponse text(int status, std::string_view type, std::string body);
};

/// Who may use a route.
enum class HttpAccess {
  /// Everybody, also without a token: a page that holds nothing of anybody.
  anybody,
  /// Everybody who reaches the server; where it listens to more than this machine, whoever has a token.
  machine,
  /// Whoever has a token, or is on this machine where there are no tokens.
  client,
  /// As `client`, and the token is an administrator's.
  admin,
};

/// One method of one path, and what answers it.
struct HttpRoute {
  std::string method;
  /// The path; a part in braces stands for one part of any name: "/v1/runs/{id}".
  std::string path;
  /// Called on the connection's own thread, so it may wait; many are called at once. It does not throw for
  /// what a client can send; what it throws all the same is answered with 500.
  std::function<HttpResponse(const HttpRequest&)> answer;
  HttpAccess access = HttpAccess::client;
  /// OpenAPI's operation object (summary, parameters, requestBody, responses); null for what is no interface.
  nlohmann::json operation = nullptr;
};

/// What a room answers. The server adds to it what is the same for all: 404, 405, the redirect of a path with
/// a slash too many or too few, and limits.
struct HttpRoutes {
  std::vector<HttpRoute> routes;
  /// OpenAPI's schemas by name, to which the operations refer ("#/components/schemas/Run").
  nlohmann::json schemas = nlohmann::json::object();
};

}  // namespace wb
