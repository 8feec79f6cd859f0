// SPDX-License-Identifier: Apache-2.0
#include "core/engine/reference/problem_models.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

/// Answers what it was made with.
class TellingModel final : public ProblemModel {
 public:
  TellingModel(std::vector<KeptBuffer> buffers, std::vector<DrawnParameter> drawn)
      : buffers_(std::move(buffers)), drawn_(std::move(drawn)) {}
  void rememberBuffers() override { ++remembered; }
  std::vector<KeptBuffer> buffers() override { return buffers_; }
  std::vector<DrawnParameter> drawParameters(std::uint64_t seed, ParameterValues values) override {
    seeds.push_back(seed);
    asked.push_back(values);
    return drawn_;
  }
  int remembered = 0;
  std::vector<std::uint64_t> seeds;
  std::vector<ParameterValues> asked;

 private:
  std::vector<KeptBuffer> buffers_;
  std::vector<DrawnParameter> drawn_;
};

std::shared_ptr<TellingModel> keeping(std::vector<KeptBuffer> buffers) {
  return std::make_shared<TellingModel>(std::move(buffers), std::vector<DrawnParameter>());
}
std::shared_ptr<TellingModel> drawing(std::vector<DrawnParameter> drawn) {
  return std::make_shared<TellingModel>(std::vector<KeptBuffer>(), std::move(drawn));
}

TEST(ProblemModels, ABufferThatOnlyTheReferenceChangesIsNamed) {
  const auto reference = keeping({{"mean", "[8]", false}, {"variance", "[8]", true}, {"more", "[2]", true}});
  EXPECT_EQ(bufferLeft({reference, keeping({{"mean", "[8]"}, {"variance", "[8]", false}})}), "variance");
  EXPECT_EQ(bufferLeft({reference, keeping({{"variance", "[8]", true}, {"more", "[2]", true}})}), "");
  EXPECT_EQ(bufferLeft({reference, keeping({{"variance", "[9]", false}})}), "") << "another one by that name";
  EXPECT_EQ(bufferLeft({reference, keeping({})}), "") << "a kernel may keep nothing";
}

TEST(ProblemModels, ParametersAreDrawnWhereBothDrawTheSame) {
  const std::vector<DrawnParameter> ours{{"bias", 7}, {"weight", 9}};
  const auto reference = drawing(ours), candidate = drawing(ours);
  EXPECT_EQ(drawParameters({reference, candidate}, 5, ParameterValues::large), ParametersDrawn::alike);
  EXPECT_EQ(reference->seeds, candidate->seeds);
  EXPECT_EQ(reference->asked, std::vector<ParameterValues>{ParameterValues::large});
  EXPECT_EQ(candidate->asked, reference->asked);
  for (const std::vector<DrawnParameter>& theirs :
       {std::vector<DrawnParameter>{{"bias", 7}, {"weight", 10}}, {{"bias", 7}}, {}})
    EXPECT_EQ(drawParameters({drawing(ours), drawing(theirs)}, 5, ParameterValues::constants),
              ParametersDrawn::different);
}

TEST(ProblemModels, WhereTheReferenceHasNothingToDrawTheKernelStaysAsItIs) {
  const auto candidate = drawing({{"weight", 9}});
  EXPECT_EQ(drawParameters({drawing({}), candidate}, 5, ParameterValues::others), ParametersDrawn::none);
  EXPECT_TRUE(candidate->seeds.empty());
}

TEST(ProblemModels, OneAloneIsNotAsked) {
  const auto one = keeping({{"mean", "[8]", true}});
  rememberBuffers({one, nullptr});
  EXPECT_EQ(one->remembered, 0);
  EXPECT_EQ(bufferLeft({one, nullptr}), "");
  EXPECT_EQ(drawParameters({nullptr, one}, 5, ParameterValues::constants), ParametersDrawn::none);
  rememberBuffers({one, one});
  EXPECT_EQ(one->remembered, 2);
}

}  // namespace
}  // namespace wb
