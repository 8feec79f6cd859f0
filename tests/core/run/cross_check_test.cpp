// SPDX-License-Identifier: Apache-2.0
#include "core/run/cross_check.h"

#include <gmock/gmock.h>

#include <random>

namespace wb {
namespace {

using testing::HasSubstr;

/// What a worker that behaves says of a reference of 2 ms and a candidate of 1 ms: 40 blocks of 10 calls a
/// sample, 2.4 s in all.
CaseTiming honest() {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> noise(0.98, 1.02);
  CaseTiming timing;
  timing.time = "call";
  timing.callsPerSample = 10;
  std::vector<double> reference, candidate;
  for (int i = 0; i < 40; ++i) {
    Block block;
    for (double& sample : block.reference) reference.push_back(sample = 2e-3 * noise(random));
    for (double& sample : block.candidate) candidate.push_back(sample = 1e-3 * noise(random));
    timing.blocks.push_back(block);
  }
  timing.reference = median(reference);
  timing.candidate = median(candidate);
  timing.speedup = *compare(timing.blocks);
  return timing;
}

TEST(CrossCheck, BelievesWhatFits) {
  EXPECT_EQ(whyNotScored(honest(), 3), "");
  CaseTiming wider = honest();
  wider.speedup.low *= 0.9;
  wider.speedup.high *= 1.1;
  EXPECT_EQ(whyNotScored(wider, 3), "");
  CaseTiming without = honest();
  without.speedup = {without.speedup.ratio, 0, 0, Pace::undecided};
  EXPECT_EQ(whyNotScored(without, 3), "");
}

TEST(CrossCheck, TheSamplesMustHaveHadTheTimeTheySay) {
  EXPECT_THAT(whyNotScored(honest(), 2), HasSubstr("would have taken 2.4"));
  EXPECT_THAT(whyNotScored(honest(), 2), HasSubstr("2.00 s went by"));
  CaseTiming more = honest();
  more.callsPerSample = 1000;
  EXPECT_THAT(whyNotScored(more, 3), HasSubstr("would have taken 24"));
}

TEST(CrossCheck, TheRatioAndTheTimesAreThoseOfTheSamples) {
  CaseTiming faster = honest();
  faster.speedup.ratio *= 1.01;
  EXPECT_THAT(whyNotScored(faster, 3), HasSubstr("its samples come to"));
  faster = honest();
  faster.candidate *= 0.5;
  EXPECT_THAT(whyNotScored(faster, 3), HasSubstr("its times are given as"));
  faster = honest();
  faster.blocks.clear();
  EXPECT_THAT(whyNotScored(faster, 3), HasSubstr("no samples"));
  faster = honest();
  faster.blocks[0].candidate[0] = -1;
  EXPECT_THAT(whyNotScored(faster, 3), HasSubstr("not positive"));
}

TEST(CrossCheck, TheIntervalIsWhereTheSamplesAre) {
  CaseTiming narrow = honest();
  narrow.speedup.low = narrow.speedup.ratio * 0.99999;
  EXPECT_THAT(whyNotScored(narrow, 3), HasSubstr("its interval is given as"));
  CaseTiming bold = honest();
  bold.speedup.low = 0.5;
  EXPECT_THAT(whyNotScored(bold, 3), HasSubstr("called faster"));
  CaseTiming one = honest();
  one.blocks.resize(1);
  one.speedup = *compare(one.blocks);
  one.reference = (one.blocks[0].reference[0] + one.blocks[0].reference[1]) / 2;
  one.candidate = (one.blocks[0].candidate[0] + one.blocks[0].candidate[1]) / 2;
  EXPECT_EQ(whyNotScored(one, 3), "");
}

TEST(CrossCheck, NothingIsFasterThanTheDevice) {
  CaseTiming timing = honest();
  timing.floor = 2e-3;
  EXPECT_THAT(whyNotScored(timing, 3), HasSubstr("faster than this device can be (2.00 ms)"));
}

TEST(CrossCheck, RecordsAndEventsHaveToAgree) {
  CaseTiming timing = honest();
  timing.time = "kernel";
  timing.events = {timing.reference + 2e-6, timing.candidate + 3e-6};
  EXPECT_EQ(whyNotScored(timing, 3), "");
  timing.events.candidate = timing.candidate * 1.5;
  EXPECT_THAT(whyNotScored(timing, 3), HasSubstr("by events 1.5"));
  // Events see as much more of the reference: both are recorded badly, which is nobody's doing.
  timing.events.reference = timing.reference + timing.candidate * 0.5;
  EXPECT_EQ(whyNotScored(timing, 3), "");
}

}  // namespace
}  // namespace wb
