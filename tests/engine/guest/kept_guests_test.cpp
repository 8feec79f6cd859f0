// SPDX-License-Identifier: Apache-2.0
// A guest waits for the very job that it has served, and for nothing else.
#include "core/engine/guest/waiting/kept_guests.h"

#include <signal.h>

#include <algorithm>
#include <vector>

#include "core/base/process/mapped_parts.h"
#include "core/engine/guest/arguments/shared_arguments.h"
#include "tests/engine/guest/guest_fixture.h"

namespace wb {
namespace {

ServedKernel served(const std::string& text) {
  ServedKernel made;
  made.job.kernels.emplace_back().text = text;
  return made;
}

/// A kernel that was loaded, run, and is not needed any more.
struct Done {
  explicit Done(const std::string& name, const std::shared_ptr<GuestParent>& parent = GuestKernel::parent())
      : start{parent} {
    GuestKernel kernel(name, start);
    problem = problemOf(kernel.load());
    if (problem.empty()) problem = problemOf(kernel.call({at::ones({4})}));
    if (kernel.session->present()) guest = kernel.session->present()->pid();
    order = kernel.order;
    session = std::move(kernel.session);
  }
  Guest::Start start;
  std::shared_ptr<GuestSession> session;
  LoadOrder order;
  std::string problem;
  pid_t guest = 0;
};

TEST(KeptGuests, ASourceThatComesAgainIsLoadedIntoTheGuestThatServedIt) {
  Done first("relu");
  ASSERT_EQ(first.problem, "");
  KeptGuests kept;
  kept.keep(served("relu"), std::move(first.session));
  kept.rest();
  EXPECT_EQ(kept.count(), 1U);
  const std::shared_ptr<GuestSession> again = kept.take(served("relu"));
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(kept.count(), 0U) << "it is taken once";
  ASSERT_EQ(problemOf(again->load(first.order)), "");
  EXPECT_EQ(again->present()->pid(), first.guest);
  const auto candidate = guestCandidate(again, false);
  const at::Tensor input = at::arange(-3, 4).to(at::kFloat);
  const auto call = candidate->prepare({Literal{}, {input}}, {});
  ASSERT_EQ(problemOf(call), "");
  ASSERT_EQ(problemOf((*call)->run()), "");
  EXPECT_TRUE(at::equal((*(*call)->outputs())[0].toTensor(), at::relu(input)));
}

TEST(KeptGuests, WhatDiffersFromItsJobInAnythingGetsNone) {
  Done first("relu");
  KeptGuests kept;
  kept.keep(served("relu"), std::move(first.session));
  kept.rest();
  std::vector<ServedKernel> others(7, served("relu"));
  others[0].job.kernels[0].text += " ";
  others[1].job.kernels[0].referenceText = "another problem";
  others[2].job.cases.emplace_back();
  others[3].job.seed = 1;
  others[4].job.limits.compileSeconds = 1;
  others[5].kernel = 1;
  others[6].part = ProblemPart::reference;
  for (const ServedKernel& each : others) EXPECT_EQ(kept.take(each), nullptr);
  EXPECT_EQ(kept.count(), 1U);
}

TEST(KeptGuests, TheyEndAllAtOnce) {
  const auto parent = GuestKernel::parent();
  Done first("relu", parent);
  ASSERT_EQ(first.problem, "");
  KeptGuests kept;
  kept.keep(served("relu"), std::move(first.session));
  kept.rest();
  EXPECT_EQ(::kill(first.guest, 0), 0);
  kept.endAll();
  parent->ended()->await();
  EXPECT_NE(::kill(first.guest, 0), 0) << "its process is gone";
}

TEST(KeptGuests, OneThatIsStillUsedOrHasDiedIsEnded) {
  Done used("relu"), dead("relu");
  const std::shared_ptr<GuestSession> user = used.session;
  KeptGuests kept;
  kept.keep(served("used"), std::move(used.session));
  ASSERT_EQ(::kill(dead.guest, SIGKILL), 0);
  kept.keep(served("dead"), std::move(dead.session));
  kept.rest();
  EXPECT_EQ(kept.count(), 0U);
}

TEST(KeptGuests, OneWhoseKernelHasChangedItsProcessIsEnded) {
  Done first("patches");
  ASSERT_EQ(first.problem, "");
  KeptGuests kept;
  kept.keep(served("patches"), std::move(first.session));
  kept.rest();
  EXPECT_EQ(kept.count(), 0U);
}

TEST(KeptGuests, TheLastOnesStay) {
  const auto parent = GuestKernel::parent();
  KeptGuests kept;
  constexpr int all = 10;
  for (int i = 0; i < all; ++i) {
    Done each("relu", parent);
    ASSERT_EQ(each.problem, "");
    kept.keep(served(std::to_string(i)), std::move(each.session));
    kept.rest();
  }
  EXPECT_EQ(kept.count(), 8U);
  EXPECT_EQ(kept.take(served("1")), nullptr);
  EXPECT_NE(kept.take(served("2")), nullptr);
  EXPECT_NE(kept.take(served("9")), nullptr);
}

TEST(KeptGuests, OneThatMayHaveLeftWorkIsEndedUnlessTheGpuWasSeenAtRest) {
  const auto parent = GuestKernel::parent();
  Done first("relu", parent), second("relu", parent);
  KeptGuests kept;
  kept.keep(served("first"), std::move(first.session));
  EXPECT_FALSE(kept.mayHaveLeftWork()) << "it is still at work, and is waited for";
  kept.rest();
  EXPECT_TRUE(kept.mayHaveLeftWork());
  kept.haveLeftNothing();
  EXPECT_FALSE(kept.mayHaveLeftWork());
  kept.keep(served("second"), std::move(second.session));
  kept.rest();
  EXPECT_TRUE(kept.mayHaveLeftWork());
  kept.endThoseThatMayHaveLeftWork();
  EXPECT_EQ(kept.take(served("second")), nullptr);
  EXPECT_NE(kept.take(served("first")), nullptr);
}

TEST(KeptGuests, OneThatStartsAnewGoesOnInANewGuest) {
  GuestKernel kernel("relu");
  ASSERT_EQ(problemOf(kernel.load()), "");
  const pid_t first = kernel.session->present()->pid();
  ASSERT_TRUE(kernel.session->rest());
  ASSERT_EQ(problemOf(kernel.load()), "");
  EXPECT_TRUE(kernel.session->mayHaveLeftWork()) << "to be loaded again says nothing of what was left";
  kernel.session->startAnew();
  EXPECT_FALSE(kernel.session->mayHaveLeftWork());
  EXPECT_EQ(problemOf(kernel.call({at::ones({4})})), "");
  EXPECT_NE(kernel.session->present()->pid(), first);
  EXPECT_FALSE(kernel.session->takeLoss()) << "nobody was lost";
}

TEST(KeptGuests, OneThatRestsHoldsNoInputsOfThePast) {
  GuestKernel kernel("relu");
  ASSERT_EQ(problemOf(kernel.load()), "");
  const at::Tensor input = at::ones({1000});
  ASSERT_EQ(problemOf(kernel.call({input})), "");
  const auto memory = shareArguments({input}, kernel.session->room());
  ASSERT_EQ(problemOf(memory), "");
  const auto file = mappedFileOf(memory->front()->descriptor());
  const auto holdsIt = [&] {
    const auto parts = mappedParts(kernel.session->present()->pid());
    return std::any_of(parts.begin(), parts.end(), [&](const MappedPart& part) { return part.file == file; });
  };
  EXPECT_TRUE(holdsIt());
  EXPECT_TRUE(kernel.session->rest());
  EXPECT_FALSE(holdsIt());
}

TEST(KeptGuests, OneThatDoesNotLoadItsKernelAgainIsReplaced) {
  for (const char* name : {"loads once", "crashes at the second load"}) {
    GuestKernel kernel(name);
    ASSERT_EQ(problemOf(kernel.load()), "");
    const pid_t first = kernel.session->present()->pid();
    ASSERT_TRUE(kernel.session->rest());
    EXPECT_EQ(problemOf(kernel.load()), "") << name;
    EXPECT_NE(kernel.session->present()->pid(), first);
    EXPECT_FALSE(kernel.session->takeLoss()) << "it is no fault of the kernel's in this run";
  }
}

TEST(KeptGuests, AGuestServesNoLongerThanSixtyFourTimes) {
  GuestKernel kernel("relu");
  int loads = 0;
  do {
    ASSERT_EQ(problemOf(kernel.load()), "");
    ++loads;
  } while (kernel.session->rest() && loads < 100);
  EXPECT_EQ(loads, 64);
}

}  // namespace
}  // namespace wb
