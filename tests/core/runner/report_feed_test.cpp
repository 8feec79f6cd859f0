// SPDX-License-Identifier: Apache-2.0
#include "core/runner/report_feed.h"
#include "tests/core/model/steps.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace wb {
namespace {

using namespace std::chrono_literals;

class Snapshots {
 public:
  ReportFeed::Deliver receiver() {
    return [this](std::shared_ptr<const Report> report) {
      const std::lock_guard lock(mutex_);
      taken_.push_back(std::move(report));
    };
  }
  std::vector<std::shared_ptr<const Report>> taken() {
    const std::lock_guard lock(mutex_);
    return taken_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<const Report>> taken_;
};

Job oneKernel() {
  Job job;
  job.kernels = {{"a.cpp", "", "", ""}};
  return job;
}

/// The steady clock may count from the machine's start: no machine that runs this has been up for so long.
constexpr std::chrono::milliseconds tenYears = 24h * 3650;

TEST(ReportFeed, ManyEventsGiveFewSnapshotsAndAlwaysTheLast) {
  Snapshots snapshots;
  ReportFeed feed(oneKernel(), snapshots.receiver(), tenYears);
  for (int i = 0; i < 1000; ++i) feed.take(Log{"stdout", std::to_string(i)});
  feed.take(Finished{Outcome::finished, 2});
  const auto taken = snapshots.taken();
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_EQ(taken.front()->log.size(), 1U);
  EXPECT_EQ(taken.back()->log.size(), 1000U);
  EXPECT_EQ(taken.back()->outcome, Outcome::finished);
}

TEST(ReportFeed, APauseDeliversWhatCameBeforeIt) {
  Snapshots snapshots;
  ReportFeed feed(oneKernel(), snapshots.receiver(), 20ms);
  feed.take(Log{"stdout", "first"});
  feed.take(Log{"stdout", "second"});
  for (int i = 0; i < 1000 && snapshots.taken().size() < 2; ++i) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(snapshots.taken().back()->log.size(), 2U);
}

TEST(ReportFeed, SnapshotsNeverChange) {
  Snapshots snapshots;
  ReportFeed feed(oneKernel(), snapshots.receiver(), 0ms);
  Compiled compiled;
  compiled.cases.resize(300);
  feed.take(compiledStep(compiled));
  feed.take(checkedStep(0, 250, Verdict::pass));
  const auto taken = snapshots.taken();
  EXPECT_EQ(taken.front()->kernels[0]->cases[250].check.verdict, Verdict::notRun);
  EXPECT_EQ(taken.back()->kernels[0]->cases[250].check.verdict, Verdict::pass);
}

TEST(ReportFeed, ReadersOnOtherThreadsDoNotDisturbTheFold) {
  Job job = oneKernel();
  std::mutex mutex;
  std::shared_ptr<const Report> newest;
  ReportFeed feed(
      job,
      [&](std::shared_ptr<const Report> report) {
        const std::lock_guard lock(mutex);
        newest = std::move(report);
      },
      0ms);
  std::jthread reader([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::shared_ptr<const Report> report;
      {
        const std::lock_guard lock(mutex);
        report = newest;
      }
      if (!report) continue;
      int passed = 0;
      for (std::size_t i = 0; i < report->kernels[0]->cases.size(); ++i)
        passed += report->kernels[0]->cases[i].check.verdict == Verdict::pass ? 1 : 0;
      EXPECT_EQ(passed, report->kernels[0]->counts.passed);
    }
  });
  Compiled compiled;
  compiled.cases.resize(500);
  feed.take(compiledStep(compiled));
  for (std::uint32_t i = 0; i < 500; ++i) feed.take(checkedStep(0, i, Verdict::pass));
  feed.take(Finished{});
}

TEST(ReportFeed, MayBeDroppedFromWithinADelivery) {
  std::shared_ptr<ReportFeed> feed;
  std::atomic<bool> dropped = false;
  int deliveries = 0;  // never on two threads at once
  feed = std::make_shared<ReportFeed>(
      oneKernel(),
      [&](const std::shared_ptr<const Report>&) {
        if (++deliveries != 2) return;
        feed.reset();  // on the timer's thread
        dropped = true;
      },
      10ms);
  feed->take(Log{"stdout", "at once"});
  feed->take(Log{"stdout", "later"});
  for (int i = 0; i < 1000 && !dropped; ++i) std::this_thread::sleep_for(10ms);
  EXPECT_TRUE(dropped);
}

}  // namespace
}  // namespace wb
