// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "core/base/file.h"
#include "core/engine/compile/raw_cuda/raw_cuda_compiler.h"

namespace wb {
namespace {

/// Every kernel on the help page compiles as it stands there.
TEST(RawCudaHelpPage, ItsExamplesCompile) {
  auto page = readFile(std::string(WB_SOURCE_DIR) + "/resources/help/raw-cuda.md");
  ASSERT_TRUE(page) << page.error().text;
  const std::map<std::string, std::string> schemas{
      {"aten::relu", "aten::relu(Tensor self) -> Tensor"},
      {"aten::add.Tensor", "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"},
      {"aten::_softmax", "aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"},
      {"aten::native_layer_norm",
       "aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float "
       "eps) -> (Tensor, Tensor, Tensor)"}};
  int examples = 0;
  constexpr std::string_view opening = "```cuda\n";
  for (auto at = page->find(opening); at != std::string::npos; at = page->find(opening, at)) {
    at += opening.size();
    const KernelSource source{"example.cu", page->substr(at, page->find("```", at) - at), "raw_cuda", ""};
    auto compiler = rawCudaCompiler();
    auto claim = compiler->claim(source);
    ASSERT_TRUE(claim) << source.text << claim.error().text;
    ASSERT_TRUE(schemas.contains(claim->op)) << claim->op;
    std::string messages;
    auto outcome = compiler->compile({source,
                                      claim->op,
                                      schemas.at(claim->op),
                                      {"f32", "f16", "bf16"},
                                      "cpu",
                                      "",
                                      false,
                                      60,
                                      {},
                                      [&](const Diagnostic& each) { messages += each.message + "\n"; },
                                      {}});
    EXPECT_TRUE(outcome) << source.text << messages;
    if (outcome) {
      EXPECT_EQ(outcome->note.find(" dtypes"), std::string::npos) << messages;
    }
    ++examples;
  }
  EXPECT_EQ(examples, 5);
}

}  // namespace
}  // namespace wb
