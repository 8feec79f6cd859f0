// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/engine/real_worker.h"

namespace wb {

/// The real worker as a strict judge.
class StrictWorker : public RealWorker {
 protected:
  static Job jobOf(const std::string& path, const std::string& text) {
    Job job = checkOf(path, text, {"3", "4, 5", "1000"});
    job.strict = true;
    return job;
  }
};

}  // namespace wb
