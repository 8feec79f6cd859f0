// SPDX-License-Identifier: Apache-2.0
#include "core/suites/perturb.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/suites/literals/literal_parser.h"
#include "core/suites/perturbed_suites.h"

namespace wb {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

EditableCall call(const std::string& args) {
  auto edited = editCall(args);
  EXPECT_TRUE(edited) << args;
  return *edited;
}

std::vector<std::string> texts(const std::vector<Variant>& variants, const std::string& kind = {}) {
  std::vector<std::string> found;
  for (const Variant& variant : variants)
    if (kind.empty() || variant.kind == kind) found.push_back(text(variant.call));
  return found;
}

constexpr OperatorTraits elementwise{.anyRank = true, .broadcasts = true, .inPlace = false};

TEST(EditableCall, WhatWasNotEditedIsPrintedAsItWas) {
  for (const char* args : {"((T([2, 3], f32), T([], i64), 0.5, None,), {'alpha': 2, 'dim': [0, -1]})",
                           "(([T([2], f32), T([3], f32, [2])], 1,), {'mode': 'floor'})",
                           "((T([4, 4], b8), [2, 2], (1, 2), [],), {})"})
    EXPECT_EQ(text(call(args)), args);
}

TEST(EditableCall, FindsTensorsListsAndIntegersInOrder) {
  const EditableCall found = call("((T([2, 3], f32), [3], T([3], f32), 7,), {'dim': (1, 2)})");
  ASSERT_EQ(found.tensors.size(), 2U);
  EXPECT_EQ(found.tensors[1].shape, std::vector<std::int64_t>{3});
  EXPECT_EQ(found.integerLists, (std::vector<std::vector<std::int64_t>>{{3}, {1, 2}}));
  EXPECT_EQ(found.integers, std::vector<std::int64_t>{7});
}

TEST(EditableCall, WhatDoesNotParseIsAnError) {
  EXPECT_FALSE(editCall("((T([2], f33),), {})"));
  EXPECT_FALSE(editCall("((T([2], f32,), {})"));
}

TEST(Neighbours, AreNearAndKeepWhatWasEqual) {
  const EditableCall product = call("((T([64, 1024], f32), T([1024, 32], f32)), {})");
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<EditableCall> found = neighbours(product, seed);
    ASSERT_EQ(found.size(), 6);
    for (const EditableCall& each : found) EXPECT_EQ(each.tensors[0].shape[1], each.tensors[1].shape[0]);
    EXPECT_NE(found[0].tensors[0].shape[1], 1024);
    EXPECT_NEAR(double(found[0].tensors[0].shape[1]), 1024, 3);
    EXPECT_NEAR(double(found[0].tensors[0].shape[0]), 64, 3);
    EXPECT_NEAR(double(found[1].tensors[0].shape[1]), 1024, 3);
    EXPECT_NE(found[0].tensors[0].shape[1] > 1024, found[1].tensors[0].shape[1] > 1024) << "either way";
    EXPECT_EQ(found[2].tensors[0].shape[1], 1024) << "the first size alone";
    EXPECT_EQ(found[3].tensors[0].shape[1], 1);
    EXPECT_LT(found[4].tensors[0].shape[1], 1024 * 0.71);
    EXPECT_LT(found[5].tensors[0].shape[1], found[4].tensors[0].shape[1]);
    EXPECT_GE(found[5].tensors[0].shape[1], 128);
  }
}

TEST(Neighbours, AnIndexOrLengthKeepsSizesFromShrinking) {
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    for (const EditableCall& each : neighbours(call("((T([8, 8], f32), 1, 7), {})"), seed))
      EXPECT_GT(each.tensors[0].shape[0], 8);
  EXPECT_THAT(neighbours(call("((T([2, 6], f32), [3, 4]), {})"), 1), IsEmpty()) << "view's own sizes";
}

TEST(Shrunk, LargeSizesAreHalvedUntilThereIsRoom) {
  constexpr std::int64_t most = std::int64_t{16} << 20;
  const auto product = shrunk(call("((T([4096, 8192], f32), T([8192, 64], f32)), {})"), most);
  ASSERT_TRUE(product);
  EXPECT_EQ(text(*product), "((T([1024, 2048], f32), T([2048, 16], f32),), {})");
  const auto image = shrunk(call("((T([64, 3, 512, 512], f32), T([16, 3, 7, 7], f32)), {})"), most);
  ASSERT_TRUE(image);
  EXPECT_EQ(image->tensors[0].shape[1], 3);
  EXPECT_EQ(image->tensors[1].shape, (std::vector<std::int64_t>{16, 3, 7, 7})) << "small ones stay";
}

