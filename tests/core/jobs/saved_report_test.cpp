// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/saved_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/model/json/json_codec.h"
#include "tests/core/jobs/folder_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;

using SavedReport = FolderFixture;

TEST_F(SavedReport, ComesBackAsItWas) {
  Job job;
  job.kernels.emplace_back();
  job.suite = "smoke";
  const Report report = startReport(job);
  const auto read = readSavedReport(write("report.json", dump(toJson(report), 2)));
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(**read, report);
}

TEST_F(SavedReport, WhatIsNoneIsNamedWithAHint) {
  for (const std::string text : {"{", "[]", "{\"kernels\": 3}"}) {
    const auto read = readSavedReport(write("broken.json", text));
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().stage, Stage::report);
    EXPECT_THAT(describe(read.error()), HasSubstr("broken.json"));
    EXPECT_THAT(read.error().hint, HasSubstr("as JSON"));
  }
  EXPECT_THAT(describe(readSavedReport(folder_ / "absent.json").error()), HasSubstr("absent.json"));
}

TEST_F(SavedReport, WithoutAKernelThereIsNothingToCompare) {
  EXPECT_THAT(describe(readSavedReport(write("empty.json", dump(toJson(Report{}), 2))).error()),
              HasSubstr("holds no kernel"));
}

}  // namespace
}  // namespace wb
