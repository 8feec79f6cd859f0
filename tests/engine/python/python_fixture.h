// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/engine/real_worker.h"

namespace wb {

/// The real worker with kernels in Python.
class PythonWorker : public RealWorker {
 protected:
  static Job jobOf(const std::string& text, const std::string& path = "relu.py") {
    Job job = checkOf(path, text, {"3", "4", "5"});
    job.limits.caseSeconds = 20;
    return job;
  }
  /// The same from the body of its function.
  static Job bodyOf(const std::string& body) {
    return jobOf("import torch\ndef relu_kernel_impl(x):\n    " + body + "\n");
  }
};

}  // namespace wb
