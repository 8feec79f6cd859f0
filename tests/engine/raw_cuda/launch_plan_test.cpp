// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/raw_cuda/launch_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb {
namespace {

using testing::HasSubstr;
using Kind = ParameterSource::Kind;

constexpr const char* reluSchema = "aten::relu(Tensor self) -> Tensor";
constexpr const char* addSchema = "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor";
constexpr const char* normSchema =
    "aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float "
    "eps) -> (Tensor, Tensor, Tensor)";

Result<LaunchPlan> planned(const std::string& text, const std::string& schema) {
  WB_TRY(auto header, parseRawCudaHeader(text, "k.cu"));
  return planLaunch(std::move(header), scanCudaSource(text, "k.cu"), schema);
}

std::vector<Kind> kinds(const LaunchPlan& plan) {
  std::vector<Kind> all;
  for (const auto& source : plan.sources) all.push_back(source.kind);
  return all;
}

TEST(LaunchPlan, DefaultsAreTensorsOutputsAndTheCount) {
  auto plan = planned("__global__ void relu(const scalar_t* x, scalar_t* y, int n) {}", reluSchema);
  ASSERT_TRUE(plan) << plan.error().text;
  EXPECT_EQ(kinds(*plan), (std::vector{Kind::argument, Kind::output, Kind::number}));
  EXPECT_EQ(plan->sources[2].number.text(), "numel(out)");
  EXPECT_EQ(plan->nameExpression, "relu");
  EXPECT_TRUE(plan->perDtype);
  auto without = planned("__global__ void relu(const float* x, float* y) {}", reluSchema);
  ASSERT_TRUE(without) << without.error().text;
  EXPECT_EQ(kinds(*without), (std::vector{Kind::argument, Kind::output}));
  EXPECT_FALSE(without->perDtype);
}

TEST(LaunchPlan, SeveralOutputsAndOptionalTensors) {
  auto plan = planned(
      "/* warpbench\nargs = [\"input\", \"weight\", \"null\", \"out0\", \"out1\", \"out2\", \"numel(input) / "
      "size(input, -1)\", \"normalized_shape[-1]\", \"eps\"]\n*/"
      "__global__ void norm(const float*, const float*, const float*, float*, float*, float*, int rows, int "
      "columns, float eps) {}",
      normSchema);
  ASSERT_TRUE(plan) << plan.error().text;
  EXPECT_EQ(kinds(*plan), (std::vector{Kind::argument, Kind::argument, Kind::null, Kind::output, Kind::output,
                                       Kind::output, Kind::number, Kind::number, Kind::number}));
  EXPECT_EQ(plan->sources[4].index, 1U);
}

TEST(LaunchPlan, InPlaceOutputsAreTheArgument) {
  auto plan =
      planned("__global__ void relu(scalar_t* x, int n) {}", "aten::relu_(Tensor(a!) self) -> Tensor(a!)");
  ASSERT_TRUE(plan) << plan.error().text;
  EXPECT_EQ(kinds(*plan), (std::vector{Kind::argument, Kind::number}));
  EXPECT_EQ(plan->outputs[0].argument, std::optional<std::size_t>(0));
  EXPECT_TRUE(plan->writtenArguments[0]);
  auto named =
      planned("/* warpbench\nargs=[\"out\", \"numel(out)\"]\n*/__global__ void relu(scalar_t* x, int n) {}",
              "aten::relu_(Tensor(a!) self) -> Tensor(a!)");
  ASSERT_TRUE(named);
  EXPECT_EQ(named->sources[0].kind, Kind::argument);
}

TEST(LaunchPlan, OnlyTensorsWhoseStridesAreAskedForStayStrided) {
  auto plan = planned(
      "/* warpbench\nargs = [\"self\", \"other\", \"out\", \"stride(other, 0)\"]\n*/__global__ void k(float* "
      "a, float* b, float* c, long s) {}",
      addSchema);
  ASSERT_TRUE(plan) << plan.error().text;
  EXPECT_FALSE(plan->stridedArguments[0]);
  EXPECT_TRUE(plan->stridedArguments[1]);
  EXPECT_FALSE(plan->outputs[0].strided);
  auto all = planned("/* warpbench\nstrided = true\n*/__global__ void k(float* a, float* b, float* c) {}",
                     addSchema);
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->stridedArguments[0]);
  EXPECT_TRUE(all->outputs[0].strided);
}

TEST(LaunchPlan, TemplatesGetTheScalarType) {
  auto plan = planned(
      "template <typename scalar_t> __global__ void k(const scalar_t* x, scalar_t* y, int n) {}", reluSchema);
  ASSERT_TRUE(plan) << plan.error().text;
  EXPECT_EQ(plan->nameExpression, "k<scalar_t>");
  auto given = planned(
      "/* warpbench\nkernel = \"k<scalar_t, 4>\"\nargs = [\"self\", \"out\", \"1.5\"]\n*/"
      "template <typename T, int N> __global__ void k(const T* x, T* y, T z) {}",
      reluSchema);
  ASSERT_TRUE(given) << given.error().text;
  EXPECT_EQ(given->nameExpression, "k<scalar_t, 4>");
  EXPECT_EQ(given->aliases.at("T"), "scalar_t");
}

