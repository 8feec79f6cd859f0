// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/backendbench/suite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <set>
#include <system_error>

#include "core/base/nearest.h"
#include "core/jobs/backendbench/serialize_args.h"
#include "core/jobs/backendbench/skips.h"
#include "core/jobs/job_errors.h"
#include "core/model/operators/dtype.h"
#include "core/model/operators/operator_name.h"
#include "core/suites/kernel_dtype.h"
#include "core/suites/python_script.h"
#include "core/suites/trace_file.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

/// The dtype that was asked for, else the one that BackendBench uses for a suite.
std::string dtypeOf(const JobRequest& request, std::string_view theirs) {
  return request.dtype == automaticDtype ? std::string(theirs) : request.dtype;
}

/// BackendBench's suite of one operator: two elements to check, a megabyte to time.
Result<Suite> smoke(const JobRequest& request) {
  const std::string dtype = dtypeOf(request, "float32");
  const DType* type = findDType(dtype);
  if (!type) return wrong(fmt::format("there is no dtype '{}'", dtype), "say bfloat16 or float32");
  auto cases =
      parseTrace(fmt::format("Operator: aten.relu.default\n"
                             "cnt: 1, ((T([2], {0}),), {{}})\ncnt: 1, ((T([1024, 1024], {0}),), {{}})\n",
                             type->abbreviation),
                 "smoke");
  if (!cases) return std::move(cases).error();
  cases->at(0).use = CaseUse::check;
  cases->at(1).use = CaseUse::time;
  for (Case& each : *cases) each.origin = {};
  return Suite{"smoke", std::move(*cases), true};
}

/// Where Hugging Face's own client keeps the data set that BackendBench loads, if it was ever downloaded.
fs::path cachedDataSet() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value ? value : "");
  };
  fs::path hub = variable("HF_HUB_CACHE");
  if (hub.empty() && !variable("HF_HOME").empty()) hub = variable("HF_HOME") / "hub";
  if (hub.empty()) hub = variable("HOME") / ".cache" / "huggingface" / "hub";
  const fs::path file = hub / "datasets--GPUMODE--backendbench_tests" / "snapshots" /
                        "ca7b1361b162d1499cb22ea4ad589dae506ead5d" / "backend_bench_problems.parquet";
  std::error_code ignored;
  return fs::exists(file, ignored) ? file : fs::path();
}

/// Keeps the rows whose time is mostly launching, according to the data set. A case knows the row that it
/// came from.
Result<void> keepOverheadDominated(Suite& suite, const std::string& file, const std::string& python,
                                   const SuiteProgress& progress) {
  std::set<int> rows;
  const auto read = runScript(
      {"list_overhead_rows.py", {file}, fmt::format("reading {}", file), python},
      [&](std::string_view line) {
        int row = 0;
        std::from_chars(line.data(), line.data() + line.size(), row);
        rows.insert(row);
      },
      progress.stop);
  if (!read) return read;
  std::erase_if(suite.cases, [&](const Case& each) { return !rows.contains(each.origin.line); });
  return {};
}

Result<Suite> torchbench(const JobRequest& request, const SuiteProgress& progress) {
  const BackendBenchChoice& theirs = *request.backendBench;
  SuiteRequest wanted;
  wanted.name = theirs.traceFile.empty() ? cachedDataSet().string() : theirs.traceFile;
  wanted.python = request.python;
  if (wanted.name.empty())
    return wrong("torchbench's data set is not on this machine, and Warpbench downloads nothing",
                 fmt::format("{}: backend_bench_problems.parquet of the Hugging Face data set "
                             "GPUMODE/backendbench_tests, or a trace in the operator-log format (.txt)",
                             Remedy::giveDataSet));
  const std::string extension = fs::path(wanted.name).extension().string();
  if (extension != ".parquet" && extension != ".txt")
    return wrong(fmt::format("the data set {} is neither .parquet nor .txt", wanted.name), {});
  if (theirs.overheadDominated && extension == ".txt")
    return wrong("a trace does not say which calls are mostly launching", "give the .parquet file");
  WB_TRY(auto suite, loadSuite(wanted, progress));
  if (theirs.overheadDominated) WB_DO(keepOverheadDominated(suite, wanted.name, request.python, progress));
  // The same call twice in a trace is one test. A call that was never seen, with count 0, is not in the
  // benchmark.
  std::set<std::pair<std::string, std::string>> seen;
  std::erase_if(suite.cases, [&](const Case& each) {
    return each.count == 0 || skippedInTraces(each.op, request.checking.likeBackendBench) ||
           !seen.emplace(each.op, each.args).second;
  });
  return suite;
}

