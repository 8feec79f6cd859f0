// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/base/process.h"

namespace wb {

/// Starts worker processes somewhere: here now, later through ssh or srun. Whatever it starts speaks the
/// protocol on its standard input and output.
class Launcher {
 public:
  virtual ~Launcher() = default;
  [[nodiscard]] virtual std::string description() const = 0;  ///< "this machine"
  virtual Result<Child> launch(const std::string& device) = 0;
  [[nodiscard]] virtual std::chrono::milliseconds helloLimit() const = 0;
};

/// The worker program beside this one ($WARPBENCH_WORKER overrides), with the Python whose torch it uses
/// ($WARPBENCH_PYTHON, else the set-up's virtual environment, else python3).
[[nodiscard]] std::unique_ptr<Launcher> localLauncher();
/// The same for a given command line (tests: the fake worker). The device is appended as "--device=cuda:0".
[[nodiscard]] std::unique_ptr<Launcher> commandLauncher(Command command);

}  // namespace wb
