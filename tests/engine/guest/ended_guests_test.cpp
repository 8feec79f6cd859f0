// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/channel/ended_guests.h"

#include <csignal>
#include <future>

#include "core/base/process/process_tree.h"
#include "tests/engine/guest/guest_fixture.h"

namespace wb {
namespace {

TEST(EndedGuests, AreWaitedForByWhoAsks) {
  EndedGuests ended;
  std::promise<void> mayEnd;
  std::vector<int> gone;
  ended.await();
  ended.add([&] {
    mayEnd.get_future().wait();
    gone.push_back(1);
  });
  ended.add([&] { gone.push_back(2); });
  mayEnd.set_value();
  ended.await();
  EXPECT_THAT(gone, testing::ElementsAre(1, 2));
  ended.add([&] { gone.push_back(3); });
  ended.await();
  EXPECT_THAT(gone, testing::ElementsAre(1, 2, 3));
}

TEST(EndedGuests, AreAllGoneAtTheEnd) {
  std::promise<void> mayEnd;
  int gone = 0;
  {
    EndedGuests ended;
    ended.add([&] {
      mayEnd.get_future().wait();
      ++gone;
    });
    for (int i = 0; i < 2; ++i) ended.add([&] { ++gone; });
    mayEnd.set_value();
  }
  EXPECT_EQ(gone, 3);
}

TEST(EndedGuests, AGuestThatIsNotNeededGoesByItself) {
  const std::shared_ptr<GuestParent> parent = GuestKernel::parent();
  pid_t process = -1;
  {
    GuestKernel kernel("relu", Guest::Start{parent});
    ASSERT_EQ(problemOf(kernel.load()), "");
    process = kernel.session->present()->pid();
  }
  parent->ended()->await();
  // It was reaped, too.
  EXPECT_FALSE(processState(process));
}

}  // namespace
}  // namespace wb