Result<Suite> opinfo(const JobRequest& request, const SuiteProgress& progress) {
  SuiteRequest wanted;
  wanted.name = "opinfo";
  wanted.device = request.device;
  wanted.dtype = dtypeOf(request, "bfloat16");
  wanted.python = request.python;
  wanted.opinfoThere = request.opinfoThere;
  WB_TRY(auto suite, loadSuite(wanted, progress));
  for (Case& each : suite.cases) each.use = CaseUse::check;
  return suite;
}

bool takes(const std::string& filter, const std::string& op, const JobRequest& request) {
  if (!request.checking.likeBackendBench) return matches(filter, op);
  const std::string name = shortName(op);
  return request.suite == "torchbench" ? fmt::format("aten.{}", name).find(filter) != std::string::npos
                                       : name == filter;
}

Error nothingMatches(const JobRequest& request, const Suite& suite) {
  std::set<std::string> names;
  for (const Case& each : suite.cases) names.insert(shortName(each.op));
  const std::vector<std::string> all(names.begin(), names.end());
  constexpr std::size_t most = 40;
  const std::string there = fmt::format(
      "{}{}",
      fmt::join(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), most)), ", "),
      all.size() > most ? fmt::format(" and {} more", all.size() - most) : "");
  const std::string near = didYouMean(request.operators.front(), all);
  return wrong(fmt::format("suite {} has no operator {}", request.suite, fmt::join(request.operators, ",")),
               fmt::format("{}{}it has {}", near, near.empty() ? "" : "; ", there));
}

Result<Suite> filtered(Suite suite, const JobRequest& request) {
  const std::vector<std::string>& filters = request.operators;
  if (filters.empty() || (request.checking.likeBackendBench && request.suite == "smoke")) return suite;
  const Suite all = suite;
  std::erase_if(suite.cases, [&](const Case& each) {
    return std::none_of(filters.begin(), filters.end(),
                        [&](const std::string& filter) { return takes(filter, each.op, request); });
  });
  if (suite.cases.empty() && !all.cases.empty()) return nothingMatches(request, all);
  return suite;
}

Result<Suite> namedSuite(const JobRequest& request, const SuiteProgress& progress) {
  if (request.suite == "smoke") return smoke(request);
  if (request.suite == "opinfo") return opinfo(request, progress);
  if (request.suite == "torchbench") return torchbench(request, progress);
  if (request.suite == "facto")
    return wrong("the facto suite is not in Warpbench", "use smoke, opinfo or torchbench");
  return wrong(fmt::format("there is no suite '{}'", request.suite), "use smoke, opinfo or torchbench");
}

}  // namespace

Result<Suite> backendBenchSuite(const JobRequest& request, const SuiteProgress& progress) {
  if (request.topn != 0 && request.suite != "torchbench")
    return wrong("only the torchbench suite can be cut to its largest inputs", {});
  if (request.topn < 0) return wrong("of the largest inputs at least 1 must be asked for", {});
  WB_TRY(auto suite, namedSuite(request, progress));
  WB_TRY(auto wanted, filtered(std::move(suite), request));
  if (request.suite == "torchbench")
    wanted = largestPerOperator(std::move(wanted),
                                request.topn > 0 ? request.topn : std::numeric_limits<int>::max());
  for (Case& each : wanted.cases) {
    if (!each.label.empty()) continue;
    WB_TRY(auto label, serializeArgs(each.args));
    if (label != each.args) each.label = std::move(label);
  }
  return wanted;
}

}  // namespace wb
