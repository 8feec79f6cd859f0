// SPDX-License-Identifier: Apache-2.0
#include "core/targets/target_file.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>

#include "core/base/files/file.h"
#include "tests/core/service/temporary_folder.h"

namespace wb {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class TargetFileTest : public testing::Test {
 protected:
  const TemporaryFolder own;
  const std::filesystem::path file = own.path() / "config" / "targets.toml";

  void write(const std::string& text) const { ASSERT_TRUE(writeFileAtomically(file, text)); }
  std::string problem(const std::string& text) const {
    write(text);
    const auto targets = readTargets(file);
    EXPECT_FALSE(targets) << text;
    return targets ? "" : describe(targets.error());
  }
  Result<void> add(const std::string& name, const std::string& text) const {
    return changeTargets(file, [&](std::vector<RunTarget>& targets) -> Result<void> {
      WB_TRY(RunTarget target, parseTarget(text));
      target.name = name;
      targets.push_back(std::move(target));
      return {};
    });
  }
};

TEST_F(TargetFileTest, NoFileIsNoTargets) {
  const auto targets = readTargets(file);
  ASSERT_TRUE(targets);
  EXPECT_TRUE(targets->empty());
}

TEST_F(TargetFileTest, WhatWasAddedIsReadBack) {
  ASSERT_TRUE(add("box", "ssh://me@box:22/cuda:1?python=/a%20\"b\\/python&cache=/x&grace=5"));
  ASSERT_TRUE(add("a.b", "slurm://gpus?time=30:00"));
  const auto targets = readTargets(file);
  ASSERT_TRUE(targets) << describe(targets.error());
  ASSERT_EQ(targets->size(), 2U);
  const auto box = findTarget("box", *targets);
  ASSERT_TRUE(box);
  EXPECT_EQ(box->python, "/a \"b\\/python");
  EXPECT_EQ(format(*box), "ssh://me@box:22/cuda:1?python=/a%20%22b%5C/python&cache=/x&grace=5");
  EXPECT_EQ(findTarget("a.b", *targets)->partition, "gpus");
}

TEST_F(TargetFileTest, OddTextsAreReadBack) {
  const std::string odd = "/a\nb\t\"c\\ '\x01";
  ASSERT_TRUE(changeTargets(file, [&](std::vector<RunTarget>& targets) -> Result<void> {
    targets.push_back({.name = "box", .kind = TargetKind::ssh, .host = "b", .python = odd, .cache = odd});
    return {};
  }));
  const auto targets = readTargets(file);
  ASSERT_TRUE(targets) << describe(targets.error());
  EXPECT_EQ(targets->front().python, odd);
  EXPECT_EQ(targets->front().cache, odd);
}

TEST_F(TargetFileTest, AWordIsANameOrAText) {
  const std::vector<RunTarget> known{{.name = "box", .kind = TargetKind::ssh, .host = "b"}};
  EXPECT_EQ(findTarget("box", known)->host, "b");
  EXPECT_EQ(findTarget("ssh://other", known)->host, "other");
  EXPECT_EQ(findTarget("local", known)->kind, TargetKind::local);
  EXPECT_THAT(describe(findTarget("bax", known).error()), AllOf(HasSubstr("no target"), HasSubstr("box")));
}

TEST_F(TargetFileTest, ErrorsHaveTheirLines) {
  EXPECT_THAT(problem("[box]\nwhere = \"ssh://box\"\n\n[two]\npython = \"x\"\n"),
              AllOf(HasSubstr("targets.toml:4"), HasSubstr("does not say where it is")));
  EXPECT_THAT(problem("[box]\nwhere = \"ssh://\"\n"),
              AllOf(HasSubstr("targets.toml:2"), HasSubstr("the host is missing")));
  EXPECT_THAT(problem("[box]\nwhere = \"local\"\npython = 3\n"),
              AllOf(HasSubstr("targets.toml:3"), HasSubstr("python must be a text")));
  EXPECT_THAT(problem("[box]\nwhere = \"local?cache=/a\"\ncache = \"/b\"\n"), HasSubstr("given twice"));
  EXPECT_THAT(problem("where = \"local\"\n"), HasSubstr("outside a target"));
  EXPECT_THAT(
      problem("[box]\nwhere = \"local\"\npyton = \"/a\"\n"),
      AllOf(HasSubstr("targets.toml:3"), HasSubstr("no setting \"pyton\""), HasSubstr("mean python?")));
  EXPECT_THAT(problem("[box]\nwhere = \"local\"\nanswer = 42\n"), HasSubstr("where, python and cache"));
  EXPECT_THAT(problem("[\"a b\"]\nwhere = \"local\"\n"), HasSubstr("cannot be a target's name"));
  EXPECT_THAT(problem("[box\n"), HasSubstr("targets.toml:1"));
}

TEST_F(TargetFileTest, AFileThatCannotBeReadIsLeftAsItIs) {
  for (const std::string text : {"nonsense [", "[a]\nwhere = \"local\"\n[b]\nwhere = 3\n",
                                 "[a]\nwhere = \"local\"\npyton = \"/a\"\n"}) {
    write(text);
    const auto added = add("box", "ssh://box");
    ASSERT_FALSE(added);
    EXPECT_THAT(describe(added.error()), AllOf(HasSubstr("targets.toml:"), HasSubstr("left as it is")));
    EXPECT_EQ(readFile(file).value_or(""), text);
  }
}

TEST_F(TargetFileTest, WhatTheUserHasWrittenStays) {
  const std::string a = "# ours\n\n[a]   # the old one\nwhere = \"local\"\n# not python\ncache = '/c'\n",
                    c = "\n# lent until May\nc = { where = \"ssh://c\" }\n";
  // A key without a table stands first.
  write(c + a + "\n# for large ones\n[b]\nwhere = \"ssh://b\"\n# the end\n");
  ASSERT_TRUE(add("d", "ssh://d"));
  const std::string d = "\n[\"d\"]\nwhere = \"ssh://d\"\n";
  EXPECT_EQ(readFile(file).value_or(""),
            c + a + "\n# for large ones\n[b]\nwhere = \"ssh://b\"\n# the end\n" + d);
  const auto take = [&](const std::string& name) {
    ASSERT_TRUE(changeTargets(file, [&](std::vector<RunTarget>& targets) -> Result<void> {
      std::erase_if(targets, [&](const RunTarget& each) { return each.name == name; });
      return {};
    }));
  };
  take("b");
  EXPECT_EQ(readFile(file).value_or(""), c + a + "\n# for large ones\n# the end\n" + d);
  take("a");
  take("d");
  const auto left = readTargets(file);
  ASSERT_TRUE(left) << describe(left.error());
  EXPECT_EQ(left->size(), 1U);
  take("c");
  EXPECT_EQ(readTargets(file)->size(), 0U);
  ASSERT_TRUE(add("a", "ssh://new"));
  EXPECT_EQ(readTargets(file)->front().host, "new");
}

TEST_F(TargetFileTest, ARefusedChangeWritesNothing) {
  write("nonsense [");
  EXPECT_FALSE(add("box", "ssh://"));
  EXPECT_EQ(readFile(file).value_or(""), "nonsense [");
}

}  // namespace
}  // namespace wb
