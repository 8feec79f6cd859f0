// SPDX-License-Identifier: Apache-2.0
// A guest names the kernels of a GPU that it launches, and its judge compiles them, whatever it says.
#include <signal.h>

#include "tests/engine/guest/guest_fixture.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// What a judge's compiler is asked for; it compiles everything.
struct Compiled {
  std::vector<std::vector<std::string>> asked;

  std::shared_ptr<KernelAnswers> answers() {
    return std::make_shared<KernelAnswers>(
        [this](const std::vector<std::string>& names, double seconds) -> Result<NamedKernels> {
          EXPECT_GT(seconds, 0);
          asked.push_back(names);
          NamedKernels kernels{"code of", {}};
          for (const std::string& each : names) kernels.loweredNames.push_back("_" + each);
          return kernels;
        });
  }
};

TEST(NamedKernels, AreGivenToTheGuestThatNamesThem) {
  Compiled compiled;
  GuestKernel kernel("asks for two");
  const auto loaded = kernel.load(compiled.answers());
  ASSERT_EQ(problemOf(loaded), "");
  EXPECT_EQ(loaded->toolchain, "code of _k<float> _k<double>");
  EXPECT_THAT(compiled.asked, ElementsAre(ElementsAre("k<float>", "k<double>")));
  EXPECT_EQ(problemOf(kernel.call({at::ones({8})})), "");
}

TEST(NamedKernels, OfALostGuestAreTheNextOnes) {
  Compiled compiled;
  GuestKernel kernel("asks for two");
  const auto answers = compiled.answers();
  ASSERT_EQ(problemOf(kernel.load(answers)), "");
  answers->close();
  ::kill(kernel.session->present()->pid(), SIGKILL);
  ASSERT_NE(problemOf(kernel.call({at::ones({8})})), "");
  EXPECT_EQ(problemOf(kernel.call({at::ones({8})})), "") << "the next call has a new guest";
  EXPECT_EQ(compiled.asked.size(), 1U) << "what was compiled is kept";
}

TEST(NamedKernels, AreTheSameInEveryGuest) {
  Compiled compiled;
  GuestKernel kernel("asks for its number");
  ASSERT_EQ(problemOf(kernel.load(compiled.answers())), "");
  for (int guest = 0; guest < 2; ++guest) {
    ::kill(kernel.session->present()->pid(), SIGKILL);
    (void)kernel.call({at::ones({8})});
    EXPECT_THAT(problemOf(kernel.call({at::ones({8})})), HasSubstr("names other kernels"));
  }
  EXPECT_EQ(compiled.asked.size(), 1U);
}

TEST(NamedKernels, ThatAreRefusedKeepTheKernelFromBeingLoadedWhateverItSays) {
  GuestKernel kernel("asks in vain");
  const auto answers = std::make_shared<KernelAnswers>([](const auto&, double) -> Result<NamedKernels> {
    return Error{Stage::compile, "no such kernel"};
  });
  EXPECT_THAT(problemOf(kernel.load(answers)), HasSubstr("was refused the kernels"));
  EXPECT_TRUE(answers->refused());
  GuestKernel honest("asks for two");
  EXPECT_THAT(problemOf(honest.load(std::make_shared<KernelAnswers>(nullptr))), HasSubstr("other kernels"));
}

TEST(NamedKernels, NobodyCompilesForAKernelThatHasNone) {
  GuestKernel kernel("asks for two");
  EXPECT_THAT(problemOf(kernel.load()), HasSubstr("nobody compiles these kernels"));
  GuestKernel nonsense("asks nonsense");
  Compiled compiled;
  EXPECT_THAT(problemOf(nonsense.load(compiled.answers())), HasSubstr("nobody compiles these kernels"));
  EXPECT_TRUE(compiled.asked.empty());
}

TEST(NamedKernels, AMillionOfThemIsTooManyForAQuestion) {
  Compiled compiled;
  GuestKernel kernel("asks for too much");
  EXPECT_THAT(problemOf(kernel.load(compiled.answers())), HasSubstr("more than --strict takes"));
  EXPECT_FALSE(kernel.session->takeLoss());
  GuestKernel bold("says a million");
  EXPECT_NE(problemOf(bold.load(compiled.answers())), "");
  const std::optional<GuestLoss> loss = bold.session->takeLoss();
  ASSERT_TRUE(loss);
  EXPECT_EQ(loss->verdict, Verdict::tampered) << loss->how;
  EXPECT_TRUE(compiled.asked.empty());
}

TEST(NamedKernels, AGuestMayEndBeforeItsAnswer) {
  Compiled compiled;
  GuestKernel kernel("asks and dies");
  EXPECT_THAT(problemOf(kernel.load(compiled.answers())), HasSubstr("SIGSEGV"));
  EXPECT_EQ(kernel.session->takeLoss()->verdict, Verdict::crashed);
  EXPECT_LE(compiled.asked.size(), 1U);
}

TEST(NamedKernels, AGuestThatAsksWithoutEndIsEnded) {
  Compiled compiled;
  GuestKernel kernel("asks without end");
  kernel.allow(0.5);
  EXPECT_THAT(problemOf(kernel.load(compiled.answers())), HasSubstr("did not finish within"));
  EXPECT_LE(compiled.asked.size(), 1U);
}

}  // namespace
}  // namespace wb
