// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/gpu_fixture.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/engine/device/driver.h"
#include "core/model/json/json_codec.h"
#include "core/suites/suites.h"
#include "core/suites/trace_file.h"

namespace wb {
namespace {

/// The tree may lie elsewhere than where it was built.
void findResources() {
  for (const std::filesystem::path& folder :
       {std::filesystem::path(WB_SOURCE_DIR) / "resources", std::filesystem::current_path() / "resources"})
    if (std::filesystem::exists(folder / "suites")) setenv("WARPBENCH_RESOURCES", folder.c_str(), 0);
}

/// Job and events of a run, as the tests of figures read them, in the folder $WARPBENCH_RECORD.
void keepRecord(const std::string& record) {
  const char* folder = getenv("WARPBENCH_RECORD");
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  if (folder == nullptr || test == nullptr) return;
  const std::filesystem::path file =
      std::filesystem::path(folder) / fmt::format("{}.{}.jsonl", test->test_suite_name(), test->name());
  if (const auto written = writeFileAtomically(file, record); !written)
    fmt::print("{}\n", describe(written.error()));
}

void findWorker() {
  const auto beside =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "../../bin/warpbench-worker";
  if (std::filesystem::exists(beside)) setenv("WARPBENCH_WORKER", beside.lexically_normal().c_str(), 0);
}

}  // namespace

void GpuTest::SetUp() {
  std::string whyNot;
  if (driver(&whyNot) == nullptr) GTEST_SKIP() << "not run: " << whyNot;
  // Before anything asks torch whether there is CUDA: it remembers the answer.
  static void* const torchCuda = dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL);
  if (torchCuda == nullptr) GTEST_SKIP() << "not run: " << dlerror();
  cache_ = std::filesystem::temp_directory_path() / fmt::format("wb-gpu-test-{}", getpid());
  setenv("WARPBENCH_CACHE", cache_.c_str(), 1);
  findResources();
  findWorker();
}

void GpuTest::TearDown() {
  runner_.reset();
  pipeline_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(cache_, ignored);
}

Job GpuTest::smokeJob(const std::string& source) {
  auto suite = loadSuite("smoke");
  if (!suite) ADD_FAILURE() << suite.error().text;
  Job job;
  job.kernels = {{"kernel.cu", source, "raw_cuda", "", "", ""}};
  job.suite = "smoke";
  if (suite) job.cases = suite->cases;
  job.stages.remove(Stage::time);
  job.device = "cuda:0";
  return job;
}

Job GpuTest::resourceJob(const std::string& file, bool time) {
  auto text = readSource(resourceFolder() / file);
  if (!text) ADD_FAILURE() << text.error().text;
  Job job = smokeJob("");
  job.kernels = {{file, text ? *text : "", "", "", "", ""}};
  job.stages.set(Stage::time, time);
  job.timing.capSeconds = 0.25;
  return job;
}

Job GpuTest::reluJob(const std::string& source, const std::vector<std::int64_t>& elements) {
  std::string text = "Operator: aten.relu.default\n";
  for (std::int64_t count : elements) text += fmt::format("cnt: 1, ((T([{}], f32),), {{}})\n", count);
  auto cases = parseTrace(text, "relu.txt");
  if (!cases) ADD_FAILURE() << cases.error().text;
  Job job;
  job.kernels = {{"kernel.cu", source, source.empty() ? "aten" : "raw_cuda", "aten::relu"}};
  job.suite = "relu.txt";
  if (cases) job.cases = *cases;
  job.stages.remove(Stage::time);
  job.device = "cuda:0";
  return job;
}

Report GpuTest::run(const Job& job) {
  if (!pipeline_) {
    pipeline_ = std::make_unique<Pipeline>(EngineOptions{WB_VERSION, "cuda:0", WB_TORCH_VERSION});
    pipeline_->warm([](const Log&) {});
  }
  Report report = startReport(job);
  std::string record = dump(toJson(job)) + "\n";
  const auto take = [&](const Event& event) {
    fold(report, event);
    record += dump(toJson(event)) + "\n";
  };
  pipeline_->run(job, take, {});
  keepRecord(record);
  return report;
}

Report GpuTest::runInWorker(const Job& job) {
  if (!runner_) {
    runner_ = std::make_unique<Runner>(localLauncher(), job.device);
    runner_->start();
  }
  Report report = startReport(job);
  runner_->submit(job, [&](Runner::RunId, const Event& event) { fold(report, event); });
  runner_->wait();
  expectLosses(report, losses_);
  return report;
}

void GpuTest::printCases(const KernelReport& kernel) {
  if (kernel.failure) fmt::print("  failed: {}\n", describe(*kernel.failure));
  for (const auto& diagnostic : kernel.diagnostics)
    fmt::print("  {}: {}\n", text(diagnostic.place), diagnostic.message);
  for (std::size_t i = 0; i < kernel.cases.size(); ++i) {
    const CaseRow& row = kernel.cases[i];
    if (row.check.verdict != Verdict::pass)
      fmt::print("  {}: {} {}\n", row.definition.args, name(row.check.verdict), row.check.message);
  }
}

void GpuTest::printAll(const Report& report) {
  fmt::print("{}, {} s{}\n", name(report.outcome), report.seconds,
             report.failure ? ": " + describe(*report.failure) : "");
  for (const WorkerLost& lost : report.losses)
    fmt::print("  {}; blamed on: {}; it last printed: {}\n", describe(lost), name(lost.blame),
               lost.lastWords);
  for (const auto& kernel : report.kernels) {
    const Counts& counts = kernel->counts;
    fmt::print("  {}: {} cases, {} checked, {} passed, {} failed, {} void, {} timed; {}\n",
               kernel->source.path, counts.total, counts.checked, counts.passed, counts.failed,
               counts.neutral, counts.timed, kernel->compiled ? kernel->compiled->note : "not compiled");
    for (const NotDone& each : kernel->notDone) fmt::print("  {}: {}\n", name(each.stage), each.reason);
    printCases(*kernel);
  }
  for (std::size_t i = 0; i < report.log.size(); ++i)
    fmt::print("  log, {}: {}\n", report.log[i].source, report.log[i].text);
}

std::string reluWith(const std::string& body, const std::string& header, const std::string& moreParameters) {
  return "/* warpbench\noperator = \"aten::relu\"\n" + header +
         "*/\n__global__ void relu(const float* x, float* y, int64_t n" + moreParameters +
         ") {\n"
         "  int64_t i = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;\n  " +
         body + "\n}\n";
}

}  // namespace wb
