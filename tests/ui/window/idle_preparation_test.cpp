// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/idle_preparation.h"

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "tests/ui/window_test.h"
#include "ui/editing/document.h"

namespace wb {
namespace {

/// Stands for what is made: goes on until it is let go or stopped.
class Making {
 public:
  Result<void> operator()(const std::string& python, const std::stop_token& stop) {
    const std::stop_callback wake(stop, [this] { changed_.notify_all(); });
    std::unique_lock lock(mutex_);
    pythons_.push_back(python);
    changed_.wait(lock, [&] { return done_ || stop.stop_requested(); });
    stopped_ += stop.stop_requested();
    return {};
  }
  void finish() {
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
  }
  std::size_t begun() { return (std::lock_guard(mutex_), pythons_.size()); }
  int stopped() { return (std::lock_guard(mutex_), stopped_); }
  std::vector<std::string> pythons() { return (std::lock_guard(mutex_), pythons_); }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> pythons_;
  bool done_ = false;
  int stopped_ = 0;
};

class IdlePreparationTest : public test::WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    prepare_ = [this](const std::string& python, const std::stop_token& stop) {
      return making_(python, stop);
    };
  }
  void TearDown() override {
    making_.finish();
    WindowTest::TearDown();
  }
  Making making_;
};

TEST_F(IdlePreparationTest, BeginsWhenTheWorkerIsThereAndIsDoneOnce) {
  open();
  ASSERT_TRUE(waitFor([&] { return making_.begun() == 1; }));
  making_.finish();
  edit("relu.cpp", test::fakeKernel());
  run();
  run();
  EXPECT_EQ(making_.begun(), 1U);
  EXPECT_EQ(making_.stopped(), 0);
}

TEST_F(IdlePreparationTest, ARunThatDoesNotNeedItIsNotTimedBesideIt) {
  open();
  ASSERT_TRUE(waitFor([&] { return making_.begun() == 1; }));
  edit("relu.cu", "// fake: --cases=2\n// op: relu\n__global__ void relu(const float* x, float* y) {}\n");
  run();
  EXPECT_EQ(making_.stopped(), 1);
  ASSERT_TRUE(waitFor([&] { return making_.begun() == 2; }));  // it begins again
}

TEST_F(IdlePreparationTest, ARunThatNeedsItLetsItGoOn) {
  open();
  ASSERT_TRUE(waitFor([&] { return making_.begun() == 1; }));
  edit("relu.cpp", test::fakeKernel());
  run();
  EXPECT_EQ(making_.begun(), 1U);
  EXPECT_EQ(making_.stopped(), 0);
}

TEST_F(IdlePreparationTest, EndsWithTheWindow) {
  open();
  ASSERT_TRUE(waitFor([&] { return making_.begun() == 1; }));
  close();
  EXPECT_EQ(making_.stopped(), 1);
}

}  // namespace
}  // namespace wb
