// SPDX-License-Identifier: Apache-2.0
// Targets on the command line, with workers that are fakes.
#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "core/base/files/file.h"
#include "tests/cli/cli_fixture.h"
#include "tests/hosts/login_node.h"

namespace wb {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class TargetCommandTest : public CliFixture {
 protected:
  Captured target(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "target");
    return run(std::move(arguments), own());
  }
  /// An interpreter that knows what torch's version is and makes three operators' samples.
  static void writeTorch(const std::filesystem::path& python) {
    ASSERT_TRUE(writeFileAtomically(
        python,
        "#!/bin/sh\nfor last; do out=$last; done\nif [ \"$1\" = -c ]; then echo 2.11; exit; fi\n"
        "mkdir -p \"${out%/*}\"\nfor e in index values; do cp '" WB_SOURCE_DIR
        "/tests/golden/opinfo/few.'$e \"$out.$e\"; done\necho \"$SLURM_JOB_ID\" >>\"$0.made\"\n"));
    std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  }
  [[nodiscard]] Environment own() const { return {{"WARPBENCH_CONFIG", (folder_ / "config").string()}}; }
};

TEST_F(TargetCommandTest, NamesAreKept) {
  EXPECT_THAT(target({"list"}).out, HasSubstr("There are no targets yet"));
  EXPECT_THAT(target({"add", "box", "ssh://me@box/cuda:1", "--python", "/opt/py"}).out,
              HasSubstr("warpbench target test box"));
  EXPECT_TRUE(target({"add", "gpus", "slurm://gpus?gres=gpu:1"}).ok());
  EXPECT_THAT(target({"list"}).out, AllOf(HasSubstr("box              ssh://me@box/cuda:1?python=/opt/py"),
                                          HasSubstr("slurm://gpus?gres=gpu:1")));
  EXPECT_THAT(target({"add", "box", "local"}).err, HasSubstr("there is a target box already"));
  EXPECT_TRUE(target({"add", "box", "local cpu", "--replace"}).ok());
  EXPECT_THAT(target({"remove", "bax"}).err, HasSubstr("there is no target \"bax\" (did you mean box?)"));
  EXPECT_TRUE(target({"remove", "gpus"}).ok());
  EXPECT_EQ(target({"list"}).out, "box              local cpu\n");
}

TEST_F(TargetCommandTest, WhatIsWrongIsSaid) {
  EXPECT_THAT(target({"add", "local", "ssh://box"}).err, HasSubstr("cannot be a target's name"));
  EXPECT_THAT(target({"add", "box", "ssh://"}).err, HasSubstr("the host is missing, at character 7"));
  ASSERT_TRUE(writeFileAtomically(folder_ / "config" / "targets.toml", "[box]\nwhere = 3\n"));
  EXPECT_THAT(target({"list"}).err, HasSubstr("targets.toml:1"));
  EXPECT_THAT(target({"add", "box", "local"}).err,
              AllOf(HasSubstr("targets.toml:1"), HasSubstr("the file is left as it is")));
  ASSERT_TRUE(writeFileAtomically(folder_ / "config" / "targets.toml", "[box]\nwhere = \"local\"\n"));
  EXPECT_THAT(run({"run", "--op", "relu", "--target", "bax"}, own()).err, HasSubstr("did you mean box?"));
  EXPECT_THAT(run({"run", "--op", "relu", "--target", "box", "--device", "cpu"}, own()).err,
              HasSubstr("--device and --target exclude each other"));
}

TEST_F(TargetCommandTest, ATargetOfThisMachineIsAsWithoutOne) {
  ASSERT_TRUE(target({"add", "here", "local cpu"}).ok());
  const Captured ran = run({"run", "--op", "relu", "--target", "here", "--target", "local cpu"}, own());
  EXPECT_THAT(ran.err, HasSubstr("on cpu (Fake CPU)"));
  EXPECT_THAT(ran.out, HasSubstr("relu"));
}

TEST_F(TargetCommandTest, ARunOnAHost) {
  const SshHost host;
  if (!host.missing().empty()) GTEST_SKIP() << host.missing();
  const Captured ran = run({"run", "--op", "relu", "--target", format(host.target())}, own());
  EXPECT_THAT(ran.err, AllOf(HasSubstr("copying Warpbench's programs"), HasSubstr("on cpu (Fake CPU)")));
  EXPECT_THAT(ran.out, HasSubstr("relu"));
  EXPECT_TRUE(host.isQuiet());
}

TEST_F(TargetCommandTest, OpinfoIsMadeByTheTorchOfTheHost) {
  const SshHost host;
  if (!host.missing().empty()) GTEST_SKIP() << host.missing();
  writeTorch(host.home() / "my python");
  RunTarget target = host.target();
  target.python = "~/my python";
  const auto relu = [&] {
    return run({"run", "--op", "relu", "--suite", "opinfo", "--dtype", "float32", "--stages", "check",
                "--target", format(target)},
               own());
  };
  const Captured ran = relu();
  EXPECT_THAT(ran.err, HasSubstr("asking for opinfo float32"));
  EXPECT_THAT(ran.out, HasSubstr("opinfo cpu float32")) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "cache" / "suites")) << "nothing is made here";
  target.python = "/bin/false";
  EXPECT_THAT(relu().err, AllOf(HasSubstr("cannot make opinfo: /bin/false has no torch"),
                                HasSubstr("by the target's option python")));
  EXPECT_TRUE(host.isQuiet());
}

