// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/link.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace wb {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Two ends and what carries bytes between them.
class LinkTest : public testing::Test {
 protected:
  LinkEnd near, far;
  std::vector<std::string> heard;

  void connect() {
    near.connect();
    far.connect();
  }
  void cut() {
    near.disconnect();
    far.disconnect();
  }
  static void carry(LinkEnd& from, LinkEnd& to, std::size_t bytes = std::string::npos) {
    const std::string some(from.unwritten().substr(0, bytes));
    from.wrote(some.size());
    to.feed(some);
  }
  /// What `end` has heard is added to `heard`.
  void listen(LinkEnd& end) {
    while (true) {
      const auto frame = end.next();
      ASSERT_TRUE(frame) << frame.error().text;
      if (!*frame) return;
      heard.push_back((*frame)->text);
    }
  }
  void settle() {
    for (int i = 0; i < 4; ++i) {
      carry(near, far);
      listen(far);
      carry(far, near);
      listen(near);
    }
  }
};

TEST_F(LinkTest, WordsArriveInTheirOrder) {
  near.say(LinkWord::input, "before");
  connect();
  settle();
  near.say(LinkWord::input, "after");
  near.say(LinkWord::close);
  settle();
  EXPECT_EQ(heard, (std::vector<std::string>{"before", "after", ""}));
}

TEST_F(LinkTest, NothingIsLostOrSaidTwiceWhereverTheConnectionIsCut) {
  // Each turn carries a few bytes more before the cut.
  for (std::size_t bytes = 0; bytes < 120; ++bytes) {
    near = far = LinkEnd();
    heard.clear();
    connect();
    settle();
    for (const char* text : {"one", "two", "three"}) near.say(LinkWord::input, text);
    carry(near, far, bytes);
    listen(far);
    carry(far, near, bytes / 2);
    listen(near);
    cut();
    near.say(LinkWord::input, "four");
    connect();
    settle();
    EXPECT_EQ(heard, (std::vector<std::string>{"one", "two", "three", "four"})) << bytes;
  }
}

TEST_F(LinkTest, WhatIsConfirmedIsForgotten) {
  connect();
  settle();
  for (int i = 0; i < 100; ++i) near.say(LinkWord::input, std::string(1000, 'x'));
  EXPECT_EQ(near.unconfirmed(), 100000U);
  settle();
  EXPECT_LT(near.unconfirmed(), 32000U);
  near.say(LinkWord::beat);
  settle();
  EXPECT_EQ(near.unconfirmed(), 0U);
}

TEST_F(LinkTest, ALoginsTextIsSkipped) {
  connect();
  near.feed("Welcome to box!\nWARPBENCH");
  listen(near);
  near.feed(" is not here\n");
  settle();
  far.say(LinkWord::output, "x");
  settle();
  EXPECT_EQ(heard, std::vector<std::string>{"x"});
  EXPECT_EQ(near.banner(), "Welcome to box!\nWARPBENCH is not here\n");
}

TEST_F(LinkTest, EndlessTextIsRefused) {
  connect();
  near.feed(std::string(70000, 'y'));
  const auto frame = near.next();
  ASSERT_FALSE(frame);
  EXPECT_THAT(frame.error().text, HasSubstr("came before the first word"));
}

TEST_F(LinkTest, NonsenseIsRefused) {
  connect();
  settle();
  near.feed("\xff\xff\xff\xff\xff\xff");
  EXPECT_FALSE(near.next());
  EXPECT_FALSE(near.next());
  LinkEnd other;
  other.connect();
  other.feed("\nWARPBENCH LINK 1\n");
  other.feed(std::string("\0\1\0\0\0", 5) + "9");
  const auto frame = other.next();
  ASSERT_FALSE(frame);
  EXPECT_THAT(frame.error().text, HasSubstr("do not agree"));
  EXPECT_THAT(heard, IsEmpty());
}

}  // namespace
}  // namespace wb
