// SPDX-License-Identifier: Apache-2.0
// A guest may end, hang, or say anything at any point; the judge lives on and says what happened.
#include "tests/engine/guest/guest_fixture.h"

namespace wb {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

struct Fault {
  const char* kernel;
  /// What is said of it at last.
  const char* says;
  /// The verdict that the loss of the guest amounts to; nothing where it lives on.
  std::optional<Verdict> loss{};
};

class Faults : public testing::TestWithParam<Fault> {};

TEST_P(Faults, EndInWordsAndTheNextCallHasANewGuest) {
  const Fault& fault = GetParam();
  GuestKernel kernel(fault.kernel);
  const bool inLoad = std::string(fault.kernel).ends_with("load");
  const bool hangs = std::string(fault.kernel).starts_with("hangs");
  if (hangs && inLoad) kernel.allow(0.3);
  const Result<LoadedInGuest> loaded = kernel.load();
  if (inLoad) {
    EXPECT_THAT(problemOf(loaded), HasSubstr(fault.says));
  } else {
    ASSERT_EQ(problemOf(loaded), "");
    kernel.allow(hangs ? 0.3 : 20);
    EXPECT_THAT(problemOf(kernel.call({at::ones({8})})), HasSubstr(fault.says));
  }
  const std::optional<GuestLoss> loss = kernel.session->takeLoss();
  ASSERT_EQ(loss.has_value(), fault.loss.has_value());
  if (loss) EXPECT_EQ(loss->verdict, *fault.loss);
  EXPECT_FALSE(kernel.session->takeLoss()) << "a loss is told once";
  // The same kernel is loaded into a new guest where one is needed.
  if (inLoad) return;
  kernel.allow(hangs ? 0.3 : 20);
  EXPECT_THAT(problemOf(kernel.call({at::ones({8})})), HasSubstr(fault.says));
}

INSTANTIATE_TEST_SUITE_P(
    AtEveryPoint, Faults,
    testing::Values(
        Fault{"does not load", "no kernel here"}, Fault{"crashes in load", "SIGSEGV", Verdict::crashed},
        Fault{"hangs in load", "did not finish within the test's limit", Verdict::hung},
        Fault{"refuses", "not this one"}, Fault{"crashes in prepare", "SIGSEGV", Verdict::crashed},
        Fault{"hangs in prepare", "did not finish within the test's limit", Verdict::hung},
        Fault{"crashes", "SIGSEGV", Verdict::crashed}, Fault{"exits", "exit code 0", Verdict::crashed},
        Fault{"hangs", "did not finish within the test's limit", Verdict::hung},
        Fault{"unmapped", "memory that cannot be read"}, Fault{"huge", "are larger than"},
        Fault{"beyond", "reaches beyond the argument"}, Fault{"filled late", "memory that cannot be read"},
        Fault{"sparse", "--strict cannot take: it is not strided"},
        Fault{"many", "more tensors than --strict takes"}),
    [](const auto& info) {
      std::string name;
      bool begins = true;
      for (const char* each = info.param.kernel; *each != 0; begins = *each == ' ', ++each)
        if (*each != ' ') name += static_cast<char>(begins ? std::toupper(*each) : *each);
      return name;
    });

TEST(GuestFaults, OneThatTakesItsStopsBackIsHeldStillOrEnded) {
  GuestKernel kernel("fights");
  ASSERT_TRUE(kernel.load());
  const auto results = kernel.call({at::ones({8})});
  const std::optional<GuestLoss> loss = kernel.session->takeLoss();
  if (loss)
    EXPECT_THAT(loss->how, HasSubstr("held still"));
  else
    EXPECT_EQ(problemOf(results), "");
}

TEST(GuestFaults, OneThatSaysAnythingIsReadToAnEnd) {
  int errors = 0;
  for (int seed = 1; seed <= 4; ++seed) {
    GuestKernel kernel("relu", Guest::Start{GuestKernel::parent({"--liar", std::to_string(seed)})});
    ASSERT_EQ(problemOf(kernel.load()), "");
    for (int call = 0; call < 30; ++call) errors += kernel.call({at::ones({8})}) ? 0 : 1;
  }
  EXPECT_GT(errors, 40);
}

TEST(GuestFaults, ACallOfALostGuestIsAnError) {
  GuestKernel kernel("relu");
  ASSERT_TRUE(kernel.load());
  const auto first = kernel.prepare({at::ones({2})});
  ASSERT_TRUE(first);
  ::kill(kernel.session->present()->pid(), SIGKILL);
  EXPECT_THAT(problemOf((*first)->run()), HasSubstr("SIGKILL"));
  const auto second = kernel.prepare({at::ones({2})});
  ASSERT_EQ(problemOf(second), "") << "the next call has a new guest";
  EXPECT_TRUE((*second)->run());
  EXPECT_THAT(problemOf((*first)->run()), HasSubstr("SIGKILL"));
}

TEST(GuestFaults, AProgramThatIsNoGuestIsSaidSo) {
  GuestKernel kernel("relu",
                     Guest::Start{std::make_shared<GuestParent>(std::vector<std::string>{"/bin/true"})});
  const auto loaded = kernel.load();
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().text, HasSubstr("what it is forked from has ended"));
  GuestKernel none("relu",
                   Guest::Start{std::make_shared<GuestParent>(std::vector<std::string>{"/nonexistent"})});
  EXPECT_THAT(problemOf(none.load()), HasSubstr("was not started"));
}

}  // namespace
}  // namespace wb
