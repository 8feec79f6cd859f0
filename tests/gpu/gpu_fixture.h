// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/pipeline/pipeline.h"
#include "core/model/report.h"
#include "core/runner/runner.h"
#include "tests/losses.h"

namespace wb {

/// Skips without a driver. A build cache of the test's own, so that compiling is part of what is measured.
class GpuTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// A job of one kernel over all smoke cases of its operator; check alone.
  static Job smokeJob(const std::string& source);
  /// The smoke suite over a file of the resources: "samples/relu_triton.py"; timed quickly where asked for.
  static Job resourceJob(const std::string& file, bool time = false);
  /// The same over relu on vectors of these many float32 elements.
  static Job reluJob(const std::string& source, const std::vector<std::int64_t>& elements);

  /// In this process, through the real pipeline.
  Report run(const Job& job);
  /// In a real worker process, through the runner.
  Report runInWorker(const Job& job);

  Losses losses_ = Losses::none;  ///< that the test is about; runInWorker() fails it for any other

  /// One line a case that is no pass.
  static void printCases(const KernelReport& kernel);
  /// All that a report says in words of why it came to what it came to.
  static void printAll(const Report& report);

 private:
  std::filesystem::path cache_;
  std::unique_ptr<Pipeline> pipeline_;
  std::unique_ptr<Runner> runner_;
};

/// Source text of a raw CUDA kernel for relu with this body: x, y, i and n are there.
[[nodiscard]] std::string reluWith(const std::string& body, const std::string& header = {},
                                   const std::string& moreParameters = {});

}  // namespace wb
