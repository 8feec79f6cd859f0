// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace wb {

struct Report;

/// What the end of a command means for a shell.
struct ExitStatus {
  /// At least one case passed and nothing failed, or whatever else was asked for was done.
  static constexpr int good = 0;
  /// A case failed, or nothing was heard of it.
  static constexpr int failed = 1;
  /// What was asked for cannot be done as it was asked, or a kernel did not compile.
  static constexpr int usage = 2;
  /// There is no worker or no device.
  static constexpr int noWorker = 3;
  /// Warpbench lost a worker of its own, by no fault of a kernel.
  static constexpr int lostByUs = 4;
  /// The run goes on: what was asked for is what there is so far.
  static constexpr int underWay = 5;
  static constexpr int cancelled = 130;
};

/// The exit status of a finished run.
[[nodiscard]] int exitStatus(const Report& report);

}  // namespace wb
