// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/process/process.h"

namespace wb {

/// Which worker is wanted.
struct WorkerWish {
  std::string device = "cpu";  ///< "cpu", "cuda:N"
  bool python = false;         ///< inside a Python interpreter: runs every language, starts a second slower
  std::string sanitizer{};     ///< tool of compute-sanitizer that it runs under; "" none
  std::filesystem::path sanitizerLog{};  ///< where that writes its messages
};

/// Starts worker processes somewhere: here now, later through ssh or srun. Whatever it starts speaks the
/// protocol on its standard input and output.
class Launcher {
 public:
  virtual ~Launcher() = default;
  /// Called on the thread that will own the child. An error is final: trying again would not help.
  virtual Result<Child> launch(const WorkerWish& wish) = 0;
  /// From the launch to the worker's greeting.
  [[nodiscard]] virtual std::chrono::milliseconds helloLimit() const = 0;
};

/// The worker program beside this one, or libwarpbench_worker.so in `python`; $WARPBENCH_WORKER overrides the
/// former. `python`: the interpreter whose torch and packages are used; "": as findPython() says.
[[nodiscard]] std::unique_ptr<Launcher> localLauncher(const std::string& python = {});
/// A given command line for either (tests: the fake worker). The device is appended as "--device=cuda:0".
[[nodiscard]] std::unique_ptr<Launcher> commandLauncher(
    Command command, std::chrono::milliseconds helloLimit = std::chrono::seconds{30});

}  // namespace wb
