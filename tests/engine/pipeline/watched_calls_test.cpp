// SPDX-License-Identifier: Apache-2.0
// What is seen of calls like those that are timed: by traps of this process's own, and by all that looks.
#include <ATen/ops/empty_like.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/silu.h>
#include <ATen/record_function.h>
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <future>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "core/engine/sides/operator_watch.h"
#include "core/engine/sides/process/own_traps.h"
#include "core/engine/time/watched_calls.h"
#include "tests/engine/pipeline/lambda_candidate.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;

std::atomic<int> calls = 0;
[[gnu::noinline]] void one() {
  ++calls;
}
[[gnu::noinline]] void other() {
  calls += 2;
}

std::uint64_t placeOf(void (*function)()) {
  return reinterpret_cast<std::uint64_t>(function);
}

TEST(OperatorWatch, OneThatCannotBeginLeavesNobodyTelling) {
  std::vector<bool> told;
  tellOfWatches([&](bool watched) {
    told.push_back(watched);
    if (watched && told.size() == 1) throw std::runtime_error("no room");
  });
  EXPECT_THROW(OperatorWatch("aten::silu"), std::runtime_error);
  EXPECT_THAT(told, ElementsAre(true, false));
  {
    const OperatorWatch next("aten::silu");
    (void)at::silu(at::rand({4}));
    EXPECT_FALSE(next.ran(1).empty());
  }
  EXPECT_THAT(told, ElementsAre(true, false, true, false));
  tellOfWatches({});
}

/// Tests of what only traps see.
class OwnTrapsTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto traps = OwnTraps::at({placeOf(one)});
    if (!traps || !traps->during([] {}))
      GTEST_SKIP() << "not run: nobody may trace here, or there are no debug registers";
  }
};
class WatchedThreads : public OwnTrapsTest {};

TEST_F(OwnTrapsTest, TellWhichPlacesAnyThreadComesTo) {
  std::promise<void> asked, done;
  std::jthread waiting([&] {
    asked.get_future().wait();
    other();
    done.set_value();
  });
  const auto traps = OwnTraps::at({placeOf(one), placeOf(other)});
  ASSERT_TRUE(traps);
  EXPECT_THAT(traps->during([] {}), Optional(IsEmpty()));
  EXPECT_THAT(traps->during(one), Optional(ElementsAre(placeOf(one))));
  EXPECT_THAT(traps->during([] { std::jthread begun(one); }), Optional(ElementsAre(placeOf(one))));
  EXPECT_THAT(traps->during([&] {
    asked.set_value();
    done.get_future().wait();
  }),
              Optional(ElementsAre(placeOf(other))));
  EXPECT_THAT(traps->during([] {
    for (int i = 0; i < 1000; ++i) one();
    other();
  }),
              Optional(testing::UnorderedElementsAre(placeOf(one), placeOf(other))));
}

