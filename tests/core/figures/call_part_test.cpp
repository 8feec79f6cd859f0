// SPDX-License-Identifier: Apache-2.0
// A part of a call, chosen by its time.
#include "core/figures/profile/call_part.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/figures/figures.h"
#include "core/figures/profile/profile_figures.h"
#include "tests/core/figures/profile_sample.h"

namespace wb {
namespace {

using testing::HasSubstr;

constexpr CaseKey first{0, 0};

/// Three launches one after the other: pad from 3 µs, mm for 2.2 ms, cut.
Report several() {
  return samples::folded(samples::severalLaunchesRun());
}

const CaseProfile& profileOf(const Report& report) {
  return **report.kernels[0]->cases[0].profile;
}

TEST(CallPart, KeepsTheLaunchesThatRanThen) {
  const Report whole = several();
  const Activity& second = profileOf(whole).candidate.activities.at(1);
  const CallPart part{Side::candidate, second.start, second.start + second.seconds};
  const Report alone = partOfCall(whole, first, part);
  ASSERT_EQ(profileOf(alone).candidate.launches.size(), 1U);
  EXPECT_EQ(profileOf(alone).candidate.launches[0], profileOf(whole).candidate.launches[1]);
  EXPECT_TRUE(profileOf(alone).reference.launches.empty()) << "its call ran at another time";
  EXPECT_EQ(profileOf(whole).candidate.launches.size(), 3U) << "the whole report stays";
  EXPECT_EQ(launchesTable(alone, first).rows.size(), 1U);
  const Table metrics = metricsTable(alone, first);
  for (const Table::Row& row : metrics.rows) EXPECT_EQ(row.depth, 0) << row.id;
  EXPECT_THAT(callPartText(whole, first, part), HasSubstr("1 of 3 launches of the candidate"));
}

TEST(CallPart, ATimeInWhichNothingRanLeavesNothing) {
  const Report alone = partOfCall(several(), first, {Side::candidate, 0, 1e-6});
  EXPECT_TRUE(profileOf(alone).candidate.launches.empty());
  EXPECT_FALSE(metricsTable(alone, first).empty.empty());
}

TEST(CallPart, SamplesAreThoseOfTheFunctionsThatRan) {
  const Report whole = samples::folded(samples::profiledRun());
  ASSERT_FALSE(profileOf(whole).candidate.samples.empty());
  const Report all = partOfCall(whole, first, {Side::candidate, 0, 1});
  EXPECT_EQ(profileOf(all).candidate.samples, profileOf(whole).candidate.samples);
  const Report none = partOfCall(whole, first, {Side::candidate, 0.5, 1});
  EXPECT_TRUE(profileOf(none).candidate.samples.empty());
  const Report theirs = partOfCall(whole, first, {Side::reference, 0, 1});
  EXPECT_TRUE(profileOf(theirs).candidate.launches.empty());
  EXPECT_EQ(profileOf(theirs).reference.launches, profileOf(whole).reference.launches);
}

TEST(CallPart, WithoutSuchACaseTheReportIsWhatItWas) {
  const Report whole = several();
  EXPECT_EQ(partOfCall(whole, {3, 0}, {}), whole);
  EXPECT_EQ(partOfCall(whole, {0, 1}, {Side::candidate, 0, 1}).kernels[0]->cases.size(),
            whole.kernels[0]->cases.size());
  EXPECT_EQ(callPartText(whole, {3, 0}, {}), "");
}

}  // namespace
}  // namespace wb
