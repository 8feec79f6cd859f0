// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/frame.h"

#include <gmock/gmock.h>

#include <random>
#include <vector>

namespace wb {
namespace {

using testing::HasSubstr;

/// All frames in `bytes`, fed in pieces of `step`; ends at the first error.
struct Decoded {
  std::vector<Frame> frames;
  std::optional<Error> failure;
  std::size_t pending = 0;
};
Decoded decodeAll(std::string_view bytes, std::size_t step) {
  Decoded result;
  FrameDecoder decoder;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    decoder.feed(bytes.substr(at, step));
    while (true) {
      auto next = decoder.next();
      if (!next) {
        result.failure = next.error();
        return result;
      }
      if (!*next) break;
      result.frames.push_back(**std::move(next));
    }
  }
  result.pending = decoder.pending();
  return result;
}

const std::vector<Frame> someFrames{{1, 0, 0, R"({"protocol":1})"},
                                    {21, 3, 0xfffffffe, ""},
                                    {65535, 65535, 7, "WBF1 inside, \n and a \xff"},
                                    {18, 0, 1, "{}"}};

std::string encodeAll(const std::vector<Frame>& frames) {
  std::string bytes;
  for (const Frame& frame : frames) bytes += encode(frame);
  return bytes;
}

TEST(Frame, HeaderIsLittleEndianAndCountsTheNewline) {
  EXPECT_EQ(encode({0x0102, 0x0304, 0x05060708, "ab"}),
            std::string("WBF1\x03\0\0\0\x02\x01\x04\x03\x08\x07\x06\x05"
                        "ab\n",
                        19));
}

TEST(Frame, SurvivesEverySplit) {
  const std::string bytes = encodeAll(someFrames);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    FrameDecoder decoder;
    std::vector<Frame> got;
    for (const std::string_view part :
         {std::string_view(bytes).substr(0, cut), std::string_view(bytes).substr(cut)}) {
      decoder.feed(part);
      for (auto next = decoder.next(); next && *next; next = decoder.next()) got.push_back(**next);
    }
    EXPECT_EQ(got, someFrames) << "cut at " << cut;
    EXPECT_EQ(decoder.pending(), 0U);
  }
}

TEST(Frame, SurvivesEveryChunkSize) {
  const std::string bytes = encodeAll(someFrames);
  for (std::size_t step = 1; step <= bytes.size(); ++step)
    EXPECT_EQ(decodeAll(bytes, step).frames, someFrames) << "chunks of " << step;
}

TEST(Frame, TruncatedStreamLeavesSomethingPending) {
  const std::string bytes = encodeAll(someFrames);
  const std::size_t whole = encode(someFrames[0]).size();
  for (std::size_t length = 1; length < whole; ++length) {
    const Decoded got = decodeAll(std::string_view(bytes).substr(0, length), 5);
    EXPECT_TRUE(got.frames.empty());
    EXPECT_FALSE(got.failure);
    EXPECT_EQ(got.pending, length);
  }
}

TEST(Frame, BannerBeforeTheFirstFrameIsSkippedAndKept) {
  FrameDecoder decoder;
  decoder.feed("Welcome to gpu17!\nWB WBF WBF");
  EXPECT_FALSE(decoder.next()->has_value());
  decoder.feed(encode(someFrames[0]).substr(0, 7));
  decoder.feed(encode(someFrames[0]).substr(7));
  EXPECT_EQ(**decoder.next(), someFrames[0]);
  EXPECT_EQ(decoder.banner(), "Welcome to gpu17!\nWB WBF WBF");
}

TEST(Frame, BannerHasAnEnd) {
  const Decoded got = decodeAll(std::string(70000, 'x') + encode(someFrames[0]), 1000);
  ASSERT_TRUE(got.failure);
  EXPECT_THAT(got.failure->text, HasSubstr("of other text came before the first message: \"xxxx"));
}

TEST(Frame, TextBetweenFramesIsAnError) {
  const Decoded got = decodeAll(encode(someFrames[0]) + "printf!" + encode(someFrames[1]), 1);
  EXPECT_EQ(got.frames.size(), 1U);
  ASSERT_TRUE(got.failure);
  EXPECT_THAT(got.failure->text, HasSubstr("\"p\" instead of \"WBF1\""));
}

TEST(Frame, OversizedLengthIsRefusedBeforeItsBytesCome) {
  const std::string header("WBF1\xf0\xff\xff\xff\x15\0\0\0\0\0\0\0", 16);
  const Decoded got = decodeAll(header, 16);
  ASSERT_TRUE(got.failure);
  EXPECT_THAT(got.failure->text, HasSubstr("claims to have 4.00 GiB; at most 64.0 MiB are taken"));
}

TEST(Frame, LengthWithoutRoomForTheNewlineIsRefused) {
  EXPECT_TRUE(decodeAll(std::string("WBF1\0\0\0\0\x15\0\0\0\0\0\0\0", 16), 16).failure);
}

TEST(Frame, WrongEndIsRefused) {
  std::string bytes = encode(someFrames[0]);
  bytes.back() = 'x';
  EXPECT_THAT(decodeAll(bytes, 100).failure->text, HasSubstr("does not end where it says"));
}

TEST(Frame, AStreamThatLiedIsNeverTrustedAgain) {
  FrameDecoder decoder;
  decoder.feed(encode(someFrames[0]) + "junk");
  EXPECT_TRUE(decoder.next());
  EXPECT_FALSE(decoder.next());
  decoder.feed(encode(someFrames[0]));
  EXPECT_FALSE(decoder.next());
}

TEST(Frame, LargestPayloadGoesThrough) {
  const Frame big{21, 0, 0, std::string(maxFrameBytes - 1, 'x')};
  EXPECT_EQ(decodeAll(encode(big), 1 << 20).frames.size(), 1U);
  EXPECT_TRUE(decodeAll(encode({21, 0, 0, std::string(maxFrameBytes, 'x')}), 1 << 20).failure);
}

TEST(Frame, RandomBytesNeverCrashNorGiveMoreThanTheyHold) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    std::string bytes(random() % 3000, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    const Decoded got = decodeAll(bytes, 1 + random() % 200);
    std::size_t held = 0;
    for (const Frame& frame : got.frames) held += frameHeaderBytes + frame.payload.size() + 1;
    EXPECT_LE(held + got.pending, bytes.size());
  }
}

TEST(Frame, FlippedBytesGiveFramesOrAnErrorWhateverTheChunks) {
  const std::string bytes = encodeAll(someFrames);
  for (unsigned seed = 0; seed < 2000; ++seed) {
    std::mt19937 random(seed);
    std::string damaged = bytes;
    for (int flips = 1 + static_cast<int>(random() % 3); flips > 0; --flips)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    const Decoded whole = decodeAll(damaged, damaged.size()), bytewise = decodeAll(damaged, 1);
    EXPECT_EQ(whole.frames, bytewise.frames) << seed;
    EXPECT_EQ(whole.failure.has_value(), bytewise.failure.has_value()) << seed;
  }
}

}  // namespace
}  // namespace wb