TEST(LaunchPlan, WorkspacesAndZeros) {
  auto plan = planned(
      "/* warpbench\nargs = [\"self\", \"out\", \"tmp\"]\nworkspace = { tmp = \"numel(self)\" }\nzero = "
      "[\"out\", \"tmp\"]\n*/"
      "__global__ void k(float* x, float* y, int* tmp) {}",
      reluSchema);
  ASSERT_TRUE(plan) << plan.error().text;
  EXPECT_EQ(plan->sources[2].kind, Kind::workspace);
  EXPECT_EQ(plan->zeroOutputs.size(), 1U);
  EXPECT_EQ(plan->zeroWorkspaces.size(), 1U);
}

struct Bad {
  const char* text;
  const char* schema;
  int line, column;
  const char* what;
};
class BadPlan : public testing::TestWithParam<Bad> {};
TEST_P(BadPlan, SaysWhatAndWhere) {
  auto plan = planned(GetParam().text, GetParam().schema);
  ASSERT_FALSE(plan) << GetParam().text;
  EXPECT_EQ(plan.error().stage, Stage::compile);
  EXPECT_THAT(plan.error().text, HasSubstr(GetParam().what));
  EXPECT_EQ(plan.error().place, (Place{"k.cu", GetParam().line, GetParam().column}))
      << GetParam().text << "\n"
      << plan.error().text;
}
INSTANTIATE_TEST_SUITE_P(
    Plans, BadPlan,
    testing::Values(
        Bad{"int x;", reluSchema, 1, 1, "no __global__ function"},
        Bad{"__global__ void a() {}\n__global__ void b() {}", reluSchema, 1, 1,
            "several __global__ functions: a, b"},
        Bad{"/* warpbench\nkernel = \"rely\"\n*/__global__ void relu(float* x) {}", reluSchema, 2, 11,
            "no __global__ function rely"},
        Bad{"/* warpbench\nkernel = \"k<float>\"\n*/__global__ void k(float* x) {}", reluSchema, 2, 11,
            "not a template"},
        Bad{"\ntemplate <class T, int N> __global__ void k(T* x) {}", reluSchema, 2, 43,
            "template of 2 parameters"},
        Bad{"__global__ void k(float* x) {}", reluSchema, 1, 17,
            "takes 1 parameters; without args it would get self, out"},
        Bad{"/* warpbench\nargs = [\"self\", \"out\"]\n*/__global__ void k(float* x, float* y, int n) {}",
            reluSchema, 2, 10, "args lists 2, but k takes 3"},
        Bad{"/* warpbench\nargs = [\"self\", \"out\", \"numel(slef)\"]\n*/__global__ void k(float* x, float* "
            "y, int n) {}",
            reluSchema, 2, 31, "Unknown name slef"},
        Bad{"/* warpbench\nargs = [\"self\", \"out1\"]\n*/__global__ void k(float* x, float* y) {}",
            reluSchema, 2, 18, "Unknown name out1"},
        Bad{"/* warpbench\nargs = [\"self\", \"out\"]\n*/__global__ void k(float* x, float y) {}", reluSchema,
            2, 18, "not a pointer: float y"},
        Bad{"/* warpbench\nargs = [\"self\", \"numel(out)\"]\n*/__global__ void k(float* x, float* y) {}",
            reluSchema, 2, 18, "is a pointer: float* y"},
        Bad{"/* warpbench\nargs = [\"self\", \"out\", \"out + 1\"]\n*/__global__ void k(float* x, float* y, "
            "int n) {}",
            reluSchema, 2, 25, "out is a tensor, not a number"},
        Bad{"/* warpbench\nargs = [\"self\", \"out\", 3]\n*/\n__global__ void k(float* x, float* y, float2 "
            "n) {}",
            reluSchema, 4, 39, "cannot be passed: float2 n"},
        Bad{"/* warpbench\ngrid = \"numel(x)\"\n*/__global__ void k(float* x, float* y) {}", reluSchema, 2,
            15, "Unknown name x"},
        Bad{"/* warpbench\nzero = [\"self\"]\n*/__global__ void k(float* x, float* y) {}", reluSchema, 2, 10,
            "no output of its own"},
        Bad{"/* warpbench\nscalar_t = \"selff\"\n*/__global__ void k(float* x, float* y) {}", reluSchema, 2,
            13, "Unknown name selff"},
        Bad{"/* warpbench\nworkspace = { out = 3 }\n*/__global__ void k(float* x, float* y) {}", reluSchema,
            2, 21, "name of an argument or output"},
        Bad{"/* warpbench\nargs = [\"out\", \"numel(tensors)\"]\n*/__global__ void k(float* x, int n) {}",
            "aten::cat(Tensor[] tensors, int dim=0) -> Tensor", 2, 23, "cannot take: Tensor[]"},
        Bad{"__global__ void k(float* x, float* y) {}",
            "aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]", 1, 1,
            "which a raw CUDA kernel cannot"}));

}  // namespace
}  // namespace wb
