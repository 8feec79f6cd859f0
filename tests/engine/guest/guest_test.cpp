// SPDX-License-Identifier: Apache-2.0
#include <ATen/CPUGeneratorImpl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "core/base/process/process_tree.h"
#include "core/engine/device/measuring_lock.h"
#include "core/engine/guest/arguments/shared_arguments.h"
#include "core/engine/guest/guest_walls.h"
#include "tests/engine/guest/guest_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;

TEST(GuestTest, AKernelRunsInAnotherProcessOnTheSameBytes) {
  GuestKernel kernel("relu");
  ASSERT_EQ(problemOf(kernel.load()), "");
  const at::Tensor input = at::arange(-3, 4).to(at::kFloat);
  const auto prepared = kernel.prepare({input});
  ASSERT_EQ(problemOf(prepared), "");
  ASSERT_EQ(problemOf((*prepared)->run()), "");
  const auto first = (*prepared)->outputs();
  ASSERT_EQ(problemOf(first), "");
  EXPECT_TRUE(at::equal((*first)[0].toTensor(), at::relu(input)));
  // The judge writes other contents where the guest reads.
  input.neg_();
  ASSERT_EQ(problemOf((*prepared)->run()), "");
  EXPECT_TRUE(at::equal((*(*prepared)->outputs())[0].toTensor(), at::relu(input)));
}

TEST(GuestTest, WhatTheirParentDoesAheadIsDoneOnceAndIsInEveryGuestAfterIt) {
  const auto parent = GuestKernel::parent({"--guest", "--warms"});
  const auto saysHowWarm = [&] {
    return problemOf(GuestKernel("says how warm", Guest::Start{parent}).load());
  };
  EXPECT_FALSE(parent->warmUp()) << "it does not run yet";
  EXPECT_EQ(saysHowWarm(), "cold");
  EXPECT_TRUE(parent->warmUp());
  EXPECT_FALSE(parent->warmUp());
  EXPECT_EQ(saysHowWarm(), "once");
  EXPECT_EQ(saysHowWarm(), "once");
}

TEST(GuestTest, WhatTheKernelWritesIntoAnArgumentIsSeen) {
  GuestKernel kernel("relu_");
  ASSERT_TRUE(kernel.load());
  const at::Tensor input = at::arange(-3, 4).to(at::kFloat), expected = at::relu(input);
  const auto results = kernel.call({input});
  ASSERT_EQ(problemOf(results), "");
  EXPECT_TRUE(at::equal(input, expected));
  EXPECT_TRUE((*results)[0].toTensor().is_alias_of(input)) << "the result is the argument";
}

TEST(GuestTest, AResultThatIsStillBeingWrittenIsNone) {
  GuestKernel kernel("still writes");
  ASSERT_EQ(problemOf(kernel.load()), "");
  const auto prepared = kernel.prepare({at::ones({4})});
  ASSERT_EQ(problemOf(prepared), "");
  std::string found;
  // Its thread may not have a processor in the moment in which the result is copied.
  for (int i = 0; i < 2000 && found.empty(); ++i) {
    kernel.session->wake();
    ASSERT_EQ(problemOf((*prepared)->run()), "");
    found = problemOf((*prepared)->outputs());
  }
  EXPECT_EQ(found, "the result was still being written when the call had returned");
}

TEST(GuestTest, OneThatGoesOnWhileItIsHeldStillTampers) {
  GuestKernel kernel("wakes itself");
  ASSERT_EQ(problemOf(kernel.load()), "");
  const auto prepared = kernel.prepare({at::ones({4})});
  ASSERT_EQ(problemOf(prepared), "");
  EXPECT_EQ(problemOf((*prepared)->run()), "");
  const std::string found = problemOf((*prepared)->run());
  EXPECT_EQ(found, "the kernel's process goes on with its work while it is held still");
  const auto loss = kernel.session->takeLoss();
  ASSERT_TRUE(loss);
  EXPECT_EQ(loss->verdict, Verdict::tampered);
}

TEST(GuestTest, WorkBeforeOrdersIsCounted) {
  GuestKernel kernel("works when it is let go on"), plain("relu");
  double longest = 0;
  for (GuestKernel* each : {&plain, &kernel}) {
    ASSERT_EQ(problemOf(each->load()), "");
    const auto prepared = each->prepare({at::ones({4})});
    ASSERT_EQ(problemOf(prepared), "");
    longest = 0;
    for (int i = 0; i < 5; ++i) {
      ASSERT_EQ(problemOf((*prepared)->run()), "");
      longest = std::max(longest, each->session->present()->workedBeforeOrders());
    }
    if (each == &plain) EXPECT_LT(longest, 0.02);
  }
  EXPECT_GT(longest, 0.02);
}

