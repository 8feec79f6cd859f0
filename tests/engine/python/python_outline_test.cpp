// SPDX-License-Identifier: Apache-2.0
#include "core/engine/python/python_outline.h"

#include <gmock/gmock.h>

namespace wb {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(PythonOutline, NamesOutermostFunctionsAndClasses) {
  const auto outline = outlineOf(
      "import torch\nclass Model(nn.Module):\n    def forward(self, x):\n        pass\n"
      "def get_inputs():\n    return []\n");
  EXPECT_THAT(outline.functions, ElementsAre("get_inputs"));
  EXPECT_THAT(outline.classes, ElementsAre("Model"));
}

TEST(PythonOutline, LeavesOutTritonsKernels) {
  const auto outline = outlineOf(
      "@triton.autotune(configs=[])\n@triton.jit\ndef relu_kernel(x):\n    pass\n\ndef relu(x):\n    pass\n");
  EXPECT_THAT(outline.functions, ElementsAre("relu"));
}

TEST(PythonOutline, IsNotFooledByStrings) {
  const auto outline = outlineOf(
      "text = \"\"\"\ndef hidden():\n\"\"\"\nother = '\\'\\'\\''  # \"\"\"\ndef seen():\n    pass\n");
  EXPECT_THAT(outline.functions, ElementsAre("seen"));
  EXPECT_THAT(outlineOf("").functions, IsEmpty());
}

TEST(PythonOutline, PrefersKernelImplThenTheLastFunction) {
  EXPECT_THAT(possiblePythonKernels(
                  outlineOf("def a():\n  pass\ndef relu_kernel_impl():\n  pass\ndef b():\n  pass\n")),
              ElementsAre("relu_kernel_impl", "b", "a"));
}

TEST(PythonKernelNames, BeginWithBackendBenchsFolder) {
  EXPECT_THAT(pythonKernelNames("aten::relu"),
              ElementsAre("relu__default_kernel_impl", "relu_kernel_impl", "relu__default", "relu"));
  EXPECT_THAT(pythonKernelNames("aten::add_.Tensor"),
              ElementsAre("add___Tensor_kernel_impl", "add__kernel_impl", "add___Tensor", "add_"));
  EXPECT_THAT(pythonKernelNames("aten::sum.dim_IntList"),
              ElementsAre("sum__dim_IntList_kernel_impl", "sum_kernel_impl", "sum__dim_IntList", "sum"));
}

}  // namespace
}  // namespace wb
