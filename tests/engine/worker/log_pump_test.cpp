// SPDX-License-Identifier: Apache-2.0
#include "app/worker/log_pump.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <mutex>
#include <string>
#include <vector>

namespace wb {
namespace {

using testing::HasSubstr;

/// A pump on two pipes of the test's, and all that came out of it.
class LogPumpTest : public testing::Test {
 protected:
  LogPumpTest() {
    for (int* ends : {out, err}) {
      EXPECT_EQ(pipe(ends), 0);
      fcntl(ends[0], F_SETFL, O_NONBLOCK);
    }
  }
  ~LogPumpTest() override {
    for (const int* ends : {out, err}) {
      close(ends[0]);
      close(ends[1]);
    }
  }
  [[nodiscard]] Descriptors descriptors() const { return {-1, -1, -1, out[0], err[0]}; }
  LogPump::Sink sink() {
    return [this](const Log& log) {
      const std::lock_guard lock(mutex);
      text[log.source == "stdout" ? 0 : log.source == "stderr" ? 1 : 2] += log.text;
    };
  }
  static void print(int descriptor, const std::string& what) {
    ASSERT_EQ(write(descriptor, what.data(), what.size()), static_cast<ssize_t>(what.size()));
  }

  int out[2], err[2];
  std::mutex mutex;
  std::string text[3];  // stdout, stderr, the pump's own
};

TEST_F(LogPumpTest, GivesEverythingBeforeItEnds) {
  LogPump pump(descriptors());
  pump.begin(1000, sink());
  print(out[1], "hello ");
  print(err[1], "oh\n");
  print(out[1], "world\n");
  pump.end();
  EXPECT_EQ(text[0], "hello world\n");
  EXPECT_EQ(text[1], "oh\n");
  EXPECT_EQ(text[2], "");
}

TEST_F(LogPumpTest, CutsCountsAndSaysItOnce) {
  LogPump pump(descriptors());
  pump.begin(10, sink());
  const std::string megabyte(1 << 20, 'x');
  for (int i = 0; i < 20; ++i) print(out[1], megabyte);  // more than a pipe holds: it must be read all along
  pump.end();
  EXPECT_EQ(text[0], "xxxxxxxxxx");
  EXPECT_THAT(text[2], HasSubstr("output cut: 20.0 MiB dropped"));
}

TEST_F(LogPumpTest, WhatIsPrintedBetweenJobsBelongsToNone) {
  LogPump pump(descriptors());
  print(out[1], "before");
  pump.begin(1000, sink());
  print(out[1], "within");
  pump.end();
  print(out[1], "after");
  pump.begin(1000, sink());
  pump.end();
  EXPECT_EQ(text[0], "within");
}

TEST_F(LogPumpTest, EveryJobHasItsOwnRoom) {
  LogPump pump(descriptors());
  for (int job = 0; job < 3; ++job) {
    pump.begin(4, sink());
    print(out[1], "abcdef");
    pump.end();
  }
  EXPECT_EQ(text[0], "abcdabcdabcd");
}

}  // namespace
}  // namespace wb
