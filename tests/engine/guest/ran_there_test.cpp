// SPDX-License-Identifier: Apache-2.0
// What ran in a guest: what the guest says, and what is seen from outside.
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "core/base/process/mapped_parts.h"
#include "core/engine/call_elsewhere.h"
#include "core/engine/guest/guest_walls.h"
#include "core/engine/sides/full_precision.h"
#include "tests/engine/guest/guest_fixture.h"

namespace wb {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> namesOf(const std::vector<RanPart>& ran) {
  std::vector<std::string> names;
  for (const RanPart& part : ran) names.push_back(part.name);
  return names;
}

TEST(RanThere, AGuestSaysWhichOperatorsAWatchedCallRan) {
  GuestKernel kernel("relu");
  ASSERT_EQ(problemOf(kernel.load()), "");
  const auto prepared = kernel.prepare({at::ones({64})});
  ASSERT_EQ(problemOf(prepared), "");
  elsewhere(**prepared)->watchNext();
  ASSERT_EQ(problemOf((*prepared)->run()), "");
  ASSERT_EQ(problemOf((*prepared)->outputs()), "");
  const auto ran = elsewhere(**prepared)->ranThere().parts;
  EXPECT_THAT(namesOf(ran), Contains("aten::relu"));
  EXPECT_EQ(delegatedTo("aten::relu", ran), "aten::relu");
}

TEST(RanThere, ACallThatIsPreparedInFullPrecisionRunsInItAndNoOther) {
  GuestKernel kernel("precision");
  ASSERT_EQ(problemOf(kernel.load()), "");
  const auto isFull = [](PreparedCall& call) {
    EXPECT_EQ(problemOf(call.run()), "");
    return call.outputs()->at(0).toTensor().sum().item<float>() > 0;
  };
  const auto usual = kernel.prepare({at::ones({4})});
  const auto full = [&] {
    const FullPrecision full;
    return kernel.prepare({at::ones({4})});
  }();
  ASSERT_EQ(problemOf(usual), "");
  ASSERT_EQ(problemOf(full), "");
  EXPECT_FALSE(isFull(**usual));
  EXPECT_TRUE(isFull(**full));
  EXPECT_FALSE(isFull(**usual));
}

TEST(RanThere, ACallThatWasNotWatchedSaysNothing) {
  GuestKernel kernel("relu");
  ASSERT_EQ(problemOf(kernel.load()), "");
  const auto prepared = kernel.prepare({at::ones({64})});
  ASSERT_EQ(problemOf((*prepared)->run()), "");
  EXPECT_THAT(elsewhere(**prepared)->ranThere().parts, IsEmpty());
}

TEST(RanThere, OfWhatAGuestSaysOnlyWhatCanBeIsTaken) {
  const std::vector<RanPart> said{{"ATen", "aten::relu", 1, 1e-6},
                                  {"judge", "aten::relu", 1, 1e-6},
                                  {"ATen", "<script>", 1, 1e-6},
                                  {"ATen", "aten::mm", 0, 1e-6},
                                  {"ATen", "aten::mm", 1, -1},
                                  {"ATen", "aten::mm", 1, std::nan("")},
                                  {"ATen", "aten::mm", 1, std::numeric_limits<double>::infinity()},
                                  {"kernel", "", 1, 2e-6}};
  Bytes bytes;
  ByteWriter writer(bytes);
  write(writer, said);
  ByteReader reader(bytes);
  EXPECT_THAT(readRan(reader), testing::ElementsAre(said.front(), said.back()));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ByteReader cut(std::span(bytes).first(size));
    EXPECT_THAT(readRan(cut), SizeIs(testing::Le(1U))) << size;
  }
}

