// SPDX-License-Identifier: Apache-2.0
// What is shipped: every sample and every template, on the CPU.
#include <algorithm>
#include <cctype>
#include <filesystem>

#include "core/base/files/file.h"
#include "core/model/exit/exit_status.h"
#include "core/suites/suites.h"
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

}  // namespace
}  // namespace wb
