// SPDX-License-Identifier: Apache-2.0
#include "core/runner/sanitizer/sanitizer_log.h"

#include <gmock/gmock.h>

#include "core/base/files/file.h"

namespace wb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SanitizerLog logOf(const std::string& name) {
  const auto text = readFile(std::string(WB_SOURCE_DIR "/tests/core/runner/sanitizer/") + name);
  EXPECT_TRUE(text) << describe(text.error());
  return parseSanitizerLog(text.value_or(""));
}

TEST(SanitizerLogTest, MessagesOfManyThreadsAreOneFinding) {
  const SanitizerLog log = logOf("memcheck.txt");
  EXPECT_TRUE(log.complete);
  ASSERT_EQ(log.findings.size(), 3U);
  const SanitizerFinding& first = log.findings[0];
  EXPECT_EQ(first.severity, Severity::error);
  EXPECT_EQ(first.what, "Invalid __global__ write of size 4 bytes");
  EXPECT_EQ(first.function, "oob_write(int *, int, int)");
  EXPECT_THAT(first.places, ElementsAre(Place{"/home/me/oob_demo.cu", 9, 0}));
  EXPECT_EQ(first.count, 2);
  EXPECT_THAT(
      first.facts,
      ElementsAre("by thread (0,0,0) in block (0,0,0)", "Access at 0x7f241b0001e0 is out of bounds",
                  "and is 33 bytes after the nearest allocation at 0x7f241b000000 of size 448 bytes"));
}

TEST(SanitizerLogTest, ACalledFunctionHasThePlacesOfItsCallersAndTheKernelsName) {
  const SanitizerFinding called = logOf("memcheck.txt").findings.at(1);
  EXPECT_EQ(called.function, "out_of_bounds_kernel()");
  EXPECT_THAT(called.places,
              ElementsAre(Place{"/home/me/include/helper.cuh", 39, 0}, Place{"/home/me/oob_demo.cu", 44, 0}));
}

TEST(SanitizerLogTest, WithoutLineInformationThereIsTheFunctionAlone) {
  const SanitizerFinding aten = logOf("memcheck.txt").findings.at(2);
  EXPECT_THAT(aten.places, IsEmpty());
  EXPECT_THAT(aten.function, HasSubstr("vectorized_elementwise_kernel<(int)4"));
  const Diagnostic diagnostic = toDiagnostic(aten, "memcheck", "oob_demo.cu");
  EXPECT_EQ(diagnostic.place, Place{});
  EXPECT_THAT(diagnostic.message, HasSubstr("misaligned"));
}

TEST(SanitizerLogTest, WhatTheToolSaysOfItselfIsANote) {
  const SanitizerLog log = logOf("memcheck.txt");
  ASSERT_EQ(log.notes.size(), 1U);
  EXPECT_THAT(log.notes[0], HasSubstr("Internal Sanitizer Error"));
}

TEST(SanitizerLogTest, TheFormatOf2021NamesThePlaceBeforeTheFunction) {
  const SanitizerLog log = logOf("memcheck_2021.txt");
  ASSERT_EQ(log.findings.size(), 3U);
  EXPECT_EQ(log.findings[0].function, "void transpose_and_cache<(bool)1, __half>(T2 *, int)");
  EXPECT_THAT(log.findings[0].places, ElementsAre(Place{"/data/kernels/paged_attention.cu", 162, 0}));
  EXPECT_EQ(log.findings[1].function,
            "void cudf::detail::count_set_bits_kernel<int=256>(unsigned int const *,int,int,int*)");
  EXPECT_THAT(log.findings[1].places, IsEmpty());
  EXPECT_THAT(log.findings[2].places,
              ElementsAre(Place{"/usr/local/cuda/include/cub/thread/thread_load.cuh", 272, 0},
                          Place{"/data/kernels/paged_attention.cu", 119, 0}));
}

