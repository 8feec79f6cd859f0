// SPDX-License-Identifier: Apache-2.0
// What a kernel is judged by, out of its reach.
#include "core/engine/cases/sealed_job.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace wb {
namespace {

using testing::HasSubstr;

TEST(SealedBytesTest, NeitherTheProcessNorTheSystemForItWritesToThem) {
  const SealedBytes sealed("what nobody changes");
  ASSERT_EQ(sealed.bytes(), "what nobody changes");
  void* const page = const_cast<char*>(sealed.bytes().data());
  EXPECT_NE(::mprotect(page, 1, PROT_READ | PROT_WRITE), 0);
  const int memory = ::open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  ASSERT_GE(memory, 0);
  EXPECT_LT(::pwrite(memory, "x", 1, static_cast<off_t>(reinterpret_cast<std::uintptr_t>(page))), 0);
  ::close(memory);
  EXPECT_EQ(sealed.bytes(), "what nobody changes");
}

TEST(SealedBytesTest, NothingElseTakesThePlaceOfThoseThatAreSealedForGood) {
  const SealedBytes sealed("here to stay", /*forGood=*/true);
  void* const page = const_cast<char*>(sealed.bytes().data());
  void* const other = ::mmap(page, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (other != MAP_FAILED) GTEST_SKIP() << "this system cannot seal what is mapped (mseal)";
  EXPECT_EQ(sealed.bytes(), "here to stay");
}

TEST(SealedBytesTest, NoBytesNeedNoMemory) {
  EXPECT_EQ(SealedBytes("").bytes(), "");
}

class SealedJobTest : public testing::Test {
 protected:
  SealedJobTest() {
    job.tolerance = {"given", 0.5, 0.25};
    job.kernels.resize(2);
    job.kernels[1] = {"relu.cpp", "text", "torch_cpp", "relu", "", ""};
  }
  Job job;
};

TEST_F(SealedJobTest, TheToleranceIsTheOneThatWasGiven) {
  const SealedJob sealed(job, 1);
  job.tolerance = {"given", 1e9, 1e9};
  EXPECT_EQ(sealed.tolerance(), (Tolerance{"given", 0.5, 0.25}));
}

TEST_F(SealedJobTest, SaysWhatIsNotAsItWas) {
  const SealedJob sealed(job, 1);
  EXPECT_EQ(sealed.changed(job), "");
  Job other = job;
  other.kernels[0].language = "aten";  // another kernel's
  EXPECT_EQ(sealed.changed(other), "");
  other.tolerance.atol = 1;
  other.seed = 7;
  EXPECT_EQ(sealed.changed(other), "the job's seed, tolerance");
  other = job;
  other.checking.likeBackendBench = true;
  EXPECT_EQ(sealed.changed(other), "the job's checking");
  other = job;
  other.kernels[1].language = "aten";
  EXPECT_EQ(sealed.changed(other), "the job's source");
  other = job;
  other.limits.caseSeconds = 1e6;
  EXPECT_EQ(sealed.changed(other), "the job's limits");
}

TEST_F(SealedJobTest, KnowsTheCasesByTheirNumbers) {
  Case small, large;
  small.args = "((T([1], f32),), {})";
  large.args = "((T([99], f32),), {})";
  SealedJob sealed(job, 1);
  EXPECT_FALSE(sealed.isOther(small, 0)) << "nobody has said yet which they are";
  PlannedCases cases = allCases("aten::relu", {small, large});
  sealed.seal(cases);
  EXPECT_FALSE(sealed.isOther(small, 0));
  EXPECT_FALSE(sealed.isOther(large, 1));
  EXPECT_TRUE(sealed.isOther(small, 1));
  EXPECT_TRUE(sealed.isOther(small, 2));
  large.use = CaseUse::check;
  EXPECT_TRUE(sealed.isOther(large, 1));
}

}  // namespace
}  // namespace wb
