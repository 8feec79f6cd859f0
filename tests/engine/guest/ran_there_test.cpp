// SPDX-License-Identifier: Apache-2.0
// What ran in a guest: what the guest says, and what is seen from outside.
#include <ATen/ops/silu.h>

#include <cmath>
#include <limits>

#include "core/engine/call_elsewhere.h"
#include "core/engine/guest/channel/mapped_parts.h"
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
  const auto ran = elsewhere(**prepared)->ranThere();
  EXPECT_THAT(namesOf(ran), Contains("aten::relu"));
  EXPECT_EQ(delegatedTo("aten::relu", ran), "aten::relu");
}

TEST(RanThere, ACallThatWasNotWatchedSaysNothing) {
  GuestKernel kernel("relu");
  ASSERT_EQ(problemOf(kernel.load()), "");
  const auto prepared = kernel.prepare({at::ones({64})});
  ASSERT_EQ(problemOf((*prepared)->run()), "");
  EXPECT_THAT(elsewhere(**prepared)->ranThere(), IsEmpty());
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