TEST(GuestTest, AViewOfAnArgumentIsAViewHereToo) {
  GuestKernel kernel("view");
  ASSERT_TRUE(kernel.load());
  const at::Tensor around = at::arange(20).to(at::kFloat).view({10, 2}), input = around.slice(0, 2, 8);
  const auto results = kernel.call({input});
  ASSERT_EQ(problemOf(results), "");
  const at::Tensor view = (*results)[0].toTensor();
  EXPECT_TRUE(view.is_alias_of(around));
  EXPECT_TRUE(at::equal(view, input.slice(0, 1)));
  EXPECT_EQ(view.strides(), input.slice(0, 1).strides());
}

TEST(GuestTest, ResultsOfSeveralKindsComeBack) {
  GuestKernel kernel("several");
  ASSERT_TRUE(kernel.load());
  const at::Tensor input = at::rand({2, 3});
  const auto results = kernel.call({input});
  ASSERT_EQ(problemOf(results), "");
  ASSERT_EQ(results->size(), 3U);
  EXPECT_TRUE(at::equal((*results)[0].toTensor(), at::ones({2})));
  EXPECT_TRUE((*results)[1].isNone());
  EXPECT_TRUE(at::equal((*results)[2].toTensor(), input.t()));
}

TEST(GuestTest, ARandomKernelBeginsWhereTheJudgesGeneratorStands) {
  GuestKernel kernel("rand", /*random=*/true);
  ASSERT_TRUE(kernel.load());
  at::manual_seed(11);
  const at::Tensor expected = at::rand({4});
  const auto prepared = kernel.prepare({at::ones({1})});
  ASSERT_EQ(problemOf(prepared), "");
  for (int again = 0; again < 2; ++again) {
    at::manual_seed(11);
    ASSERT_TRUE((*prepared)->run());
    EXPECT_TRUE(at::equal((*(*prepared)->outputs())[0].toTensor(), expected));
  }
  ASSERT_TRUE((*prepared)->run());
  EXPECT_FALSE(at::equal((*(*prepared)->outputs())[0].toTensor(), expected)) << "the next call draws anew";
}

TEST(GuestTest, WhatAKernelThrowsIsAnErrorOfTheCall) {
  GuestKernel kernel("throws");
  ASSERT_TRUE(kernel.load());
  const auto prepared = kernel.prepare({at::ones({1})});
  ASSERT_TRUE(prepared);
  ASSERT_EQ(problemOf((*prepared)->run()), "") << "it was carried out";
  EXPECT_EQ(problemOf((*prepared)->outputs()), "no such luck");
  EXPECT_FALSE(kernel.session->takeLoss());
}

TEST(GuestTest, TheConstantsOfLibrariesAreThereBeforeACall) {
  GuestKernel kernel("has constants");
  ASSERT_TRUE(kernel.load());
  const auto results = kernel.call({at::ones({1})});
  ASSERT_EQ(problemOf(results), "");
  EXPECT_EQ((*results)[0].toTensor().item<std::int64_t>(), 1);
}

TEST(GuestTest, ArgumentsThatLieInOnePlaceStillDo) {
  const at::Tensor whole = at::arange(8).to(at::kFloat), half = whole.slice(0, 4);
  ArgumentRoom room;
  const auto memory = shareArguments({whole, half}, room);
  ASSERT_EQ(problemOf(memory), "");
  ASSERT_EQ(memory->size(), 1U);
  EXPECT_TRUE((*memory)[0]->holds(whole.const_data_ptr()));
  EXPECT_EQ(static_cast<const float*>(half.const_data_ptr()), whole.const_data_ptr<float>() + 4);
  EXPECT_TRUE(at::equal(whole, at::arange(8).to(at::kFloat)));
  const auto again = shareArguments({half}, room);
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)[0], (*memory)[0]) << "what is shared stays where it is";
}

TEST(ArgumentRoom, SmallArgumentsLieInOnePieceAndLargeOnesAlone) {
  ArgumentRoom room;
  const at::Tensor one = at::arange(8), two = at::arange(3), large = at::ones({1 << 19});
  const auto first = shareArguments({one}, room), second = shareArguments({two}, room);
  const auto third = shareArguments({large}, room);
  ASSERT_TRUE(first && second && third);
  EXPECT_EQ(first->front(), second->front());
  EXPECT_NE(first->front(), third->front());
  EXPECT_TRUE(at::equal(one, at::arange(8)));
  EXPECT_TRUE(at::equal(two, at::arange(3)));
  const auto both = shareArguments({one, large, two}, room);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->size(), 2U) << "a piece is named once";
}