TEST(SanitizerLogTest, RacesNameBothAccesses) {
  const SanitizerLog log = logOf("racecheck.txt");
  EXPECT_TRUE(log.complete);
  ASSERT_EQ(log.findings.size(), 3U);
  const SanitizerFinding& race = log.findings[0];
  EXPECT_EQ(race.what, "Race reported between Write access");
  EXPECT_EQ(race.function, "sumKernel(int *, int *)");
  EXPECT_THAT(race.places, ElementsAre(Place{"/home/me/block_error.cu", 41, 0}));
  EXPECT_THAT(race.facts, ElementsAre("and Read access at sumKernel(int *, int *)+0x100 in "
                                      "/home/me/block_error.cu:51 [508 hazards]"));
  const SanitizerFinding& warps = log.findings[1];
  EXPECT_EQ(warps.severity, Severity::warning);
  EXPECT_THAT(warps.places, ElementsAre(Place{"/home/me/warp_error.cu", 44, 0}));
  EXPECT_EQ(warps.facts.size(), 3U);
  EXPECT_EQ(log.findings[2].function, "ckMedian(const uchar4 *, unsigned int *, int)");
  EXPECT_THAT(log.findings[2].places, IsEmpty());
}

TEST(SanitizerLogTest, BarrierErrorsAreFoundAtTheKernelsOwnLine) {
  const SanitizerLog log = logOf("synccheck.txt");
  ASSERT_EQ(log.findings.size(), 2U);
  EXPECT_EQ(log.findings[0].function, "myKernel(int *, int *)");
  EXPECT_EQ(log.findings[1].function, "myKernel(int *)");
  EXPECT_EQ(toDiagnostic(log.findings[1], "synccheck", "kernels/test.cu").place,
            (Place{"kernels/test.cu", 48, 0}));
}

TEST(SanitizerLogTest, ADiagnosticIsAtTheOwnFileUnderTheJobsName) {
  const SanitizerLog log = logOf("memcheck.txt");
  const Diagnostic diagnostic = toDiagnostic(log.findings[0], "memcheck", "work/oob_demo.cu");
  EXPECT_EQ(diagnostic.tool, "compute-sanitizer memcheck");
  EXPECT_EQ(diagnostic.place, (Place{"work/oob_demo.cu", 9, 0}));
  EXPECT_EQ(diagnostic.message,
            "Invalid __global__ write of size 4 bytes (2 times)\n"
            "in oob_write(int *, int, int)\n"
            "by thread (0,0,0) in block (0,0,0)\n"
            "Access at 0x7f241b0001e0 is out of bounds\n"
            "and is 33 bytes after the nearest allocation at 0x7f241b000000 of size 448 bytes");
  EXPECT_EQ(toDiagnostic(log.findings[1], "memcheck", "work/oob_demo.cu").place.line, 44);
  EXPECT_EQ(toDiagnostic(log.findings[0], "memcheck", "other.cu").place.file, "/home/me/oob_demo.cu");
  EXPECT_TRUE(isIn(log.findings[1], "oob_demo.cu"));
  EXPECT_FALSE(isIn(log.findings[2], "oob_demo.cu"));
}

TEST(SanitizerLogTest, ACleanLogHasNothingAndACutOneSaysSo) {
  const SanitizerLog clean =
      parseSanitizerLog("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n");
  EXPECT_THAT(clean.findings, IsEmpty());
  EXPECT_THAT(clean.notes, IsEmpty());
  EXPECT_TRUE(clean.complete);
  EXPECT_FALSE(parseSanitizerLog("").complete);
}

TEST(SanitizerLogTest, ALogCutAnywhereIsReadAsFarAsItGoes) {
  for (const char* name : {"memcheck.txt", "memcheck_2021.txt", "racecheck.txt", "synccheck.txt"}) {
    const std::string text = *readFile(std::string(WB_SOURCE_DIR "/tests/core/runner/sanitizer/") + name);
    for (std::size_t end = 0; end < text.size(); end += 7)
      for (const SanitizerFinding& finding :
           parseSanitizerLog(std::string_view(text).substr(0, end)).findings)
        EXPECT_FALSE(finding.what.empty());
  }
}

}  // namespace
}  // namespace wb
