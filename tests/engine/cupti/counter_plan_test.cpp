// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>

#include "core/base/files/file.h"
#include "core/engine/cupti/counter_plan_file.h"
#include "core/engine/cupti/cupti_library.h"
#include "core/engine/cupti/host.h"

namespace wb {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Sixteen common metrics; without the first they are the fifteen.
const std::vector<std::string> sixteen{
    "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "lts__t_sector_hit_rate.pct",
    "l1tex__t_sector_hit_rate.pct",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "smsp__inst_executed.sum",
    "sm__inst_executed_pipe_fma.sum",
    "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
    "gpu__time_duration.sum",
    "l1tex__data_bank_conflicts_pipe_lsu.sum",
    "sm__cycles_elapsed.max"};

/// An empty cache for one test.
class CounterPlanTest : public ::testing::Test {
 protected:
  CounterPlanTest() {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("wb_counters_" + std::to_string(getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    setenv("WARPBENCH_CACHE", folder_.c_str(), 1);
  }
  ~CounterPlanTest() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::filesystem::path onlyFile() const {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "counters"))
      files.push_back(entry.path());
    EXPECT_EQ(files.size(), 1U);
    return files.empty() ? std::filesystem::path() : files.front();
  }
  std::filesystem::path folder_;
};

CounterPlan plan(const std::string& chip, std::span<const std::string> metrics) {
  const Result<CounterPlan> made = planCounters(chip, metrics);
  EXPECT_TRUE(made) << describe(made.error());
  return made ? *made : CounterPlan{};
}

TEST_F(CounterPlanTest, CuptiAndItsHostLibraryAreFoundWithoutGpuOrSearchPath) {
  std::string whyNot;
  ASSERT_NE(cupti(&whyNot), nullptr) << whyNot;
  const auto chips = knownChips();
  ASSERT_TRUE(chips) << describe(chips.error());
  for (const char* chip : {"GV100", "TU102", "GA100", "AD102", "GH100", "GB100"})
    EXPECT_THAT(*chips, Contains(chip));
}

TEST_F(CounterPlanTest, KnownPassCountsOfGh100) {
  EXPECT_EQ(plan("GH100", sixteen).passes, 10U);
  EXPECT_EQ(plan("GH100", std::span(sixteen).subspan(1)).passes, 4U);
}

TEST_F(CounterPlanTest, WhatAChipHasNotIsNamedAndTheRestPlanned) {
  const std::vector<std::string> metrics{"dram__bytes_read.sum", "nothing__of_this.sum",
                                         "dram__bytes_read.tomorrow", "dram__bytes",
                                         "gpu__time_duration.sum"};
  const CounterPlan made = plan("GH100", metrics);
  EXPECT_THAT(made.metrics, ElementsAre("dram__bytes_read.sum", "gpu__time_duration.sum"));
  EXPECT_THAT(made.missing, ::testing::UnorderedElementsAre("nothing__of_this.sum",
                                                            "dram__bytes_read.tomorrow", "dram__bytes"));
  EXPECT_EQ(made.passes, 1U);
  EXPECT_FALSE(made.config.empty());
}

TEST_F(CounterPlanTest, WhereAChipCountsUnderOtherNamesTheyStandInForTheOnesAskedFor) {
  const std::vector<std::string> metrics{"sm__ops_path_tensor_src_fp16.sum", "dram__bytes_read.sum"};
  for (const char* chip : {"GA100", "AD102", "GH100", "GB100", "GB202"}) {
    const CounterPlan made = plan(chip, metrics);
    EXPECT_EQ(made.metrics, metrics) << chip;
    EXPECT_THAT(made.missing, IsEmpty()) << chip;
    EXPECT_GE(made.passes, 1U) << chip;
  }
  EXPECT_THAT(plan("TU102", metrics).missing, ElementsAre("sm__ops_path_tensor_src_fp16.sum"));
}

TEST_F(CounterPlanTest, NothingToCountIsAnEmptyPlan) {
  EXPECT_EQ(plan("GH100", {}).passes, 0U);
  const std::vector<std::string> unknown{"nothing__of_this.sum"};
  const CounterPlan made = plan("GH100", unknown);
  EXPECT_THAT(made.metrics, IsEmpty());
  EXPECT_EQ(made.passes, 0U);
}

TEST_F(CounterPlanTest, AnUnknownChipIsAnErrorThatNamesIt) {
  const auto made = planCounters("ZX81", sixteen);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().stage, Stage::profile);
  EXPECT_THAT(describe(made.error()), HasSubstr("ZX81"));
}

TEST_F(CounterPlanTest, APlanIsKeptAndReadBack) {
  const CounterPlan made = plan("GH100", sixteen);
  const auto kept = readCounterPlan(onlyFile());
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->chip, "GH100");
  EXPECT_EQ(kept->metrics, sixteen);
  EXPECT_EQ(kept->config, made.config);
  EXPECT_EQ(kept->passes, made.passes);
  // What is in the file is what is used: a plan that only the file can give.
  CounterPlan marked = *kept;
  marked.passes = 99;
  ASSERT_TRUE(writeCounterPlan(onlyFile(), marked));
  EXPECT_EQ(plan("GH100", sixteen).passes, 99U);
}

TEST_F(CounterPlanTest, ABrokenFileIsMadeAnew) {
  const CounterPlan made = plan("GH100", sixteen);
  const std::filesystem::path file = onlyFile();
  const std::string whole = *readFile(file);
  std::string flipped = whole;
  flipped.back() = static_cast<char>(flipped.back() ^ 1);
  for (const std::string& broken :
       {std::string(), std::string("\n"), std::string("{}\n"), std::string("[1]\nx"), whole.substr(0, 40),
        whole.substr(0, whole.size() - 1), flipped}) {
    ASSERT_TRUE(writeFileAtomically(file, broken));
    EXPECT_FALSE(readCounterPlan(file)) << broken.substr(0, 40);
    EXPECT_EQ(plan("GH100", sixteen).config, made.config);
    EXPECT_EQ(*readFile(file), whole);
  }
}

TEST_F(CounterPlanTest, ChipSetAndAvailabilityHaveFilesOfTheirOwn) {
  const std::vector<std::uint8_t> some{1, 2, 3};
  const auto first = counterPlanFile("GH100", sixteen, 26, {});
  EXPECT_EQ(first, counterPlanFile("GH100", sixteen, 26, {}));
  EXPECT_NE(first, counterPlanFile("GA100", sixteen, 26, {}));
  EXPECT_NE(first, counterPlanFile("GH100", std::span(sixteen).subspan(1), 26, {}));
  EXPECT_NE(first, counterPlanFile("GH100", sixteen, 27, {}));
  EXPECT_NE(first, counterPlanFile("GH100", sixteen, 26, some));
}

TEST_F(CounterPlanTest, ACacheThatCannotBeWrittenIsNoError) {
  ASSERT_TRUE(writeFileAtomically(folder_, "a file where the folder should be"));
  EXPECT_EQ(plan("GH100", sixteen).passes, 10U);
}

TEST_F(CounterPlanTest, DataThatIsNoCounterDataIsAnError) {
  const CounterPlan made = plan("GH100", sixteen);
  const std::vector<std::uint8_t> junk(4096, 0);
  const auto values = evaluateCounters(made, junk, 0);
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().stage, Stage::profile);
}

}  // namespace
}  // namespace wb
