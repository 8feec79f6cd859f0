// SPDX-License-Identifier: Apache-2.0
// Whose turn it is: every rule on its own, and then random queues.
#include "core/service/queue/run_queue.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <random>
#include <set>

namespace wb {
namespace {

using testing::ElementsAre;

const std::vector<std::string> cpu{"cpu"}, twoGpus{"cuda:0", "cuda:1"}, mixed{"cpu", "cuda:0"};

/// A queue whose runs are numbered as they come.
class Queue : public RunQueue {
 public:
  using RunQueue::RunQueue;
  std::uint64_t submit(const std::string& client, int priority = 0, const std::string& device = "auto") {
    add({++last_, client, priority, device});
    return last_;
  }
  using RunQueue::take;
  /// Takes the run whose turn it is.
  std::optional<WaitingRun> take(const std::string& device, Taking taking = Taking::any) {
    const std::vector<std::uint64_t> next = turns(device, 1, taking);
    return next.empty() ? std::nullopt : take(next.front());
  }
  /// The number of the run that was taken; 0 for none.
  std::uint64_t takeNumber(const std::string& device = "cpu") {
    const auto run = take(device);
    return run ? run->number : 0;
  }
  /// The order in which one device runs all that waits.
  std::vector<std::uint64_t> drain(const std::string& device = "cpu") {
    std::vector<std::uint64_t> order;
    while (const auto run = take(device)) {
      order.push_back(run->number);
      release(run->client);
    }
    return order;
  }

