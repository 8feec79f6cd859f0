// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/base64.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

TEST(Base64, IsWhatTheStandardSays) {
  // RFC 4648, chapter 10.
  const std::pair<const char*, const char*> known[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : known) {
    EXPECT_EQ(base64Of(bytes), text);
    EXPECT_EQ(bytesOfBase64(text), bytes);
  }
}

TEST(Base64, AnyBytesComeBack) {
  std::string bytes;
  for (int i = 0; i < 1000; ++i) {
    bytes += static_cast<char>(i * 37 % 256);
    EXPECT_EQ(bytesOfBase64(base64Of(bytes)), bytes) << i;
  }
}

TEST(Base64, WhatIsNoneIsRefused) {
  for (const char* text : {"Z", "Zg", "Zg=", "Z===", "Zm9v!A==", "Zg==Zg==", "Zm 9", "Zm9v\n"})
    EXPECT_FALSE(bytesOfBase64(text)) << text;
}

}  // namespace
}  // namespace wb