TEST(ArgumentRoom, APieceThatIsFullIsFollowedByAnotherOne) {
  ArgumentRoom room;
  std::set<SharedMemory*> pieces;
  std::vector<at::Tensor> all;
  for (int i = 0; i < 9; ++i) {
    all.push_back(at::full({100000}, i, at::kFloat));  // 400 000 bytes, five of which fit into a piece
    const auto memory = shareArguments({all.back()}, room);
    ASSERT_EQ(problemOf(memory), "");
    pieces.insert(memory->front().get());
  }
  EXPECT_EQ(pieces.size(), 2U);
  for (int i = 0; i < 9; ++i) EXPECT_TRUE(at::equal(all[i], at::full({100000}, i, at::kFloat)));
}

TEST(ArgumentRoom, NoOtherKernelsProcessGetsAPiece) {
  ArgumentRoom room, other;
  const at::Tensor small = at::ones({8}), large = at::ones({1 << 19});
  ASSERT_TRUE(shareArguments({small}, room));
  ASSERT_TRUE(shareArguments({large}, room));
  EXPECT_THAT(problemOf(shareArguments({small}, other)), HasSubstr("another kernel's process"));
  EXPECT_EQ(problemOf(shareArguments({large}, other)), "") << "nothing else lies there";
}

TEST(GuestTest, ManyCallsAreReadyAtATimeAndGoAgain) {
  GuestKernel kernel("relu");
  ASSERT_TRUE(kernel.load());
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<PreparedCall>> calls;
    std::vector<at::Tensor> inputs;
    for (int i = 0; i < 100; ++i) {
      inputs.push_back(at::full({3}, i - 50));
      auto prepared = kernel.prepare({inputs.back()});
      ASSERT_EQ(problemOf(prepared), "");
      calls.push_back(*std::move(prepared));
    }
    for (const auto& call : calls) ASSERT_TRUE(call->run());
    for (std::size_t i = 0; i < calls.size(); ++i)
      EXPECT_TRUE(at::equal((*calls[i]->outputs())[0].toTensor(), at::relu(inputs[i])));
  }
}

TEST(GuestTest, ItStandsStillBetweenOrders) {
  GuestKernel kernel("counts on");
  ASSERT_TRUE(kernel.load());
  const auto prepared = kernel.prepare({at::ones({1})});
  ASSERT_TRUE(prepared);
  ASSERT_TRUE((*prepared)->run());
  const auto count = [&] { return (*(*prepared)->outputs())[0].toTensor().item<std::int64_t>(); };
  const std::int64_t before = count();
  for (int i = 0; i < 100; ++i) (void)at::rand({10000}).sum();
  EXPECT_EQ(count(), before) << "a thread of the kernel goes on while the judge works";
  // It goes on in its turn, so that this test can fail; on a busy machine not in each.
  while (count() == before) ASSERT_TRUE((*prepared)->run());
}

TEST(SpareGuests, OneThatWasStartedIsTakenOnce) {
  const Guest::Start start{GuestKernel::parent()};
  SpareGuests spares;
  spares.prepare(start, 1);
  spares.prepare(start, 1);
  spares.settle();
  auto first = spares.take(start);
  auto second = spares.take(start);
  ASSERT_EQ(problemOf(first), "");
  ASSERT_EQ(problemOf(second), "");
  EXPECT_NE((*first)->pid(), (*second)->pid());
  EXPECT_EQ(problemOf((*first)->greet()), "");
  EXPECT_EQ(problemOf((*second)->greet()), "");
}

TEST(SpareGuests, OneThatHasEndedIsNotTaken) {
  const Guest::Start start{GuestKernel::parent()};
  start.parent->begin();
  const auto before = listedChildrenOf(::getpid());
  SpareGuests spares;
  spares.prepare(start, 1);
  spares.settle();
  pid_t spare = 0;
  for (const pid_t each : listedChildrenOf(::getpid()))
    if (std::find(before.begin(), before.end(), each) == before.end()) spare = each;
  ASSERT_GT(spare, 0) << "a guest is a child of its judge";
  ASSERT_EQ(::kill(spare, SIGKILL), 0);
  siginfo_t how{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(spare), &how, WEXITED | WNOWAIT), 0);
  const auto taken = spares.take(start);
  ASSERT_EQ(problemOf(taken), "");
  EXPECT_EQ(problemOf((*taken)->greet()), "");
  EXPECT_NE((*taken)->pid(), spare);
}

