// SPDX-License-Identifier: Apache-2.0
#include "core/base/process/process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

#include "core/base/process/keeper.h"
#include "core/base/process/process_start.h"

namespace wb {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

Captured shell(const std::string& script, std::chrono::milliseconds deadline = 20s, std::stop_token stop = {},
               std::size_t maxOutput = 1 << 20) {
  Result<Captured> result =
      runToEnd(Command{{"sh", "-c", script}, {}, {}}, deadline, std::move(stop), maxOutput);
  EXPECT_TRUE(result) << (result ? "" : result.error().text);
  return result ? *std::move(result) : Captured{};
}

/// True once nobody has this process number any more, or only as a zombie that init has yet to collect.
bool isGone(pid_t pid) {
  for (int i = 0; i < 300; ++i, std::this_thread::sleep_for(10ms)) {
    std::string state =
        shell("sed 's/.*) //' /proc/" + std::to_string(pid) + "/stat 2>/dev/null || true").out;
    if (state.empty() || state[0] == 'Z') return true;
  }
  return false;
}

TEST(Process, DescribesHowAProcessEnded) {
  EXPECT_EQ(describe(Ending{7, 0}), "exit code 7");
  EXPECT_EQ(describe(Ending{0, SIGSEGV}), "segmentation fault (SIGSEGV)");
  EXPECT_EQ(describe(Ending{0, SIGKILL}), "killed (SIGKILL)");
  EXPECT_EQ(describe(Ending{0, SIGABRT}), "aborted (SIGABRT)");
  EXPECT_THAT(describe(Ending{0, 63}), HasSubstr("63"));
}

TEST(Process, KeepsBothOutputsAndTheExitCode) {
  const Captured got = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(got.out, "out\n");
  EXPECT_EQ(got.err, "err\n");
  EXPECT_EQ(got.ending, (Ending{3, 0}));
  EXPECT_FALSE(got.ok());
  EXPECT_TRUE(shell("true").ok());
}

TEST(Process, NamesTheSignal) {
  EXPECT_EQ(shell("kill -SEGV $$").ending.signal, SIGSEGV);
}

TEST(Process, StandardInputIsEmpty) {
  EXPECT_EQ(shell("cat; echo end").out, "end\n");
}

TEST(Process, MissingProgramIsNamed) {
  const auto result = runToEnd(Command{{"no-such-program-here"}, {}, {}}, 1s);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().text, HasSubstr("no-such-program-here"));
  EXPECT_THAT(runToEnd(Command{{"/no/such"}, {}, {}}, 1s).error().text, HasSubstr("No such file"));
  EXPECT_FALSE(runToEnd(Command{}, 1s));
}

TEST(Process, MissingFolderIsNamed) {
  EXPECT_THAT(runToEnd(Command{{"true"}, "/no/such/folder", {}}, 1s).error().text,
              HasSubstr("/no/such/folder"));
}

TEST(Process, AnEndingIsKnownThoughThisProcessIgnoresItsChildren) {
  std::signal(SIGCHLD, SIG_IGN);
  const Captured bad = shell("exit 3"), good = shell("true");
  std::signal(SIGCHLD, SIG_DFL);
  EXPECT_EQ(bad.ending, (Ending{3, 0}));
  EXPECT_TRUE(good.ok());
}

/// Remembers its start, changes all that user code may change, and writes what a child then has.
int startAndChange() {
  rememberStart();
  ::setenv("PATH", "/nowhere", 1);
  ::setenv("WB_NEW", "1", 1);
  ::chdir("/");
  ::umask(0777);
  std::signal(SIGINT, SIG_IGN);
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = 60;
  ::setrlimit(RLIMIT_NOFILE, &files);
  const Captured got =
      shell("echo $WB_OLD-$WB_NEW; pwd; umask; ulimit -n; kill -INT $$; echo ignored; ls /proc >/dev/null");
  const PutBack back = putStartBack();
  std::fprintf(stderr, "%s%s\n", got.out.c_str(), describe(got.ending).c_str());
  for (const std::string& word : back.stuck) std::fprintf(stderr, "stuck: %s\n", word.c_str());
  return got.out == "old-\n/usr\n0027\n80\n" && got.ending.signal == SIGINT && back.stuck.empty() &&
                 std::string(std::getenv("PATH")) != "/nowhere" && putStartBack().changed.empty()
             ? 0
             : 1;
}

int startAsThisProcessDid() {
  ::setenv("WB_OLD", "old", 1);
  ::chdir("/usr");
  ::umask(0027);
  const rlimit files{80, 120};
  ::setrlimit(RLIMIT_NOFILE, &files);
  return startAndChange();
}

