// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/seal.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

namespace wb {
namespace {

SealKey someKey() {
  SealKey key{};
  std::iota(key.begin(), key.end(), std::uint8_t{0});
  return key;
}

/// From the authors' paper and their file of test vectors: so many bytes 0, 1, 2, …
TEST(Seal, TheKeyedHashIsTheAuthors) {
  std::string bytes;
  for (char next = 0; next < 15; ++next) bytes += next;
  EXPECT_EQ(sipHash(someKey(), bytes), 0xa129ca6149be45e5U);
  EXPECT_EQ(sipHash(someKey(), ""), 0x726fdb47dd0e0e31U);
  EXPECT_EQ(sipHash(someKey(), bytes.substr(0, 8)), 0x93f5f5799a932462U);
}

TEST(Seal, AFrameComesBackAsItWas) {
  FrameSeal here, there;
  const Frame frame{21, 0, 7, R"({"event":"Log"})"};
  EXPECT_EQ(here.sealed(frame), frame);
  EXPECT_EQ(there.opened(frame), frame);
  here.use(someKey());
  there.use(someKey());
  for (int i = 0; i < 3; ++i) {
    const Frame sealed = here.sealed(frame);
    EXPECT_EQ(sealed.payload.size(), frame.payload.size() + FrameSeal::bytes);
    EXPECT_EQ(there.opened(sealed), frame);
  }
}

TEST(Seal, NoFrameIsTakenThatWasMadeChangedOrSentAgain) {
  FrameSeal here, there;
  here.use(someKey());
  there.use(someKey());
  const Frame first = here.sealed({21, 0, 7, "first"}), second = here.sealed({21, 0, 7, "second"});
  EXPECT_FALSE(there.opened({21, 0, 7, "not sealed"}));
  EXPECT_FALSE(there.opened({21, FrameSeal::sealedFlag, 7, "short"}));
  for (const auto& change :
       {+[](Frame& frame) { frame.payload[0] = 'F'; }, +[](Frame& frame) { frame.type = 20; },
        +[](Frame& frame) { frame.run = 8; }, +[](Frame& frame) { frame.flags = 0; },
        +[](Frame& frame) { frame.payload.back() ^= 1; }}) {
    Frame changed = first;
    change(changed);
    EXPECT_FALSE(there.opened(changed));
  }
  EXPECT_FALSE(there.opened(second)) << "the one before it is left out";
  ASSERT_TRUE(there.opened(first));
  EXPECT_FALSE(there.opened(first)) << "it was sent once";
  EXPECT_TRUE(there.opened(second));
}

TEST(Seal, KeysAreDrawn) {
  EXPECT_NE(drawSealKey(), drawSealKey());
  FrameSeal here, there;
  here.use(drawSealKey());
  there.use(drawSealKey());
  EXPECT_FALSE(there.opened(here.sealed({21, 0, 7, "another's"})));
}

}  // namespace
}  // namespace wb
