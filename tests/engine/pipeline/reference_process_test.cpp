// SPDX-License-Identifier: Apache-2.0
// The process in which the reference is timed once more, with the real worker.
#include "core/engine/pipeline/reference_process.h"

#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <set>
#include <string>

#include "core/base/process/guest_start.h"
#include "core/engine/reference/operator.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// The sockets that this process has open.
std::set<int> sockets() {
  std::set<int> all;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code failed;
    if (std::filesystem::read_symlink(each.path(), failed).string().starts_with("socket:"))
      all.insert(std::stoi(each.path().filename().string()));
  }
  return all;
}

int newIn(const std::set<int>& now, const std::set<int>& before) {
  for (const int each : now)
    if (!before.contains(each)) return each;
  return -1;
}

class ReferenceProcessTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::set<int> before = sockets();
    ASSERT_TRUE(process.begin(false));
    const std::set<int> begun = sockets();
    parentSocket = newIn(begun, before);
    order.language = "aten";
    order.op = "aten::relu";
    order.device = "cpu";
    process.allow(60, {});
    const Result<ReferenceApart> loaded = process.load(order, false);
    ASSERT_TRUE(loaded) << loaded.error().text;
    relu = loaded->reference;
    guestSocket = newIn(sockets(), begun);
  }
  /// As a kernel in this process may.
  static void speak(int socket, Order order) {
    const std::uint64_t size = 1;
    std::string message(reinterpret_cast<const char*>(&size), sizeof size);
    message.push_back(static_cast<char>(order));
    ASSERT_EQ(::send(socket, message.data(), message.size(), 0), static_cast<ssize_t>(message.size()));
  }
  static void replace(int socket) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    ASSERT_EQ(::dup2(ends[0], socket), socket);
  }
  Result<Stack> answer(const at::Tensor& of) {
    WB_TRY(const auto call, relu->prepare({Literal{}, {of}}, {}));
    WB_DO(call->run());
    return call->outputs();
  }
  [[nodiscard]] pid_t guest() const { return process.processes().back(); }

  ReferenceProcess process{{"none"}, WB_BINARY_DIR "/bin/warpbench-worker"};
  LoadOrder order;
  Candidate* relu = nullptr;
  int parentSocket = -1, guestSocket = -1;
};

TEST_F(ReferenceProcessTest, AnswersAsTorchDoesHere) {
  const at::Tensor of = at::randn({40, 30});
  const Result<Stack> there = answer(of);
  ASSERT_TRUE(there) << there.error().text;
  EXPECT_TRUE(there->front().toTensor().equal(at::relu(of)));
  EXPECT_EQ(process.disturbed(), "");
  EXPECT_EQ(process.processes().size(), 2U);
}

TEST_F(ReferenceProcessTest, IsForkedAnewWhereSomebodyEndsItAndSaysSo) {
  ::kill(guest(), SIGKILL);
  EXPECT_FALSE(answer(at::randn({8})));
  EXPECT_THAT(process.disturbed(), HasSubstr("was ended"));
  EXPECT_EQ(process.disturbed(), "");
  EXPECT_TRUE(answer(at::randn({8})));
}

TEST_F(ReferenceProcessTest, SaysWhereSomebodyHoldsItBackFromTheProcessors) {
  cpu_set_t usable{};
  ASSERT_EQ(::sched_getaffinity(0, sizeof usable, &usable), 0);
  if (CPU_COUNT(&usable) < 2) GTEST_SKIP() << "there is one processor alone";
  int last = CPU_SETSIZE - 1;
  while (CPU_ISSET(last, &usable) == 0) --last;
  CPU_CLR(last, &usable);
  ASSERT_EQ(::sched_setaffinity(guest(), sizeof usable, &usable), 0);
  EXPECT_THAT(process.disturbed(), HasSubstr("other processors"));
}

TEST_F(ReferenceProcessTest, IsClosedToThisProcess) {
  forgoTracing();  // as a worker does, which root would have to
  for (const pid_t each : process.processes()) {
    std::byte seen{};
    const iovec mine{&seen, 1}, theirs{&seen, 1};
    EXPECT_LT(::process_vm_readv(each, &mine, 1, &theirs, 1, 0), 0);
    EXPECT_EQ(errno, EPERM);
    const std::string memory = "/proc/" + std::to_string(each) + "/mem";
    const int file = ::open(memory.c_str(), O_RDWR | O_CLOEXEC);
    EXPECT_LT(file, 0);
    if (file >= 0) ::close(file);
  }
  EXPECT_TRUE(answer(at::randn({8})));
}

TEST_F(ReferenceProcessTest, IsNotStartedAnewWhereWhatItIsForkedFromWasEnded) {
  const pid_t parent = process.processes().front();
  ::kill(parent, SIGKILL);
  ::kill(guest(), SIGKILL);
  EXPECT_FALSE(answer(at::randn({8})));
  EXPECT_FALSE(process.load(order, false)) << "code of a kernel runs in this process by now";
  ASSERT_TRUE(process.begin(false));
  EXPECT_NE(process.processes().front(), parent);
  EXPECT_TRUE(process.load(order, false));
}

TEST_F(ReferenceProcessTest, SaysWhereSomebodyElseSpeaksToIt) {
  speak(guestSocket, Order::makeInputs);
  const Result<Stack> other = answer(at::randn({8}));
  EXPECT_FALSE(other) << "the answer is one to somebody else's message";
  EXPECT_THAT(process.disturbed(), HasSubstr("spoken to by somebody else"));
  EXPECT_TRUE(answer(at::randn({8})));
}

TEST_F(ReferenceProcessTest, IsNotHeardOverAnotherSocketThanItsOwn) {
  replace(guestSocket);
  EXPECT_FALSE(answer(at::randn({8})));
  EXPECT_THAT(process.disturbed(), HasSubstr("spoken to by somebody else"));
  EXPECT_FALSE(process.isGone());
  replace(parentSocket);
  EXPECT_TRUE(process.isGone());
  ::kill(guest(), SIGKILL);
  EXPECT_FALSE(answer(at::randn({8})));
}

TEST_F(ReferenceProcessTest, LoadsTheNextKernelsReference) {
  process.rest();
  ASSERT_TRUE(process.begin(false));
  order.op = "aten::neg";
  const Result<ReferenceApart> loaded = process.load(order, false);
  ASSERT_TRUE(loaded) << loaded.error().text;
  relu = loaded->reference;
  const at::Tensor of = at::randn({5});
  const Result<Stack> there = answer(of);
  ASSERT_TRUE(there) << there.error().text;
  EXPECT_TRUE(there->front().toTensor().equal(-of));
}

}  // namespace
}  // namespace wb
