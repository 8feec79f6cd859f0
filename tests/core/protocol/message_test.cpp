// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/message.h"

#include <gmock/gmock.h>

#include <random>

namespace wb {
namespace {

using testing::HasSubstr;

Job someJob() {
  Job job;
  job.kernels = {{"relu.cpp", "at::Tensor relu(at::Tensor x) { return x; }\n", "torch_cpp", "relu"}};
  job.suite = "smoke";
  job.cases = {
      {"aten::relu", "((T([5, 5], f32),), {})", "5×5", "f32", 2, 0xffffffffffffffff, {"smoke.txt", 3, 1}}};
  job.work =
      JobWork{true, {{0, true, {{Stage::time, std::vector<std::uint32_t>{3}, 0}}, std::nullopt, {0, 2}, {}}}};
  return job;
}

std::vector<Message> allMessages() {
  CaseCheck check;
  check.verdict = Verdict::mismatch;
  check.errors = ErrorFigures{1e-3, 0.5, 17, 4, 25, "[3, 1]", "1.0", "nan"};
  return {
      Hello{protocolVersion, "0.1.0 abc", {"cpu", "EPYC", "x86-64", "2.11.0", "", "host"}, "", ""},
      Hello{protocolVersion, "0.1.0 abc", {}, "no torch", "run packaging/setup"},
      Welcome{true, ""},
      Welcome{false, "other version"},
      Welcome{true, "", SealKey{1, 2, 255}},
      RunJob{someJob()},
      Cancel{},
      Ping{},
      Bye{},
      Bye{true},
      Heartbeat{0xffffffffffffffff},
      Elsewhere{Elsewhere::State::gone, "the network is gone"},
      Happened{JobStarted{{"cuda:0", "H100", "sm_90", "2.11.0", "580", "h"}, "2026-01-01T00:00:00Z"}},
      Happened{StepDone{Stage::check, 0, 7, check}},
      Happened{Log{"stderr", "µ"}},
      Happened{StageFailed{std::nullopt, {Stage::compile, "t", "h", {"f", 1, 2}}}},
      Happened{Finished{Outcome::cancelled, 1.5}},
      AskBuilds{},
      Builds{{"node1", "x86-64", "clang 14", "2.36", "libstdc++ 12", "2.11.0+cu130", "NVRTC 13.0", "sm_90"}},
      CompileAhead{someJob(), "sm_90"},
      Built{{"key", "{}",
             std::string("\0\x7f"
                         "ELF\xff\n",
                         7),
             "hash"},
            "node1",
            0xffffffffffffffff}};
}

TEST(Message, EveryKindComesBackAsItWas) {
  for (const Message& message : allMessages()) {
    const auto back = fromFrame(toFrame(message, 9));
    ASSERT_TRUE(back) << back.error().text;
    ASSERT_TRUE(*back);
    EXPECT_EQ(**back, message) << toFrame(message).payload;
    EXPECT_EQ(toFrame(message, 9).run, 9U);
  }
}

TEST(Message, WhatWasBuiltIsProvedByAllOfIt) {
  const Built built{{"key", "about", "content", "hash"}, "node1", 0};
  const SealKey seal{1, 2, 3};
  const std::uint64_t proof = proofOf(built, seal);
  EXPECT_EQ(proofOf(built, seal), proof);
  EXPECT_NE(proofOf(built, SealKey{1, 2, 4}), proof);
  for (const auto part : {&BuiltFile::key, &BuiltFile::about, &BuiltFile::content, &BuiltFile::hash}) {
    Built other = built;
    (other.file.*part) += 'x';
    EXPECT_NE(proofOf(other, seal), proof);
  }
  // What moves from one member to the next is another message, too.
  EXPECT_NE(proofOf({{"ke", "yabout", "content", "hash"}, "node1", 0}, seal), proof);
  EXPECT_NE(proofOf({{"key", "about", "content", "hash"}, "node2", 0}, seal), proof);
  Frame broken = toFrame(built);
  broken.payload.replace(broken.payload.find("Y29u"), 4, "Y2%u");
  EXPECT_FALSE(fromFrame(broken));
}

TEST(Message, FrozenTypesAndKeysStayAsTheyAre) {
  const Frame hello = toFrame(Hello{1, "b", {}, "", ""});
  EXPECT_EQ(hello.type, 1);
  EXPECT_THAT(hello.payload, testing::AllOf(HasSubstr(R"("protocol":1)"), HasSubstr(R"("build":"b")")));
  EXPECT_EQ(toFrame(Welcome{}).type, 2);
}

TEST(Message, GreetingOfAnotherVersionIsReadWhateverElseItHolds) {
  const auto read = fromFrame({1, 0, 0, R"({"protocol":99,"build":"9.9","target":[1,2],"failure":{"a":1}})"});
  ASSERT_TRUE(read) << read.error().text;
  const Hello hello = std::get<Hello>(**read);
  EXPECT_EQ(hello.protocol, 99);
  EXPECT_EQ(hello.build, "9.9");
}

TEST(Message, GreetingOfOurVersionMustBeWhole) {
  EXPECT_FALSE(fromFrame({1, 0, 0, fmt::format(R"({{"protocol":{},"target":[1,2]}})", protocolVersion)}));
  EXPECT_FALSE(fromFrame({1, 0, 0, R"({"build":"b"})"}));
  EXPECT_FALSE(fromFrame({1, 0, 0, R"({"protocol":"1"})"}));
}

TEST(Message, UnknownTypesAreIgnored) {
  for (const int type : {0, 3, 15, 27, 65535}) {
    const auto read = fromFrame({static_cast<std::uint16_t>(type), 0, 0, "not even JSON"});
    ASSERT_TRUE(read);
    EXPECT_FALSE(*read) << type;
  }
}

TEST(Message, UnknownKeysAreIgnored) {
  EXPECT_EQ(std::get<Heartbeat>(**fromFrame({20, 0, 0, R"({"beat":4,"mood":"good"})"})).beat, 4U);
}

TEST(Message, BadPayloadsNameTheTypeAndTheReason) {
  EXPECT_THAT(fromFrame({21, 0, 0, "{"}).error().text, HasSubstr("a message of type 21 cannot be read"));
  EXPECT_FALSE(fromFrame({21, 0, 0, R"({"event":"NoSuch"})"}));
  EXPECT_FALSE(fromFrame({21, 0, 0, "[]"}));
  EXPECT_FALSE(fromFrame({16, 0, 0, R"({"kernels":3})"}));
  EXPECT_FALSE(fromFrame({18, 0, 0, ""}));
}

TEST(Message, DamagedPayloadsGiveAMessageOrAnErrorAndNeverCrash) {
  const std::vector<Message> messages = allMessages();
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    Frame frame = toFrame(messages[random() % messages.size()]);
    for (int flips = 1 + static_cast<int>(random() % 4); flips > 0 && !frame.payload.empty(); --flips) {
      const std::size_t at = random() % frame.payload.size();
      if (random() % 2 == 0)
        frame.payload[at] = static_cast<char>(random());
      else
        frame.payload.erase(at, 1 + random() % 5);
    }
    const auto read = fromFrame(frame);
    EXPECT_TRUE(read || !read.error().text.empty());
  }
}

}  // namespace
}  // namespace wb
