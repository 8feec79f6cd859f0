// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/base/sandbox/sandbox.h"
#include "tests/engine/real_worker.h"

namespace wb {

/// The real worker as a strict judge.
class StrictWorker : public RealWorker {
 protected:
  void SetUp() override {
    Sandbox walls;
    walls.needsNamespaces = true;
    for (const std::string& missing : missingWalls(walls, sandboxSupport()))
      GTEST_SKIP() << "not run, since a guest needs walls: " << missing;
  }
  /// A kernel for relu over tensors of three shapes.
  static Job jobOf(const std::string& path, const std::string& text) {
    Job job = checkOf(path, text, {"3", "4, 5", "1000"});
    job.strict = true;
    return job;
  }
};

}  // namespace wb
