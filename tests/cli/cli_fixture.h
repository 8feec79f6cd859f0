// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "core/base/process/process.h"
#include "core/model/exit/exit_status.h"
#include "tests/core/jobs/folder_fixture.h"

namespace wb {

/// A folder of its own and the program in it, its workers fakes that speak the real protocol.
class CliFixture : public FolderFixture {
 protected:
  using Environment = std::vector<std::pair<std::string, std::string>>;

  Captured run(std::vector<std::string> arguments, Environment environment = {},
               std::chrono::seconds limit = std::chrono::seconds{60}) {
    arguments.insert(arguments.begin(), WB_BINARY_DIR "/bin/warpbench");
    return runProgram(std::move(arguments), std::move(environment), limit);
  }
  /// Any program, in the folder and with the environment of `run`.
  Captured runProgram(std::vector<std::string> arguments, Environment environment = {},
                      std::chrono::seconds limit = std::chrono::seconds{60}) {
    const auto byDefault = [&](const std::string& name, const std::string& value) {
      const auto given = [&](const auto& variable) { return variable.first == name; };
      if (std::none_of(environment.begin(), environment.end(), given)) environment.emplace_back(name, value);
    };
    byDefault("WARPBENCH_WORKER", WB_BINARY_DIR "/tests/bin/warpbench-fake-worker");
    byDefault("WARPBENCH_CACHE", (folder_ / "cache").string());
    byDefault("WARPBENCH_DATA", (folder_ / "data").string());
    auto result = runToEnd(
        {.argv = std::move(arguments), .folder = folder_, .environment = std::move(environment)}, limit);
    EXPECT_TRUE(result);
    EXPECT_FALSE(result->timedOut);
    if (result && !losesWorkers_) {
      EXPECT_NE(result->ending.exitCode, ExitStatus::lostByUs) << result->err;
      EXPECT_EQ(result->err.find("Warpbench lost its worker"), std::string::npos) << result->err;
    }
    return result ? *result : Captured{};
  }
  bool losesWorkers_ = false;  ///< the test is about a worker that is lost by no fault of a kernel
};

}  // namespace wb
