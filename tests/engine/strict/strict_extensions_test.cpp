// SPDX-License-Identifier: Apache-2.0
// CUDA extensions: the judge builds both parts, and a guest loads the host's and names its kernels. Without a
// GPU they are not run. The tests of the compiler use this cache too, since a header for extensions takes
// long.
#include <algorithm>

#include "core/base/files/file.h"
#include "core/jobs/evaluation/evaluation_job.h"
#include "tests/engine/strict/strict_fixture.h"

namespace wb {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;

class StrictExtensions : public StrictWorker {
 protected:
  static void SetUpTestSuite() {
    setenv("WARPBENCH_CACHE", WB_BINARY_DIR "/tests/cache", 1);
    StrictWorker::SetUpTestSuite();
  }
  static void TearDownTestSuite() {
    StrictWorker::TearDownTestSuite();
    unsetenv("WARPBENCH_CACHE");
  }
  /// What is known of the kernels of the GPU: name, registers, bytes of the binary.
  static std::vector<std::string> compiledKernels(const KernelReport& kernel) {
    std::vector<std::string> all;
    for (const Artifact& each : kernel.compiled ? kernel.compiled->artifacts : std::vector<Artifact>{})
      if (each.architecture == "sm_90")
        all.push_back(each.name + " " + std::to_string(each.registers) + " " +
                      std::to_string(each.binaryBytes));
    return all;
  }
};

TEST_F(StrictExtensions, AreBuiltAsWithoutStrictAndSayWhyTheyDoNotRun) {
  const auto sample = readSource(WB_SOURCE_DIR "/resources/samples/relu_torch_cuda.cu");
  ASSERT_TRUE(sample);
  Job job = jobOf("relu.cu", *sample);
  const Report strict = run(job);
  job.strict = false;
  const Report plain = run(job);
  const KernelReport& kernel = *strict.kernels[0];
  ASSERT_FALSE(kernel.failure) << describe(*kernel.failure);
  ASSERT_TRUE(kernel.compiled);
  EXPECT_THAT(kernel.compiled->note, HasSubstr("Compiled for sm_90; not run: "));
  EXPECT_FALSE(kernel.compiled->runs);
  EXPECT_EQ(kernel.compiled->note, plain.kernels[0]->compiled->note);
  EXPECT_THAT(compiledKernels(kernel), SizeIs(testing::Ge(9)));
  EXPECT_EQ(compiledKernels(kernel), compiledKernels(*plain.kernels[0]));
  EXPECT_EQ(kernel.counts.checked, 0);
}

TEST_F(StrictExtensions, OfRequestsAreCompiledAndSayWhyTheyDoNotRun) {
  const std::string arguments =
      R"("io":{"args":[{"name":"a","type":"tensor","tensor_spec":{"shape":[8]}},)"
      R"({"name":"c","type":"tensor","role":"output","tensor_spec":{"shape":[8]}}]})";
  const std::string kernel =
      R"({"source_code":"__global__ void r(const float* a, float* c) {}","kernel_type":)"
      R"("cuda",)" +
      arguments + "}";
  const std::string reference =
      R"({"source_code":"import torch\nclass Model(torch.nn.Module):\n  def forward(self, a, c): return a",)"
      R"("kernel_type":"torch","metadata":{"class_name":"Model"},)" +
      arguments + "}";
  for (const bool compares : {false, true}) {
    const std::string body = compares
                                 ? R"({"ref_kernel":)" + reference + R"(,"custom_kernel":)" + kernel + "}"
                                 : R"({"kernel":)" + kernel + "}";
    const auto route = compares ? EvaluationRoute::compare : EvaluationRoute::evaluate;
    const auto read = readEvaluation(route, body, "");
    ASSERT_TRUE(std::holds_alternative<EvaluationRequest>(read)) << std::get<RefusedRequest>(read).body;
    Result<Job> job = makeJob(evaluationJob(std::get<EvaluationRequest>(read), "cpu", false));
    ASSERT_TRUE(job) << describe(job.error());
    job->strict = true;
    const Report report = run(*job);
    const KernelReport& found = *report.kernels.at(0);
    ASSERT_FALSE(found.failure) << describe(*found.failure);
    ASSERT_TRUE(found.compiled);
    EXPECT_FALSE(found.compiled->runs);
    EXPECT_THAT(found.compiled->note, HasSubstr("Compiled for sm_90; not run: "));
    EXPECT_EQ(found.counts.checked, 0);
  }
}

TEST_F(StrictExtensions, NothingOfThemRunsInTheJudgeAndTheirErrorsAreSaid) {
  const std::string whole = R"(#include <torch/extension.h>
#include <cstdlib>
__global__ void k(float* x) { x[0] = 1; }
at::Tensor relu(const at::Tensor& x) {
  k<<<1, 1>>>(x.data_ptr<float>());
  return x;
}
)";
  std::string broken = whole;
  broken.replace(broken.find("x[0] = 1"), 8, "z[0] = 1");
  const std::string aborts =
      whole + "at::Tensor stop() { std::abort(); }\nstatic const at::Tensor stopped = stop();\n";
  Job job = jobOf("aborts.cu", aborts);
  job.kernels.push_back({"broken.cu", broken, "", "", "", ""});
  job.kernels.push_back({"whole.cu", whole, "", "", "", ""});
  const Report report = run(job);
  EXPECT_TRUE(report.losses.empty()) << "the judge lives on";
  ASSERT_TRUE(report.kernels[0]->failure);
  EXPECT_THAT(report.kernels[0]->failure->text,
              HasSubstr("The kernel's process was lost (aborted (SIGABRT))"));
  EXPECT_THAT(report.kernels[0]->failure->text, HasSubstr("while loading aborts.cu"));
  ASSERT_TRUE(report.kernels[1]->failure);
  EXPECT_THAT(report.kernels[1]->failure->text, HasSubstr("1 error in broken.cu"));
  const auto& said = report.kernels[1]->diagnostics;
  EXPECT_TRUE(std::any_of(said.begin(), said.end(), [](const Diagnostic& each) {
    return each.severity == Severity::error && each.place == Place{"broken.cu", 3, 31};
  })) << "at the user's place";
  ASSERT_FALSE(report.kernels[2]->failure) << describe(*report.kernels[2]->failure);
  EXPECT_THAT(compiledKernels(*report.kernels[2]), Contains(testing::StartsWith("k ")));
}

}  // namespace
}  // namespace wb
