// SPDX-License-Identifier: Apache-2.0
// What is shipped: every sample and every template, on the CPU.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>

#include "core/base/files/file.h"
#include "core/model/exit/exit_status.h"
#include "core/model/operators/catalogue.h"
#include "core/runner/prepare.h"
#include "core/suites/suites.h"
#include "core/templates/new_kernel.h"
#include "tests/engine/python/python_fixture.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

class Samples : public PythonWorker, public testing::WithParamInterface<std::string> {};

TEST_P(Samples, PassOrSayPolitelyWhichDeviceTheyAreFor) {
  setenv("WARPBENCH_RESOURCES", WB_SOURCE_DIR "/resources", 1);
  auto text = readSource(fs::path(WB_SOURCE_DIR "/resources") / GetParam());
  ASSERT_TRUE(text);
  auto suite = loadSuite("smoke");
  ASSERT_TRUE(suite) << suite.error().text;
  Job job;
  job.kernels = {{GetParam(), *text, "", "", "", ""}};
  job.suite = "smoke";
  job.cases = suite->cases;
  job.stages.remove(Stage::time);
  const Report report = run(job);
  const KernelReport& kernel = *report.kernels[0];
  EXPECT_TRUE(report.losses.empty());
  ASSERT_FALSE(kernel.failure) << describe(*kernel.failure);
  ASSERT_TRUE(kernel.compiled);
  EXPECT_EQ(kernel.counts.failed, 0);
  if (kernel.compiled->runs) {
    EXPECT_GT(kernel.counts.passed, 0);
    EXPECT_EQ(exitStatus(report), 0);
  } else {
    EXPECT_NE(kernel.compiled->note, "");
    EXPECT_EQ(kernel.counts.checked, 0);
    EXPECT_EQ(exitStatus(report), 3);  // whatever the language: there is no GPU
  }
}

std::vector<std::string> shipped() {
  std::vector<std::string> files;
  for (const char* folder : {"samples", "templates"})
    for (const auto& entry : fs::directory_iterator(fs::path(WB_SOURCE_DIR "/resources") / folder))
      files.push_back(std::string(folder) + "/" + entry.path().filename().string());
  std::sort(files.begin(), files.end());
  return files;
}

INSTANTIATE_TEST_SUITE_P(OnTheCpu, Samples, testing::ValuesIn(shipped()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
});

/// First kernels for some operators in one language, as one job.
class NewKernelSamples : public PythonWorker {
 protected:
  void expectAllPass(const std::string& language, const std::vector<std::string>& operators) {
    setenv("WARPBENCH_RESOURCES", WB_SOURCE_DIR "/resources", 1);
    ASSERT_TRUE(prepareKernels({}));
    const Result<Catalogue> catalogue = readCatalogue();
    ASSERT_TRUE(catalogue);
    const auto suite = loadSuite("smoke");
    ASSERT_TRUE(suite);
    Job job;
    for (const std::string& op : operators) {
      const Result<OperatorEntry> entry = resolveOperator(op, catalogue->operators);
      ASSERT_TRUE(entry) << op;
      const Result<NewKernel> kernel = newKernel(entry->schema, language);
      ASSERT_TRUE(kernel) << op;
      job.kernels.push_back({kernel->file, kernel->text, "", "", "", ""});
    }
    job.suite = "smoke";
    // Large cases show nothing more, and Triton's interpreter is slow.
    std::copy_if(
        suite->cases.begin(), suite->cases.end(), std::back_inserter(job.cases), [](const Case& each) {
          return each.args.find("1024") == std::string::npos && each.args.find("2048") == std::string::npos &&
                 each.args.find("512") == std::string::npos && each.args.find("256") == std::string::npos;
        });
    job.stages.remove(Stage::time);
    const Report report = run(job);
    ASSERT_EQ(report.kernels.size(), operators.size());
    for (const auto& kernel : report.kernels) {
      EXPECT_FALSE(kernel->failure) << kernel->source.path << ": " << describe(*kernel->failure);
      EXPECT_EQ(kernel->counts.failed, 0) << kernel->source.path << "\n" << kernel->source.text;
      EXPECT_GT(kernel->counts.passed, 5) << kernel->source.path;
    }
  }
};

TEST_F(NewKernelSamples, InCppPassTheirSmokeCases) {
  expectAllPass("torch_cpp", {"relu", "gelu", "add.Tensor", "sum.dim_IntList", "amax", "_softmax",
                              "native_layer_norm", "bmm", "cat", "where.self"});
}

TEST_F(NewKernelSamples, InPythonPassTheirSmokeCases) {
  expectAllPass("python", {"exp", "cat", "sum.dim_IntList", "mm"});
}

TEST_F(NewKernelSamples, InTritonPassTheirSmokeCases) {
  expectAllPass("triton", {"relu", "sigmoid", "exp", "tanh", "silu", "gelu", "add.Tensor", "sub.Tensor",
                           "mul.Tensor", "div.Tensor", "sum.dim_IntList", "mean.dim", "amax", "_softmax",
                           "softmax.int", "mm", "bmm", "native_layer_norm"});
}

}  // namespace
}  // namespace wb