TEST(Shrunk, SizesStayAboveAnIndex) {
  constexpr std::int64_t most = std::int64_t{1} << 20;
  const auto indexed = shrunk(call("((T([4096, 640], f32), 0, 300), {})"), most);
  ASSERT_TRUE(indexed);
  EXPECT_EQ(indexed->tensors[0].shape, (std::vector<std::int64_t>{512, 320}));
  EXPECT_FALSE(shrunk(call("((T([512, 512], f32), 0, 300), {})"), most / 2));
  EXPECT_FALSE(shrunk(call("((T([4096, 4096], f32), [2048, 8192]), {})"), most)) << "view's own sizes";
  EXPECT_FALSE(shrunk(call("((T([31, 31, 31, 31], f32),), {})"), most));
}

TEST(Shapes, SizesThatWereTheSameStayTheSame) {
  const auto variants = shapeVariants(call("((T([4, 6], f32), T([6, 8], f32),), {})"), {});
  EXPECT_THAT(texts(variants, "odd"), Contains("((T([17, 33], f32), T([33, 7], f32),), {})"));
  for (const Variant& variant : variants)
    EXPECT_EQ(variant.call.tensors[0].shape[1], variant.call.tensors[1].shape[0]) << text(variant.call);
}

TEST(Shapes, AListOfSizesChangesWithTheTensor) {
  for (const auto& each : shapeVariants(call("((T([4, 8], f32), [8], T([8], f32), None, 1e-05,), {})"), {}))
    EXPECT_EQ(each.call.integerLists[0].front(), each.call.tensors[0].shape[1]) << text(each.call);
}

TEST(Shapes, DimensionsToReduceStay) {
  for (const auto& each : shapeVariants(call("((T([4, 8], f32), [1], True,), {})"), {}))
    EXPECT_EQ(each.call.integerLists[0], std::vector<std::int64_t>{1});
}

TEST(Shapes, SizesThatOnlyTheOperatorKnowsAreLeftAlone) {
  EXPECT_THAT(shapeVariants(call("((T([4, 6], f32), [2, 12],), {})"), {}), IsEmpty());  // view
}

TEST(Shapes, EmptyOneAndLargeAreThere) {
  const auto variants = shapeVariants(call("((T([4, 6], f32),), {})"), elementwise);
  EXPECT_THAT(texts(variants, "empty"),
              AllOf(Contains("((T([0, 33], f32),), {})"), Contains("((T([17, 0], f32),), {})")));
  EXPECT_THAT(texts(variants, "size one"), Contains("((T([1, 1], f32),), {})"));
  const auto large = texts(variants, "large");
  ASSERT_EQ(large.size(), 1U);
  EXPECT_GT(elementBytes(*parseLiteral(large[0])), 16 << 20);
}

TEST(Shapes, LargeIsBoundedAlsoInWhatTheResultTakes) {
  for (const char* args :
       {"((T([5, 5], f32), T([5, 5], f32),), {})", "((T([16, 1, 33], f64), T([7, 1], f64),), {})",
        "((T([3], bf16),), {})", "((T([2, 3, 4, 5, 6], f32),), {})"}) {
    for (const Variant& variant : shapeVariants(call(args), elementwise))
      EXPECT_LE(elementBytes(*parseLiteral(text(variant.call))), 68 << 20) << text(variant.call);
    for (const Variant& variant : shapeVariants(call(args), {}))
      EXPECT_LE(elementBytes(*parseLiteral(text(variant.call))), 8 << 20) << text(variant.call);
  }
  const auto outer =
      texts(shapeVariants(call("((T([16, 1, 33], f32), T([7, 1], f32),), {})"), elementwise), "large");
  ASSERT_EQ(outer.size(), 1U);
  const auto& tensors = call(outer[0]).tensors;
  EXPECT_LE(tensors[0].shape[0] * tensors[0].shape[2] * tensors[1].shape[0], 16 << 20);
}

