// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

/// What is wrong at one place of a request.
struct FieldProblem {
  /// "sources[0].text"; "" is the whole body.
  std::string at;
  std::string message;
  bool operator==(const FieldProblem&) const = default;
};

/// Reads the members of a JSON object, each once; what it cannot read it writes down and goes on, so that a
/// client hears of everything at once. A member that nobody asked for is a problem, too.
class Fields {
 public:
  /// `at` is the object's own place, "" for the body.
  Fields(const nlohmann::json& object, std::string at, std::vector<FieldProblem>& problems);

  // Each leaves the value as it is where there is no such member.
  void read(std::string_view name, std::string& value, std::size_t mostBytes = 256);
  void read(std::string_view name, bool& value);
  void read(std::string_view name, int& value, int least, int most);
  void read(std::string_view name, std::uint64_t& value);
  void read(std::string_view name, double& value, double least, double most);
  void read(std::string_view name, std::vector<std::string>& value, std::size_t most);
  /// The member as it is; null where there is none.
  const nlohmann::json* any(std::string_view name);

  [[nodiscard]] std::string placeOf(std::string_view name) const;
  void wrong(std::string_view name, std::string message);
  /// Names the members that nobody asked for.
  void finish();

 private:
  const nlohmann::json& object_;
  std::string at_;
  std::vector<FieldProblem>& problems_;
  std::vector<std::string> known_;
};

}  // namespace wb
