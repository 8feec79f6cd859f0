// SPDX-License-Identifier: Apache-2.0
#include "core/engine/pipeline/operator_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "core/base/nearest.h"
#include "core/model/operators/operator_name.h"
#include "core/suites/suites.h"

namespace wb {
namespace {

/// The suite's operators with this base name ("where" → "aten::where.self").
std::set<std::string> suiteOperators(std::string_view base, std::span<const Case> suite) {
  std::set<std::string> names;
  for (const Case& each : suite)
    if (baseName(each.op) == base) names.insert(each.op);
  return names;
}

/// The operator's name from one of BackendBench's folders, "<operator>/<operator>_implementation_v1.cpp", or
/// from any folder with an overload in its name.
std::string folderName(const std::string& path) {
  const std::filesystem::path file(path);
  const std::string folder = file.parent_path().filename().string();
  const bool named = !folder.empty() && file.filename().string().starts_with(folder + "_implementation");
  return named || folder.find("__") != std::string::npos ? folder : std::string();
}

std::string withoutSuffix(const std::string& function) {
  constexpr std::string_view suffix = "_kernel_impl";
  return function.ends_with(suffix) ? function.substr(0, function.size() - suffix.size()) : function;
}

Result<OperatorEntry> fromFunction(const std::string& function, std::span<const Case> suite,
                                   const std::vector<OperatorEntry>& operators) {
  const std::string name = withoutSuffix(function);
  Result<OperatorEntry> resolved = resolveOperator(name, operators);
  const std::set<std::string> inSuite = suiteOperators(name, suite);
  if (resolved && inSuite.contains(resolved->name)) return resolved;
  if (inSuite.size() == 1) return resolveOperator(*inSuite.begin(), operators);
  return resolved;
}

}  // namespace

Result<OperatorEntry> chooseOperator(const KernelSource& source, const Claim& claim,
                                     std::span<const Case> suite,
                                     const std::vector<OperatorEntry>& operators) {
  if (!source.op.empty()) return resolveOperator(source.op, operators);
  if (!claim.op.empty()) return resolveOperator(claim.op, operators);
  if (const std::string folder = folderName(source.path); !folder.empty())
    if (Result<OperatorEntry> resolved = resolveOperator(folder, operators)) return resolved;

  std::optional<Error> firstError;
  for (const std::string& function : claim.functions) {
    Result<OperatorEntry> resolved = fromFunction(function, suite, operators);
    if (resolved) return resolved;
    if (!firstError) firstError = std::move(resolved).error();
  }
  if (firstError) return *std::move(firstError);
  return Error{Stage::job, fmt::format("{}: nothing says which operator this kernel implements", source.path),
               "name it with --op, or name the function after it: relu_kernel_impl"};
}

namespace {

/// The hint for a suite without the operator: the suite that has it, names like it, or else what the suite
/// has.
std::string whereElse(const std::string& op, const std::string& suiteName,
                      const std::vector<std::string>& others) {
  if (others.empty()) return "the suite is empty";
  std::string hint;
  const auto smoke = suiteName == "smoke" ? Result<Suite>(Suite{}) : loadSuite("smoke");
  const auto isIt = [&](const Case& each) { return each.op == op; };
  if (smoke && std::any_of(smoke->cases.begin(), smoke->cases.end(), isIt)) hint = "suite 'smoke' has some; ";
  if (const std::string near = didYouMean(shortName(op), others); hint.empty() && !near.empty())
    hint = near + "; ";
  if (suiteName == "smoke") hint += "--suite opinfo has torch's samples of most operators; ";
  constexpr std::size_t most = 40;
  if (others.size() <= most) return hint + fmt::format("it has {}", fmt::join(others, ", "));
  return hint + fmt::format("it has cases of {} operators, see warpbench list cases --suite", others.size());
}

}  // namespace

Result<std::vector<Case>> casesOf(const OperatorEntry& op, const std::string& suiteName,
                                  std::span<const Case> suite) {
  std::vector<Case> cases;
  std::set<std::string> others;
  for (const Case& each : suite) {
    if (each.op == op.name)
      cases.push_back(each);
    else
      others.insert(shortName(each.op));
  }
  if (!cases.empty()) return cases;
  return Error{Stage::job, fmt::format("suite '{}' has no case of {}", suiteName, op.name),
               whereElse(op.name, suiteName, {others.begin(), others.end()})};
}

}  // namespace wb
