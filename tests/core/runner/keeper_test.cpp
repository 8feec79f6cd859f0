// SPDX-License-Identifier: Apache-2.0
// What a worker's keeper ends, with real processes: shells that start daemons.
#include "core/base/process/keeper.h"

#include <gtest/gtest.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>

#include "core/base/process/process.h"
#include "core/base/process/process_tree.h"

namespace wb {
namespace {

using namespace std::chrono_literals;

Child keptShell(const std::string& script) {
  Command command{.argv = {"sh", "-c", script}};
  command.keeper = WB_BINARY_DIR "/tests/bin/warpbench-fake-worker";
  Result<Child> child = Child::start(command);
  EXPECT_TRUE(child) << describe(child.error());
  return *std::move(child);
}

/// A process of its own session without a parent, which says its number; then the script goes on.
std::string daemonThen(const std::string& rest) {
  return "(setsid sh -c 'echo $$; exec sleep 1000 >&- 2>&-' &); " + rest;
}

std::string readLine(int descriptor) {
  std::string line;
  for (char c = 0; ::read(descriptor, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

bool isThere(pid_t process) {
  const auto state = processState(process);
  return state && state->state != 'Z';
}

TEST(Keeper, EndsAsItsProgramEnds) {
  for (const auto& [script, ending] :
       {std::pair{"exit 7", Ending{7, 0}}, std::pair{"kill -SEGV $$", Ending{0, SIGSEGV}},
        std::pair{"kill -KILL $$", Ending{0, SIGKILL}}, std::pair{"exit 0", Ending{0, 0}}}) {
    Child child = keptShell(script);
    const auto [ended, how] = child.wait(20s);
    ASSERT_TRUE(ended) << script;
    EXPECT_EQ(how, ending) << script << ": " << describe(how);
  }
}

TEST(Keeper, ADaemonEndsWithItsProgram) {
  Child child = keptShell(daemonThen("read line; exit 3"));
  const pid_t daemon = std::stoi(readLine(child.output()));
  EXPECT_TRUE(isThere(daemon));
  child.closeInput();
  const auto [ended, how] = child.wait(20s);
  ASSERT_TRUE(ended);
  EXPECT_EQ(how.exitCode, 3);
  EXPECT_FALSE(isThere(daemon));
}

TEST(Keeper, KillingTheProgramKillsItsDaemonsToo) {
  Child child = keptShell(daemonThen("trap '' TERM; read line"));
  const pid_t daemon = std::stoi(readLine(child.output()));
  child.kill(SIGKILL);
  const auto [ended, how] = child.wait(20s);
  ASSERT_TRUE(ended);
  EXPECT_EQ(how.signal, SIGKILL);
  EXPECT_FALSE(isThere(daemon));
}

TEST(Keeper, OrphansGoWhileTheProgramStays) {
  Child child = keptShell(daemonThen("read line; echo still here"));
  const pid_t daemon = std::stoi(readLine(child.output()));
  child.killOrphans();
  while (isThere(daemon)) ::usleep(1000);  // the test's own limit ends it
  EXPECT_EQ(::write(child.input(), "\n", 1), 1);
  EXPECT_EQ(readLine(child.output()), "still here");
}

TEST(Keeper, WhoReadsTheProgramsOutputSeesItsEnd) {
  Child child = keptShell("exec >&- 2>&-; read line");
  EXPECT_EQ(readLine(child.output()), "");  // at once, though the program goes on
  EXPECT_FALSE(child.wait(0ms).first);
}

TEST(Keeper, TerminationIsPassedOn) {
  Child child = keptShell("trap 'exit 5' TERM; echo ready; while :; do sleep 0.01; done");
  EXPECT_EQ(readLine(child.output()), "ready");
  child.kill(SIGTERM);
  const auto [ended, how] = child.wait(20s);
  ASSERT_TRUE(ended);
  EXPECT_EQ(how, (Ending{5, 0}));
}

TEST(ProcessTree, SeesThatAProcessAboveIsStopped) {
  Result<Child> child = Child::start({.argv = {"sh", "-c", "sleep 1000 & echo $!; wait"}});
  ASSERT_TRUE(child);
  const pid_t inner = std::stoi(readLine(child->output()));
  EXPECT_FALSE(stoppedAbove(inner));
  ::kill(child->pid(), SIGSTOP);
  while (!stoppedAbove(inner)) ::usleep(1000);  // the test's own limit ends it
  ::kill(child->pid(), SIGCONT);
  while (stoppedAbove(inner)) ::usleep(1000);
}

}  // namespace
}  // namespace wb
