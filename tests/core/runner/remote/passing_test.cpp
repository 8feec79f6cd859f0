// SPDX-License-Identifier: Apache-2.0
// What a runner and its worker on another machine see of each other.
#include "core/runner/remote/near/passing.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "core/base/files/file.h"
#include "core/protocol/message.h"
#include "tests/core/service/temporary_folder.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

/// The messages of a text that is nothing else.
std::vector<Message> messagesIn(const std::string& bytes) {
  FrameDecoder decoder;
  decoder.feed(bytes);
  std::vector<Message> found;
  while (true) {
    const auto frame = decoder.next();
    EXPECT_TRUE(frame);
    if (!frame || !*frame) return found;
    const auto message = fromFrame(**frame);
    EXPECT_TRUE(message && *message);
    if (message && *message) found.push_back(**message);
  }
}

class PassingTest : public testing::Test {
 protected:
  PassingTest() { passing.keepFilesIn("/there/sources"); }

  std::vector<LinkFrame> there(const std::string& bytes) {
    auto words = passing.there(bytes, errors);
    EXPECT_TRUE(words);
    return words.value_or(std::vector<LinkFrame>{});
  }
  static std::vector<LinkWord> wordsOf(const std::vector<LinkFrame>& frames) {
    std::vector<LinkWord> words;
    for (const LinkFrame& each : frames) words.push_back(each.word);
    return words;
  }
  /// A message with a job whose kernel takes in x.h beside it.
  [[nodiscard]] std::string runJob() const {
    EXPECT_TRUE(writeFileAtomically(folder / "x.h", "int x;\n"));
    Job job;
    job.kernels.push_back({(folder / "relu.cu").string(), "#include \"x.h\"\n", "", "relu"});
    return encode(toFrame(RunJob{job}, 7));
  }

  const TemporaryFolder own;
  const fs::path folder = fs::canonical(own.path()) / "my \"kernels\"";
  Passing passing{"ssh://box"};
  std::string errors;
};

TEST_F(PassingTest, WhatCameInPiecesGoesOnWhole) {
  const std::string ping = encode(toFrame(Ping{})), cancel = encode(toFrame(Cancel{}, 3));
  EXPECT_THAT(there(ping + cancel.substr(0, 5)), ElementsAre(LinkFrame{LinkWord::input, ping}));
  EXPECT_THAT(there(cancel.substr(5)), ElementsAre(LinkFrame{LinkWord::input, cancel}));
  const std::string beat = encode(toFrame(Heartbeat{1}));
  EXPECT_EQ(passing.here(beat.substr(0, 9)), "");
  EXPECT_EQ(passing.here(beat.substr(9)), beat);
}

TEST_F(PassingTest, FilesGoOnceAndBeforeTheJobThatNeedsThem) {
  const std::vector<LinkFrame> first = there(runJob()), second = there(runJob());
  EXPECT_THAT(wordsOf(first), ElementsAre(LinkWord::files, LinkWord::input));
  EXPECT_THAT(wordsOf(second), ElementsAre(LinkWord::input));
  EXPECT_EQ(second.back(), first.back());
  const auto messages = messagesIn(first.back().text);
  ASSERT_THAT(messages, testing::SizeIs(1));
  const std::string path = std::get<RunJob>(messages[0]).job.kernels[0].path;
  EXPECT_TRUE(path.starts_with("/there/sources/") && path.ends_with("/my \"kernels\"/relu.cu")) << path;
  // What is said of it there is said of the file here, in messages and in other text.
  const std::string log = encode(toFrame(Happened{Log{"compiler", path + ":1"}}));
  EXPECT_EQ(messagesIn(passing.here(log)),
            (std::vector<Message>{Happened{Log{"compiler", (folder / "relu.cu").string() + ":1"}}}));
  EXPECT_EQ(passing.textHere(path + "\n"), (folder / "relu.cu").string() + "\n");
  EXPECT_EQ(errors, "");
}

TEST_F(PassingTest, WhatIsCompiledAheadThereNeedsTheSameFiles) {
  const auto run = messagesIn(runJob());
  const Job& job = std::get<RunJob>(run.front()).job;
  const auto words = there(encode(toFrame(CompileAhead{job, "sm_90"}, 7)));
  ASSERT_THAT(wordsOf(words), ElementsAre(LinkWord::files, LinkWord::input));
  const auto messages = messagesIn(words.back().text);
  const auto* ahead = std::get_if<CompileAhead>(&messages.at(0));
  ASSERT_NE(ahead, nullptr);
  EXPECT_EQ(ahead->architecture, "sm_90");
  EXPECT_THAT(ahead->job.kernels[0].path, testing::StartsWith("/there/sources/"));
  // What comes back names the files as they are here, and its content is what it was.
  const std::string path = ahead->job.kernels[0].path;
  Built built{{"key", "in " + path, std::string("\0ELF" + path), "hash"}, "", 0};
  const auto back = messagesIn(passing.here(encode(toFrame(built, 7))));
  built.file.about = "in " + job.kernels[0].path;
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(std::get<Built>(back.front()), built);
}

