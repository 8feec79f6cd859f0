// SPDX-License-Identifier: Apache-2.0
// The service over the worker that is shipped, on the CPU.
#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/core/service/service_fixture.h"

namespace wb {
namespace {

using testing::Each;
using testing::ElementsAre;

constexpr const char* rightRelu = R"(#include <torch/extension.h>
at::Tensor relu_kernel_impl(const at::Tensor& self) { return self.clamp_min(0); }
)";
constexpr const char* endlessRelu = R"(#include <torch/extension.h>
at::Tensor relu_kernel_impl(const at::Tensor& self) {
  for (volatile bool isOn = true; isOn;) {
  }
  return self;
}
)";

class ServiceOfRealWorkers : public ServiceTest {
 protected:
  static void SetUpTestSuite() {
    setenv("WARPBENCH_WORKER", WB_BINARY_DIR "/bin/warpbench-worker", 1);
    setenv("WARPBENCH_RESOURCES", WB_SOURCE_DIR "/resources", 1);
  }
  void SetUp() override {
    ServiceTest::SetUp();
    open({"cpu"}, [](const std::string& device) {
      auto runner = std::make_unique<Runner>(localLauncher(), device, RunnerOptions{});
      runner->start();
      return runner;
    });
  }
  static Submission reluOf(const char* text) {
    Submission submission;
    submission.client = "ada";
    Job& job = submission.job;
    job.device = "auto";
    job.kernels.push_back({"relu.cpp", text, "", "relu", "", ""});
    job.stages.remove(Stage::time);
    for (const char* shape : {"5", "3, 7"}) {
      Case made;
      made.op = "aten::relu";
      made.args = std::string("((T([") + shape + "], f32),), {})";
      made.dtype = "f32";
      job.cases.push_back(made);
    }
    return submission;
  }
  std::vector<Verdict> verdicts(const std::string& id) {
    const auto report = service_->report(id);
    std::vector<Verdict> found;
    if (report)
      for (std::size_t i = 0; i < report->kernels.at(0)->cases.size(); ++i)
        found.push_back(report->kernels[0]->cases[i].check.verdict);
    return found;
  }
};

TEST_F(ServiceOfRealWorkers, ChecksAKernelAndEndsOneThatHangs) {
  const std::string hung = submit(reluOf(endlessRelu));
  const std::string right = submit(reluOf(rightRelu));
  // It is compiled first, which may take long on a busy machine.
  std::uint64_t next = 0;
  for (bool isAtWork = false; !isAtWork;) {
    const EventPage page = service_->events(hung, next, patience);
    ASSERT_FALSE(page.isLast);
    for (const auto& event : page.events) isAtWork = isAtWork || std::holds_alternative<SideStarted>(*event);
    next = page.next;
  }
  EXPECT_TRUE(service_->cancel(hung, "enough"));
  EXPECT_EQ(end(hung).state, RunState::cancelled);
  EXPECT_THAT(verdicts(hung), Each(testing::Ne(Verdict::pass)));

  const RunStatus status = end(right);
  EXPECT_EQ(status.state, RunState::finished);
  EXPECT_EQ(status.device, "cpu");
  EXPECT_THAT(verdicts(right), ElementsAre(Verdict::pass, Verdict::pass));
  const auto report = service_->report(right);
  expectLosses(*report, Losses::none);
}

}  // namespace
}  // namespace wb
