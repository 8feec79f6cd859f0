// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "core/base/result.h"
#include "core/model/operators/catalogue.h"

namespace wb {

/// The worker program: $WARPBENCH_WORKER, else the one beside this program.
[[nodiscard]] std::filesystem::path workerProgram();

struct Preparation {
  /// The Python whose torch is used; "" means the one that findPython() finds.
  std::string python{};
  /// It runs at a lower priority, since nobody waits for it yet.
  bool idle = false;
};

/// Makes in advance what the first kernel would wait for (the precompiled header of torch, the operator
/// catalogue), by `warpbench-worker --prepare`, to its end. What exists already is left alone. Whoever needs
/// it meanwhile waits on its lock and does not make it twice. Errors: no worker, what the worker said,
/// stopped.
Result<void> prepareKernels(const Preparation& preparation, const std::stop_token& stop = {});

/// The operators of torch; the worker writes their list where there is none yet, which takes seconds. Errors:
/// those of prepareKernels(), no list all the same. `python` is as in Preparation.
Result<Catalogue> catalogueOfTorch(const std::string& python = {});

}  // namespace wb
