// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/doctor.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "core/base/files/file.h"
#include "core/doctor/caches.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::Field;

class Doctor : public testing::Test {
 protected:
  void SetUp() override {
    std::string made = (fs::temp_directory_path() / "wb-doctor-XXXXXX").string();
    ASSERT_NE(::mkdtemp(made.data()), nullptr);
    folder_ = made;
    ::setenv("WARPBENCH_CACHE", (folder_ / "cache").c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("WARPBENCH_CACHE");
    ::unsetenv("WARPBENCH_WORKER");
    fs::remove_all(folder_);
  }
  void worker(const std::string& answer) const {
    const fs::path program = folder_ / "worker";
    ASSERT_TRUE(writeFileAtomically(program, "#!/bin/sh\necho '" + answer + "'\n"));
    ::chmod(program.c_str(), 0700);
    ::setenv("WARPBENCH_WORKER", program.c_str(), 1);
  }
  void file(const std::string& name, std::size_t bytes) const {
    ASSERT_TRUE(writeFileAtomically(folder_ / "cache" / name, std::string(bytes, 'x')));
  }
  fs::path folder_;
};

TEST_F(Doctor, TellsWhatTheWorkerFound) {
  worker(R"({"checks": [{"name": "torch", "state": "ok", "found": "2.11.0"},
                        {"name": "nvcc", "state": "missing", "found": "none", "hint": "install it"}]})");
  const auto lines = examineMachine();
  EXPECT_THAT(lines, Contains(DoctorLine{DoctorLine::State::good, "torch", "2.11.0"}));
  EXPECT_THAT(lines, Contains(DoctorLine{DoctorLine::State::missing, "nvcc", "none", "install it"}));
  EXPECT_THAT(lines, Contains(Field(&DoctorLine::what, "device cpu")));
  EXPECT_THAT(lines, Contains(Field(&DoctorLine::what, "cache folder")));
  EXPECT_TRUE(canRunKernels(lines));
  EXPECT_EQ(conclusion(lines), "Kernels can run here.");
}

TEST_F(Doctor, AProgramThatIsNoWorkerIsWrongAndSaidSo) {
  worker("hello");
  const auto lines = examineMachine();
  EXPECT_THAT(lines, Contains(AllOf(Field(&DoctorLine::what, "worker"),
                                    Field(&DoctorLine::state, DoctorLine::State::bad))));
  EXPECT_FALSE(canRunKernels(lines));
}

TEST_F(Doctor, CachesAreNamedMeasuredAndEmptied) {
  file("build/a/k.so", 5000);
  file("cubin/b", 100);
  file("suites/c.index", 700);
  const auto there = caches();
  ASSERT_EQ(there.size(), 3u);
  EXPECT_EQ(there[0].name, "build");
  EXPECT_EQ(there[0].holds, "compiled C++ and CUDA extensions");
  EXPECT_EQ(there[0].bytes, 5000);
  EXPECT_EQ(there[1].name, "suites");
  EXPECT_EQ(bytesOf(there), 5800);
  EXPECT_EQ(emptyCaches(), 5800);
  EXPECT_TRUE(caches().empty());
}

TEST_F(Doctor, ALinkInTheCacheIsRemovedAndNotFollowed) {
  ASSERT_TRUE(writeFileAtomically(folder_ / "mine", "keep"));
  fs::create_directories(folder_ / "cache");
  fs::create_symlink(folder_ / "mine", folder_ / "cache" / "link");
  EXPECT_EQ(emptyCaches(), 0);
  EXPECT_TRUE(fs::exists(folder_ / "mine"));
}

}  // namespace
}  // namespace wb
