// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/compare_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/options/words.h"
#include "app/cli/output/output.h"
#include "app/cli/output/progress_printer.h"
#include "app/cli/run/run_job.h"
#include "core/base/files/file.h"
#include "core/figures/compare_figure.h"
#include "core/figures/text/text.h"
#include "core/figures/text/text_width.h"
#include "core/jobs/kernel_directory.h"
#include "core/model/json/json_codec.h"
#include "core/model/languages.h"
#include "core/report/comparison_exporter.h"
#include "core/runner/runner.h"

namespace wb {
namespace {

constexpr int usageStatus = 2, noWorkerStatus = 3, cancelledStatus = 130;
constexpr std::size_t largestReport = std::size_t{1} << 30;  ///< bytes

Error wrong(std::string text, std::string hint) {
  return Error{Stage::job, std::move(text), std::move(hint), {}};
}

bool isReport(const std::string& side) {
  return std::filesystem::path(side).extension() == ".json";
}

Result<std::shared_ptr<const Report>> readReport(const std::string& file) {
  const auto text = readFile(file, largestReport);
  if (!text) return text.error();
  const auto json = parseJson(*text);
  const auto named = [&](Error error) {
    error.place.file = file;
    if (error.hint.empty()) error.hint = "a report is what `warpbench run --json FILE` writes";
    return error;
  };
  if (!json) return named(json.error());
  auto report = reportFromJson(*json);
  if (!report) return named(report.error());
  return std::make_shared<const Report>(*std::move(report));
}

Result<KernelSource> readKernelFile(const std::string& file, const std::string& op) {
  auto text = readSource(file);
  if (!text) return std::move(text).error();
  KernelSource kernel;
  kernel.path = file;
  kernel.text = *std::move(text);
  kernel.op = op;
  const Language* language = detectLanguage(file, kernel.text);
  if (language == nullptr)
    return wrong(fmt::format("{}: no kernel language takes this file", file), "see warpbench list languages");
  kernel.language = language->id;
  return kernel;
}

/// Why a side cannot be compared: nothing of it ran.
const Error* failureOf(const Report& report) {
  if (report.failure) return &*report.failure;
  for (const auto& kernel : report.kernels)
    if (!kernel->failure) return nullptr;
  return report.kernels.empty() ? nullptr : &*report.kernels.front()->failure;
}

class Comparer {
 public:
  explicit Comparer(const CompareRequest& request) : request_(request) {}
  int run();

 private:
  Result<void> prepare();
  Result<std::shared_ptr<const Report>> side(const std::string& which,
                                             const std::vector<KernelSource>& kernels);
  std::shared_ptr<const Report> runKernels(const std::vector<KernelSource>& kernels) const;
  int finish(const Report& a, const Report& b) const;

