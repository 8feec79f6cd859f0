// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/host/precompiled_header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "core/engine/compile/host/build_cache.h"

namespace wb {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

/// The cache of a run inside walls: links to what the user's cache has.
void linkTo(const fs::path& cache, const fs::path& usersCache) {
  fs::create_directories(cache / "pch");
  for (const auto& entry : fs::directory_iterator(usersCache / "pch"))
    fs::create_symlink(entry.path(), cache / "pch" / entry.path().filename());
}

/// Takes from this thread the right to write what does not belong to everybody, as walls do.
void becomeReader() {
  constexpr uid_t nobody = 65534;
  ::setfsuid(nobody);
}

/// For everybody; the compiler stays a program.
void makeReadable(const fs::path& folder) {
  ::chmod(folder.c_str(), 0755);
  for (const auto& entry : fs::recursive_directory_iterator(folder)) ::chmod(entry.path().c_str(), 0755);
}

TEST(PrecompiledHeader, WhoMayOnlyReadItWaitsUntilItIsMade) {
  if (::getuid() != 0) GTEST_SKIP() << "only root can take rights from a thread";
  auto folder = ScratchFolder::make(fs::temp_directory_path());
  const auto torch = findTorch();
  ASSERT_TRUE(folder && torch);
  const fs::path users = folder->path() / "users", walled = folder->path() / "walled";
  const fs::path mayEnd = folder->path() / "may-end", script = folder->path() / "compiler";
  ASSERT_EQ(::mkfifo(mayEnd.c_str(), 0600), 0);
  std::ofstream(script) << "#!/bin/sh\nread line <" << mayEnd.string()
                        << "\nfor last; do :; done\necho made >\"$last\"\n";
  ::chmod(script.c_str(), 0755);
  HostCompiler compiler;
  compiler.path = script.string();
  compiler.version = compiler.identity = "clang++ 14.0.6";
  compiler.clang = true;

  std::atomic<bool> isBegun = false, hasSpoken = false;
  std::thread maker([&] {
    EXPECT_TRUE(ensurePrecompiledHeader(compiler, *torch, users, {}, [&](const Log&) {
      isBegun = true;
      isBegun.notify_all();
    }));
  });
  isBegun.wait(false);
  linkTo(walled, users);
  makeReadable(folder->path());

  std::vector<std::string> said;
  std::thread reader([&] {
    becomeReader();
    const auto header = ensurePrecompiledHeader(compiler, *torch, walled, {}, [&](const Log& log) {
      said.push_back(log.text);
      hasSpoken = true;
      hasSpoken.notify_all();
    });
    EXPECT_TRUE(header && header->precompiled);
    hasSpoken = true;
    hasSpoken.notify_all();
  });
  hasSpoken.wait(false);
  {
    // A line for each who might compile.
    std::fstream lines(mayEnd);
    lines << "now\nnow\n" << std::flush;
    reader.join();
    maker.join();
  }
  ASSERT_FALSE(said.empty());
  EXPECT_THAT(said.front(), HasSubstr("another worker precompiles torch's headers"));
}

}  // namespace
}  // namespace wb
