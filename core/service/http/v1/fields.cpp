// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/v1/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/nearest.h"

namespace wb {

Fields::Fields(const nlohmann::json& object, std::string at, std::vector<FieldProblem>& problems)
    : object_(object), at_(std::move(at)), problems_(problems) {
  if (!object_.is_object()) problems_.push_back({at_, "expected an object"});
}

const nlohmann::json* Fields::any(std::string_view name) {
  known_.emplace_back(name);
  if (!object_.is_object()) return nullptr;
  const auto found = object_.find(known_.back());
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

std::string Fields::placeOf(std::string_view name) const {
  return at_.empty() ? std::string(name) : fmt::format("{}.{}", at_, name);
}

void Fields::wrong(std::string_view name, std::string message) {
  problems_.push_back({placeOf(name), std::move(message)});
}

void Fields::read(std::string_view name, std::string& value, std::size_t mostBytes) {
  const auto* found = any(name);
  if (found == nullptr) return;
  if (!found->is_string()) return wrong(name, "expected a string");
  const auto& text = found->get_ref<const std::string&>();
  if (text.size() > mostBytes)
    return wrong(name, fmt::format("has {} bytes; {} at most", text.size(), mostBytes));
  value = text;
}

void Fields::read(std::string_view name, bool& value) {
  const auto* found = any(name);
  if (found == nullptr) return;
  if (!found->is_boolean()) return wrong(name, "expected true or false");
  value = found->get<bool>();
}

void Fields::read(std::string_view name, int& value, int least, int most) {
  const auto* found = any(name);
  if (found == nullptr) return;
  if (!found->is_number_integer() || *found < least || *found > most)
    return wrong(name, fmt::format("expected a whole number from {} to {}", least, most));
  value = found->get<int>();
}

void Fields::read(std::string_view name, std::uint64_t& value) {
  const auto* found = any(name);
  if (found == nullptr) return;
  if (!found->is_number_unsigned()) return wrong(name, "expected a whole number from 0 on");
  value = found->get<std::uint64_t>();
}

void Fields::read(std::string_view name, double& value, double least, double most) {
  const auto* found = any(name);
  if (found == nullptr) return;
  const double number = found->is_number() ? found->get<double>() : least - 1;
  if (!(number >= least && number <= most))
    return wrong(name, fmt::format("expected a number from {} to {}", least, most));
  value = number;
}

void Fields::read(std::string_view name, std::vector<std::string>& value, std::size_t most) {
  const auto* found = any(name);
  if (found == nullptr) return;
  const auto isText = [](const nlohmann::json& each) { return each.is_string(); };
  if (!found->is_array() || !std::ranges::all_of(*found, isText))
    return wrong(name, "expected a list of strings");
  if (found->size() > most)
    return wrong(name, fmt::format("has {} entries; {} at most", found->size(), most));
  value = found->get<std::vector<std::string>>();
}

void Fields::finish() {
  if (!object_.is_object()) return;
  for (const auto& [name, value] : object_.items()) {
    if (std::ranges::find(known_, name) != known_.end()) continue;
    const std::string near = didYouMean(name, known_);
    wrong(name, near.empty() ? "there is no such field" : "there is no such field; " + near);
  }
}

}  // namespace wb