  const CompareRequest& request_;
  std::string device_;
  Suite suite_;
  std::vector<KernelSource> a_, b_;
};

/// Everything that can be wrong with what was asked, before anything runs.
Result<void> Comparer::prepare() {
  for (const std::string& file : request_.reports)
    if (!canExportComparison(file))
      return wrong(fmt::format("--report: a comparison cannot be written as '{}'", file), "use .md or .json");
  if (auto possible = checkJsonTarget(request_.json); !possible) return possible;
  if (request_.quick && request_.thorough)
    return wrong("--quick and --thorough exclude each other", "choose one");
  if (isReport(request_.a) && isReport(request_.b)) return {};
  SuiteRequest wanted;
  wanted.name = request_.suite;
  wanted.dtype = request_.dtype;
  wanted.device = device_;
  wanted.operators = words(request_.ops, ',');
  SuiteProgress progress;
  progress.onText = [](const std::string& text) { say(text); };
  auto suite = loadSuite(wanted, progress);
  if (!suite) return std::move(suite).error();
  suite_ = *std::move(suite);
  for (const auto& [name, kernels] : {std::pair{&request_.a, &a_}, std::pair{&request_.b, &b_}}) {
    if (isReport(*name)) continue;
    auto read = kernelsToCompare(*name, request_.op, suite_);
    if (!read) return std::move(read).error();
    *kernels = *std::move(read);
  }
  return {};
}

std::shared_ptr<const Report> Comparer::runKernels(const std::vector<KernelSource>& kernels) const {
  Job job;
  job.kernels = kernels;
  job.suite = suite_.name;
  job.cases = suite_.cases;
  job.checking.scoreTrivial = suite_.scoreTrivial;
  job.timing.capSeconds = request_.quick ? 0.25 : request_.thorough ? 10 : 1;
  job.limits = request_.limits;
  job.device = device_;
  ProgressPrinter printer(stderr, terminal(STDERR_FILENO), false);
  RunWay way;
  way.onEvent = [&](const Event& event) { printer.take(job, event); };
  way.onReport = [&](const Report& report) { printer.show(report); };
  auto report = runJob(job, way);
  printer.clear();
  return report;
}

Result<std::shared_ptr<const Report>> Comparer::side(const std::string& which,
                                                     const std::vector<KernelSource>& kernels) {
  if (isReport(which)) return readReport(which);
  auto report = runKernels(kernels);
  if (!report) return Error{Stage::setup, "the run gave no report", {}, {}};
  if (const Error* failure = failureOf(*report)) return *failure;
  return report;
}

int Comparer::finish(const Report& a, const Report& b) const {
  const Comparison comparison{a, b, request_.a, request_.b};
  if (a.target.deviceName != b.target.deviceName)
    complain(fmt::format("A ran on {}, B on {}: their speedups are not of the same reference",
                         a.target.deviceName, b.target.deviceName));
  // The files first: whatever becomes of a terminal, they are there.
  int status = 0;
  const auto check = [&](const Result<void>& written) {
    if (written) return;
    complain(written.error());
    status = usageStatus;
  };
  if (!request_.json.empty() && request_.json != "-")
    check(writeFileAtomically(request_.json, comparisonJson(comparison)));
  for (const std::string& file : request_.reports) check(exportComparison(comparison, file));
  if (request_.json == "-") {
    show(comparisonJson(comparison));
    return status;
  }
  const Terminal out = terminal(STDOUT_FILENO);
  const TextStyle style{.width = out.interactive ? static_cast<std::size_t>(out.width) : 0,
                        .colours = out.colors,
                        .maxRows = 0};
  show(fmt::format("\nA: {}\nB: {}\n\n{}\n{}", printable(request_.a), printable(request_.b),
                   toText(compareHeadline(a, b), style), toText(compareTable(a, b), style)));
  if (const BarChart chart = compareChart(a, b); !chart.bars.empty()) show("\n" + toText(chart, style));
  return status;
}

int Comparer::run() {
  const auto refused = [](const Error& error) {
    complain(error);
    return error.stage == Stage::setup ? noWorkerStatus : usageStatus;
  };
  if (!isReport(request_.a) || !isReport(request_.b)) {
    const auto device = resolveDevice(request_.device, knownDevices());
    if (!device) {
      refused(device.error());
      return noWorkerStatus;
    }
    device_ = *device;
  }
  if (auto ready = prepare(); !ready) return refused(ready.error());
  const auto a = side(request_.a, a_);
  if (!a) return refused(a.error());
  if ((*a)->outcome == Outcome::cancelled && !isReport(request_.a)) return cancelledStatus;
  const auto b = side(request_.b, b_);
  if (!b) return refused(b.error());
  int status = finish(**a, **b);
  if (status == 0 && (lostByUs(**a) || lostByUs(**b))) status = lostByUsStatus;
  return (*b)->outcome == Outcome::cancelled && !isReport(request_.b) ? cancelledStatus : status;
}

}  // namespace

Result<std::vector<KernelSource>> kernelsToCompare(const std::string& side, const std::string& op,
                                                   const Suite& suite) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(side, ignored)) {
    auto kernel = readKernelFile(side, op);
    if (!kernel) return std::move(kernel).error();
    return std::vector<KernelSource>{*std::move(kernel)};
  }
  const auto catalogue = readCatalogue();
  const auto directory = readKernelDirectory(side, false, catalogue ? &*catalogue : nullptr);
  if (!directory) return directory.error();
  std::set<std::string> wanted;
  for (const Case& each : suite.cases) wanted.insert(each.op);
  std::vector<KernelSource> kernels;
  for (const DirectoryKernel& found : directory->kernels) {
    if (!wanted.contains(found.op)) continue;
    auto kernel = readKernelFile(found.file.string(), found.op);
    if (!kernel) return std::move(kernel).error();
    kernels.push_back(*std::move(kernel));
  }
  if (kernels.empty())
    return wrong(fmt::format("{} holds no kernel for an operator of suite {}", side, suite.name),
                 "it holds a folder an operator, such as relu__default/relu__default_implementation_v1.py");
  return kernels;
}

int compareCommand(const CompareRequest& request) {
  return Comparer(request).run();
}

}  // namespace wb
