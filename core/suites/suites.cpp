// SPDX-License-Identifier: Apache-2.0
#include "core/suites/suites.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>

#include "core/base/file.h"
#include "core/base/nearest.h"
#include "core/base/paths.h"
#include "core/model/operator_name.h"
#include "core/suites/trace_file.h"

namespace wb {
namespace {

constexpr std::size_t longestList = 40;  ///< operators named in a message

/// The first comment line, without its mark; "" where the file does not begin with one.
std::string descriptionOf(const std::filesystem::path& file) {
  const auto text = readSource(file);
  if (!text || !text->starts_with('#')) return {};
  std::string_view line = std::string_view(*text).substr(0, text->find_first_of("\r\n"));
  line.remove_prefix(std::min(line.find_first_not_of("# "), line.size()));
  return std::string(line);
}

Result<Suite> readSuite(std::string name, const std::filesystem::path& file) {
  auto text = readSource(file);
  if (!text) return text.error();
  auto cases = parseTrace(*text, file.string());
  if (!cases) return cases.error();
  if (cases->empty())
    return Error{Stage::job, fmt::format("{} holds no cases", file.string()),
                 "a suite has lines \"Operator: aten.relu.default\" and \"cnt: 1, ((T([5, 5], f32),), {})\"",
                 Place{file.string()}};
  return Suite{std::move(name), std::move(*cases)};
}

std::vector<std::string> operatorsOf(const Suite& suite) {
  std::vector<std::string> names;
  for (const Case& definition : suite.cases) names.push_back(shortName(definition.op));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// "has relu.default, …" cut to a length that still reads.
std::string listOf(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), longestList);
  return fmt::format("{}{}",
                     fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "");
}

}  // namespace

std::vector<SuiteInfo> suites() {
  std::vector<SuiteInfo> found;
  std::error_code error;
  for (std::filesystem::directory_iterator i(resourceFolder() / "suites", error), end; !error && i != end;
       i.increment(error)) {
    if (i->path().extension() != ".txt") continue;
    found.push_back({i->path().stem().string(), descriptionOf(i->path()), i->path()});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return found;
}

Result<Suite> loadSuite(const std::string& nameOrFile) {
  const auto known = suites();
  for (const SuiteInfo& info : known) {
    if (info.name == nameOrFile) return readSuite(info.name, info.file);
  }
  std::error_code ignored;
  if (!nameOrFile.empty() && std::filesystem::exists(nameOrFile, ignored)) {
    const std::filesystem::path file(nameOrFile);
    return readSuite(file.filename().string(), file);
  }
  std::vector<std::string> names;
  for (const SuiteInfo& info : known) names.push_back(info.name);
  std::string hint = didYouMean(nameOrFile, names);
  if (hint.empty())
    hint = names.empty() ? "name a file in the operator-log format" : "there is: " + listOf(names);
  return Error{
      Stage::job, fmt::format("\"{}\" is neither a suite nor a file", nameOrFile), std::move(hint), {}};
}

Result<Suite> filterOperators(Suite suite, std::span<const std::string> filters) {
  if (filters.empty()) return suite;
  for (const std::string& filter : filters) {
    const bool any = std::any_of(suite.cases.begin(), suite.cases.end(),
                                 [&](const Case& definition) { return matches(filter, definition.op); });
    if (any) continue;
    const auto names = operatorsOf(suite);
    const std::string near = didYouMean(filter, names);
    return Error{Stage::job,
                 fmt::format("Suite {} has no operator \"{}\"", suite.name, filter),
                 fmt::format("{}{}it has {}", near, near.empty() ? "" : "; ", listOf(names)),
                 {}};
  }
  std::erase_if(suite.cases, [&](const Case& definition) {
    return std::none_of(filters.begin(), filters.end(),
                        [&](const std::string& filter) { return matches(filter, definition.op); });
  });
  return suite;
}

}  // namespace wb
