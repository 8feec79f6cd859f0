// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

namespace wb {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class File : public testing::Test {
 protected:
  File() {
    std::string pattern = (fs::temp_directory_path() / "warpbench-file-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~File() override { fs::remove_all(folder_); }
  fs::path put(const std::string& name, const std::string& content) {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }
  fs::path folder_;
};

TEST_F(File, ReadsBytesAsTheyAre) {
  const std::string content("a\0b\r\n\xff", 6);
  EXPECT_EQ(*readFile(put("f", content)), content);
  EXPECT_EQ(*readFile(put("empty", "")), "");
}

TEST_F(File, MissingFileNamesItself) {
  const auto read = readFile(folder_ / "none.cpp");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().text, HasSubstr("none.cpp: there is no such file"));
}

TEST_F(File, FolderIsNotAFile) {
  EXPECT_THAT(readFile(folder_).error().text, HasSubstr("it is a folder"));
}

TEST_F(File, TooLargeSaysBothSizes) {
  EXPECT_THAT(readFile(put("big", std::string(3000, 'x')), 2048).error().text,
              HasSubstr("it has 2.93 KiB, at most 2.00 KiB are taken"));
}

TEST_F(File, EndlessFileStopsAtTheLimit) {
  EXPECT_FALSE(readFile("/dev/zero", 1 << 20));
}

TEST_F(File, NeitherANamedPipeNorADeviceIsRead) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(readFile(pipe).error().text,
              HasSubstr("it is a named pipe"));  // and does not wait for a writer
  EXPECT_THAT(readFile("/dev/zero").error().text, HasSubstr("it is a device"));
  EXPECT_TRUE(readFile("/proc/self/status"));
}

TEST_F(File, WhatAShellHandsOverByAPipeIsRead) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "text", 4), 4);
  ::close(ends[1]);
  const auto read = readFile("/dev/fd/" + std::to_string(ends[0]));
  ::close(ends[0]);
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(*read, "text");
}

TEST_F(File, SourceLosesItsByteOrderMark) {
  EXPECT_EQ(*readSource(put("s", "\xEF\xBB\xBFint µ;\n")), "int µ;\n");
}

TEST_F(File, BinarySourceIsRefusedWithItsPlace) {
  const auto read = readSource(put("elf", std::string("ok\nab\0c", 7)));
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().text, HasSubstr("NUL byte"));
  EXPECT_EQ(read.error().place.line, 2);
  EXPECT_EQ(read.error().place.column, 3);
}

TEST_F(File, EveryKindOfBadUtf8IsRefused) {
  for (const char* bad : {"\x80", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                          "\xF8\x88\x80\x80", "\xC3", "\xE2\x82", "\xC3("}) {
    const auto read = readSource(put("bad", bad));
    ASSERT_FALSE(read) << bad;
    EXPECT_THAT(read.error().text, HasSubstr("not UTF-8"));
  }
  EXPECT_TRUE(readSource(put("good", "\xF4\x8F\xBF\xBF \xED\x9F\xBF \xE0\xA0\x80")));
}

TEST_F(File, WritesReplaceTheWholeContentAndLeaveNothingBehind) {
  const fs::path path = folder_ / "new" / "deep" / "out.json";
  ASSERT_TRUE(writeFileAtomically(path, "one"));
  ASSERT_TRUE(writeFileAtomically(path, "two"));
  EXPECT_EQ(*readFile(path), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(path.parent_path()), {}), 1);
}

TEST_F(File, WritesKeepPermissionsAndLinks) {
  const fs::path real = put("real", "old");
  fs::permissions(real, fs::perms::owner_read | fs::perms::owner_write | fs::perms::owner_exec);
  fs::create_symlink(real, folder_ / "link");
  ASSERT_TRUE(writeFileAtomically(folder_ / "link", "new"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(*readFile(real), "new");
  EXPECT_NE(fs::status(real).permissions() & fs::perms::owner_exec, fs::perms::none);
}

TEST_F(File, APipeIsWrittenIntoAndStaysOne) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(writeFileAtomically(pipe, "x")) << "nobody reads it";
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  EXPECT_TRUE(writeFileAtomically(pipe, "new"));
  char got[8] = {};
  EXPECT_EQ(::read(reader, got, sizeof got), 3);
  ::close(reader);
  EXPECT_STREQ(got, "new");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(File, WriteErrorsNamePathAndCause) {
  const fs::path file = put("file", "");
  EXPECT_THAT(writeFileAtomically(file / "below", "x").error().text, HasSubstr("below: Not a directory"));
  EXPECT_THAT(writeFileAtomically(folder_, "x").error().text, HasSubstr("Is a directory"));
}

TEST_F(File, ReadOnlyFolderGivesAHint) {
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  const bool root = ::getuid() == 0;  // who may write anywhere
  if (root && ::seteuid(65534) != 0) GTEST_SKIP() << "cannot become an ordinary user";
  const auto written = writeFileAtomically(folder_ / "x", "x");
  ASSERT_EQ(root ? ::seteuid(0) : 0, 0);
  fs::permissions(folder_, fs::perms::owner_all);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().text, HasSubstr("Permission denied"));
  EXPECT_THAT(written.error().hint, HasSubstr("choose a folder"));
}

TEST_F(File, FailedWriteLeavesTheOldContent) {
  const fs::path path = put("kept", "old");
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1024, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const auto written = writeFileAtomically(path, std::string(100000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().text, HasSubstr("File too large"));
  EXPECT_EQ(*readFile(path), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST(TemporaryFile, IsThereWithItsContentUntilItsEnd) {
  std::filesystem::path path;
  {
    auto file = TemporaryFile::make("content");
    ASSERT_TRUE(file);
    const TemporaryFile moved = *std::move(file);
    path = moved.path();
    EXPECT_EQ(*readFile(path), "content");
  }
  EXPECT_FALSE(path.empty());
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TemporaryFile, NoTwoAreTheSame) {
  const auto one = TemporaryFile::make(), other = TemporaryFile::make();
  EXPECT_NE(one->path(), other->path());
}

}  // namespace
}  // namespace wb
