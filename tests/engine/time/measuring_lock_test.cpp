// SPDX-License-Identifier: Apache-2.0
#include "core/engine/device/measuring_lock.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/files/paths.h"

namespace wb {
namespace {

class MeasuringLockTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("wb-lock-" + std::to_string(getpid()));
    setenv("XDG_RUNTIME_DIR", folder_.c_str(), 1);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  /// Whether somebody waits until others are done.
  static bool isWaiting(const std::string& uuid) {
    const int turn = open((lockFolder() / (uuid + ".turn")).c_str(), O_RDONLY | O_CLOEXEC);
    const bool isTaken = flock(turn, LOCK_EX | LOCK_NB) != 0;
    close(turn);
    return isTaken;
  }
  std::filesystem::path folder_;
};

TEST_F(MeasuringLockTest, OnlyOneMeasuresOnACard) {
  auto first = MeasuringLock::acquire("GPU-a", 1, {});
  ASSERT_TRUE(first);
  EXPECT_EQ(std::filesystem::exists(measuringLockFile("GPU-a")), true);
  auto second = MeasuringLock::acquire("GPU-a", 0.02, {});
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().text, testing::HasSubstr("another Warpbench has been measuring"));
  EXPECT_TRUE(MeasuringLock::acquire("GPU-b", 0.02, {}));
  EXPECT_TRUE(MeasuringLock::acquire("", 0.02, {}));
}

TEST_F(MeasuringLockTest, WaitsUntilTheOtherIsDoneAndSaysForHowLong) {
  std::optional<MeasuringLock> held;
  held.emplace(*MeasuringLock::acquire("GPU-a", 1, {}));
  std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds{30});
    held.reset();
  });
  auto mine = MeasuringLock::acquire("GPU-a", 10, {});
  ASSERT_TRUE(mine);
  EXPECT_GT(mine->waited(), 0.01);
}

TEST_F(MeasuringLockTest, ManyUseACardOnWhichNobodyMeasures) {
  std::optional<MeasuringLock> one(MeasuringLock::share("GPU-a", 1, {}));
  std::optional<MeasuringLock> two(MeasuringLock::share("GPU-a", 1, {}));
  EXPECT_LT(two->waited(), 0.5);
  EXPECT_FALSE(MeasuringLock::acquire("GPU-a", 0.02, {}));
  one.reset();
  EXPECT_FALSE(MeasuringLock::acquire("GPU-a", 0.02, {}));
  two.reset();
  const auto measuring = MeasuringLock::acquire("GPU-a", 1, {});
  ASSERT_TRUE(measuring);
  EXPECT_GE(MeasuringLock::share("GPU-a", 0.02, {}).waited(), 0.02) << "it goes on all the same";
}

TEST_F(MeasuringLockTest, WhoWantsToMeasureIsNotPassedByThoseWhoComeLater) {
  // One of them uses the card at any time.
  auto first = std::make_unique<MeasuringLock>(MeasuringLock::share("GPU-a", 1, {}));
  std::promise<void> measured;
  std::jthread measures([&] {
    EXPECT_TRUE(MeasuringLock::acquire("GPU-a", 60, {}));
    measured.set_value();
  });
  while (!isWaiting("GPU-a")) std::this_thread::yield();
  auto later = std::async(std::launch::async, [] { return MeasuringLock::share("GPU-a", 60, {}); });
  EXPECT_EQ(later.wait_for(std::chrono::milliseconds{30}), std::future_status::timeout);
  first.reset();
  measured.get_future().wait();
  later.wait();
}

TEST_F(MeasuringLockTest, ThoseWhoMeasureAndThoseWhoUseACardAllComeToTheirTurn) {
  constexpr int people = 6, times = 10;
  std::atomic<int> measuring{0}, together{0}, turns{0};
  {
    std::vector<std::jthread> all;
    for (int i = 0; i < people; ++i)
      all.emplace_back([&] {
        for (int k = 0; k < times; ++k) {
          {
            const MeasuringLock used = MeasuringLock::share("GPU-a", 60, {});
            together += measuring;
          }
          const auto alone = MeasuringLock::acquire("GPU-a", 60, {});
          ASSERT_TRUE(alone);
          together += measuring++;
          ++turns;
          --measuring;
        }
      });
  }
  EXPECT_EQ(turns, people * times);
  EXPECT_EQ(together, 0);
}

TEST_F(MeasuringLockTest, AFileThatCanOnlyBeReadIsLockedToo) {
  using std::filesystem::perms;
  auto held = MeasuringLock::acquire("GPU-a", 1, {});
  ASSERT_TRUE(held);
  std::filesystem::permissions(measuringLockFile("GPU-a"),
                               perms::owner_read | perms::group_read | perms::others_read);
  // Inside walls it is the same user who comes through the folder around it.
  std::filesystem::permissions(lockFolder().parent_path(), perms::group_exec | perms::others_exec,
                               std::filesystem::perm_options::add);
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t nobody = 65534;  // root may write to every file
    if (geteuid() == 0 && setuid(nobody) != 0) _exit(3);
    _exit(MeasuringLock::acquire("GPU-a", 0.02, {}) ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << "1: it was not kept from measuring";
}

TEST_F(MeasuringLockTest, AStopEndsTheWait) {
  const auto held = MeasuringLock::acquire("GPU-a", 1, {});
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(MeasuringLock::acquire("GPU-a", 60, stop.get_token()));
}

TEST_F(MeasuringLockTest, AProcessThatDiesLeavesNoLockBehind) {
  std::array<int, 2> ready{};
  ASSERT_EQ(pipe(ready.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto held = MeasuringLock::acquire("GPU-a", 1, {});
    (void)!write(ready[1], "x", 1);
    pause();
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_FALSE(MeasuringLock::acquire("GPU-a", 0.02, {}));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(MeasuringLock::acquire("GPU-a", 1, {}));
}

}  // namespace
}  // namespace wb
