// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/raw_cuda/header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<RawCudaHeader> parsed(const std::string& text) {
  return parseRawCudaHeader(text, "k.cu");
}

TEST(Header, ThreeLinesAreEnough) {
  auto header = parsed("/* warpbench\noperator = \"aten::relu\"\n*/\n__global__ void relu();");
  ASSERT_TRUE(header) << header.error().text;
  EXPECT_TRUE(header->present);
  EXPECT_EQ(header->op.name, "aten::relu");
  EXPECT_FALSE(header->args);
  EXPECT_TRUE(header->grid.empty() && header->block.empty());
}

TEST(Header, ReadsEverything) {
  auto header = parsed(R"cu(// SPDX-License-Identifier: Apache-2.0
/* warpbench                      # TOML
operator = "aten::native_layer_norm"
args = ["self", "out", "out1", "tmp", "numel(self)", 1.5, 3, true, "alpha"]
kernel = "norm<scalar_t, 256>"
grid = ["ceil_div(numel(self), 256)", 2]
block = [32, 8]
shared = "size(self, 1) * 4"
options = ["--use_fast_math", "-DN=3"]
workspace = { tmp = "numel(self)", raw = { bytes = 64 }, more = { elements = "4" } }
zero = ["out1", "tmp"]
scalar_t = "self"
strided = true
elementwise = true
*/
)cu");
  ASSERT_TRUE(header) << header.error().text;
  EXPECT_EQ(header->place, (Place{"k.cu", 2, 1}));
  EXPECT_EQ(header->kernel.name, "norm<scalar_t, 256>");
  ASSERT_TRUE(header->args);
  ASSERT_EQ(header->args->size(), 9U);
  EXPECT_EQ((*header->args)[4].text(), "numel(self)");
  EXPECT_EQ(*(*header->args)[5].evaluate({}), Number{1.5});
  EXPECT_EQ(*(*header->args)[7].evaluate({}), Number{std::int64_t{1}});
  EXPECT_EQ(header->grid.size(), 2U);
  EXPECT_EQ(*header->block[1].integer({}), 8);
  EXPECT_EQ(header->shared->text(), "size(self, 1) * 4");
  EXPECT_THAT(header->options, ElementsAre("--use_fast_math", "-DN=3"));
  ASSERT_EQ(header->workspaces.size(), 3U);
  for (const auto& workspace : header->workspaces) EXPECT_EQ(workspace.inBytes, workspace.name == "raw");
  EXPECT_EQ(header->zero.size(), 2U);
  EXPECT_EQ(header->scalarType.name, "self");
  EXPECT_TRUE(header->strided && header->elementwise);
}

TEST(Header, SingleValuesNeedNoList) {
  auto header =
      parsed("/* warpbench\nblock = 128\ngrid = \"numel(out)\"\noptions = \"-G\"\nzero = \"out\"\n*/");
  ASSERT_TRUE(header) << header.error().text;
  EXPECT_EQ(*header->block[0].integer({}), 128);
  EXPECT_EQ(header->grid.size(), 1U);
  EXPECT_THAT(header->options, ElementsAre("-G"));
}

TEST(Header, StarsAtTheHeadOfLinesAreDecoration) {
  auto header = parsed("/** warpbench\n * operator = \"aten::relu\"\n *\n * block = 64\n */\n");
  ASSERT_TRUE(header) << header.error().text;
  EXPECT_EQ(header->op.name, "aten::relu");
  EXPECT_EQ(*header->block[0].integer({}), 64);
}

TEST(Header, WindowsLineEndsAndAByteOrderMarkAreTaken) {
  auto header = parsed("\xEF\xBB\xBF/* warpbench\r\noperator = \"aten::relu\"\r\nblock = 64\r\n*/\r\n");
  ASSERT_TRUE(header) << header.error().text;
  EXPECT_EQ(header->op.name, "aten::relu");
}

TEST(Header, ASourceWithoutOneIsAllDefaults) {
  auto header = parsed("// a kernel\n/* warpbenches are nice */\n__global__ void relu();");
  ASSERT_TRUE(header);
  EXPECT_FALSE(header->present);
}

struct Bad {
  const char* text;
  int line, column;
  const char* what;
};
class BadHeader : public testing::TestWithParam<Bad> {};
TEST_P(BadHeader, SaysWhatAndWhere) {
  auto header = parsed(GetParam().text);
  ASSERT_FALSE(header) << GetParam().text;
  EXPECT_EQ(header.error().stage, Stage::compile);
  EXPECT_THAT(header.error().text, HasSubstr(GetParam().what));
  EXPECT_EQ(header.error().place, (Place{"k.cu", GetParam().line, GetParam().column}))
      << GetParam().text << header.error().text;
}
INSTANTIATE_TEST_SUITE_P(
    Headers, BadHeader,
    testing::Values(Bad{"/* warpbench\noperator = aten::relu\n*/", 2, 12, "not TOML"},
                    Bad{"/* warpbench operator = 3 */", 1, 25, "operator must be a string"},
                    Bad{"\n/* warpbench\nblock = 64\nblock = 65\n*/", 4, 9, "not TOML"},
                    Bad{"/* warpbench\n\n  opertor = \"x\"\n*/", 3, 3, "no key opertor"},
                    Bad{"/* warpbench\nargs = [\"self\", \"1 +\"]\n*/", 2, 21, "too early"},
                    Bad{"/* warpbench\nargs = [\"self\", []]\n*/", 2, 17, "args takes numbers"},
                    Bad{"/* warpbench\ngrid = [1, 2, 3, 4]\n*/", 2, 8, "at most 3"},
                    Bad{"/* warpbench\nshared = \"4 * foo(\"\n*/", 2, 15, "no function foo"},
                    Bad{"/* warpbench\noptions = [1]\n*/", 2, 12, "must be a string"},
                    Bad{"/* warpbench\nworkspace = 3\n*/", 2, 13, "must be a table"},
                    Bad{"/* warpbench\nworkspace = { t = { size = 3 } }\n*/", 2, 19, "elements or bytes"},
                    Bad{"/* warpbench\nstrided = 1\n*/", 2, 11, "true or false"},
                    Bad{"/* warpbench\noperator = \"aten::relu\"\n", 1, 1, "does not end"},
                    Bad{"#include <cuda_fp16.h>\nint x;\n/* warpbench\noperator = \"aten::relu\"\n*/", 3, 1,
                        "before any code"}));

}  // namespace
}  // namespace wb
