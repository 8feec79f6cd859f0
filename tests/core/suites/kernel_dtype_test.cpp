// SPDX-License-Identifier: Apache-2.0
#include "core/suites/kernel_dtype.h"

#include <gtest/gtest.h>

#include <array>

namespace wb {
namespace {

TEST(NamedDtype, IsWhatTheKernelIsWrittenFor) {
  EXPECT_EQ(namedDtype("__global__ void relu(const float* x, float* y, int n) {}"), "float32");
  EXPECT_EQ(namedDtype("if (x.scalar_type() != at::kFloat) return at::relu(x);"), "float32");
  EXPECT_EQ(namedDtype("auto a = x.accessor<float, 2>();"), "float32");
  EXPECT_EQ(namedDtype("assert x.dtype == torch.float32"), "float32");
  EXPECT_EQ(namedDtype("void f(const double *x)"), "float64");
  EXPECT_EQ(namedDtype("__global__ void f(__half* x) { float sum = static_cast<float>(x[0]); }"), "float16");
}

TEST(NamedDtype, IsNoneForAKernelThatTakesAny) {
  EXPECT_EQ(namedDtype("void f(const scalar_t* x, float* sums)"), "");
  EXPECT_EQ(namedDtype("AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, t, \"f\", [&] {});"), "");
  EXPECT_EQ(namedDtype("AT_DISPATCH_FLOATING_TYPES(t, \"f\", [&] { g<scalar_t>(); });"), "float32");
  EXPECT_EQ(namedDtype("x = tl.load(p).to(tl.float32)"), "");
  EXPECT_EQ(namedDtype("void f(const __nv_bfloat16* x, float* y)"), "");
  EXPECT_EQ(namedDtype("float scale = 2; return x * scale;"), "") << "a number, not a tensor's type";
  EXPECT_EQ(namedDtype("// takes float* only\n/* data_ptr<float>() */ # torch.float32\n"), "");
  EXPECT_EQ(namedDtype(""), "");
}

TEST(SuiteDtype, IsTheChosenOneElseTheKernels) {
  const std::string single = "float* x", other = "double* x", any = "scalar_t* x";
  EXPECT_EQ(suiteDtype("float16", std::array{single}), "float16");
  EXPECT_EQ(suiteDtype("auto", std::array{single}), "float32");
  EXPECT_EQ(suiteDtype("auto", std::array{single, single}), "float32");
  EXPECT_EQ(suiteDtype("auto", std::array{single, other}), "bfloat16");
  EXPECT_EQ(suiteDtype("auto", std::array{single, any}), "bfloat16");
  EXPECT_EQ(suiteDtype("auto", {}), "bfloat16");
}

}  // namespace
}  // namespace wb
