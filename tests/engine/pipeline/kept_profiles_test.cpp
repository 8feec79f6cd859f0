// SPDX-License-Identifier: Apache-2.0
// A reference's profile is known again by all that it depends on, and by nothing else.
#include "core/engine/profile/kept_profiles.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

class KeptProfilesTest : public testing::Test {
 protected:
  [[nodiscard]] std::string what() const { return profiledReference(job_, kernel_, definition_, caches_); }

  Job job_;
  KernelSource kernel_{"relu.cu", "text", "raw_cuda", "relu", "", ""};
  Case definition_{.op = "aten::relu", .args = "((T([3], f32),), {})"};
  CacheState caches_ = CacheState::cold;
};

TEST_F(KeptProfilesTest, AtensOperatorIsTheSameForEveryKernel) {
  const std::string before = what();
  kernel_.text = "another";
  EXPECT_EQ(what(), before);
  definition_.args = "((T([4], f32),), {})";
  EXPECT_NE(what(), before);
}

TEST_F(KeptProfilesTest, AProblemsIsTheModelsText) {
  definition_.values = "own";
  const std::string inOneFile = what();
  kernel_.text = "another";
  EXPECT_NE(what(), inOneFile);
  kernel_.referenceText = "model";
  const std::string apart = what();
  kernel_.text = "a third";
  EXPECT_EQ(what(), apart);
}

TEST_F(KeptProfilesTest, WhatIsAskedAndHowCounts) {
  const std::string before = what();
  caches_ = CacheState::hot;
  EXPECT_NE(what(), before);
  caches_ = CacheState::cold;
  job_.profile.sections = {"memory"};
  EXPECT_NE(what(), before);
  job_.profile.sections = {"quick"};
  EXPECT_EQ(what(), before);
  job_.seed = 7;
  EXPECT_NE(what(), before) << "other inputs";
}

TEST_F(KeptProfilesTest, OnlySoManyAreKept) {
  KeptProfiles kept;
  EXPECT_EQ(kept.find("0"), nullptr);
  for (std::size_t i = 0; i <= KeptProfiles::most; ++i) kept.keep(std::to_string(i), {SideProfile{}});
  EXPECT_EQ(kept.find("0"), nullptr);
  ASSERT_NE(kept.find(std::to_string(KeptProfiles::most)), nullptr);
  EXPECT_EQ(kept.find(std::to_string(KeptProfiles::most))->size(), 1U);
}

}  // namespace
}  // namespace wb
