// SPDX-License-Identifier: Apache-2.0
#include "core/model/operators/catalogue.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>

#include "core/base/files/file.h"

namespace wb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A small dispatcher, sorted as the real one.
const std::vector<OperatorEntry> some{
    {"aten::add.Scalar", "aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", false},
    {"aten::add.Tensor", "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", true},
    {"aten::add.out",
     "aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)", true},
    {"aten::relu", "aten::relu(Tensor self) -> Tensor", true},
    {"aten::relu.out", "aten::relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", true},
    {"aten::relu6", "aten::relu6(Tensor self) -> Tensor", true},
    {"aten::relu_", "aten::relu_(Tensor(a!) self) -> Tensor(a!)", true},
    {"aten::softmax.Dimname", "aten::softmax.Dimname(Tensor self, Dimname dim) -> Tensor", false},
    {"aten::softmax.int", "aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", false},
    {"aten::where.self", "aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor", true}};

std::string resolved(std::string_view spelling) {
  const auto entry = resolveOperator(spelling, some);
  return entry ? entry->name : "error: " + entry.error().text + " | " + entry.error().hint;
}

TEST(ResolveOperatorTest, AnExactNameInAnySpelling) {
  EXPECT_EQ(resolved("aten.add.Scalar"), "aten::add.Scalar");
  EXPECT_EQ(resolved("add__Scalar"), "aten::add.Scalar");
  EXPECT_EQ(resolved("relu.out"), "aten::relu.out");
  EXPECT_EQ(resolved("relu_"), "aten::relu_");
}

TEST(ResolveOperatorTest, ABareNameIsTheDefaultElseTheOneThatTakesOnlyTensors) {
  EXPECT_EQ(resolved("relu"), "aten::relu");
  EXPECT_EQ(resolved("add"), "aten::add.Tensor");
  EXPECT_EQ(resolved("where"), "aten::where.self");
}

TEST(ResolveOperatorTest, AnAmbiguousNameListsItsOverloads) {
  EXPECT_THAT(resolved("softmax"),
              AllOf(HasSubstr("error"), HasSubstr("softmax.int"), HasSubstr("softmax.Dimname")));
}

TEST(ResolveOperatorTest, ANameWithoutAnOperatorInItIsSaidToBeSo) {
  for (const char* name : {"", " ", "aten::", "aten::.out"}) {
    const auto found = resolveOperator(name, some);
    ASSERT_FALSE(found) << name;
    EXPECT_THAT(found.error().text, HasSubstr("has no operator's name in it")) << name;
    EXPECT_THAT(found.error().hint, HasSubstr("--op"));
  }
}

TEST(ResolveOperatorTest, AnUnknownNameSuggestsNearOnes) {
  EXPECT_THAT(resolved("rleu"), AllOf(HasSubstr("Unknown operator \"rleu\""), HasSubstr("relu")));
  EXPECT_THAT(resolved("add.Tenzor"), AllOf(HasSubstr("Unknown"), HasSubstr("add.Tensor")));
  EXPECT_THAT(resolved("qqqqqqqq"), HasSubstr("warpbench list operators"));
  EXPECT_THAT(resolved(""), HasSubstr("has no operator's name in it"));
  EXPECT_THAT(resolved("*"), HasSubstr("Unknown"));
}

class CatalogueFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/wb-catalogue-XXXXXX";
    folder_ = mkdtemp(pattern);
    setenv("WARPBENCH_CACHE", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("WARPBENCH_CACHE");
    std::filesystem::remove_all(folder_);
  }
  std::filesystem::path folder_;
};

TEST_F(CatalogueFileTest, ReadsWhatWasWritten) {
  ASSERT_TRUE(writeCatalogue({"2.11.0+cu130", some}));
  const auto read = readCatalogue();
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->torch, "2.11.0+cu130");
  EXPECT_EQ(read->operators, some);
  EXPECT_EQ(catalogueFile("2.11.0+cu130"), folder_ / "catalogue" / "2.11.0+cu130.json");
}

TEST_F(CatalogueFileTest, TakesTheNewestAndStepsOverABrokenOne) {
  ASSERT_TRUE(writeCatalogue({"1.0", {}}));
  ASSERT_TRUE(writeCatalogue({"2.0", some}));
  const auto old = std::filesystem::last_write_time(catalogueFile("2.0")) - std::chrono::hours(1);
  std::filesystem::last_write_time(catalogueFile("1.0"), old);
  EXPECT_EQ(readCatalogue()->torch, "2.0");
  ASSERT_TRUE(writeFileAtomically(catalogueFile("2.0"), "{\"version\": 1, \"torch\": 3}"));
  EXPECT_EQ(readCatalogue()->torch, "1.0");
}

TEST_F(CatalogueFileTest, SaysHowToGetOne) {
  const auto none = readCatalogue();
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().hint, HasSubstr("warpbench doctor"));
  ASSERT_TRUE(writeFileAtomically(catalogueFile("2.0"), "not json"));
  const auto broken = readCatalogue();
  ASSERT_FALSE(broken);
  EXPECT_THAT(describe(broken.error()), HasSubstr("warpbench doctor"));
}

TEST_F(CatalogueFileTest, AVersionCannotLeaveTheFolder) {
  EXPECT_EQ(catalogueFile("../../evil").parent_path(), folder_ / "catalogue");
  EXPECT_THAT(catalogueFile("../../evil").filename().string(), Not(HasSubstr("/")));
  EXPECT_EQ(catalogueFile("").parent_path(), folder_ / "catalogue");
}

}  // namespace
}  // namespace wb