TEST(Shapes, AnIndexOrLengthKeepsSizesFromShrinking) {
  const auto variants = shapeVariants(call("((T([6, 9], f32), 0, 5,), {})"), {});  // select's index
  EXPECT_THAT(texts(variants, "empty"), IsEmpty());
  for (const Variant& variant : variants) EXPECT_GE(variant.call.tensors[0].shape[0], 6);
}

TEST(Shapes, OnlyWhatBroadcastsIsStretched) {
  const std::string same = "((T([4, 6], f32), T([4, 6], f32),), {})";
  EXPECT_THAT(texts(shapeVariants(call(same), {}), "broadcast"), IsEmpty());
  EXPECT_THAT(texts(shapeVariants(call(same), elementwise), "broadcast"),
              Contains("((T([17, 33], f32), T([1, 33], f32),), {})"));
  OperatorTraits inPlace = elementwise;
  inPlace.inPlace = true;
  EXPECT_THAT(texts(shapeVariants(call(same), inPlace), "broadcast"), IsEmpty());
}

TEST(Traits, AMatrixProductDoesNotBroadcast) {
  EXPECT_FALSE(traitsOf("aten::mm", {call("((T([1, 257], f32), T([257, 1], f32),), {})")}).broadcasts);
  EXPECT_TRUE(
      traitsOf("aten::add.Tensor", {call("((T([16, 1, 33], f32), T([5, 1], f32),), {})")}).broadcasts);
  EXPECT_TRUE(traitsOf("aten::add_.Tensor", {}).inPlace);
  EXPECT_FALSE(traitsOf("aten::__and__.Tensor", {}).inPlace);
}

TEST(Layouts, KeepShapesAndSayStrides) {
  const auto variants = layoutVariants(call("((T([2, 3, 4, 5], f32), T([5], f32),), {})"), {});
  const auto first = [&](const std::string& kind) {
    for (const Variant& variant : variants)
      if (variant.kind == kind) return variant.call.tensors[0].stride;
    return std::vector<std::int64_t>{};
  };
  EXPECT_EQ(first("transposed"), (std::vector<std::int64_t>{60, 20, 1, 4}));
  EXPECT_EQ(first("sliced"), (std::vector<std::int64_t>{120, 40, 10, 2}));
  EXPECT_EQ(first("padded rows"), (std::vector<std::int64_t>{96, 32, 8, 1}));
  EXPECT_EQ(first("channels last"), (std::vector<std::int64_t>{60, 1, 15, 3}));
  EXPECT_EQ(first("expanded"), (std::vector<std::int64_t>{0, 20, 5, 1}));
  for (const Variant& variant : variants) {
    EXPECT_EQ(variant.call.tensors[0].shape, (std::vector<std::int64_t>{2, 3, 4, 5}));
    EXPECT_EQ(variant.call.tensors[1].shape, (std::vector<std::int64_t>{5}));
  }
}

TEST(Layouts, WhatIsWrittenIsNotExpanded) {
  const auto variants = layoutVariants(call("((T([4, 6], f32), T([4, 6], f32),), {})"),
                                       {.anyRank = true, .broadcasts = true, .inPlace = true});
  EXPECT_THAT(texts(variants, "expanded"), IsEmpty());
  EXPECT_EQ(texts(variants, "transposed").size(), 2U);  // the first alone, and both
}

TEST(FloatingTypes, ChangeTogetherOrNotAtAll) {
  EditableCall plain = call("((T([2], f32), T([2], i64), T([2], f32),), {})");
  EXPECT_TRUE(setFloatingType(plain, "bf16"));
  EXPECT_EQ(text(plain), "((T([2], bf16), T([2], i64), T([2], bf16),), {})");
  EditableCall mixed = call("((T([2], f32), T([2], f16),), {})");
  EXPECT_FALSE(setFloatingType(mixed, "bf16"));
}

/// The suites that are made of the shipped smoke suite, without a cache of opinfo.
class MadeSuitesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("WARPBENCH_RESOURCES", (std::string(WB_SOURCE_DIR) + "/resources").c_str(), 1);
    setenv("WARPBENCH_CACHE", "/nonexistent/warpbench", 1);
  }
  void TearDown() override {
    unsetenv("WARPBENCH_RESOURCES");
    unsetenv("WARPBENCH_CACHE");
  }
};