int nameWhatWasChanged() {
  ::setenv("WB_OLD", "old", 1);
  rememberStart();
  ::setenv("WB_NEW", "new", 1);
  ::unsetenv("WB_OLD");
  ::chdir("/");
  std::string words;
  for (const std::string& word : putStartBack().changed) words += word + ", ";
  return words == "the environment variable WB_OLD, the working folder, " ? 0 : 1;
}

/// In a process of its own: what it remembers is remembered for good.
TEST(Process, ChildrenStartAsThisProcessDid) {
  EXPECT_EXIT(std::_Exit(startAsThisProcessDid()), testing::ExitedWithCode(0), "");
}

TEST(Process, WhatWasChangedIsNamed) {
  EXPECT_EXIT(std::_Exit(nameWhatWasChanged()), testing::ExitedWithCode(0), "");
}

TEST(Process, FolderAndEnvironmentAreSet) {
  const auto result =
      runToEnd(Command{{"sh", "-c", "pwd; echo $WB_A; echo $HOME"}, "/usr", {{"WB_A", "b c"}}}, 20s);
  ASSERT_TRUE(result);
  EXPECT_THAT(result->out, testing::StartsWith("/usr\nb c\n/"));
}

TEST(Process, LinesAreHandedOverWholeAndNotKept) {
  std::vector<std::string> lines;
  const auto result = runToEnd(Command{{"sh", "-c", "printf 'one\\ntw'; sleep 0.1; printf 'o\\n\\nlast'"}},
                               20s, {}, 100, [&](std::string_view line) { lines.emplace_back(line); });
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->ok());
  EXPECT_THAT(lines, testing::ElementsAre("one", "two", "", "last"));
  EXPECT_EQ(result->out, "");
}

TEST(Process, ManyLinesArriveThoughFewFitAtOnce) {
  int lines = 0;
  std::string last;
  const auto result =
      runToEnd(Command{{"seq", "200000"}}, 20s, {}, std::size_t{1} << 20, [&](std::string_view line) {
        ++lines;
        last = line;
      });
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->cut);
  EXPECT_EQ(lines, 200000);
  EXPECT_EQ(last, "200000");
}

TEST(Process, ALineFloodIsStoppedAtItsDeadline) {
  std::size_t bytes = 0;
  const auto result =
      runToEnd(Command{{"yes"}}, 300ms, {}, 4096, [&](std::string_view line) { bytes += line.size(); });
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->timedOut);
  EXPECT_GT(bytes, 0U);
}

TEST(Process, DeadlineKillsTheWholeGroup) {
  const Captured got = shell("sleep 100 & echo $!; wait", 300ms);
  EXPECT_TRUE(got.timedOut);
  EXPECT_EQ(got.ending.signal, SIGKILL);
  EXPECT_LT(got.seconds, 15);
  EXPECT_TRUE(isGone(std::stoi(got.out)));
}

TEST(Process, StopKillsIt) {
  std::stop_source source;
  std::jthread later([&] {
    std::this_thread::sleep_for(100ms);
    source.request_stop();
  });
  const Captured got = shell("sleep 100", 50s, source.get_token());
  EXPECT_TRUE(got.stopped);
  EXPECT_FALSE(got.timedOut);
}

TEST(Process, StopBeforeTheStartKillsAtOnce) {
  std::stop_source source;
  source.request_stop();
  EXPECT_TRUE(shell("sleep 100", 50s, source.get_token()).stopped);
}

TEST(Process, OutputIsCutAndSaid) {
  const Captured got = shell("head -c 5000000 /dev/zero; echo done >&2", 20s, {}, 1000);
  EXPECT_EQ(got.out.size(), 1000U);
  EXPECT_EQ(got.err, "done\n");
  EXPECT_TRUE(got.cut);
  EXPECT_EQ(got.ending, Ending{});
}

TEST(Process, EndlessOutputStillMeetsTheDeadline) {
  const Captured got = shell("yes; yes", 300ms, {}, 1000);
  EXPECT_TRUE(got.timedOut);
  EXPECT_TRUE(got.cut);
}

TEST(Process, AGrandchildThatKeepsThePipesDoesNotKeepUs) {
  const Captured got = shell("setsid sleep 5 & echo hello", 20s);
  EXPECT_EQ(got.out, "hello\n");
  EXPECT_LT(got.seconds, 4);
}

