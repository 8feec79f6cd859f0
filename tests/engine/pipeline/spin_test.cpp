// SPDX-License-Identifier: Apache-2.0
#include "core/engine/machine/spin.h"

#include <ATen/ops/arange.h>
#include <gtest/gtest.h>

#include <chrono>
#include <regex>
#include <string>

#include "core/engine/compile/nvrtc/nvrtc.h"
#include "core/engine/compile/nvrtc/prelude.h"
#include "core/engine/machine/ceiling_kernels.h"
#include "core/engine/reference/operator.h"
#include "core/jobs/selftest.h"

namespace wb {
namespace {

/// The PTX of the kernel `name`, without its name and the number of its place in the source.
std::string spinPtx(const std::string& source, const std::string& prelude, const std::string& name) {
  NvrtcRequest request;
  request.source = source;
  request.fileName = "spin.cu";
  request.prelude = prelude;
  request.options = {"--gpu-architecture=sm_90", "-std=c++17"};
  const auto compiled = compileWithNvrtc(request);
  if (!compiled || !compiled->ok) return "";
  const std::string& all = compiled->ptx;
  const std::size_t start = all.find(".entry " + name + "(");
  if (start == std::string::npos) return "";
  std::string ptx = all.substr(start, all.find("\n}\n", start) - start);
  ptx = std::regex_replace(ptx, std::regex("\\b" + name), "spin");
  return std::regex_replace(ptx, std::regex("L__BB[0-9]+_"), "L_");
}

TEST(Spin, TheKernelsOfTheSelftestAreTheReferences) {
  const std::string reference = spinPtx(ceilingSource(), "", "spin");
  EXPECT_NE(reference.find("globaltimer"), std::string::npos);
  const JobRequest request = knownRatioRequest(1, "cuda:0");
  ASSERT_EQ(request.sources.size(), 9U);
  for (const KernelSource& kernel : {request.sources.front(), request.sources.back()}) {
    const auto prelude = makePrelude("", kernel.text);
    ASSERT_TRUE(prelude);
    EXPECT_EQ(spinPtx(kernel.text, *prelude, "_Z4spinPKfPfxx"), reference) << kernel.path;
  }
}

TEST(Spin, IsAnOperatorThatWaitsAndCopies) {
  const auto entry = defineSpin("");
  ASSERT_TRUE(entry) << entry.error().text;
  EXPECT_EQ(entry->name, spinOperator);
  EXPECT_TRUE(defineSpin("")) << "asked for again";
  const auto op = findOperator(spinOperator);
  ASSERT_TRUE(op) << op.error().text;
  const at::Tensor input = at::arange(5, at::kFloat);
  const auto call = prepareReference(*op, {input, std::int64_t{200'000}});
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(call->run());
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::microseconds(200));
  const auto outputs = call->outputs();
  ASSERT_TRUE(outputs);
  EXPECT_TRUE((*outputs)[0].toTensor().equal(input));
  EXPECT_FALSE((*outputs)[0].toTensor().is_same(input));
}

}  // namespace
}  // namespace wb
