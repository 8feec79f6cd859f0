// SPDX-License-Identifier: Apache-2.0
// Whole commands over suites, as a user of BackendBench waits for them, and what a long suite costs.
#include <fmt/format.h>
#include <sys/types.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>

#include "core/base/files/file.h"
#include "core/base/process/process.h"
#include "core/base/quantity.h"
#include "core/runner/runner.h"
#include "core/suites/suites.h"
#include "tests/benchmarks/benchmarks.h"

namespace wb::bench {
namespace {

namespace fs = std::filesystem;

/// Runs `warpbench backendbench …` to its end.
void command(const std::string& what, std::vector<std::string> words, const std::string& device,
             const std::string& aim, const std::string& beside, const std::string& cache = {}) {
  Command command;
  command.argv = {WB_BINARY_DIR "/bin/warpbench", "backendbench", "--device", device, "--log-level", "ERROR",
                  "--disable-output-logs"};
  command.argv.insert(command.argv.end(), words.begin(), words.end());
  if (!cache.empty()) command.environment.emplace_back("WARPBENCH_CACHE", cache);
  const auto result = runToEnd(command, std::chrono::minutes{5});
  row(what,
      !result        ? describe(result.error())
      : result->ok() ? formatSeconds(result->seconds)
                     : describe(result->ending),
      aim, beside);
}

/// Fifty calls as a transformer makes them.
void writeTrace(const fs::path& file) {
  std::ofstream out(file);
  for (const char* op : {"aten.add.Tensor", "aten.mm.default"}) {
    out << "Operator: " << op << "\n";
    for (int i = 1; i <= 15; ++i)
      out << fmt::format("cnt: 1, ((T([{0}, {0}], f32), T([{0}, {0}], f32)), {{}})\n", 16 * i);
  }
  for (const char* op : {"aten.relu.default", "aten.gelu.default"}) {
    out << "Operator: " << op << "\n";
    for (int i = 1; i <= 10; ++i) out << fmt::format("cnt: 1, ((T([{}, 768], f32),), {{}})\n", 32 * i);
  }
}

/// Reading what an export has left in a cache.
void loadOpInfo(const std::string& device, const fs::path& cache) {
  const char* before = std::getenv("WARPBENCH_CACHE");
  const std::string kept = before == nullptr ? "" : before;
  setenv("WARPBENCH_CACHE", cache.c_str(), 1);
  const auto start = std::chrono::steady_clock::now();
  const auto suite = loadSuite(
      SuiteRequest{.name = "opinfo", .dtype = "bfloat16", .device = device.substr(0, device.find(':'))});
  row("opinfo bfloat16: from the cache to cases", formatSeconds(since(start)), "≪ 1 s",
      suite ? formatCount(static_cast<std::int64_t>(suite->cases.size())) + " cases"
            : describe(suite.error()));
  before == nullptr ? unsetenv("WARPBENCH_CACHE") : setenv("WARPBENCH_CACHE", kept.c_str(), 1);
}

/// Megabytes that the children of this process have resident at most: its workers.
double workersMebibytes() {
  double most = 0;
  std::error_code ignored;
  for (const auto& task : fs::directory_iterator("/proc/self/task", ignored)) {
    std::ifstream children(task.path() / "children");
    for (std::string child; children >> child;) {
      std::ifstream status("/proc/" + child + "/status");
      for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) most = std::max(most, std::stod(line.substr(6)) / 1024);
    }
  }
  return most;
}

/// ATen's relu over so many cases, checked.
void manyCases(Runner& runner, const std::string& device, int count) {
  Job job;
  job.kernels.push_back({.path = "",
                         .text = "",
                         .language = "aten",
                         .op = "aten::relu",
                         .referencePath = "",
                         .referenceText = ""});
  job.suite = "many";
  for (int i = 0; i < count; ++i) {
    Case made;
    made.op = "aten::relu";
    made.args = fmt::format("((T([{}, {}], f32),), {{}})", 32 + i % 64, 64 + i % 37);
    made.dtype = "f32";
    made.seed = static_cast<std::uint64_t>(i) + 1;
    job.cases.push_back(std::move(made));
  }
  job.stages.remove(Stage::time);
  job.device = device;
  const auto start = std::chrono::steady_clock::now();
  runner.submit(std::move(job), [](Runner::RunId, const Event&) {});
  runner.wait();
  row(fmt::format("ATen's relu, {} cases checked: a case", formatCount(count)),
      formatSeconds(since(start) / count), "-", fmt::format("worker at most {:.0f} MiB", workersMebibytes()));
}

}  // namespace

void suites(const std::string& device) {
  const bool gpu = device != "cpu";
  const std::vector<std::string> opinfo{"--suite", "opinfo", "--backend", "aten", "--dtype", "bfloat16"};
  const auto withOps = [&](const std::string& ops) {
    std::vector<std::string> words = opinfo;
    words.insert(words.end(), {"--ops", ops});
    return words;
  };
  command("backendbench: its smoke suite, ATen", {}, device, "≤ 1.5 s",
          gpu ? "BackendBench 13.7–19.0 s" : "BackendBench 7.8–12.4 s");
  const fs::path folder = fs::temp_directory_path() / fmt::format("wb-benchmark-{}", getpid());
  fs::create_directories(folder);
  command("backendbench: opinfo bfloat16, ATen, nothing cached", opinfo, device, "≤ 40 s",
          gpu ? "BackendBench 49.0 s" : "BackendBench 45.3–81.5 s", (folder / "cache").string());
  command("backendbench: opinfo bfloat16, ATen, cached", opinfo, device, gpu ? "≤ 5 s" : "≤ 10 s",
          gpu ? "BackendBench 49.0 s" : "BackendBench 45.3–81.5 s", (folder / "cache").string());
  command("backendbench: opinfo bfloat16, one operator, cached", withOps("relu.default"), device, "≤ 2 s",
          "BackendBench 26.8 s for 18", (folder / "cache").string());
  loadOpInfo(device, folder / "cache");
  const fs::path trace = folder / "trace.txt";
  writeTrace(trace);
  command(
      "backendbench: a trace of 50 cases, ATen",
      {"--suite", "torchbench", "--backend", "aten", "--alternative-torchbench-data-path", trace.string()},
      device, "kernels + 2 s", "BackendBench 46.4 s for 10 tests");
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  Runner runner(localLauncher(), device, RunnerOptions{.warmSpare = false});
  for (const int count : {200, 20'000}) manyCases(runner, device, count);
}

}  // namespace wb::bench
