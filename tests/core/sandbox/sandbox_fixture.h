// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "core/base/process/process.h"
#include "core/base/sandbox/sandbox.h"
#include "tests/core/sandbox/attempts.h"

namespace wb::walls {

/// How a program is started.
enum class Around {
  nothing,
  /// Walls with a view of its own.
  walls,
  /// Walls on a machine whose system allows no namespaces.
  wallsWithoutView,
};
[[nodiscard]] const char* name(Around around);

/// Folders, a socket that listens, and a process to attack; and walls that leave all of that out.
class SandboxTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// Says why walls cannot be tried here, if they cannot.
  [[nodiscard]] static std::optional<std::string> missing(Around around);
  /// Runs a command, or this program where the first word is "self".
  [[nodiscard]] Captured run(std::vector<std::string> words, Around around) const;
  [[nodiscard]] Captured runAttempt(const std::string& attempt, Around around) const;
  [[nodiscard]] Command commandOf(std::vector<std::string> words, Around around) const;

  Place place;
  Sandbox sandbox;

 private:
  std::string base_;
  int door_ = -1, abstractDoor_ = -1, box_ = -1;
  std::optional<Child> victim_;
};

/// Ends a test as skipped, with the reason, where the walls cannot be tried.
#define WB_NEEDS(around) \
  if (const auto why = missing(around)) GTEST_SKIP() << *why

/// The program's arguments that tests use; nullopt: none of them.
std::optional<int> actAs(int argc, char** argv);

}  // namespace wb::walls