/// All that this process's children have worked that have ended.
double workedByChildren() {
  rusage usage{};
  EXPECT_EQ(::getrusage(RUSAGE_CHILDREN, &usage), 0);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

TEST_F(OwnTrapsTest, SayHowLongTheirForkHasWorked) {
  const double before = workedByChildren();
  double worked = 0;
  {
    const auto traps = OwnTraps::at({placeOf(one)}, [&](double seconds) { worked += seconds; });
    ASSERT_TRUE(traps);
    ASSERT_TRUE(traps->during([] { std::this_thread::sleep_for(std::chrono::milliseconds{20}); }));
    EXPECT_EQ(worked, 0) << "it has not ended";
  }
  EXPECT_GT(worked, 0);
  EXPECT_NEAR(worked, workedByChildren() - before, 1e-4);
}

TEST_F(OwnTrapsTest, LeaveNothingBehind) {
  for (int i = 0; i < 20; ++i) {
    const auto traps = OwnTraps::at({placeOf(one)});
    ASSERT_TRUE(traps);
    ASSERT_TRUE(traps->during(one));
    one();
  }
  one();
}

TEST_F(OwnTrapsTest, AThreadThatLetsNoSignalInChangesNoHandling) {
  struct sigaction ours {
  }, before{}, after{};
  ours.sa_handler = [](int) {};
  ::sigaction(SIGTRAP, &ours, &before);
  const auto traps = OwnTraps::at({placeOf(one)});
  ASSERT_TRUE(traps);
  EXPECT_THAT(traps->during([] {
    std::jthread([] {
      sigset_t all;
      ::sigfillset(&all);
      ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
      one();
    });
  }),
              Optional(ElementsAre(placeOf(one))));
  ::sigaction(SIGTRAP, &before, &after);
  EXPECT_EQ(after.sa_handler, ours.sa_handler);
}

TEST_F(OwnTrapsTest, AreTakenAwayFromUnderAnException) {
  {
    const auto traps = OwnTraps::at({placeOf(one)});
    ASSERT_TRUE(traps);
    EXPECT_THROW((void)traps->during([] { throw std::runtime_error("of the work"); }), std::runtime_error);
  }
  one();
}

TEST(OwnTraps, WithoutAPlaceThereAreNone) {
  EXPECT_EQ(OwnTraps::at({}), nullptr);
}

/// What is said of a kernel for silu when it was measured, and of some samples before.
std::string saidOf(const LambdaCandidate::Kernel& kernel) {
  SideStates states;
  Bench bench("aten::silu", kernel);
  KernelContext context = bench.context();
  context.states = &states;
  const Stack arguments{at::rand({64, 1024})};
  const auto reference = prepareReference(*bench.handle, arguments);
  const auto candidate = bench.candidate.prepare({{}, arguments}, {});
  WatchedCalls watched(context, 3);
  const auto renew = [&] { (void)arguments[0].toTensor().uniform_(); };
  for (int i = 0; i < 20; ++i) {
    watched.perhaps(false, *reference, renew);
    watched.perhaps(true, **candidate, renew);
  }
  watched.finish(*reference, **candidate, renew);
  return watched.seen().delegated + watched.seen().hidden;
}

Stack siluOfOurs(const at::Tensor& self) {
  at::Tensor out = at::empty_like(self);
  const float* in = self.const_data_ptr<float>();
  auto* to = out.mutable_data_ptr<float>();
  for (std::int64_t i = 0; i < self.numel(); ++i) to[i] = in[i] / (1 + std::exp(-in[i]));
  return {out};
}

TEST_F(WatchedThreads, AThreadThatIsNeitherObservedNorInterruptedIsSeenAllTheSame) {
  const auto quietly = [](const Stack& given) -> Stack {
    Stack answer;
    std::thread([&] {
      sigset_t all;
      ::sigfillset(&all);
      ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
      const at::DisableRecordFunctionGuard quiet;
      answer = {at::silu(given[0].toTensor())};
    }).join();
    return answer;
  };
  EXPECT_THAT(saidOf(quietly), HasSubstr("torch's own code for aten::silu, past torch's dispatcher"));
}

TEST_F(WatchedThreads, AThreadForWhichTheCallerSpinsIsSeenToo) {
  std::atomic<const at::Tensor*> asked = nullptr;
  at::Tensor answer;
  std::jthread worker;
  const auto work = [&](const std::stop_token& stop) {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
    const at::DisableRecordFunctionGuard quiet;
    while (!stop.stop_requested()) {
      if (asked == nullptr) continue;
      answer = at::silu(*asked.load());
      asked = nullptr;
    }
  };
  const auto spins = [&](const Stack& given) -> Stack {
    if (!worker.joinable()) worker = std::jthread(work);
    asked = &given[0].toTensor();
    while (asked != nullptr) continue;
    return {std::exchange(answer, {})};
  };
  EXPECT_THAT(saidOf(spins), HasSubstr("torch's own code for aten::silu, past torch's dispatcher"));
}

TEST(WatchedCalls, AThreadThatWorksItselfIsNoConcern) {
  EXPECT_EQ(saidOf([](const Stack& given) { return siluOfOurs(given[0].toTensor()); }), "");
  EXPECT_EQ(saidOf([](const Stack& given) -> Stack {
              Stack answer;
              std::thread([&] { answer = siluOfOurs(given[0].toTensor()); }).join();
              return answer;
            }),
            "");
}

TEST(WatchedCalls, AThreadThatCallsAtenOpenlyIsSaidToDelegate) {
  EXPECT_EQ(saidOf([](const Stack& given) -> Stack {
              Stack answer;
              std::thread([&] { answer = {at::silu(given[0].toTensor())}; }).join();
              return answer;
            }),
            "aten::silu");
}

}  // namespace
}  // namespace wb
