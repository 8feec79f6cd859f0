// SPDX-License-Identifier: Apache-2.0
#include "core/figures/advice/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/core/figures/profile_sample.h"

namespace wb {
namespace {

using testing::HasSubstr;

/// A report of one profiled case that a test can change before it asks a rule.
class Subject {
 public:
  explicit Subject(const samples::Run& run = samples::profiledRun()) : report_(samples::folded(run)) {}

  SideProfile& candidate() { return profile().candidate; }
  CaseProfile& profile() { return report_.kernels[0].write().cases.write(0).profile->write(); }
  Report& report() { return report_; }
  void set(std::string_view metric, double value) {
    for (Launch& launch : candidate().launches) {
      std::erase_if(launch.metrics, [&](const MetricValue& one) { return one.name == metric; });
      launch.metrics.push_back({std::string(metric), value});
    }
  }
  void forget(std::string_view metric) {
    for (Launch& launch : candidate().launches)
      std::erase_if(launch.metrics,
                    [&](const MetricValue& one) { return one.name.find(metric) != std::string::npos; });
  }
  [[nodiscard]] std::optional<Advice> ask(std::string_view id) const {
    const auto rules = adviceRules();
    const auto rule =
        std::find_if(rules.begin(), rules.end(), [&](const AdviceRule& r) { return r.id == id; });
    EXPECT_NE(rule, rules.end()) << id;
    const auto cases = casesWithProfile(report_, CaseKey{0, 0});
    EXPECT_EQ(cases.size(), 1U);
    return rule->judge(report_, cases.front());
  }

 private:
  Report report_;
};

TEST(Advice, EveryRuleIsSilentWithoutNumbers) {
  Subject subject;
  subject.profile() = CaseProfile{};
  for (const AdviceRule& rule : adviceRules()) EXPECT_FALSE(subject.ask(rule.id)) << rule.id;
}

TEST(Advice, EveryRuleIsSilentWhenCountersWereRefused) {
  const Subject subject(samples::refusedRun());
  for (const AdviceRule& rule : adviceRules())
    if (rule.id != "tail" && rule.id != "low-occupancy" && rule.id != "launch-bound") {
      EXPECT_FALSE(subject.ask(rule.id)) << rule.id;
    }
}

TEST(Advice, MemoryBoundRestsOnTheMeasuredCeiling) {
  Subject subject;
  const auto advice = subject.ask("memory-bound");
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->text, HasSubstr("2.76 TB/s, 91.2 % of the 3.02 TB/s"));
  EXPECT_EQ(advice->tone, Tone::good);
  subject.report().ceilings->dramBytesPerSecond = 6e12;
  EXPECT_FALSE(subject.ask("memory-bound")) << "far from that ceiling";
}

TEST(Advice, MemoryBoundSaysWhenTheReferenceMovesLess) {
  Subject subject;
  for (MetricValue& metric : subject.profile().reference.launches[0].metrics)
    if (metric.name.starts_with("dram__bytes")) metric.value /= 2;
  const auto advice = subject.ask("memory-bound");
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->text, HasSubstr("bytes to save"));
  EXPECT_EQ(advice->tone, Tone::warning);
}

TEST(Advice, ABusyTensorPipeIsComputeBoundAndNothingElseMatters) {
  Subject subject;
  subject.set("dram__throughput.avg.pct_of_peak_sustained_elapsed", 32.3);
  subject.set("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", 89.5);
  subject.set("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 1000);
  subject.set("smsp__sass_inst_executed_op_shared_st.sum", 100);
  const auto advice = subject.ask("compute-bound");
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->text, HasSubstr("the tensor pipe is at 89.5 % of its peak, DRAM at 32.3 %"));
  EXPECT_EQ(advice->tone, Tone::good);
  EXPECT_FALSE(subject.ask("bank-conflicts"));
  subject.set("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", 40);
  EXPECT_FALSE(subject.ask("compute-bound"));
}