TEST_F(MadeSuitesTest, EachCoversEveryOperatorOfSmokeInBothTypesAndParses) {
  std::set<std::string> operators;
  const auto smoke = loadSuite("smoke");
  ASSERT_TRUE(smoke);
  for (const Case& definition : smoke->cases) operators.insert(definition.op);
  for (const char* name : {"shapes", "layouts", "values"}) {
    const auto suite = loadSuite(SuiteRequest{.name = name});
    ASSERT_TRUE(suite) << describe(suite.error());
    EXPECT_FALSE(suite->scoreTrivial);
    std::set<std::string> covered, calls;
    bool half = false;
    for (const Case& definition : suite->cases) {
      covered.insert(definition.op);
      EXPECT_TRUE(parseLiteral(definition.args));
      EXPECT_TRUE(calls.insert(definition.op + definition.args + definition.values).second)
          << definition.args;
      EXPECT_THAT(definition.group, StartsWith(std::string(name) + ": "));
      half = half || definition.dtype == "bf16";
    }
    EXPECT_EQ(covered, operators) << name;
    EXPECT_TRUE(half) << name;
  }
}

TEST_F(MadeSuitesTest, ASweepDoublesFromAFewKilobytesToBeyondTheCaches) {
  const auto suite = loadSuite(SuiteRequest{.name = "sweep", .operators = {"relu", "mm"}});
  ASSERT_TRUE(suite) << describe(suite.error());
  std::map<std::pair<std::string, std::string>, std::vector<std::int64_t>> sizes;
  for (const Case& definition : suite->cases)
    sizes[{definition.op, definition.dtype}].push_back(tensorBytes(*parseLiteral(definition.args)));
  ASSERT_EQ(sizes.size(), 4U) << "two operators in two types";
  for (const auto& [of, bytes] : sizes) {
    EXPECT_GE(bytes.size(), 10U) << of.first;
    EXPECT_LE(bytes.front(), 16'384) << of.first;
    EXPECT_GE(bytes.back(), of.first == "aten::relu" ? 200 << 20 : 8 << 20) << of.first;
    for (std::size_t i = 1; i < bytes.size(); ++i) {
      EXPECT_GT(bytes[i], bytes[i - 1]) << of.first;
      EXPECT_LE(bytes[i], 2 * bytes[i - 1]) << of.first;
    }
  }
}

TEST_F(MadeSuitesTest, ASweepIsMadeForWhateverOperatorOfSmokeHasSizes) {
  const auto smoke = loadSuite("smoke");
  const auto suite = loadSuite(SuiteRequest{.name = "sweep"});
  ASSERT_TRUE(smoke && suite);
  std::set<std::string> operators, covered;
  for (const Case& definition : smoke->cases) operators.insert(definition.op);
  for (const Case& definition : suite->cases) covered.insert(definition.op);
  EXPECT_EQ(covered, operators);
}

TEST_F(MadeSuitesTest, ValuesSayWhichAreMixedIn) {
  const auto suite = loadSuite(SuiteRequest{.name = "values", .operators = {"relu"}});
  ASSERT_TRUE(suite);
  std::set<std::string> kinds;
  for (const Case& definition : suite->cases) kinds.insert(definition.values);
  EXPECT_EQ(kinds, (std::set<std::string>{"denormal", "extreme", "infinity", "nan", "zero"}));
}

TEST_F(MadeSuitesTest, WhatIsRandomOrNeedsSpecialMatricesIsLeftOut) {
  EXPECT_FALSE(isPerturbable("aten::normal_"));
  EXPECT_FALSE(isPerturbable("aten::empty_like"));
  EXPECT_FALSE(isPerturbable("aten::cholesky"));
  EXPECT_FALSE(isPerturbable("aten::rand_like"));
  EXPECT_TRUE(isPerturbable("aten::relu"));
  EXPECT_TRUE(isPerturbable("aten::norm.Scalar"));
}

TEST_F(MadeSuitesTest, AnUnknownTypeOrOperatorIsSaid) {
  const auto type = loadSuite(SuiteRequest{.name = "shapes", .dtype = "bfloat17"});
  ASSERT_FALSE(type);
  EXPECT_THAT(describe(type.error()), AllOf(HasSubstr("bfloat17"), HasSubstr("bfloat16")));
  const auto op = loadSuite(SuiteRequest{.name = "layouts", .operators = {"reluu"}});
  ASSERT_FALSE(op);
  EXPECT_THAT(describe(op.error()), AllOf(HasSubstr("reluu"), HasSubstr("did you mean relu?")));
}

}  // namespace
}  // namespace wb
