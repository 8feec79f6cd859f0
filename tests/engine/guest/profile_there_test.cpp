// SPDX-License-Identifier: Apache-2.0
// Profiles that come from a guest, by its own word.
#include "core/engine/call_elsewhere.h"
#include "core/engine/guest/orders.h"
#include "tests/engine/guest/guest_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

SideProfile partOf(const std::string& kernel) {
  SideProfile part;
  Launch launch;
  launch.kernel = launch.function = kernel;
  launch.grid = {7, 1, 1};
  launch.metrics = {{"dram__bytes_read.sum", 64}};
  part.launches = {launch};
  part.passes = 3;
  part.notes = {"a note"};
  return part;
}

TEST(ProfileThere, WhatIsAskedComesAsItWent) {
  AskedProfile asked{{}, 1, 50 << 20, CacheState::hot};
  asked.plan.sections = {"quick", "dram__bytes_read.sum"};
  asked.plan.timeline = false;
  asked.chip = CountedChip{"GH100", {1, 0, 255}};
  Bytes bytes;
  ByteWriter writer(bytes);
  write(writer, asked);
  ByteReader reader(bytes);
  const AskedProfile read = readAskedProfile(reader);
  EXPECT_EQ(read.plan.sections, asked.plan.sections);
  EXPECT_EQ(std::tuple(read.plan.timeline, read.device, read.cacheBytes, read.caches),
            std::tuple(false, 1, std::int64_t{50} << 20, CacheState::hot));
  ASSERT_TRUE(read.chip);
  EXPECT_EQ(read.chip->name, "GH100");
  EXPECT_EQ(read.chip->availability, asked.chip->availability);
}

TEST(ProfileThere, AProfileComesAsItWent) {
  const std::vector<SideProfile> parts{partOf("relu"), partOf("copy")};
  Bytes bytes;
  ByteWriter writer(bytes);
  write(writer, parts);
  ByteReader reader(bytes);
  EXPECT_EQ(readProfile(reader), parts);
}

TEST(ProfileThere, WhatIsNoProfileIsNone) {
  Bytes bytes;
  ByteWriter writer(bytes);
  writer.put(std::uint32_t{3});
  writer.text("{]");
  writer.text(R"({"event": "Log", "text": "I am fast"})");
  writer.text(std::string(100000, '['));
  ByteReader reader(bytes);
  EXPECT_THAT(readProfile(reader), IsEmpty());

  Bytes good;
  ByteWriter into(good);
  write(into, std::vector<SideProfile>{partOf("relu")});
  for (std::size_t size = 0; size < good.size(); size += 7) {
    ByteReader cut(std::span(good).first(size));
    EXPECT_THAT(readProfile(cut), SizeIs(0)) << size;
  }
}

TEST(ProfileThere, WithoutAGpuThereIsNone) {
  GuestKernel kernel("relu");
  ASSERT_EQ(problemOf(kernel.load()), "");
  const auto prepared = kernel.prepare({at::ones({64})});
  ASSERT_EQ(problemOf(prepared), "");
  const auto profile = elsewhere(**prepared)->profileThere({});
  ASSERT_FALSE(profile);
  EXPECT_THAT(profile.error().text, HasSubstr("needs a GPU"));
  EXPECT_EQ(problemOf((*prepared)->run()), "") << "the guest goes on";
}

}  // namespace
}  // namespace wb
