// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/channel.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <thread>
#include <vector>

namespace wb {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class Channel : public testing::Test {
 protected:
  Channel() {
    ::signal(SIGPIPE, SIG_IGN);
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    read_ = ends[0];
    write_ = ends[1];
  }
  ~Channel() override {
    ::close(read_);
    closeWriter();
  }
  void closeWriter() {
    if (write_ >= 0) ::close(write_);
    write_ = -1;
  }
  void put(std::string_view bytes) {
    ASSERT_EQ(::write(write_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  int read_ = -1, write_ = -1;
};

TEST_F(Channel, CarriesMessagesAndTheirRun) {
  MessageWriter writer(write_);
  MessageReader reader(read_);
  ASSERT_TRUE(writer.send(Ping{}));
  ASSERT_TRUE(writer.send(Happened{Log{"worker", "hi"}}, 5));
  EXPECT_EQ((*reader.receive())->message, Message{Ping{}});
  const auto second = reader.receive();
  EXPECT_EQ((*second)->message, (Message{Happened{Log{"worker", "hi"}}}));
  EXPECT_EQ((*second)->run, 5U);
}

TEST_F(Channel, EndOfTheStreamIsNoError) {
  MessageReader reader(read_);
  closeWriter();
  const auto received = reader.receive();
  ASSERT_TRUE(received);
  EXPECT_FALSE(*received);
  EXPECT_FALSE(reader.timedOut());
}

TEST_F(Channel, SilenceTimesOutAndTheStreamGoesOn) {
  MessageReader reader(read_);
  EXPECT_FALSE(*reader.receive(10ms));
  EXPECT_TRUE(reader.timedOut());
  put(encode(toFrame(Bye{})));
  EXPECT_EQ((*reader.receive(10s))->message, Message{Bye{}});
  EXPECT_FALSE(reader.timedOut());
}

TEST_F(Channel, AMessageCutByTheEndIsAnError) {
  MessageReader reader(read_);
  put(encode(toFrame(Bye{})).substr(0, 17));
  closeWriter();
  EXPECT_THAT(reader.receive().error().text, HasSubstr("in the middle of a message"));
}

TEST_F(Channel, AfterAnErrorOnlyErrorsFollow) {
  MessageReader reader(read_);
  put(encode(toFrame(Ping{})) + encode(Frame{21, 0, 0, "nonsense"}) + encode(toFrame(Bye{})));
  EXPECT_TRUE(reader.receive());
  EXPECT_FALSE(reader.receive());
  EXPECT_FALSE(reader.receive());
}

TEST_F(Channel, UnknownTypesAreSkipped) {
  MessageReader reader(read_);
  put(encode(Frame{77, 0, 0, "later"}) + encode(toFrame(Bye{})));
  EXPECT_EQ((*reader.receive())->message, Message{Bye{}});
}

TEST_F(Channel, ClosedPipeIsAnErrorForTheSender) {
  ::close(std::exchange(read_, -1));
  MessageWriter writer(write_);
  EXPECT_THAT(writer.send(Ping{}).error().text, HasSubstr("the other side is gone"));
}

TEST_F(Channel, TooLargeMessagesAreRefusedBeforeSending) {
  MessageWriter writer(write_);
  EXPECT_THAT(writer.send(Happened{Log{"worker", std::string(maxFrameBytes, 'x')}}).error().text,
              HasSubstr("too large to send"));
  ASSERT_TRUE(writer.send(Bye{}));
  MessageReader reader(read_);
  EXPECT_EQ((*reader.receive())->message, Message{Bye{}});
}

TEST_F(Channel, MessagesOfManyThreadsStayWhole) {
  ::fcntl(write_, F_SETFL, O_NONBLOCK);
  MessageWriter writer(write_);
  MessageReader reader(read_);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&writer, t] {
      for (int i = 0; i < 100; ++i)
        EXPECT_TRUE(
            writer.send(Happened{Log{std::to_string(t), std::string(3000, static_cast<char>('a' + t))}}));
    });
  for (int i = 0; i < 400; ++i) {
    const auto received = reader.receive(20s);
    ASSERT_TRUE(received && *received);
    const Log log = std::get<Log>(std::get<Happened>((*received)->message).event);
    EXPECT_EQ(log.text, std::string(3000, static_cast<char>('a' + std::stoi(log.source))));
  }
}

}  // namespace
}  // namespace wb
