// SPDX-License-Identifier: Apache-2.0
// A test of a target says each step as it comes, and ends when it is told to, whatever it waits for.
#include "core/runner/remote/check/target_check.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/base/files/file.h"
#include "core/runner/remote/check/target_glance.h"
#include "tests/core/service/temporary_folder.h"
#include "tests/hosts/ssh_host.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

void waitUntil(const std::function<bool()>& is) {
  while (!is()) std::this_thread::sleep_for(std::chrono::milliseconds{5});
}

/// What a check says that is stopped once `is` holds.
std::vector<std::string> stepsUntil(const RunTarget& target, const std::function<bool()>& is) {
  std::vector<std::string> told;
  bool works = true;
  {
    std::jthread check([&](const std::stop_token& stop) {
      works = checkTarget(
          target, [&](const TargetFinding& one) { told.push_back(one.what); }, stop);
    });
    waitUntil(is);
  }
  EXPECT_FALSE(works);
  return told;
}

TEST(TargetCheckTest, EndsWhileALoginHangs) {
  const SshHost host;
  if (!host.missing().empty()) GTEST_SKIP() << host.missing();
  const std::filesystem::path login = host.folder() / "has logged in";
  ASSERT_TRUE(writeFileAtomically(host.home() / ".bashrc", "touch '" + login.string() + "'; sleep 1000\n"));
  EXPECT_THAT(stepsUntil(host.target(), [&] { return std::filesystem::exists(login); }), ElementsAre());
}

TEST(TargetCheckTest, EndsWhileAWorkerStarts) {
  const TemporaryFolder own;
  const std::filesystem::path worker = own.path() / "worker", started = own.path() / "has started";
  ASSERT_TRUE(writeFileAtomically(worker,
                                  "#!/bin/sh\nif [ \"$1\" = --doctor ]; then\n"
                                  "printf '{\\n\"checks\": [{\"name\": \"torch\", \"state\": \"ok\", "
                                  "\"found\": \"2.11\", \"hint\": \"\"}]}'; exit; fi\n"
                                  "touch '" +
                                      started.string() + "'; exec sleep 1000\n"));
  std::filesystem::permissions(worker, std::filesystem::perms::owner_all);
  ::setenv("WARPBENCH_WORKER", worker.c_str(), 1);
  RunTarget target;
  target.device = "cpu";
  EXPECT_THAT(stepsUntil(target, [&] { return std::filesystem::exists(started); }),
              testing::AllOf(testing::Contains("torch"), testing::Contains("chosen device"),
                             testing::Not(testing::Contains("worker"))));
  ::unsetenv("WARPBENCH_WORKER");
}

TEST(TargetCheckTest, AHostThatLetsNobodyInIsSaidWithWhatToDo) {
  const SshHost host;
  if (!host.missing().empty()) GTEST_SKIP() << host.missing();
  host.lock();
  std::vector<TargetFinding> told;
  EXPECT_FALSE(checkTarget(host.target(), [&](const TargetFinding& one) { told.push_back(one); }));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].what, "connection");
  EXPECT_EQ(told[0].state, TargetFinding::State::bad);
  EXPECT_THAT(told[0].hint, HasSubstr("ssh-copy-id"));
}

TEST(TargetCheckTest, AnEnvironmentIsMadeThereAndItsInterpreterNamed) {
  const SshHost host;
  if (!host.missing().empty()) GTEST_SKIP() << host.missing();
  // A Python that makes an environment of itself, and installs nothing.
  const std::filesystem::path python = host.folder() / "python 3";
  ASSERT_TRUE(writeFileAtomically(
      python,
      "#!/bin/sh\ncase \"$2\" in\nvenv) mkdir -p \"$3/bin\" && cp \"$0\" \"$3/bin/python\";;\n"
      "pip) if [ -e \"$HOME/full\" ]; then echo 'No space left on device'; exit 1; fi; "
      "echo Collecting \"$@\"; sleep 0.3;;\nesac\n"));
  std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  RunTarget target = host.target();
  target.python = python.string();
  std::vector<std::string> said;
  const auto hear = [&](const std::string& line) { said.push_back(line); };
  const auto made = makeTorch(target, hear);
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(*made, (host.cache() / "torch-2.11.0/bin/python").string());
  EXPECT_THAT(said, testing::Contains(testing::AllOf(HasSubstr("Collecting"), HasSubstr("torch==2.11.0"))));
  ASSERT_TRUE(writeFileAtomically(host.home() / "full", ""));
  EXPECT_THAT(makeTorch(target, hear).error().text, HasSubstr("No space left on device"));
}

}  // namespace
}  // namespace wb
