// SPDX-License-Identifier: Apache-2.0
// The scripts that run on the other side, run here.
#include <gmock/gmock.h>

#include <set>
#include <sstream>
#include <string>

#include "core/base/files/file.h"
#include "core/base/process/process.h"
#include "core/base/process/programs.h"
#include "core/runner/remote/ssh/bundle.h"
#include "tests/core/service/temporary_folder.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* hash = "0123456789abcdef";

class ScriptsTest : public testing::Test {
 protected:
  const TemporaryFolder own;
  const fs::path cache = own.path() / "it's a \"cache\" $HOME";
  RunTarget target{.kind = TargetKind::ssh, .host = "box", .cache = cache.string()};

  void SetUp() override {
    const fs::path bundle = own.path() / "bundle";
    ASSERT_TRUE(writeFileAtomically(bundle / "bin" / "warpbench-reach", "#!/bin/sh\necho started \"$@\"\n"));
    ASSERT_TRUE(writeFileAtomically(bundle / "share" / "x", "x"));
    fs::permissions(bundle / "bin" / "warpbench-reach", fs::perms::owner_all);
    ASSERT_EQ(shell("tar -czf packed -C bundle bin share").ending, Ending{});
  }
  [[nodiscard]] Captured shell(const std::string& script, const std::string& path = {}) const {
    Command command{.argv = {"/bin/sh", "-c", script}, .folder = own.path()};
    if (!path.empty()) command.environment.emplace_back("PATH", path);
    const auto ran = runToEnd(command, std::chrono::seconds{20});
    EXPECT_TRUE(ran);
    return ran ? *ran : Captured{};
  }
  [[nodiscard]] Captured unpack(const std::string& unique, const std::string& path = {}) const {
    return shell("exec < packed; " + unpackScript(target, hash, unique), path);
  }
  [[nodiscard]] std::size_t folders() const {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& each : fs::directory_iterator(cache / "bundles")) ++count;
    return count;
  }
};

/// The other side has Python with torch, and what every system has.
TEST_F(ScriptsTest, WhatIsCopiedNeedsNoLibraryThatTheOtherSideMayLack) {
  if (findProgram("objdump").empty()) GTEST_SKIP() << "not run: there is no objdump (binutils)";
  const std::set<std::string> everywhere{
      "libc.so.6",  "libm.so.6",   "libstdc++.so.6",  "libgcc_s.so.1",
      "libdl.so.2", "librt.so.1",  "libpthread.so.0", "ld-linux-x86-64.so.2",
      "libc10.so",  "libtorch.so", "libtorch_cpu.so", "libtorch_python.so"};
  int programs = 0;
  for (const char* each : {"warpbench", "warpbench-reach", "warpbench-worker", "libwarpbench_worker.so",
                           "libwarpbench_engine.so", "libwarpbench_python.so"}) {
    const fs::path file = fs::path(WB_BINARY_DIR) / "bin" / each;
    if (!fs::exists(file)) continue;  // not all of them are built everywhere
    ++programs;
    const Captured said = shell("objdump -p '" + file.string() + "'");
    ASSERT_THAT(said.out, HasSubstr("NEEDED")) << each;
    std::istringstream lines(said.out);
    for (std::string word; lines >> word;)
      if (word == "NEEDED" && lines >> word) EXPECT_TRUE(everywhere.contains(word)) << each << ": " << word;
  }
  EXPECT_GE(programs, 2);
}

TEST_F(ScriptsTest, WhatIsMissingIsUnpackedAndStarted) {
  EXPECT_EQ(shell(startScript(target, hash, "--far")).ending.exitCode, missingBundle);
  EXPECT_EQ(unpack("one").ending, Ending{}) << unpack("one").err;
  EXPECT_EQ(shell(startScript(target, hash, "--far")).out, "started --far\n");
}

TEST_F(ScriptsTest, TwoAtOnceLeaveOne) {
  EXPECT_EQ(unpack("one").ending, Ending{});
  EXPECT_EQ(unpack("two").ending, Ending{});
  EXPECT_EQ(folders(), 1U);
  EXPECT_FALSE(fs::exists(cache / "bundles" / hash / "new.two"));
}

TEST_F(ScriptsTest, OldOnesAreRemovedAndOthersStay) {
  fs::create_directories(cache / "bundles" / "old");
  fs::create_directories(cache / "bundles" / "recent");
  fs::last_write_time(cache / "bundles" / "old",
                      fs::file_time_type::clock::now() - std::chrono::hours{24 * 20});
  EXPECT_EQ(unpack("one").ending, Ending{});
  EXPECT_FALSE(fs::exists(cache / "bundles" / "old"));
  EXPECT_EQ(folders(), 2U);
}

TEST_F(ScriptsTest, AClockThatIsOffDoesNoHarm) {
  // Files are as old as they are where they come from.
  for (const char* time : {"2000-01-01", "2099-01-01"}) {
    ASSERT_EQ(
        shell(std::string("touch -d ") + time + " bundle/bin bundle/share bundle/bin/warpbench-reach; " +
              "tar -czf packed -C bundle bin share")
            .ending,
        Ending{});
    EXPECT_EQ(unpack("one").ending, Ending{});
    EXPECT_EQ(shell(startScript(target, hash, "--far")).out, "started --far\n") << time;
    // A later one finds it there, and does not take it for one that nobody has used.
    EXPECT_EQ(unpack("two").ending, Ending{});
    EXPECT_EQ(folders(), 1U);
    fs::remove_all(cache);
  }
}

TEST_F(ScriptsTest, AFullDiskLeavesNothing) {
  const fs::path programs = own.path() / "programs";
  ASSERT_TRUE(writeFileAtomically(programs / "tar",
                                  "#!/bin/sh\necho 'tar: x: No space left on device' >&2\nexit 2\n"));
  fs::permissions(programs / "tar", fs::perms::owner_all);
  const Captured ran = unpack("one", programs.string() + ":/usr/bin:/bin");
  EXPECT_EQ(ran.ending.exitCode, cannotUnpack);
  EXPECT_EQ(folders(), 0U);
  EXPECT_THAT(describe(unpackError("box", cannotUnpack, ran.err)),
              AllOf(HasSubstr("there is no space left on box"), HasSubstr("option cache")));
}

TEST_F(ScriptsTest, AnotherSystemIsNamed) {
  const fs::path programs = own.path() / "programs";
  ASSERT_TRUE(writeFileAtomically(programs / "uname", "#!/bin/sh\necho Darwin arm64\n"));
  fs::permissions(programs / "uname", fs::perms::owner_all);
  const Captured ran = unpack("one", programs.string() + ":/usr/bin:/bin");
  EXPECT_EQ(ran.ending.exitCode, otherSystem);
  EXPECT_THAT(unpackError("box", otherSystem, ran.err).text, HasSubstr("it is Darwin arm64"));
}

}  // namespace
}  // namespace wb