TEST(SpareGuests, OneOnAGpuBeginsWhileNobodyMeasuresThere) {
  const std::string gpu = "GPU-guest-test-" + std::to_string(::getpid());
  const auto parent = GuestKernel::parent({"--guest", "--begins-on", gpu});
  const auto begun = [&](const std::string& uuid) {
    auto guest = Guest::start({.parent = parent, .uuid = uuid});
    EXPECT_EQ(problemOf(guest), "");
    (*guest)->allow(20, "the test's limit");
    return *std::move(guest);
  };
  EXPECT_NE(problemOf(begun("")->greet()), "") << "somebody might measure there";
  const auto guest = begun(gpu);
  ASSERT_EQ(problemOf(guest->greet()), "");
  auto measuring = std::make_unique<Result<MeasuringLock>>(MeasuringLock::acquire(gpu, 0, {}));
  ASSERT_EQ(problemOf(*measuring), "") << "one that has begun keeps nobody from measuring";
  const auto waiting = begun(gpu);
  measuring.reset();
  EXPECT_EQ(problemOf(waiting->greet()), "");
  std::filesystem::remove(measuringLockFile(gpu));
}

TEST(GuestParent, OneThatHasEndedIsStartedAnewAndItsGuestsLiveOn) {
  GuestKernel kernel("relu");
  ASSERT_EQ(problemOf(kernel.load()), "");
  const pid_t guest = kernel.session->present()->pid();
  for (const pid_t each : listedChildrenOf(::getpid()))
    if (each != guest) ASSERT_EQ(::kill(each, SIGKILL), 0);
  EXPECT_EQ(problemOf(kernel.call({at::ones({1})})), "");
  ASSERT_EQ(::kill(guest, SIGKILL), 0);
  EXPECT_NE(problemOf(kernel.call({at::ones({1})})), "");
  EXPECT_EQ(problemOf(kernel.call({at::ones({1})})), "");
  EXPECT_NE(kernel.session->present()->pid(), guest);
}

TEST(GuestTest, WhatItStartedIsEndedWhenItIsHeldStill) {
  GuestKernel kernel("starts", Guest::Start{GuestKernel::parent(), "", false, false, nullptr, true});
  ASSERT_EQ(problemOf(kernel.load()), "");
  const auto results = kernel.call({at::ones({1})});
  ASSERT_EQ(problemOf(results), "");
  const auto child = static_cast<pid_t>((*results)[0].toTensor().item<std::int64_t>());
  ASSERT_GT(child, 0);
  const auto state = processState(child);
  EXPECT_TRUE(!state || state->state == 'Z') << state->state;
}

TEST(GuestWalls, AMachineThatLacksOneOfThemIsRefusedWithTheReason) {
  const Result<Sandbox> walls = guestWalls({GuestKernel::program(), "--guest"}, "cpu", false);
  ASSERT_EQ(problemOf(walls), "");
  const SandboxSupport whole{7, {true, {}}, {true, {}}, {true, {}}};
  EXPECT_TRUE(missingWalls(*walls, whole).empty());
  for (WallSupport SandboxSupport::*part :
       {&SandboxSupport::landlock, &SandboxSupport::seccomp, &SandboxSupport::namespaces}) {
    SandboxSupport lacking = whole;
    lacking.*part = {false, "this one is missing"};
    EXPECT_THAT(missingWalls(*walls, lacking), testing::ElementsAre("this one is missing"));
  }
}

TEST(GuestWalls, WhatIsBuiltLaterCanBeReadInside) {
  const std::filesystem::path cache =
      std::filesystem::temp_directory_path() / fmt::format("wb-guest-walls-{}", ::getpid());
  ::setenv("WARPBENCH_CACHE", cache.c_str(), 1);
  const Result<Sandbox> walls = guestWalls({GuestKernel::program(), "--guest"}, "cpu", false);
  ::unsetenv("WARPBENCH_CACHE");
  ASSERT_EQ(problemOf(walls), "");
  EXPECT_TRUE(std::filesystem::is_directory(cache / "build")) << "or the walls could not name it";
  EXPECT_THAT(walls->openable, testing::Contains((cache / "build").string()));
  std::filesystem::remove_all(cache);
}

}  // namespace
}  // namespace wb