TEST(Advice, UncoalescedStoresPointToTheirLine) {
  const auto advice = Subject().ask("uncoalesced");
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->text, HasSubstr("stores touch 32.0 sectors"));
  EXPECT_THAT(advice->text, HasSubstr("where 4.00 would do"));
  EXPECT_EQ(advice->place, (Place{"kernels/softmax.cu", 16, 0}));
}

TEST(Advice, WideVectorLoadsAreNotUncoalesced) {
  Subject subject;
  subject.forget("op_st");
  subject.set("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 16e6);
  subject.set("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1e6);
  EXPECT_FALSE(subject.ask("uncoalesced")) << "16 sectors are what float4 needs";
  subject.set("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 32e6);
  EXPECT_TRUE(subject.ask("uncoalesced"));
}

TEST(Advice, SaysHowMuchCanBeSavedAtMostWhereTheNumbersTell) {
  Subject subject;
  const auto memory = subject.ask("memory-bound");
  ASSERT_TRUE(memory && memory->saves);
  EXPECT_NEAR(*memory->saves, 1 - 0.912, 0.001) << "the rest of what the card reached";
  // Sectors that are fetched for nothing cost no more than the time in which warps wait for memory.
  const auto stores = subject.ask("uncoalesced");
  ASSERT_TRUE(stores && stores->saves);
  EXPECT_GT(*stores->saves, 0);
  EXPECT_LT(*stores->saves, stores->weight);
  subject.candidate().samples.clear();
  EXPECT_FALSE(subject.ask("uncoalesced")->saves) << "without samples nobody knows";
}

TEST(Advice, WhatConcernsOneLaunchSavesNoMoreThanItsShareOfTheCall) {
  Subject subject(samples::severalLaunchesRun());
  const auto before = subject.ask("low-occupancy");
  ASSERT_TRUE(before && before->saves);
  std::vector<Launch>& launches = subject.candidate().launches;
  const double own = 2.2e-3, all = own + 3.1e-6 + 3.1e-6;
  EXPECT_NEAR(*before->saves, 0.75 * own / all, 0.02);
  launches.insert(launches.end(), launches.size(), launches[1]);
  const auto after = subject.ask("low-occupancy");
  ASSERT_TRUE(after && after->saves);
  EXPECT_LT(*after->saves, 0.5 * *before->saves);
}

TEST(Advice, BankConflictsAreASharesOfThePasses) {
  Subject subject;
  subject.set("smsp__sass_inst_executed_op_shared_ld.sum", 1e6);
  subject.set("smsp__sass_inst_executed_op_shared_st.sum", 0);
  subject.set("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 31e6);
  const auto advice = subject.ask("bank-conflicts");
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->text, HasSubstr("31.0 M of the 32.0 M passes"));
  subject.set("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 1e5);
  EXPECT_FALSE(subject.ask("bank-conflicts")) << "a tenth is noise";
}

TEST(Advice, LowOccupancyNamesItsLimiter) {
  const auto advice = Subject(samples::severalLaunchesRun()).ask("low-occupancy");
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->text, HasSubstr("registers"));
  EXPECT_THAT(advice->text, HasSubstr("128 registers a thread"));
  EXPECT_THAT(advice->text, HasSubstr("25.0 % of its warps"));
}

TEST(Advice, TinyBlocksAreLimitedByTheDevice) {
  Subject subject;
  subject.report().ceilings.reset();
  subject.forget("dram");
  subject.candidate().launches[0].block = {32, 1, 1};
  const auto advice = subject.ask("low-occupancy");
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->text, HasSubstr("the device's limits allow 32 blocks of 32 threads"));
  EXPECT_THAT(advice->text, HasSubstr("larger blocks would fill it"));
}

TEST(Advice, ASmallGridAndATailAreToldApart) {
  Subject subject;
  EXPECT_FALSE(subject.ask("tail")) << "seven and three quarters waves have no tail to speak of";
  subject.candidate().launches[0].grid = {64, 1, 1};
  ASSERT_TRUE(subject.ask("tail"));
  EXPECT_THAT(subject.ask("tail")->text, HasSubstr("68 of 132 multiprocessors without work"));
  subject.candidate().launches[0].grid = {1, 1, 1};
  ASSERT_TRUE(subject.ask("tail"));
  EXPECT_THAT(subject.ask("tail")->text, HasSubstr("1 block leaves 131 of 132 multiprocessors"));
  subject.candidate().launches[0].grid = {132 * 8 + 20, 1, 1};
  ASSERT_TRUE(subject.ask("tail"));
  EXPECT_THAT(subject.ask("tail")->text, HasSubstr("1.02 waves of 1\u2009056 blocks"));
  subject.candidate().launches[0].grid = {132 * 8 * 20 + 20, 1, 1};
  EXPECT_FALSE(subject.ask("tail")) << "one of twenty waves does not matter";
}

TEST(Advice, SpillsComeFromTheCompilerAndTheLaunch) {
  Subject subject(samples::severalLaunchesRun());
  const auto advice = subject.ask("spills");
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->text, HasSubstr("64 B are stored to and 96 B loaded from"));
  for (Launch& launch : subject.candidate().launches) launch.localBytes = 0;
  EXPECT_FALSE(subject.ask("spills"));
}

TEST(Advice, NoTensorCoresOnlyForHalfPrecisionProducts) {
  Subject subject(samples::severalLaunchesRun());
  ASSERT_TRUE(subject.ask("no-tensor-pipe"));
  EXPECT_THAT(subject.ask("no-tensor-pipe")->text, HasSubstr("f16"));
  subject.report().kernels[0].write().listings = {
      {"mm", "mm", "sm_90", {{0, "HMMA.16816.F32 R0, R4 ;", 3, ""}}}};
  EXPECT_FALSE(subject.ask("no-tensor-pipe")) << "the machine code has one";
  EXPECT_FALSE(Subject().ask("no-tensor-pipe")) << "softmax in single precision";
}

TEST(Advice, ManyShortKernelsAreLaunchBound) {
  Subject subject(samples::severalLaunchesRun());
  EXPECT_FALSE(subject.ask("launch-bound")) << "one of them is long";
  for (Launch& launch : subject.candidate().launches) launch.seconds = 2e-6;
  ASSERT_TRUE(subject.ask("launch-bound"));
  EXPECT_THAT(subject.ask("launch-bound")->text, HasSubstr("3 kernels of 2.00 µs"));
}

TEST(Advice, AHostSlowerThanItsKernelsIsLaunchBound) {
  Subject subject;
  subject.candidate().launches[0].seconds = 1.5e-6;
  ASSERT_TRUE(subject.ask("launch-bound"));
  EXPECT_THAT(subject.ask("launch-bound")->text, HasSubstr("the host takes 4.20 µs"));
}

TEST(Advice, TheHottestLineAndItsStall) {
  Subject subject;
  const auto advice = subject.ask("hot-line");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->place.line, 14);
  EXPECT_THAT(advice->text, HasSubstr("long scoreboard: waits for global or local memory"));
  subject.candidate().samples.resize(1);
  subject.candidate().samples[0].stalls = {{"long_scoreboard", 9}};
  EXPECT_FALSE(subject.ask("hot-line")) << "nine samples say nothing";
}

TEST(Advice, TheTablePutsWhatIsMostAtStakeFirst) {
  const Table table = adviceTable(samples::folded(samples::profiledRun()));
  ASSERT_GE(table.rows.size(), 3U);
  EXPECT_EQ(table.rows.front().id, "0/0/uncoalesced");
  EXPECT_EQ(table.rows.front().place.line, 16);
  EXPECT_EQ(table.columns[0].kind, ColumnKind::prose);
}

}  // namespace
}  // namespace wb