TEST(Process, IgnoredPipeSignalIsNotInherited) {
  ::signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(shell("yes | head -n 1").out, "y\n");
  EXPECT_EQ(shell("kill -PIPE $$; echo survived").ending.signal, SIGPIPE);
}

TEST(Process, DescriptorsOfOursAreNotInherited) {
  const int leaked = ::dup(0);
  ASSERT_GE(leaked, 3);
  const Captured got = shell("ls -l /proc/self/fd/" + std::to_string(leaked) + " 2>/dev/null || echo closed");
  ::close(leaked);
  EXPECT_EQ(got.out, "closed\n");
}

TEST(Process, ADescriptorThatIsAskedForKeepsItsNumber) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const std::string say = "echo heard >&" + std::to_string(ends[1]);
  const auto refused = runToEnd({{"sh", "-c", say}, {}, {}}, 20s);
  const auto ran =
      runToEnd({.argv = {"sh", "-c", say}, .folder = {}, .environment = {}, .descriptors = {ends[1]}}, 20s);
  close(ends[1]);
  ASSERT_TRUE(refused && ran);
  EXPECT_FALSE(refused->ok());
  EXPECT_TRUE(ran->ok()) << ran->err;
  std::array<char, 16> heard{};
  EXPECT_EQ(read(ends[0], heard.data(), heard.size()), 6);
  close(ends[0]);
}

TEST(Process, WallsNeedAKeeper) {
  const auto ran = runToEnd({.argv = {"true"}, .folder = {}, .environment = {}, .walls = "{}"}, 20s);
  ASSERT_FALSE(ran);
  EXPECT_THAT(ran.error().text, HasSubstr("keeper"));
}

TEST(Keeper, GivesWhatItEndsTheOrdinaryScheduling) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  const sched_param plain{};
  EXPECT_EQ(::sched_setscheduler(child, SCHED_BATCH, &plain), 0);
  schedulePlainly(child);
  EXPECT_EQ(::sched_getscheduler(child), SCHED_OTHER);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST(Child, TalksOverItsDescriptors) {
  Result<Child> started = Child::start(Command{{"cat"}, {}, {}});
  ASSERT_TRUE(started);
  Child child = *std::move(started);
  ASSERT_EQ(::write(child.input(), "ping", 4), 4);
  char answer[4];
  ASSERT_EQ(::read(child.output(), answer, 4), 4);
  EXPECT_EQ(std::string(answer, 4), "ping");
  EXPECT_FALSE(child.wait(10ms).first);
  child.closeInput();
  EXPECT_EQ(child.wait(20s), std::pair(true, Ending{}));
  EXPECT_EQ(child.wait(0ms), std::pair(true, Ending{}));
}

TEST(Child, PidfdIsReadableOnceItEnded) {
  Child child = *Child::start(Command{{"sh", "-c", "exit 4"}, {}, {}});
  pollfd waiting{child.pidfd(), POLLIN, 0};
  ASSERT_EQ(::poll(&waiting, 1, 20000), 1);
  EXPECT_EQ(child.wait(0ms).second.exitCode, 4);
}

TEST(Child, DestructionKillsAndReaps) {
  pid_t pid = 0;
  {
    const Child child = *Child::start(Command{{"sleep", "100"}, {}, {}});
    pid = child.pid();
  }
  EXPECT_EQ(::kill(pid, 0), -1);
}

TEST(Child, MovingTakesItOver) {
  Child first = *Child::start(Command{{"sleep", "100"}, {}, {}});
  const pid_t pid = first.pid();
  Child second = *Child::start(Command{{"sleep", "100"}, {}, {}});
  second = std::move(first);
  EXPECT_EQ(second.pid(), pid);
  EXPECT_FALSE(second.wait(0ms).first);
}

TEST(Child, ItsGroupEndsWithIt) {
  Child child = *Child::start(Command{{"sh", "-c", "sleep 100 & echo $!; read line"}, {}, {}});
  char text[32] = {};
  ASSERT_GT(::read(child.output(), text, sizeof text - 1), 0);
  child.closeInput();
  ASSERT_TRUE(child.wait(20s).first);
  EXPECT_TRUE(isGone(std::stoi(text)));
}

TEST(Child, DiesWithTheThreadThatStartedIt) {
  std::optional<Child> child;
  std::jthread([&] { child = *Child::start(Command{{"sleep", "100"}, {}, {}}); }).join();
  EXPECT_EQ(child->wait(20s), std::pair(true, Ending{0, SIGKILL}));
}

}  // namespace
}  // namespace wb