TEST_F(TargetCommandTest, OpinfoIsMadeOnceByAJobOfACluster) {
  const LoginNode login;
  if (!login.missing().empty()) GTEST_SKIP() << login.missing();
  const std::string gpu = "slurm://gpu?gres=gpu:1&time=5";
  for (RunTarget target : {login.target(gpu), parseTarget(gpu).value()}) {
    SCOPED_TRACE(format(target));
    const std::filesystem::path python = (isBehindSsh(target) ? login.host().home() : folder_) / "my python";
    writeTorch(python);
    target.python = python.string();
    for (int i = 0; i < 2; ++i) {
      const Captured ran = run({"run", "--op", "relu", "--suite", "opinfo", "--dtype", "float32", "--stages",
                                "check", "--target", format(target)},
                               own());
      EXPECT_THAT(ran.out, HasSubstr("opinfo cpu float32")) << ran.err;
      EXPECT_THAT(ran.err, HasSubstr("asking for opinfo float32"));
    }
    // It was made by a job, and the second time it was there.
    EXPECT_THAT(readFile(python.string() + ".made").value_or(""), testing::MatchesRegex("[0-9]+\n"));
  }
}

TEST_F(TargetCommandTest, WhereTheProgramIsKilledNothingRunsOnThere) {
  const SshHost host;
  if (!host.missing().empty()) GTEST_SKIP() << host.missing();
  ASSERT_TRUE(writeFileAtomically(folder_ / "relu.cpp", "// fake: --mode=hang:0\n"));
  const auto started = Child::start(
      {.argv = {WB_BINARY_DIR "/bin/warpbench", "run", "relu.cpp", "--target", format(host.target())},
       .folder = folder_,
       .environment = {{"WARPBENCH_WORKER", WB_BINARY_DIR "/tests/bin/warpbench-fake-worker"},
                       {"WARPBENCH_CACHE", WB_BINARY_DIR "/tests/cache-of-remote-test"}}});
  ASSERT_TRUE(started);
  // It says where it runs once a worker has begun.
  std::string said(1, '\0');
  ASSERT_EQ(::read(started->errors(), said.data(), 1), 1);
  started->kill(SIGKILL);
  EXPECT_TRUE(host.isQuiet());
}

TEST_F(TargetCommandTest, ATestStopsWhereNothingFurtherCanBeTried) {
  const SshHost host;
  if (!host.missing().empty()) GTEST_SKIP() << host.missing();
  ASSERT_TRUE(writeFileAtomically(host.folder() / "known", ""));
  EXPECT_THAT(target({"test", format(host.target())}).out,
              AllOf(HasSubstr("wrong    connection"), HasSubstr("is not known here"),
                    HasSubstr("compare the fingerprint"), HasSubstr("Kernels cannot run there yet"),
                    Not(HasSubstr("programs"))));
}

TEST_F(TargetCommandTest, ATestOfAClusterAsksTheSchedulerOfItsLoginNode) {
  const LoginNode login;
  if (!login.missing().empty()) GTEST_SKIP() << login.missing();
  const auto test = [&](const std::string& cluster) {
    return target({"test", format(login.target(cluster))}).out;
  };
  EXPECT_THAT(test("slurm://gpu?gres=gpu:1"),
              AllOf(HasSubstr("ok       connection"), HasSubstr("ok       programs"),
                    HasSubstr("ok       partition"), HasSubstr("gpu*: up"), HasSubstr("4 nodes, gpu:2"),
                    HasSubstr("ok       worker             one has started: Fake"),
                    HasSubstr("Kernels can run there.")));
  // A scheduler that answers is not enough: what the nodes lack shows there.
  Environment broken = own();
  broken.emplace_back("WARPBENCH_FAKE", "--mode=hello-failure");
  EXPECT_THAT(run({"target", "test", "slurm://gpu"}, broken).out,
              AllOf(HasSubstr("ok       partition"), HasSubstr("wrong    worker"),
                    HasSubstr("torch 2.11 was not found"), HasSubstr("cannot run there yet")));
  EXPECT_THAT(test("slurm://fast"), AllOf(HasSubstr("no partition fast"), HasSubstr("cannot run there yet")));
  const std::filesystem::path few = login.host().folder() / "bin";
  std::filesystem::create_directories(few);
  std::filesystem::create_symlink("/bin/uname", few / "uname");
  ASSERT_TRUE(writeFileAtomically(login.host().home() / ".bashrc", "PATH='" + few.string() + "'\n"));
  EXPECT_THAT(test("slurm://gpu"),
              AllOf(HasSubstr("wrong    scheduler"), HasSubstr("name a login node of the cluster")));
}

}  // namespace
}  // namespace wb
