// SPDX-License-Identifier: Apache-2.0
#include "core/targets/run_target.h"

#include <gmock/gmock.h>

#include <string>

namespace wb {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

RunTarget read(const std::string& text) {
  const Result<RunTarget> target = parseTarget(text);
  EXPECT_TRUE(target) << describe(target.error());
  return target ? *target : RunTarget{};
}

std::string problem(const std::string& text) {
  const Result<RunTarget> target = parseTarget(text);
  EXPECT_FALSE(target) << text;
  return target ? "" : describe(target.error());
}

TEST(RunTargetTest, ThisMachine) {
  EXPECT_EQ(read("local").kind, TargetKind::local);
  EXPECT_EQ(read("local").device, "");
  EXPECT_EQ(read(" local  cuda:1 ").device, "cuda:1");
  EXPECT_EQ(read("local cpu?python=/opt/torch/bin/python3").python, "/opt/torch/bin/python3");
}

TEST(RunTargetTest, AHostBySsh) {
  const RunTarget target = read("ssh://me@box.lan:2222/cuda:1?python=/a%20b/python&cache=~/c&grace=5");
  EXPECT_EQ(target.kind, TargetKind::ssh);
  EXPECT_EQ(target.user, "me");
  EXPECT_EQ(target.host, "box.lan");
  EXPECT_EQ(target.port, 2222);
  EXPECT_EQ(target.device, "cuda:1");
  EXPECT_EQ(target.python, "/a b/python");
  EXPECT_EQ(target.cache, "~/c");
  EXPECT_EQ(optionOf(target, "grace"), "5");
  EXPECT_EQ(optionOf(target, "config"), "");
  EXPECT_EQ(read("ssh://[fe80::1%eth0]:22").host, "fe80::1%eth0");
  EXPECT_EQ(read("ssh://[::1]:22").port, 22);
  EXPECT_EQ(read("ssh://box/").device, "");
}

TEST(RunTargetTest, APartitionOfSlurm) {
  const RunTarget target = read("slurm://gpus?gres=gpu:h100:1&time=30:00");
  EXPECT_EQ(target.kind, TargetKind::slurm);
  EXPECT_EQ(target.partition, "gpus");
  EXPECT_THAT(target.options, ElementsAre(Pair("gres", "gpu:h100:1"), Pair("time", "30:00")));
  EXPECT_EQ(read("slurm://").partition, "");
  EXPECT_EQ(read("slurm:///?time=5").partition, "");
}

TEST(RunTargetTest, AClusterWhoseLoginNodeIsReachedBySsh) {
  const RunTarget target =
      read("ssh://me@login:22/slurm://gpus?time=5&grace=30&config=/c&cache=/x&python=/p");
  EXPECT_EQ(target.kind, TargetKind::slurm);
  EXPECT_EQ(target.host, "login");
  EXPECT_EQ(target.port, 22);
  EXPECT_EQ(target.partition, "gpus");
  EXPECT_TRUE(isBehindSsh(target));
  EXPECT_FALSE(isBehindSsh(read("slurm://gpus")));
  EXPECT_EQ(titleOf(target), "ssh://me@login:22/slurm://gpus");
  EXPECT_EQ(format(seenThere(target)), "slurm://gpus?python=/p&time=5");
  EXPECT_THAT(problem("ssh://login/slurm://g*"),
              HasSubstr("a partition does not hold \"*\", at character 22"));
  EXPECT_THAT(problem("slurm://gpus?grace=30"), HasSubstr("there is no option \"grace\""));
}

TEST(RunTargetTest, TheTextIsReadBack) {
  for (const std::string text :
       {"local", "local cpu", "local cuda:12", "ssh://box", "ssh://me@box:22/cpu", "ssh://[::1]:22/cuda:0",
        "slurm://", "slurm://gpus", "ssh://login/slurm://",
        "ssh://me@[::1]:22/slurm://gpus?gres=gpu:1&grace=5", "slurm://gpus?gres=gpu:h100:1&time=1-00:30:00",
        "ssh://box?python=/a%20b%26c%25%C3%A4%22%27/python&cache=/x"}) {
    EXPECT_EQ(format(read(text)), text);
    EXPECT_EQ(read(format(read(text))), read(text));
  }
}

TEST(RunTargetTest, WhatIsWrongIsNamedWithItsPlace) {
  EXPECT_THAT(problem(""), HasSubstr("a target is missing"));
  EXPECT_THAT(problem("http://box"), AllOf(HasSubstr("\"http\" starts no workers"), HasSubstr("ssh://")));
  EXPECT_THAT(problem("box"), HasSubstr("this is no target, at character 1 of \"box\""));
  EXPECT_THAT(problem("local cdua:0"), AllOf(HasSubstr("\"cdua:0\" is no device, at character 7"),
                                             HasSubstr("devices are cpu, cuda:0")));
  EXPECT_THAT(problem("ssh://"), HasSubstr("the host is missing, at character 7"));
  EXPECT_THAT(problem("ssh://@box"), HasSubstr("the user is missing"));
  EXPECT_THAT(problem("ssh://box/gpu"), HasSubstr("\"gpu\" is no device, at character 11"));
  EXPECT_THAT(problem("ssh://box:0"),
              AllOf(HasSubstr("\"0\" is no port, at character 11"), HasSubstr("65535")));
  EXPECT_THAT(problem("ssh://box:99999"), HasSubstr("is no port"));
  EXPECT_THAT(problem("ssh://[::1"), HasSubstr("no closing ]"));
  EXPECT_THAT(problem("ssh://[::1]22"), HasSubstr("a port must follow"));
  EXPECT_THAT(problem("slurm://a b"), HasSubstr("a partition does not hold \" \", at character 10"));
}

TEST(RunTargetTest, OptionsThatDoNotExistAreNamed) {
  EXPECT_THAT(problem("ssh://box?pyton=x"), AllOf(HasSubstr("there is no option \"pyton\", at character 11"),
                                                  HasSubstr("did you mean python?")));
  EXPECT_THAT(problem("slurm://?grace=5"), HasSubstr("there is no option \"grace\""));
  EXPECT_THAT(problem("ssh://box?python"), HasSubstr("the option \"python\" has no value, at character 17"));
  EXPECT_THAT(problem("ssh://box?python=a&python=b"), HasSubstr("given twice, at character 20"));
  EXPECT_THAT(problem("slurm://?time=1&time=2"), HasSubstr("given twice"));
  EXPECT_THAT(problem("ssh://box?grace=abc"), HasSubstr("\"abc\" is no number of seconds, at character 17"));
  EXPECT_THAT(problem("ssh://box?grace=-1"), HasSubstr("no number of seconds"));
  EXPECT_THAT(problem("ssh://box?python=%4"), HasSubstr("two hexadecimal digits must follow the %"));
  EXPECT_THAT(problem("ssh://box?python=a%0Ab"), HasSubstr("a control character"));
}

TEST(RunTargetTest, AnOptionsValueIsCheckedByItself) {
  EXPECT_TRUE(checkTargetOption("grace", "300"));
  EXPECT_TRUE(checkTargetOption("mem", "32G"));
  EXPECT_EQ(describe(checkTargetOption("grace", "5 min").error()),
            "\"5 min\" is no number of seconds (write a number from 0 to 86400)");
  EXPECT_EQ(checkTargetOption("cache", "a\tb").error().text, "the value holds a control character");
}

TEST(RunTargetTest, NoNameBecomesAnOptionOfSsh) {
  EXPECT_THAT(problem("ssh://-oProxyCommand=x"), HasSubstr("a host does not begin with -"));
  EXPECT_THAT(problem("ssh://-l@box"), HasSubstr("a user does not begin with -"));
  EXPECT_THAT(problem("slurm://--uid"), HasSubstr("does not begin with -"));
  EXPECT_THAT(problem("ssh://box$(id)"), HasSubstr("a host does not hold \"$\""));
}

TEST(RunTargetTest, NamesAndTitles) {
  EXPECT_EQ(whyNoTargetName("box-1.lan"), "");
  EXPECT_NE(whyNoTargetName(""), "");
  EXPECT_NE(whyNoTargetName("local"), "");
  EXPECT_NE(whyNoTargetName("ssh://box"), "");
  EXPECT_NE(whyNoTargetName("-x"), "");
  RunTarget target = read("ssh://box/cuda:0?python=/x");
  EXPECT_EQ(titleOf(target), "ssh://box/cuda:0");
  target.name = "box";
  EXPECT_EQ(titleOf(target), "box");
}

}  // namespace
}  // namespace wb
