// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/result.h"

namespace wb {

/// The worker's command line.
struct WorkerOptions {
  enum class Mode { serve, guest, prepare, doctor, version, help };
  Mode mode = Mode::serve;
  /// The device: "cpu" or "cuda:N".
  std::string device = "cpu";
  /// Jobs that are judged strictly are expected.
  bool judges = false;
  /// torch's folder, its site-packages or its environment; when it is "", torch is looked for.
  std::string torch;
  /// Why this process cannot work, if that was found before the worker was started; else "".
  std::string failure;
};

Result<WorkerOptions> parseOptions(int argc, const char* const* argv);

/// The usage text.
[[nodiscard]] std::string usage();

}  // namespace wb
