// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/engine/compile/compiler.h"
#include "core/engine/engine.h"
#include "core/engine/sides/process_state.h"
#include "core/engine/sides/traces.h"
#include "core/engine/time/timing_bench.h"
#include "core/model/operators/catalogue.h"

namespace wb {

/// How this process was before any user code ran in it.
struct Untouched {
  SideStates states;
  Traces traces;  ///< after the states: torch's threads are there by then
};

/// What all kernels of all jobs of a worker share.
struct Workshop {
  EngineOptions options;
  Target target;
  std::uint64_t secret = 0;
  std::vector<std::unique_ptr<Compiler>> compilers;
  std::vector<OperatorEntry> operators;
  TimingBench bench;
  std::optional<Untouched> untouched;  ///< made before the first kernel's code runs
  bool poisoned = false;
  bool spoiled = false;  ///< by a kernel that has been done with: see Engine::spoiled
};

}  // namespace wb
