// SPDX-License-Identifier: Apache-2.0
// What CUDA extensions are written like compiles in both parts, without nvcc.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/base/files/file.h"
#include "core/engine/compile/torch_cuda/torch_cuda_compiler.h"

namespace wb {
namespace {

class CudaIdioms : public testing::TestWithParam<const char*> {};

TEST_P(CudaIdioms, CompileInTwoParts) {
  setenv("WARPBENCH_CACHE", WB_BINARY_DIR "/tests/cache", 1);
  const std::string text =
      readFile(fmt::format("{}/tests/engine/compile/corpus/{}.cu", WB_SOURCE_DIR, GetParam())).value();
  const KernelSource source{"/somewhere/mine.cu", text, "torch_cuda", "aten::relu", "", ""};
  CompileRequest request{
      source, "aten::relu", "aten::relu(Tensor self) -> Tensor", {}, "cuda:0", "sm_90", false, 240, {}, {},
      {}};
  std::string said;
  request.onDiagnostic = [&](const Diagnostic& d) { said += wb::text(d.place) + ": " + d.message + "\n"; };
  request.onLog = [&](const Log& log) { said += log.text + "\n"; };
  const auto outcome = torchCudaCompiler({"", WB_BINARY_DIR "/tests/cache", true})->compile(request);
  ASSERT_TRUE(outcome.has_value()) << describe(outcome.error()) << said;
  EXPECT_EQ(said.find("whole file"), std::string::npos) << said;
  EXPECT_FALSE(outcome->artifacts.empty());
}

INSTANTIATE_TEST_SUITE_P(Corpus, CudaIdioms,
                         testing::Values("device_names", "host_variables", "tensor_map", "torch_headers"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace wb
