// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <memory>
#include <string>

#include "core/base/enum.h"
#include "core/base/error.h"
#include "core/base/files/hash.h"
#include "core/base/files/paths.h"
#include "core/base/nearest.h"
#include "core/base/result.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Error, IsOneLineWithPlaceTextAndHint) {
  EXPECT_EQ(describe({Stage::compile, "expected ';'", "add one", {"k.cpp", 3, 7}}),
            "k.cpp:3:7: expected ';' (add one)");
  EXPECT_EQ(describe({Stage::job, "no cases", "", {}}), "no cases");
}

TEST(Error, PlacesShowWhatIsKnown) {
  EXPECT_EQ(text(Place{"a", 12, 3}), "a:12:3");
  EXPECT_EQ(text(Place{"a", 12, 0}), "a:12");
  EXPECT_EQ(text(Place{"a", 0, 3}), "a");
  EXPECT_EQ(text(Place{}), "");
  EXPECT_EQ(text(Place{"", 4, 2}), "line 4:2");
}

TEST(Error, StagesHaveTheirFieldNames) {
  EXPECT_EQ(name(Stage::setup), "setup");
  EXPECT_EQ(name(Stage::report), "report");
}

TEST(Result, HoldsAValueOrAnError) {
  const Result<int> good = 4, bad = Error{Stage::job, "no"};
  EXPECT_EQ(good.value_or(1), 4);
  EXPECT_EQ(bad.value_or(1), 1);
  EXPECT_EQ(bad.error().text, "no");
  EXPECT_THROW((void)bad.value(), std::bad_variant_access);
}

Result<int> evenHalf(int number) {
  if (number % 2 != 0) return Error{Stage::job, "odd"};
  return number / 2;
}
Result<void> mustBePositive(int number) {
  if (number <= 0) return Error{Stage::job, "not positive"};
  return {};
}
Result<std::string> quarter(int number) {
  WB_DO(mustBePositive(number));
  WB_TRY(const int half, evenHalf(number));
  int result = 0;
  WB_TRY(result, evenHalf(half));
  return std::to_string(result);
}

TEST(Result, TryGivesTheValueOrReturnsTheError) {
  EXPECT_EQ(quarter(8).value(), "2");
  EXPECT_EQ(quarter(7).error().text, "odd");
  EXPECT_EQ(quarter(6).error().text, "odd");
  EXPECT_EQ(quarter(-4).error().text, "not positive");
}

TEST(Result, TryMovesTheValueOut) {
  const auto owner = []() -> Result<std::unique_ptr<int>> {
    WB_TRY(auto owned, Result<std::unique_ptr<int>>(std::make_unique<int>(5)));
    return owned;
  };
  EXPECT_EQ(**owner(), 5);
}

WB_ENUM(Answer, yes, notYet,
        // Comments may stand between, with "quotes" and commas.
        invalid WB_WORD("void"), ranOutOfTime, );
static_assert(enumValues<Answer>.size() == 4 && enumValues<Answer>[3] == Answer::ranOutOfTime);

TEST(Enum, WordsAreNamesWithHyphensOrGiven) {
  EXPECT_EQ(name(Answer::yes), "yes");
  EXPECT_EQ(name(Answer::notYet), "not-yet");
  EXPECT_EQ(name(Answer::invalid), "void");
  EXPECT_EQ(name(Answer::ranOutOfTime), "ran-out-of-time");
}

TEST(Enum, WhatIsNoValueHasNoWord) {
  EXPECT_EQ(name(static_cast<Answer>(4)), "");
  EXPECT_EQ(name(static_cast<Answer>(-1)), "");
}

TEST(Hash, IsThirtyTwoHexDigitsOfTheContent) {
  EXPECT_THAT(contentHash({"a"}), testing::MatchesRegex("[0-9a-f]{32}"));
  EXPECT_EQ(contentHash({"a", "b"}), contentHash({"a", "b"}));
  EXPECT_NE(contentHash({"a", "b"}), contentHash({"b", "a"}));
}

TEST(Hash, TellsWhereOnePartEnds) {
  EXPECT_NE(contentHash({"ab", "c"}), contentHash({"a", "bc"}));
  EXPECT_NE(contentHash({"a", ""}), contentHash({"a"}));
}

const std::vector<std::string> operators{"relu",    "relu6", "prelu", "leaky_relu", "gelu",
                                         "softmax", "sum",   "bmm",   "cumsum",     "native_layer_norm"};

TEST(Nearest, FindsTypingMistakes) {
  EXPECT_EQ(nearest("rleu", operators, 1), std::vector<std::string>{"relu"});
  EXPECT_EQ(nearest("sofmax", operators, 1), std::vector<std::string>{"softmax"});
  EXPECT_EQ(nearest("ReLU", operators, 1), std::vector<std::string>{"relu"});
}

TEST(Nearest, AWordThatIsTooLongForANameIsNearNone) {
  EXPECT_THAT(nearest(std::string(100'000, 'r') + "relu", operators), IsEmpty());
}

TEST(Nearest, PutsTheExactNameFirst) {
  EXPECT_THAT(nearest("relu", operators), ElementsAre("relu", "relu6", "prelu"));
}

TEST(Nearest, CountsASubstringForAName) {
  EXPECT_THAT(nearest("layer_norm", operators), ElementsAre("native_layer_norm"));
}

TEST(Nearest, GivesNothingWhenTooLittleIsShared) {
  EXPECT_THAT(nearest("zzzz", operators), IsEmpty());
  EXPECT_THAT(nearest("", operators), IsEmpty());
  EXPECT_THAT(nearest("x", std::vector<std::string>{}), IsEmpty());
}

TEST(Nearest, MakesAQuestion) {
  EXPECT_EQ(didYouMean("relu5", std::vector<std::string>{"relu", "relu6", "bmm"}),
            "did you mean relu6 or relu?");
  EXPECT_EQ(didYouMean("zzzz", operators), "");
}

class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

TEST(Paths, OwnVariableWinsOverXdg) {
  const Variable xdg("XDG_CACHE_HOME", "/xdg");
  EXPECT_EQ(cacheFolder(), "/xdg/warpbench");
  const Variable own("WARPBENCH_CACHE", "/own");
  EXPECT_EQ(cacheFolder(), "/own");
}

TEST(Paths, RelativeXdgFoldersAreIgnored) {
  const Variable xdg("XDG_DATA_HOME", "relative");
  EXPECT_TRUE(dataFolder().is_absolute());
  EXPECT_THAT(dataFolder().string(), testing::HasSubstr(".local/share/warpbench"));
}

TEST(Paths, ResourcesAreFoundInTheSourceTree) {
  EXPECT_EQ(resourceFolder(), std::filesystem::path(WB_SOURCE_DIR) / "resources");
  const Variable own("WARPBENCH_RESOURCES", "/elsewhere");
  EXPECT_EQ(resourceFolder(), "/elsewhere");
}

}  // namespace
}  // namespace wb