TEST_F(PassingTest, WhatWasBuiltGoesThereAsItIs) {
  const std::string built = encode(toFrame(Built{{"key", "about", "content", "hash"}, "node", 7}, 0));
  EXPECT_THAT(there(built), ElementsAre(LinkFrame{LinkWord::input, built}));
}

TEST_F(PassingTest, WhereNothingCanBeKeptTheJobGoesAsItIs) {
  passing.keepFilesIn("");
  const std::string job = runJob();
  EXPECT_THAT(there(job), ElementsAre(LinkFrame{LinkWord::input, job}));
  EXPECT_EQ(errors, "");
}

TEST_F(PassingTest, FilesThatAreTooLargeAreSaid) {
  const std::string job = runJob();
  ASSERT_TRUE(writeFileAtomically(folder / "x.h", std::string(std::size_t{17} << 20, ' ')));
  EXPECT_THAT(there(job), ElementsAre(LinkFrame{LinkWord::input, job}));
  EXPECT_NE(errors, "");
}

TEST_F(PassingTest, OnlyTheNearEndSaysWhereAWorkerIs) {
  EXPECT_EQ(passing.here(encode(toFrame(Elsewhere{Elsewhere::State::gone, "a kernel's lie"}))), "");
}

TEST_F(PassingTest, WhatBearsTheWorkersSealIsSealedAnewAndNothingElseIs) {
  FrameSeal ofWorker, ofRunner;
  const SealKey key = drawSealKey();
  ofWorker.use(key);
  ofRunner.use(key);
  (void)there(encode(toFrame(Welcome{true, "", key})));
  const auto taken = [&](const std::string& bytes) {
    FrameDecoder decoder;
    decoder.feed(bytes);
    std::vector<bool> all;
    while (true) {
      const auto frame = decoder.next();
      if (!frame || !*frame) return all;
      all.push_back(ofRunner.opened(**frame).has_value());
    }
  };
  const std::string beat = encode(ofWorker.sealed(toFrame(Heartbeat{1})));
  const std::string own = passing.own(Elsewhere{Elsewhere::State::back, "in reach again"});
  EXPECT_THAT(taken(own + passing.here(beat)), ElementsAre(true, true));
  const std::string forged = encode(toFrame(Happened{Finished{}}));
  const std::string lie = encode(toFrame(Elsewhere{Elsewhere::State::gone, "a kernel's lie"}));
  EXPECT_THAT(taken(passing.here(forged) + passing.here(lie) + passing.here(beat)),
              ElementsAre(false, false, false));
  EXPECT_THAT(taken(passing.here(encode(ofWorker.sealed(toFrame(Heartbeat{2}))))), ElementsAre(true));
}

TEST_F(PassingTest, AWorkerThatCannotWorkSaysWhere) {
  Hello hello;
  hello.failure = "torch 2.11 was not found";
  hello.hint = "install it here";
  const auto messages = messagesIn(passing.here(encode(toFrame(hello))));
  ASSERT_THAT(messages, testing::SizeIs(1));
  EXPECT_EQ(std::get<Hello>(messages[0]).failure, "torch 2.11 was not found, on ssh://box");
  EXPECT_THAT(std::get<Hello>(messages[0]).hint, HasSubstr("warpbench target test ssh://box"));
  // One greeting is the worker's; what a kernel says in its name later is not made better.
  EXPECT_EQ(messagesIn(passing.here(encode(toFrame(hello)))), (std::vector<Message>{hello}));
}

TEST_F(PassingTest, WhatIsNoMessageEndsIt) {
  const std::string ping = encode(toFrame(Ping{})), beat = encode(toFrame(Heartbeat{1}));
  const std::string nonsense = "nonsense that is longer than a header";
  EXPECT_FALSE(passing.there(ping + nonsense, errors));
  const std::string text = passing.here(beat + nonsense);
  FrameDecoder runner;
  runner.feed(text);
  const auto first = runner.next();
  EXPECT_TRUE(first && *first);
  EXPECT_FALSE(runner.next()) << "the runner takes it for no message either";
}

}  // namespace
}  // namespace wb
