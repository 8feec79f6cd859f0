// SPDX-License-Identifier: Apache-2.0
// Raw CUDA kernels that passed are asked at other shapes, and what comes of that harms nobody.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/base/text.h"
#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;

class GpuFurther : public GpuTest {
 protected:
  static constexpr const char* right = "if (i < n) y[i] = x[i] > 0 ? x[i] : 0;";

  /// Runs a kernel with this body, and after it one that is right.
  Report asked(const std::string& body) {
    Job job = reluJob(reluWith(body), {4096});
    job.kernels.push_back({"other.cu", reluWith(right), "raw_cuda", "aten::relu"});
    Report report = runInWorker(job);
    printAll(report);
    for (const auto& kernel : report.kernels) EXPECT_EQ(kernel->counts.passed, 1);
    EXPECT_EQ(warningsOf(*report.kernels[1]), "");
    EXPECT_TRUE(report.losses.empty()) << "a question is no loss";
    EXPECT_EQ(report.outcome, Outcome::finished);
    return report;
  }
  static std::string warningsOf(const KernelReport& kernel) {
    std::vector<std::string> all;
    for (const Diagnostic& each : kernel.diagnostics)
      if (each.severity == Severity::warning) all.push_back(each.message);
    return joined(all, "\n");
  }
};

TEST_F(GpuFurther, AKernelThatIsRightEverywhereIsNotRemarkedOn) {
  EXPECT_EQ(warningsOf(*asked(right).kernels[0]), "");
}

TEST_F(GpuFurther, OneThatIsForOneShapeIsSaidToBeWrongAtOthers) {
  const Report report = asked("if (i < n && n == 4096) y[i] = x[i] > 0 ? x[i] : 0;");
  EXPECT_THAT(warningsOf(*report.kernels[0]), HasSubstr("it is wrong at other shapes"));
}

TEST_F(GpuFurther, AFaultAtOtherShapesIsSaidAndTheNextKernelRuns) {
  const Report report = asked(
      "if (i < n) y[i] = x[i] > 0 ? x[i] : 0; if (n != 4096) *reinterpret_cast<volatile int*>(16) = 1;");
  EXPECT_THAT(warningsOf(*report.kernels[0]), HasSubstr("it makes a fault of the GPU at other shapes"));
}

TEST_F(GpuFurther, OneThatDoesNotEndAtOtherShapesIsSaidAndTheNextKernelRuns) {
  const Report report =
      asked("if (i < n) y[i] = x[i] > 0 ? x[i] : 0; if (n != 4096) while (true) __nanosleep(1000);");
  EXPECT_THAT(warningsOf(*report.kernels[0]), HasSubstr("it does not end at other shapes"));
}

}  // namespace
}  // namespace wb
