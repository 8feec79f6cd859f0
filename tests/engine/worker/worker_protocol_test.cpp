// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <chrono>
#include <fstream>
#include <string>

#include "core/base/process/process.h"
#include "core/protocol/channel.h"

namespace wb {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

/// The real worker on pipes.
class Worker {
 public:
  explicit Worker(std::vector<std::string> arguments = {}) : child_(start(std::move(arguments))) {}

  /// The next message of a kind; others are passed over. Fails the test and gives a default when none comes.
  template <class T>
  T expect(seconds limit = seconds{60}) {
    while (true) {
      Result<std::optional<Received>> received = reader_.receive(limit);
      if (!received || !*received) {
        ADD_FAILURE() << (received ? "no message came" : received.error().text);
        return T{};
      }
      if (auto* message = std::get_if<T>(&(*received)->message)) return std::move(*message);
    }
  }
  void send(const Message& message, std::uint32_t run = 0) { EXPECT_TRUE(writer_.send(message, run)); }
  Ending ending(seconds limit = seconds{20}) {
    const auto [ended, how] = child_.wait(limit);
    EXPECT_TRUE(ended);
    return how;
  }
  Child& child() { return child_; }

 private:
  static Child start(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), WB_BINARY_DIR "/bin/warpbench-worker");
    return *Child::start({std::move(arguments), {}, {}});
  }

  Child child_;
  MessageReader reader_{child_.output()};
  MessageWriter writer_{child_.input()};
};

Job atenJob(int kernels = 1) {
  Job job;
  Case one;
  one.op = "aten::relu";
  one.args = "((T([8], f32),), {})";
  job.cases = {one};
  job.kernels.assign(static_cast<std::size_t>(kernels), {"aten", "", "aten", "relu"});
  job.stages.remove(Stage::time);
  return job;
}

TEST(WorkerProgram, GreetsWithItsTargetAndEndsWhenTold) {
  Worker worker;
  const Hello hello = worker.expect<Hello>();
  EXPECT_EQ(hello.failure, "");
  EXPECT_EQ(hello.protocol, protocolVersion);
  EXPECT_EQ(hello.target.device, "cpu");
  EXPECT_THAT(hello.target.torch, HasSubstr("2.11."));
  EXPECT_FALSE(hello.target.host.empty());
  worker.send(Welcome{});
  worker.send(Bye{});
  EXPECT_EQ(worker.ending(), (Ending{0, 0}));
}

TEST(WorkerProgram, RunsJobAfterJob) {
  Worker worker;
  worker.expect<Hello>();
  worker.send(Welcome{});
  for (std::uint32_t run = 1; run <= 3; ++run) {
    worker.send(RunJob{atenJob()}, run);
    while (true) {
      const Happened happened = worker.expect<Happened>();
      if (std::holds_alternative<Finished>(happened.event)) break;
      if (const auto* check = resultIn<CaseCheck>(happened.event)) {
        EXPECT_EQ(check->verdict, Verdict::pass) << check->message;
      }
      ASSERT_FALSE(testing::Test::HasFailure());
    }
  }
}

TEST(WorkerProgram, SaysThatTorchIsMissingAndEnds) {
  Worker worker({"--torch=/nowhere"});
  const Hello hello = worker.expect<Hello>();
  EXPECT_THAT(hello.failure, HasSubstr("torch 2.11 was not found in /nowhere"));
  EXPECT_THAT(hello.hint, HasSubstr("packaging/setup"));
  worker.send(Welcome{false, "no"});
  EXPECT_EQ(worker.ending(), (Ending{3, 0}));
}

TEST(WorkerProgram, EndsWhenItIsNotAccepted) {
  Worker worker;
  worker.expect<Hello>();
  worker.send(Welcome{false, "another version"});
  EXPECT_EQ(worker.ending(), (Ending{3, 0}));
}

TEST(WorkerProgram, EndsWithItsSupervisor) {
  Worker worker;
  worker.expect<Hello>();
  worker.send(Welcome{});
  worker.child().closeInput();
  EXPECT_EQ(worker.ending(), (Ending{0, 0}));
}

TEST(WorkerProgram, EndsOnAStreamOfNonsense) {
  Worker worker;
  worker.expect<Hello>();
  const std::string nonsense(std::size_t{100} << 10, 'x');
  EXPECT_GT(write(worker.child().input(), nonsense.data(), nonsense.size()), 0);
  EXPECT_EQ(worker.ending().exitCode, 3);
}

TEST(WorkerProgram, SaysThatThereIsNoGpu) {
  if (std::ifstream("/proc/driver/nvidia/version")) GTEST_SKIP() << "there is one";
  Worker worker({"--device=cuda:0"});
  EXPECT_THAT(worker.expect<Hello>().failure, HasSubstr("driver"));
}

}  // namespace
}  // namespace wb
