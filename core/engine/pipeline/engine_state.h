// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/engine/compile/compiler.h"
#include "core/engine/compile/given_builds.h"
#include "core/engine/engine.h"
#include "core/engine/pipeline/known_kernels.h"
#include "core/engine/pipeline/reference_process.h"
#include "core/engine/pipeline/strict_kernel.h"
#include "core/engine/sides/code/global_libraries.h"
#include "core/engine/sides/memory/memory_settings.h"
#include "core/engine/sides/process/own_code.h"
#include "core/engine/sides/process/own_files.h"
#include "core/engine/sides/process/problem_files.h"
#include "core/engine/sides/process/torchs_own.h"
#include "core/engine/sides/process_state.h"
#include "core/engine/sides/registrations.h"
#include "core/engine/sides/thread_places.h"
#include "core/engine/sides/traces.h"
#include "core/engine/time/cross_checks/reference_pace.h"
#include "core/engine/time/measured_device.h"
#include "core/model/operators/catalogue.h"

namespace wb {

/// The state of this process before any user code ran in it.
struct Untouched {
  SideStates states;
  /// This comes after the states, since torch's threads exist by then.
  Traces traces;
  ThreadPlaces places{};
  OwnCode code{};
  OwnFiles files{};
  TorchsOwn torchs{};
  MemorySettings memory{};
  AllRegistrations operators{};
  GlobalLibraries libraries{};
};

/// What all kernels of all jobs of a worker share.
struct EngineState {
  EngineOptions options;
  Target target;
  std::uint64_t secret = 0;
  /// CompileRequest::modelSeed; the same as long as the process lives.
  std::int64_t modelSeed = 0;
  std::vector<std::unique_ptr<Compiler>> compilers;
  std::vector<OperatorEntry> operators;
  MeasuredDevice measuredDevice;
  KnownKernels known;
  /// Of operators on a GPU.
  ReferencePaces paces;
  /// What other machines have built for this one.
  GivenBuilds given;
  /// For jobs that are judged strictly.
  StrictGuests guests;
  /// For those that are not; nothing on a GPU.
  std::optional<ReferenceProcess> referenceProcess;
  /// Those of the job that is run, and for as long as it is.
  std::optional<ProblemFiles> problems;
  /// This is made before the first kernel's code runs.
  std::optional<Untouched> untouched;
  bool poisoned = false;
  /// A kernel that is done has spoiled it; see Engine::spoiled.
  bool spoiled = false;
};

}  // namespace wb
