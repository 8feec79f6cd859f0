// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/files/file.h"
#include "tests/core/runner/fake_runs.h"
#include "tests/core/service/temporary_folder.h"

namespace wb {

/// Runs to which something is done while they are at a case, however long that takes.
class HeldCases {
 protected:
  /// A job of kernels with eight cases, of which only the first ends before letGo().
  [[nodiscard]] Job heldJob(std::size_t kernels = 1) const {
    EXPECT_TRUE(writeFileAtomically(hold(), ""));
    const std::vector<std::string> all(kernels, "--mismatch=none --hold=" + hold().string());
    Job job = fakeJob(all, false);
    job.limits.caseSeconds = job.limits.firstCallSeconds = 600;
    return job;
  }
  void letGo() const { std::filesystem::remove(hold()); }
  /// The run came to its end with all cases, and nothing was lost by a kernel.
  static void expectWhole(Recorder& run) {
    const Report& report = run.wait();
    EXPECT_EQ(report.outcome, Outcome::finished) << (report.failure ? describe(*report.failure) : "");
    EXPECT_EQ(report.kernels[0]->counts.passed, 8);
    EXPECT_THAT(report.losses, testing::IsEmpty());
    // No finished case was run again.
    EXPECT_EQ(std::ranges::count_if(run.events(), [](const Event& event) { return is<CaseCheck>(event); }),
              8);
  }

 private:
  [[nodiscard]] std::filesystem::path hold() const { return own_.path() / "hold"; }
  const TemporaryFolder own_;
};

}  // namespace wb
