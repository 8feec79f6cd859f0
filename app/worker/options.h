// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/result.h"

namespace wb {

/// The worker's command line.
struct WorkerOptions {
  enum class Mode { serve, prepare, doctor, version, help };
  Mode mode = Mode::serve;
  std::string device = "cpu";  ///< "cpu", "cuda:N"
  std::string torch;           ///< torch's folder, its site-packages or its environment; "": looked for
  std::string failure;         ///< why this process cannot work, found before the worker was asked; "" mostly
};

Result<WorkerOptions> parseOptions(int argc, const char* const* argv);

/// Usage text.
[[nodiscard]] std::string usage();

}  // namespace wb
