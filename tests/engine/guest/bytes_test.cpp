// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/channel/bytes.h"

#include <gmock/gmock.h>

namespace wb {
namespace {

TEST(Bytes, ComeBackAsTheyWereWritten) {
  Bytes bytes;
  ByteWriter to(bytes);
  to.put(std::int64_t{-7});
  to.text("relu");
  to.put(2.5);
  ByteReader from(bytes);
  EXPECT_EQ(from.get<std::int64_t>(), -7);
  EXPECT_EQ(from.text(), "relu");
  EXPECT_EQ(from.get<double>(), 2.5);
  EXPECT_FALSE(from.bad());
}

TEST(Bytes, NothingIsReadBeyondTheEnd) {
  Bytes bytes;
  ByteWriter(bytes).put(std::uint16_t{9});
  ByteReader from(bytes);
  EXPECT_EQ(from.get<std::uint64_t>(), 0U);
  EXPECT_TRUE(from.bad());
  EXPECT_EQ(from.get<std::uint8_t>(), 0) << "after a fault everything is zero";
}

TEST(Bytes, ATextIsNotLongerThanWhatFollows) {
  Bytes bytes;
  ByteWriter(bytes).put(std::uint32_t{0xffffffff});
  ByteReader from(bytes);
  EXPECT_EQ(from.text(), "");
  EXPECT_TRUE(from.bad());
}

TEST(Bytes, ACountIsWhatTheRestCanHold) {
  Bytes bytes;
  ByteWriter to(bytes);
  to.put(std::uint32_t{3});
  to.put(std::uint64_t{1});
  EXPECT_EQ(ByteReader(bytes).count(8), 0U);
  EXPECT_EQ(ByteReader(bytes).count(2), 3U);
}

TEST(Bytes, ALongTextIsCut) {
  Bytes bytes;
  ByteWriter to(bytes);
  to.text(std::string(100, 'x'));
  to.put(std::uint8_t{5});
  ByteReader from(bytes);
  EXPECT_EQ(from.text(10), std::string(10, 'x'));
  EXPECT_EQ(from.get<std::uint8_t>(), 5) << "what follows is where it was";
}

}  // namespace
}  // namespace wb
