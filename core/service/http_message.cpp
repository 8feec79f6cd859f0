// SPDX-License-Identifier: Apache-2.0
#include "core/service/http_message.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace wb {
namespace {

constexpr std::string_view jsonType = "application/json";

template <class Map>
std::optional<std::string> first(const Map& map, std::string_view name) {
  const auto [begin, end] = map.equal_range(typename Map::key_type(name));
  if (begin == end) return std::nullopt;
  return begin->second;
}

template <class Json>
HttpResponse jsonResponse(int status, const Json& value) {
  // Texts of kernels may hold anything; an answer is always valid UTF-8.
  return HttpResponse::text(status, jsonType, value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

bool HeaderLess::operator()(std::string_view a, std::string_view b) const {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::ranges::lexicographical_compare(a, b, {}, lower, lower);
}

std::optional<std::string> HttpRequest::header(std::string_view name) const {
  return first(headers, name);
}
std::optional<std::string> HttpRequest::queried(std::string_view name) const {
  return first(query, name);
}

HttpResponse HttpResponse::json(int status, const nlohmann::json& value) {
  return jsonResponse(status, value);
}
HttpResponse HttpResponse::json(int status, const nlohmann::ordered_json& value) {
  return jsonResponse(status, value);
}

HttpResponse HttpResponse::text(int status, std::string_view type, std::string body) {
  return {.status = status,
          .headers = {{"Content-Type", std::string(type)}},
          .body = std::move(body),
          .stream = {}};
}

}  // namespace wb
