// SPDX-License-Identifier: Apache-2.0
// Triton's kernels where Triton interprets them: right kernels are right, in bfloat16 and with loops too.
#include <gtest/gtest.h>

#include <chrono>

#include "core/base/files/paths.h"
#include "core/base/process/process.h"
#include "core/base/python.h"
#include "tests/engine/python/python_fixture.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string triton = "import torch, triton\nimport triton.language as tl\n";

class InterpretedTriton : public PythonWorker {
 protected:
  static Job jobFor(const std::string& op, const std::string& text,
                    const std::vector<std::string>& arguments) {
    Job job = jobOf(triton + text, op + ".py");
    job.kernels[0].op = op;
    job.cases.clear();
    for (const std::string& each : arguments) job.cases.push_back(caseOf("aten::" + op, each));
    return job;
  }
  /// Two tensors of the same shape, computed element by element by `expression` of a and b.
  static std::string ofTwo(const std::string& op, const std::string& expression) {
    return "@triton.jit\n"
           "def two(x, y, out, n, B: tl.constexpr):\n"
           "    at = tl.program_id(0) * B + tl.arange(0, B)\n"
           "    a = tl.load(x + at, mask=at < n)\n"
           "    b = tl.load(y + at, mask=at < n)\n"
           "    tl.store(out + at, " +
           expression +
           ", mask=at < n)\n"
           "def " +
           op.substr(0, op.find('.')) +
           "_kernel_impl(self, other):\n"
           "    out = torch.empty_like(self)\n"
           "    two[(triton.cdiv(out.numel(), 256),)](self, other, out, out.numel(), B=256)\n"
           "    return out\n";
  }
};

TEST(TritonWarmUp, CompilesAKernelForAGpuThatNeedNotBeThereAndLeavesNothing) {
  const Result<std::filesystem::path> python = findPython();
  ASSERT_TRUE(python);
  const std::string script =
      "import os, sys, tempfile\n"
      "sys.path.insert(0, sys.argv[1])\n"
      "import warpbench_warm\n"
      "before = dict(os.environ)\n"
      "try:\n"
      "    warpbench_warm.warm()\n"
      "except AssertionError:\n"
      "    pass  # there is no driver\n"
      "assert dict(os.environ) == before, 'it changes the environment'\n"
      "assert not any(os.scandir(os.environ['TRITON_CACHE_DIR'])), 'it leaves files'\n"
      "warpbench_warm.compile_kernel()\n"
      "found = [name for _, _, names in os.walk(os.environ['TRITON_CACHE_DIR']) for name in names]\n"
      "print([name for name in found if name.endswith('.cubin')])\n";
  const std::filesystem::path cache = std::filesystem::path(testing::TempDir()) / "wb_triton_warm_up";
  std::filesystem::remove_all(cache);
  std::filesystem::create_directories(cache);
  const auto ran = runToEnd({.argv = {python->string(), "-c", script, (resourceFolder() / "python").string()},
                             .folder = {},
                             .environment = {{"TRITON_CACHE_DIR", cache.string()}}},
                            std::chrono::minutes{1});
  std::filesystem::remove_all(cache);
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->out, "['copied.cubin']\n") << ran->err;
}

TEST_F(InterpretedTriton, ComputesInBfloat16ToTheLastBit) {
  const std::string pair = "((T([40, 50], bf16), T([40, 50], bf16)), {})";
  for (const auto& [op, expression] :
       std::vector<std::pair<std::string, std::string>>{{"mul.Tensor", "a * b"},
                                                        {"div.Tensor", "a / b"},
                                                        {"maximum", "tl.maximum(a, b)"},
                                                        {"minimum", "tl.where(a < b, a, b)"}}) {
    Job job = jobFor(op, ofTwo(op, expression), {pair});
    job.tolerance = {"given", 0, 0};
    const Report report = run(job);
    EXPECT_THAT(verdicts(report), ElementsAre(Verdict::pass)) << op << ": " << check(report).message;
  }
}

