// SPDX-License-Identifier: Apache-2.0
#include "core/suites/suites.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <system_error>
#include <utility>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/base/nearest.h"
#include "core/suites/opinfo_suite.h"
#include "core/suites/parquet_suite.h"
#include "core/suites/perturbed_suites.h"
#include "core/suites/trace_file.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

/// A suite that is made when somebody asks for it.
struct MadeSuite {
  std::string_view name, description;
  Result<Suite> (*make)(const SuiteRequest& request, const SuiteProgress& progress);
  bool takesDtype;
};

Result<Suite> besideSuite(const SuiteRequest& request, const SuiteProgress&) {
  if (request.kernel.empty())
    return Error{Stage::job, "Suite beside takes the cases beside a kernel, and there is no kernel's file",
                 "give one, or another suite"};
  return casesBeside(request.kernel);
}

constexpr std::array madeSuites{
    MadeSuite{"opinfo",
              "torch's own samples of every operator, by dtype and device, as BackendBench chooses them",
              opinfoSuite, true},
    MadeSuite{"shapes", "Known-good calls with odd, empty, size-one, broadcast and large shapes", shapesSuite,
              true},
    MadeSuite{"sweep",
              "One call of each operator over powers of two, from a few kilobytes to far beyond the caches",
              sweepSuite, true},
    MadeSuite{"layouts",
              "Known-good calls with transposed, sliced, padded, expanded and channels-last tensors",
              layoutsSuite, true},
    MadeSuite{"values",
              "Known-good calls with NaN, infinities, denormals, extremes and zeros among their values",
              valuesSuite, true},
    MadeSuite{"beside", "Your own cases, from the file beside the kernel: relu.cases.txt for relu.cu",
              besideSuite, false},
};

/// The first comment line, without its mark; "" where the file does not begin with one.
std::string descriptionOf(const fs::path& file) {
  const auto text = readSource(file);
  if (!text || !text->starts_with('#')) return {};
  std::string_view line = std::string_view(*text).substr(0, text->find_first_of("\r\n"));
  line.remove_prefix(std::min(line.find_first_not_of("# "), line.size()));
  return std::string(line);
}

/// A call that a file has twice becomes one case, whose count is the sum of both.
void mergeRepeated(std::vector<Case>& cases) {
  std::map<std::pair<std::string, std::string>, std::size_t> seen;
  std::vector<Case> kept;
  kept.reserve(cases.size());
  for (Case& definition : cases) {
    const auto [found, isNew] = seen.try_emplace({definition.op, definition.args}, kept.size());
    if (isNew)
      kept.push_back(std::move(definition));
    else
      kept[found->second].count += definition.count;
  }
  cases = std::move(kept);
}

Result<Suite> readSuite(std::string name, const fs::path& file) {
  WB_TRY(auto text, readSource(file));
  WB_TRY(auto cases, parseTrace(text, file.string()));
  if (cases.empty())
    return Error{Stage::job, fmt::format("{} holds no cases", file.string()),
                 "a suite has lines \"Operator: aten.relu.default\" and \"cnt: 1, ((T([5, 5], f32),), {})\"",
                 Place{file.string()}};
  mergeRepeated(cases);
  return Suite{.name = std::move(name), .cases = std::move(cases)};
}

Result<Suite> readTrace(const fs::path& file) {
  auto suite = readSuite(file.filename().string(), file);
  if (suite) suite->scoreTrivial = true;
  return suite;
}

Error unknownSuite(const std::string& name) {
  std::vector<std::string> names;
  for (const SuiteInfo& info : suites()) names.push_back(info.name);
  std::string hint = didYouMean(name, names);
  if (hint.empty()) hint = fmt::format("there is: {}; or name a file of cases", fmt::join(names, ", "));
  return Error{Stage::job, fmt::format("\"{}\" is neither a suite nor a file", name), std::move(hint)};
}

Result<Suite> findSuite(const SuiteRequest& request, const SuiteProgress& progress) {
  for (const SuiteInfo& info : suites()) {
    if (info.name == request.name && !info.file.empty()) return readSuite(info.name, info.file);
  }
  for (const MadeSuite& made : madeSuites) {
    if (made.name == request.name) return made.make(request, progress);
  }
  std::error_code ignored;
  if (request.name.empty() || !fs::exists(request.name, ignored)) return unknownSuite(request.name);
  if (fs::path(request.name).extension() == ".parquet") {
    auto suite = parquetSuite(request.name, progress, request.python);
    if (suite) mergeRepeated(suite->cases);
    return suite;
  }
  return readTrace(request.name);
}

}  // namespace

std::vector<SuiteInfo> suites() {
  std::vector<SuiteInfo> found;
  std::error_code error;
  for (fs::directory_iterator i(resourceFolder() / "suites", error), end; !error && i != end;
       i.increment(error)) {
    if (i->path().extension() != ".txt") continue;
    found.push_back({i->path().stem().string(), descriptionOf(i->path()), i->path()});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  for (const MadeSuite& made : madeSuites)
    found.push_back({std::string(made.name), std::string(made.description), {}, made.takesDtype});
  return found;
}

Result<Suite> loadSuite(const SuiteRequest& request, const SuiteProgress& progress) {
  WB_TRY(auto suite, findSuite(request, progress));
  WB_TRY(auto filtered, filterOperators(std::move(suite), request.operators));
  return largestPerOperator(std::move(filtered), request.topn);
}

Result<Suite> loadSuite(const std::string& nameOrFile) {
  return loadSuite(SuiteRequest{.name = nameOrFile});
}

fs::path casesFileBeside(const fs::path& kernel) {
  return kernel.parent_path() / (kernel.stem().string() + ".cases.txt");
}

Result<Suite> casesBeside(const fs::path& kernel) {
  const fs::path file = casesFileBeside(kernel);
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return Error{
        Stage::job, fmt::format("{} has no cases of its own: there is no {}", kernel.string(), file.string()),
        "write one with lines \"Operator: aten.relu.default\" and \"cnt: 1, ((T([5, 5], f32),), {})\""};
  return readSuite(file.filename().string(), file);
}

std::string suiteWith(std::string_view op) {
  const Result<Suite> smoke = loadSuite("smoke");
  const bool has = smoke && std::any_of(smoke->cases.begin(), smoke->cases.end(),
                                        [&](const Case& each) { return each.op == op; });
  return has ? "smoke" : "opinfo";
}

}  // namespace wb
