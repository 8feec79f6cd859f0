// SPDX-License-Identifier: Apache-2.0
// The real worker on a GPU of a host that ssh reaches, beside the same run on this machine's GPU.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/base/files/file.h"
#include "core/base/python.h"
#include "core/model/json/json_codec.h"
#include "core/model/report.h"
#include "core/runner/runner.h"
#include "core/runner/sanitizer/sanitizer.h"
#include "tests/cli/cli_fixture.h"
#include "tests/hosts/ssh_host.h"

namespace wb {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

class GpuTargetTest : public CliFixture {
 protected:
  void SetUp() override {
    CliFixture::SetUp();
    const std::vector<Device> there = devices();
    if (std::none_of(there.begin(), there.end(), [](const Device& each) { return each.id != "cpu"; }))
      GTEST_SKIP() << "not run: this machine has no GPU";
    if (!host_.missing().empty()) GTEST_SKIP() << host_.missing();
    const auto python = findPython();
    ASSERT_TRUE(python);
    target_ = host_.target();
    target_.device = "cuda:0";
    target_.python = python->string();
  }

  Report reportOf(std::vector<std::string> words, bool isThere) {
    words.insert(words.end(), {"--json", "-"});
    if (isThere)
      words.insert(words.end(), {"--target", format(target_)});
    else
      words.insert(words.end(), {"--device", "cuda:0"});
    const Environment real{{"WARPBENCH_WORKER", ""},
                           {"WARPBENCH_CONFIG", (folder_ / "config").string()},
                           // The programs are packed once.
                           {"WARPBENCH_CACHE", WB_BINARY_DIR "/tests/cache-of-gpu-target-test"}};
    const Captured captured = run(std::move(words), real, std::chrono::seconds{200});
    fmt::print("{}\n", captured.err);
    const auto json = parseJson(captured.out);
    auto report = json ? reportFromJson(*json) : Result<Report>(json.error());
    EXPECT_TRUE(report) << captured.out << captured.err;
    return report ? *std::move(report) : Report{};
  }

  static const CaseProfile& profileOf(const Report& report) {
    static const CaseProfile none{};
    if (report.kernels.empty()) return none;
    const KernelReport& kernel = *report.kernels[0];
    for (std::size_t i = 0; i < kernel.cases.size(); ++i)
      if (kernel.cases[i].profile) return **kernel.cases[i].profile;
    ADD_FAILURE() << "nothing was profiled";
    return none;
  }
  static double metric(const SideProfile& side, const std::string& name) {
    for (const Launch& launch : side.launches)
      for (const MetricValue& each : launch.metrics)
        if (each.name == name) return each.value;
    ADD_FAILURE() << name << " was not counted";
    return -1;
  }

  const SshHost host_;
  RunTarget target_;
};

TEST_F(GpuTargetTest, CountersHotLinesAndMachineCodeComeOver) {
  // 16 MiB are read, in sectors of 32 bytes.
  const std::vector<std::string> words{"profile", WB_SOURCE_DIR "/resources/samples/relu.cu",
                                       "--only",  "((T([2048, 2048], f32),), {})",
                                       "--quick", "--sections",
                                       "all"};
  const Report here = reportOf(words, false), there = reportOf(words, true);
  EXPECT_EQ(there.target.deviceName, here.target.deviceName);
  EXPECT_THAT(there.target.deviceName, HasSubstr("NVIDIA"));
  ASSERT_EQ(there.kernels.size(), 1U);
  EXPECT_EQ(there.kernels[0]->counts.passed, 1);
  EXPECT_EQ(there.kernels[0]->counts.timed, 1);
  EXPECT_FALSE(there.kernels[0]->listings.empty());
  const CaseProfile& far = profileOf(there);
  EXPECT_EQ(far.notProfiled, "");
  for (const char* exact :
       {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"})
    EXPECT_EQ(metric(far.candidate, exact), metric(profileOf(here).candidate, exact)) << exact;
  EXPECT_EQ(metric(far.candidate, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 2048 * 2048 * 4 / 32);
  EXPECT_FALSE(far.reference.launches.empty());
  EXPECT_THAT(far.candidate.samples, Contains(Field(&PcSample::place, Field(&Place::line, testing::Gt(0)))));
  EXPECT_FALSE(far.candidate.activities.empty());
  EXPECT_TRUE(host_.isQuiet());
}

TEST_F(GpuTargetTest, TritonIsCompiledAndTimedThere) {
  const Report there = reportOf({"run", WB_SOURCE_DIR "/resources/samples/relu_triton.py", "--quick"}, true);
  ASSERT_EQ(there.kernels.size(), 1U);
  EXPECT_EQ(there.kernels[0]->counts.failed, 0);
  EXPECT_GT(there.kernels[0]->counts.timed, 5);
  EXPECT_TRUE(host_.isQuiet());
}

TEST_F(GpuTargetTest, TheSanitizerSpeaksOfTheLineHere) {
  if (const auto found = findSanitizer(); !found) GTEST_SKIP() << "not run: " << describe(found.error());
  const auto sample = readFile(WB_SOURCE_DIR "/resources/samples/relu.cu");
  ASSERT_TRUE(sample);
  std::string text = *sample;
  const std::string stores = "&& i < n;";
  ASSERT_NE(text.find(stores), std::string::npos);
  text.replace(text.find(stores), stores.size(), "&& i <= n;");
  ASSERT_TRUE(writeFileAtomically(folder_ / "relu.cu", text));
  const Report there = reportOf(
      {"run", (folder_ / "relu.cu").string(), "--sanitize", "memcheck", "--only", "((T([1023], f64),), {})"},
      true);
  ASSERT_EQ(there.kernels.size(), 1U);
  EXPECT_THAT(there.kernels[0]->diagnostics,
              Contains(AllOf(Field(&Diagnostic::message, HasSubstr("Invalid __global__")),
                             Field(&Diagnostic::place, Field(&Place::line, testing::Gt(0))))));
}

}  // namespace
}  // namespace wb