 private:
  std::uint64_t last_ = 0;
};

TEST(RunQueue, HigherPriorityIsFirst) {
  Queue queue(cpu);
  queue.submit("ada", 0);
  queue.submit("ada", 5);
  queue.submit("bob", -3);
  queue.submit("bob", 9);
  EXPECT_THAT(queue.drain(), ElementsAre(4, 2, 1, 3));
}

TEST(RunQueue, AClientsOwnRunsKeepTheirOrder) {
  Queue queue(cpu);
  for (int i = 0; i < 5; ++i) queue.submit("ada");
  EXPECT_THAT(queue.drain(), ElementsAre(1, 2, 3, 4, 5));
}

TEST(RunQueue, AThousandRunsDoNotStarveOne) {
  Queue queue(cpu);
  for (int i = 0; i < 1000; ++i) queue.submit("ada");
  EXPECT_EQ(queue.takeNumber(), 1U);
  const std::uint64_t bobs = queue.submit("bob");
  EXPECT_EQ(queue.ahead(bobs), 0U);
  queue.release("ada");
  EXPECT_EQ(queue.takeNumber(), bobs);
}

TEST(RunQueue, ClientsTakeTurns) {
  Queue queue(cpu);
  for (int i = 0; i < 3; ++i) queue.submit("ada");
  for (int i = 0; i < 3; ++i) queue.submit("bob");
  EXPECT_THAT(queue.drain(), ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST(RunQueue, TurnsAreToldInOrder) {
  Queue queue(mixed);
  for (int i = 0; i < 3; ++i) queue.submit("ada", 0, i == 1 ? "cuda:0" : "auto");
  queue.submit("bob", 0, "cpu");
  queue.submit("bob");
  queue.submit("eve", 1);
  EXPECT_THAT(queue.turns("cuda:0", 10), ElementsAre(6, 1, 2, 3, 5));
  EXPECT_THAT(queue.turns("cuda:0", 3), ElementsAre(6, 1, 2));
  EXPECT_THAT(queue.turns("cuda:0", 10, RunQueue::Taking::named), ElementsAre(2));
  EXPECT_THAT(queue.turns("cpu", 10), ElementsAre(4));
  // A run in the middle of its client's is taken, and it is another one's turn.
  EXPECT_EQ(queue.take(3U)->client, "ada");
  EXPECT_FALSE(queue.take(3U));
  EXPECT_THAT(queue.turns("cuda:0", 10), ElementsAre(6, 5, 1, 2));
}

TEST(RunQueue, WhoHasTheFewestRunningIsFirst) {
  Queue queue(twoGpus);
  for (int i = 0; i < 3; ++i) queue.submit("ada");
  EXPECT_EQ(queue.takeNumber("cuda:0"), 1U);
  queue.submit("bob");
  queue.submit("bob");
  EXPECT_EQ(queue.takeNumber("cuda:1"), 4U);
  // Each has one running, and ada was served longer ago.
  queue.release("ada");
  EXPECT_EQ(queue.takeNumber("cuda:0"), 2U);
  queue.release("bob");
  EXPECT_EQ(queue.takeNumber("cuda:1"), 5U);
}

TEST(RunQueue, AClientThatComesAgainIsNoNewOne) {
  Queue queue(cpu);
  for (int i = 0; i < 3; ++i) queue.submit("bob");
  for (int i = 0; i < 3; ++i) queue.submit("eve");
  queue.submit("ada");
  std::vector<std::string> order;
  for (int i = 0; i < 6; ++i) {
    const auto run = queue.take("cpu");
    order.push_back(run->client);
    if (run->client == "ada") queue.submit("ada");  // as soon as the last one is done
    queue.release(run->client);
  }
  EXPECT_THAT(order, ElementsAre("bob", "eve", "ada", "bob", "eve", "ada"));
}

TEST(RunQueue, ARunGoesToTheDeviceThatItAsksFor) {
  Queue queue(mixed);
  const auto onCpu = queue.submit("ada", 0, "cpu");
  const auto onGpu = queue.submit("ada", 0, "cuda:0");
  EXPECT_EQ(queue.takeNumber("cuda:0"), onGpu);
  EXPECT_EQ(queue.takeNumber("cuda:0"), 0U);
  EXPECT_EQ(queue.takeNumber("cpu"), onCpu);
}

TEST(RunQueue, AutoIsAnyGpuAndTheCpuWhereThereIsNone) {
  EXPECT_TRUE(mayRunOn("auto", "cuda:1", twoGpus));
  EXPECT_FALSE(mayRunOn("auto", "cpu", mixed));
  EXPECT_TRUE(mayRunOn("auto", "cpu", cpu));
  EXPECT_TRUE(mayRunOn("cpu", "cpu", mixed));
  EXPECT_FALSE(mayRunOn("cuda:1", "cuda:0", twoGpus));
}

TEST(RunQueue, ABrokenDeviceTakesOnlyWhatNamesIt) {
  Queue queue(twoGpus);
  queue.submit("ada", 0, "auto");
  const auto named = queue.submit("ada", 0, "cuda:1");
  EXPECT_EQ(queue.take("cuda:1", RunQueue::Taking::named)->number, named);
  EXPECT_FALSE(queue.take("cuda:1", RunQueue::Taking::named));
}

TEST(RunQueue, WhatIsPutBackIsFirstOfItsClient) {
  Queue queue(cpu);
  for (int i = 0; i < 3; ++i) queue.submit("ada");
  const auto run = queue.take("cpu");
  queue.release("ada");
  queue.add(*run);
  EXPECT_THAT(queue.drain(), ElementsAre(1, 2, 3));
}

TEST(RunQueue, WhatIsRemovedIsNotRun) {
  Queue queue(cpu);
  for (int i = 0; i < 3; ++i) queue.submit("ada");
  EXPECT_TRUE(queue.remove(2));
  EXPECT_FALSE(queue.remove(2));
  EXPECT_EQ(queue.sizeOf("ada"), 2U);
  EXPECT_THAT(queue.drain(), ElementsAre(1, 3));
  EXPECT_EQ(queue.size(), 0U);
}

TEST(RunQueue, AheadCountsOnlyWhatRunsOnTheSameDevice) {
  Queue queue(twoGpus);
  for (int i = 0; i < 10; ++i) queue.submit("ada", 0, "cuda:0");
  const auto other = queue.submit("ada", 0, "cuda:1");
  const auto any = queue.submit("ada", 0, "auto");
  EXPECT_EQ(queue.ahead(other), 0U);
  EXPECT_EQ(queue.ahead(any), 1U);
  EXPECT_EQ(queue.ahead(10), 9U);
  EXPECT_EQ(queue.ahead(99), 0U);
}

TEST(RunQueue, RetryAfterComesFromTheMeanAndThePlaces) {
  EXPECT_EQ(retryAfter(10, 2), 5);
  EXPECT_EQ(retryAfter(10, 2, 3), 15);
  EXPECT_EQ(retryAfter(0.01, 1), 1);
  EXPECT_EQ(retryAfter(1e9, 1), 600);
}

class RandomQueues : public testing::TestWithParam<unsigned> {};

TEST_P(RandomQueues, AheadIsThePlaceInTheOrderOfOneDevice) {
  std::mt19937 random(GetParam());
  const auto draw = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
  Queue queue(cpu);
  std::vector<std::uint64_t> numbers;
  const auto submitSome = [&](int count) {
    for (int i = 0; i < count; ++i)
      numbers.push_back(queue.submit(std::string(1, static_cast<char>('a' + draw(5))), draw(3)));
  };
  submitSome(30);
  // Some are served before, so that clients differ in when that was.
  for (int i = draw(20); i > 0; --i) {
    const auto run = queue.take("cpu");
    queue.release(run->client);
    std::erase(numbers, run->number);
  }
  submitSome(10);
  std::map<std::uint64_t, std::size_t> expected;
  for (const std::uint64_t number : numbers) expected[number] = queue.ahead(number);
  const std::vector<std::uint64_t> order = queue.drain();
  ASSERT_EQ(order.size(), numbers.size());
  for (std::size_t place = 0; place < order.size(); ++place) EXPECT_EQ(expected.at(order[place]), place);
}

TEST_P(RandomQueues, NobodyStarvesAndNothingIsChosenTwice) {
  std::mt19937 random(GetParam());
  const auto draw = [&](std::size_t most) { return random() % most; };
  const std::vector<std::string> devices{"cpu", "cuda:0", "cuda:1"};
  const std::vector<std::string> wishes{"cpu", "cuda:0", "cuda:1", "auto"};
  Queue queue(devices);
  std::map<std::uint64_t, WaitingRun> waiting;
  std::map<std::string, WaitingRun> running;  // by device
  std::set<std::uint64_t> chosen;
  std::map<std::string, std::uint64_t> servedAt;  // by client
  std::uint64_t turn = 0;
  const auto runningOf = [&](const std::string& client) {
    return std::count_if(running.begin(), running.end(),
                         [&](const auto& r) { return r.second.client == client; });
  };

  for (int step = 0; step < 2000; ++step) {
    const std::string device = devices[draw(devices.size())];
    if (step < 1500 && draw(2) == 0) {
      WaitingRun run{0, std::string(1, static_cast<char>('a' + draw(6))), static_cast<int>(draw(2)),
                     wishes[draw(wishes.size())]};
      run.number = queue.submit(run.client, run.priority, run.device);
      waiting[run.number] = run;
    } else if (running.count(device) != 0) {
      queue.release(running[device].client);
      running.erase(device);
    } else {
      const auto taken = queue.take(device);
      const auto mayTake = [&](const WaitingRun& run) { return mayRunOn(run.device, device, devices); };
      if (!taken) {
        for (const auto& [number, run] : waiting) ASSERT_FALSE(mayTake(run)) << number;
        continue;
      }
      ASSERT_TRUE(chosen.insert(taken->number).second) << "chosen twice";
      ASSERT_TRUE(mayTake(*taken));
      waiting.erase(taken->number);
      for (const auto& [number, run] : waiting) {
        if (!mayTake(run)) continue;
        ASSERT_LE(run.priority, taken->priority);
        if (run.priority != taken->priority) continue;
        if (run.client == taken->client) {
          ASSERT_LT(taken->number, number);
        } else {
          ASSERT_LE(std::pair(runningOf(taken->client), servedAt[taken->client]),
                    std::pair(runningOf(run.client), servedAt[run.client]));
        }
      }
      servedAt[taken->client] = ++turn;
      running[device] = *taken;
    }
    ASSERT_EQ(queue.size(), waiting.size());
  }
  running.clear();
  for (const std::string& device : devices) queue.drain(device);
  EXPECT_EQ(queue.size(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomQueues, testing::Range(0U, 20U));

TEST(RunQueue, TwentyThousandRunsAreQuick) {
  const auto start = std::chrono::steady_clock::now();
  Queue queue(cpu);
  std::size_t sum = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t number = queue.submit("client " + std::to_string(i % 200));
    if (i % 20 == 0) sum += queue.ahead(number);
  }
  EXPECT_EQ(queue.drain().size(), 20'000U);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::cout << "20 000 runs of 200 clients submitted and drained, and a thousand asked for, in "
            << took.count() << " s\n";
  EXPECT_GT(sum, 0U);
}

TEST(RunQueue, ManyClientsAreForgottenInTheEnd) {
  Queue queue(cpu);
  for (int i = 0; i < 10'000; ++i) {
    queue.submit("client " + std::to_string(i));
    queue.release(queue.take("cpu")->client);
  }
  EXPECT_LE(queue.clients(), 2000U);
}

}  // namespace
}  // namespace wb