TEST_F(InterpretedTriton, RoundsToBfloat16AsAGpuDoes) {
  // The numbers lie where rounding carries into the exponent, at a tie, and where there is nothing to round.
  Job job = jobFor("mul.Tensor", ofTwo("mul.Tensor", "(a.to(tl.float32) * b.to(tl.float32)).to(tl.bfloat16)"),
                   {"((T([64, 64], bf16), T([64, 64], bf16)), {})"});
  job.tolerance = {"given", 0, 0};
  const Report report = run(job);
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::pass)) << check(report).message;
}

TEST_F(InterpretedTriton, LoopsAsOftenAsANumberOfTheHostSays) {
  const std::string text =
      "@triton.jit\n"
      "def product(a, b, out, M, N, K, B: tl.constexpr):\n"
      "    m = tl.program_id(0) * B + tl.arange(0, B)\n"
      "    n = tl.program_id(1) * B + tl.arange(0, B)\n"
      "    sum = tl.zeros((B, B), dtype=tl.float32)\n"
      "    for start in range(0, K, B):\n"
      "        k = start + tl.arange(0, B)\n"
      "        x = tl.load(a + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), "
      "other=0.0)\n"
      "        y = tl.load(b + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), "
      "other=0.0)\n"
      "        sum = tl.dot(x, y, sum)\n"
      "    tl.store(out + m[:, None] * N + n[None, :], sum.to(out.dtype.element_ty),\n"
      "             mask=(m[:, None] < M) & (n[None, :] < N))\n"
      "def mm_kernel_impl(self, mat2):\n"
      "    a, b = self.contiguous(), mat2.contiguous()\n"
      "    out = torch.empty((a.shape[0], b.shape[1]), dtype=a.dtype)\n"
      "    grid = (triton.cdiv(a.shape[0], 32), triton.cdiv(b.shape[1], 32))\n"
      "    product[grid](a, b, out, a.shape[0], b.shape[1], a.shape[1], B=32)\n"
      "    return out\n";
  const Report report = run(
      jobFor("mm", text,
             {"((T([50, 70], f32), T([70, 40], f32)), {})", "((T([50, 70], bf16), T([70, 40], bf16)), {})"}));
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::pass, Verdict::pass)) << check(report).message;
}

TEST_F(InterpretedTriton, TakesTheFirstConfigurationWhereAKernelIsTuned) {
  const std::string text =
      "configs = [triton.Config({'B': 64}), triton.Config({'B': 128})]\n"
      "@triton.autotune(configs=configs, key=['n'])\n"
      "@triton.jit\n"
      "def positive(x, out, n, B: tl.constexpr):\n"
      "    at = tl.program_id(0) * B + tl.arange(0, B)\n"
      "    tl.store(out + at, tl.maximum(tl.load(x + at, mask=at < n), 0.0), mask=at < n)\n"
      "def relu_kernel_impl(self):\n"
      "    out = torch.empty_like(self)\n"
      "    positive[lambda chosen: (triton.cdiv(out.numel(), chosen['B']),)](self, out, out.numel())\n"
      "    assert positive.best_config.kwargs['B'] == 64\n"
      "    return out\n";
  const Report report = run(jobFor("relu", text, {"((T([100], f32),), {})"}));
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::pass)) << check(report).message;
}

TEST_F(InterpretedTriton, CannotAddAtomicallyInBfloat16AndSaysSo) {
  const std::string text =
      "@triton.jit\n"
      "def summed(x, out, n, B: tl.constexpr):\n"
      "    at = tl.arange(0, B)\n"
      "    tl.atomic_add(out + at, tl.load(x + at, mask=at < n), mask=at < n)\n"
      "def relu_kernel_impl(self):\n"
      "    out = torch.zeros_like(self)\n"
      "    summed[(1,)](self, out, out.numel(), B=256)\n"
      "    return out\n";
  const Report report = run(jobFor("relu", text, {"((T([100], bf16),), {})"}));
  EXPECT_THAT(verdicts(report), ElementsAre(Verdict::threw));
  EXPECT_THAT(check(report).message, HasSubstr("no atomic operations in bfloat16"));
}

}  // namespace
}  // namespace wb
