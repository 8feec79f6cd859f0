// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/nearest.h"
#include "core/base/text.h"
#include "core/model/operators/operator_name.h"
#include "core/suites/literals/literal_parser.h"
#include "core/suites/suites.h"

namespace wb {
namespace {

/// How many operators a message names.
constexpr std::size_t longestList = 8;

std::vector<std::string> operatorsOf(const Suite& suite) {
  std::vector<std::string> names;
  for (const Case& definition : suite.cases) names.push_back(shortName(definition.op));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// Operators without their overloads, which nobody mistypes whole.
std::vector<std::string> withoutOverloads(const std::vector<std::string>& names) {
  std::set<std::string> shorter;
  for (const std::string& name : names) shorter.insert(name.substr(0, name.find('.')));
  return {shorter.begin(), shorter.end()};
}

}  // namespace

Result<Suite> filterOperators(Suite suite, std::span<const std::string> filters) {
  if (filters.empty()) return suite;
  // A suite names each operator many times, and matching a glob takes time.
  std::map<std::string, bool, std::less<>> taken;
  for (const Case& definition : suite.cases) taken.try_emplace(definition.op, false);
  for (const std::string& filter : filters) {
    bool any = false;
    for (auto& [op, wanted] : taken) {
      if (!matches(filter, op)) continue;
      any = wanted = true;
    }
    if (any) continue;
    const auto names = operatorsOf(suite);
    const std::string near = didYouMean(filter, withoutOverloads(names));
    return Error{Stage::job, fmt::format("Suite {} has no operator \"{}\"", suite.name, filter),
                 near.empty() ? "it has " + listed(names, longestList) : near};
  }
  std::erase_if(suite.cases, [&](const Case& definition) { return !taken.find(definition.op)->second; });
  return suite;
}

Suite largestPerOperator(Suite suite, int count) {
  if (count <= 0) return suite;
  struct Sized {
    std::int64_t bytes;
    Case definition;
  };
  std::vector<std::vector<Sized>> operators;
  std::map<std::string, std::size_t> at;
  for (Case& definition : suite.cases) {
    const auto [found, isNew] = at.try_emplace(definition.op, operators.size());
    if (isNew) operators.emplace_back();
    const auto literal = parseLiteral(definition.args);
    operators[found->second].push_back({literal ? elementBytes(*literal) : 0, std::move(definition)});
  }
  suite.cases.clear();
  for (auto& cases : operators) {
    std::sort(cases.begin(), cases.end(), [](const Sized& a, const Sized& b) {
      return std::tie(b.bytes, b.definition.args) < std::tie(a.bytes, a.definition.args);
    });
    for (std::size_t i = 0; i < cases.size() && i < static_cast<std::size_t>(count); ++i)
      suite.cases.push_back(std::move(cases[i].definition));
  }
  return suite;
}

}  // namespace wb