/// The functions of torch's in which a kernel of the test's guest spends its time.
std::vector<HotCode> hotCodeOf(const std::string& name, const std::shared_ptr<GuestParent>& parent) {
  GuestKernel kernel(name, Guest::Start{parent});
  EXPECT_EQ(problemOf(kernel.load()), "");
  const auto prepared = kernel.prepare({at::rand({65536})});
  EXPECT_EQ(problemOf(prepared), "");
  elsewhere(**prepared)->sampleNext();
  EXPECT_EQ(problemOf((*prepared)->run()), "");
  return elsewhere(**prepared)->hotCodeThere();
}

/// Whether a kernel comes to the code, as it is seen from outside, in each of several calls.
testing::AssertionResult reaches(const std::string& name, const std::shared_ptr<GuestParent>& parent,
                                 const std::vector<HotCode>& code, bool expected) {
  GuestKernel kernel(name, Guest::Start{parent});
  if (const auto loaded = kernel.load(); !loaded) return testing::AssertionFailure() << problemOf(loaded);
  const auto prepared = kernel.prepare({at::rand({65536})});
  for (int i = 0; i < 5; ++i) {
    elsewhere(**prepared)->trapNext(code);
    if (const auto done = (*prepared)->run(); !done) return testing::AssertionFailure() << problemOf(done);
    const auto reached = elsewhere(**prepared)->reachedThere();
    if (!reached) return testing::AssertionFailure() << "nobody looked";
    if (reached->contains(code.front().place) != expected) return testing::AssertionFailure() << "call " << i;
  }
  // It still answers, and nobody looks any more.
  if (const auto done = (*prepared)->run(); !done) return testing::AssertionFailure() << problemOf(done);
  if (elsewhere(**prepared)->reachedThere()) return testing::AssertionFailure() << "a trap is left";
  return testing::AssertionSuccess();
}

TEST(CodeTraps, WhoeverRunsTheCodeIsSeenFromOutside) {
  const auto parent = GuestKernel::parent();
  const std::vector<HotCode> code = hotCodeOf("works long", parent);
  ASSERT_FALSE(code.empty());
  EXPECT_GT(code.front().seconds, 3e-6);
  EXPECT_TRUE(reaches("works long", parent, code, true));
  EXPECT_TRUE(reaches("works quietly", parent, code, true)) << "with signals held off, and no observers";
  EXPECT_TRUE(reaches("works in a thread", parent, code, true)) << "one that begins in the call";
  EXPECT_TRUE(reaches("works in a waiting thread", parent, code, true)) << "one that was there before";
  EXPECT_TRUE(reaches("relu", parent, code, false));
}

TEST(CodeTraps, AGuestDoesNotSeeThem) {
  const auto parent = GuestKernel::parent();
  const std::vector<HotCode> code = hotCodeOf("works long", parent);
  const Result<Sandbox> walls = guestWalls({GuestKernel::program(), "--guest"}, "cpu", false);
  const Result<std::string> raisable = walls ? raisableWalls(*walls) : walls.error();
  if (!raisable) GTEST_SKIP() << "not run: " << problemOf(raisable);
  GuestKernel kernel("tells its tracer", Guest::Start{parent, *raisable});
  ASSERT_EQ(problemOf(kernel.load()), "");
  const auto prepared = kernel.prepare({at::rand({4})});
  ASSERT_EQ(problemOf(prepared), "");
  elsewhere(**prepared)->trapNext(code);
  ASSERT_EQ(problemOf((*prepared)->run()), "");
  const auto reached = elsewhere(**prepared)->reachedThere();
  ASSERT_TRUE(reached) << "nobody looked";
  EXPECT_THAT(*reached, IsEmpty());
  EXPECT_EQ((*(*prepared)->outputs())[0].toTensor().item<std::int64_t>(), 0);
}

