// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <map>

#include "core/base/files/file.h"
#include "core/engine/compile/raw_cuda/raw_cuda_compiler.h"
#include "tests/gpu/kernels.h"

namespace wb {
namespace {

const std::map<std::string, std::string>& schemas() {
  static const std::map<std::string, std::string> all{
      {"aten::relu", "aten::relu(Tensor self) -> Tensor"},
      {"aten::add.Tensor", "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"},
      {"aten::_softmax", "aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"},
      {"aten::native_layer_norm",
       "aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float "
       "eps) -> (Tensor, Tensor, Tensor)"}};
  return all;
}

/// Messages of a compile for these dtypes; "" when it is clean.
std::string compiled(const std::string& text, std::vector<std::string> dtypes) {
  setenv("WARPBENCH_CACHE", (testing::TempDir() + "wb-raw-cuda-examples").c_str(), 1);
  const KernelSource source{"example.cu", text, "raw_cuda", ""};
  auto compiler = rawCudaCompiler();
  auto claim = compiler->claim(source);
  if (!claim) return claim.error().text;
  if (!schemas().contains(claim->op)) return "no schema for " + claim->op;
  std::string messages;
  auto outcome = compiler->compile({source,
                                    claim->op,
                                    schemas().at(claim->op),
                                    std::move(dtypes),
                                    "cpu",
                                    "",
                                    false,
                                    60,
                                    {},
                                    [&](const Diagnostic& each) { messages += each.message + "\n"; },
                                    {}});
  if (!outcome) return outcome.error().text + "\n" + messages;
  return messages;
}

/// Every kernel on the help page compiles as it stands there.
TEST(RawCudaHelpPage, ItsExamplesCompile) {
  auto page = readFile(std::string(WB_SOURCE_DIR) + "/resources/help/raw-cuda.md");
  ASSERT_TRUE(page) << page.error().text;
  int examples = 0;
  constexpr std::string_view opening = "```cuda\n";
  for (auto at = page->find(opening); at != std::string::npos; at = page->find(opening, at)) {
    at += opening.size();
    const std::string source = page->substr(at, page->find("```", at) - at);
    EXPECT_EQ(compiled(source, {"f32", "f16", "bf16"}), "") << source;
    ++examples;
  }
  EXPECT_EQ(examples, 5);
}

TEST(RawCudaKernelsOfTheGpuTests, CompileForTheirDtypes) {
  for (const char* source : {reluSource, addSource})
    EXPECT_EQ(compiled(source, {"f32", "f16", "bf16", "f64", "i64"}), "") << source;
  for (const char* source : {softmaxSource, layerNormSource})
    EXPECT_EQ(compiled(source, {"f32", "f16", "bf16", "f64"}), "") << source;
}

}  // namespace
}  // namespace wb