TEST(CodeTraps, AGuestThatEndsOrHangsMeanwhileIsLostAsEver) {
  const auto parent = GuestKernel::parent();
  const std::vector<HotCode> code{{0x1000, 1e-3}};
  for (const auto& [name, how] : {std::pair{"crashes", "SIGSEGV"}, std::pair{"exits", "exit code 0"},
                                  std::pair{"hangs", "did not finish within the test's limit"}}) {
    GuestKernel kernel(name, Guest::Start{parent});
    ASSERT_EQ(problemOf(kernel.load()), "");
    const auto prepared = kernel.prepare({at::rand({4})});
    ASSERT_EQ(problemOf(prepared), "");
    kernel.allow(2);
    elsewhere(**prepared)->trapNext(code);
    EXPECT_THAT(problemOf((*prepared)->run()), testing::HasSubstr(how)) << name;
  }
}

TEST(WrittenThere, WhatIsWrittenBeyondATensorThatIsMadeThereIsSaid) {
  for (const auto& [name, result, behind] :
       {std::tuple{"relu", std::optional<std::size_t>(), 0U},
        std::tuple{"writes beyond", std::optional<std::size_t>(0), 4U},
        std::tuple{"writes beyond its own", std::optional<std::size_t>(), 4U}}) {
    GuestKernel kernel(name);
    ASSERT_EQ(problemOf(kernel.load()), "");
    const auto prepared = kernel.prepare({at::rand({64})});
    ASSERT_EQ(problemOf(prepared), "");
    elsewhere(**prepared)->watchNext();
    ASSERT_EQ(problemOf((*prepared)->run()), "");
    ASSERT_EQ(problemOf((*prepared)->outputs()), "");
    const auto beyond = elsewhere(**prepared)->ranThere().beyond;
    ASSERT_EQ(beyond.has_value(), behind > 0) << name;
    if (!beyond) continue;
    EXPECT_EQ(beyond->behind, behind) << name;
    EXPECT_EQ(beyond->inFront, 0U) << name;
    EXPECT_EQ(beyond->result, result) << name;
  }
}

TEST(HotCode, OfWhatAGuestSaysOnlyWhatCanBeIsTaken) {
  const std::vector<HotCode> said{{1, 1e-6}, {2, -1}, {3, std::nan("")}, {4, 1e-6}, {5, 1e-6}};
  Bytes bytes;
  ByteWriter writer(bytes);
  write(writer, said);
  ByteReader reader(bytes);
  EXPECT_THAT(readHotCode(reader), testing::ElementsAre(said[0], said[3])) << "four at most";
}

TEST(SharedResults, TheMemoryOfTheAnswerBeforeIsFoundInAGuestToo) {
  for (const bool same : {false, true}) {
    GuestKernel kernel(same ? "same memory" : "relu");
    ASSERT_EQ(problemOf(kernel.load()), "");
    const auto first = kernel.prepare({at::ones({64})}), second = kernel.prepare({at::ones({64})});
    for (const auto* each : {&first, &second}) {
      ASSERT_EQ(problemOf(*each), "");
      ASSERT_EQ(problemOf((**each)->run()), "");
      ASSERT_EQ(problemOf((**each)->outputs()), "");
    }
    EXPECT_EQ(elsewhere(**second)->sharesResults(**first), same);
  }
}

TEST(SharedResults, AnInputThatIsMappedTwiceIsNoAnswer) {
  GuestKernel kernel("mapped twice");
  ASSERT_EQ(problemOf(kernel.load()), "");
  EXPECT_THAT(problemOf(kernel.call({at::rand({4096})})),
              testing::HasSubstr("lies in an argument's memory, which the kernel has mapped a second time"));
}

TEST(MappedParts, AreThoseOfFiles) {
  const std::vector<MappedPart> parts = mappedParts(
      "7f00-7f80 r-xp 00001000 08:01 42 /a/b.so\n"
      "8000-8100 r-xp 00000000 00:00 0\n");
  ASSERT_EQ(parts.size(), 1U) << "the other is from no file";
  EXPECT_EQ(parts[0].begin, 0x7f00U);
  EXPECT_EQ(parts[0].end, 0x7f80U);
  EXPECT_EQ(parts[0].file, (MappedFile{8, 1, 42}));
}

}  // namespace
}  // namespace wb
