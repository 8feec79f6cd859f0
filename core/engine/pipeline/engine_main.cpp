// SPDX-License-Identifier: Apache-2.0
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <string>

#include "core/base/process/guest_start.h"
#include "core/base/process/process_start.h"
#include "core/base/sandbox/call_filter.h"
#include "core/engine/compile/host/toolchain.h"
#include "core/engine/device/current_device.h"
#include "core/engine/device/driver.h"
#include "core/engine/engine.h"
#include "core/engine/guest/guest_main.h"
#include "core/engine/machine/target_facts.h"
#include "core/engine/pipeline/compilers.h"
#include "core/engine/pipeline/pipeline.h"
#include "core/engine/python/interpreter.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/sides/memory/memory_settings.h"

namespace {

/// What fails here is said when a kernel is loaded.
void makeContext(const std::string& device) {
  const int index = wb::cudaIndex(device);
  if (index < 0) return;
  try {
    (void)wb::enterDevice(index);
  } catch (...) {  // NOLINT(bugprone-empty-catch): see above
  }
}

/// The judge looks for a guest's answer all the time, and needs a processor for that. Where torch's threads
/// had all of them, one would wait for its turn while the others wait for it, for milliseconds.
void leaveAProcessor(const std::string& device) {
  if (device != "cpu") return;
  cpu_set_t usable{};
  CPU_ZERO(&usable);
  if (::sched_getaffinity(0, sizeof usable, &usable) != 0) return;
  const int most = std::max(1, CPU_COUNT(&usable) - 1);
  if (at::get_num_threads() > most) at::set_num_threads(most);
}

/// A GPU's driver may still start programs with more rights.
void forgoRights(const std::string& device) {
  if (device != "cpu") return;
  (void)wb::forgoCounters();
  wb::forgoTracing();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int warpbench_guests(const wb::EngineOptions* options,
                                                                       void (*begins)(), void (*warms)()) {
  constexpr int otherBuild = 3;
  if (options->build != WB_VERSION) return otherBuild;
  // One that is closed has no walls, and may be a copy of a worker from before that gave up its rights.
  if (::prctl(PR_GET_DUMPABLE) == 0) forgoRights(options->device);
  wb::steadyHeap();
  const auto compilers = wb::compilers();
  const auto compilerFor = [&](std::string_view language) -> wb::Compiler* {
    for (const auto& each : compilers)
      if (each->language() == language) return each.get();
    return nullptr;
  };
  // A guest whose module builds an extension asks for its compiler.
  if (wb::isInsidePython()) (void)wb::usualHostCompiler();
  const auto begin = [&] {
    if (begins != nullptr) begins();
    leaveAProcessor(options->device);
    makeContext(options->device);
  };
  const auto warm = [&] {
    if (warms != nullptr) warms();
  };
  return wb::serveGuests(compilerFor, begin, warm);
}

extern "C" __attribute__((visibility("default"))) wb::Engine* warpbench_engine(
    const wb::EngineOptions* options, std::string* failure) {
  try {
    if (options->build != WB_VERSION) {
      *failure = fmt::format("libwarpbench_engine.so is of version {}, the worker of {}", WB_VERSION,
                             options->build);
      return nullptr;
    }
    if (const int index = wb::cudaIndex(options->device); index >= 0) {
      if (const auto facts = wb::deviceFacts(index); !facts) {
        *failure = wb::describe(facts.error());
        return nullptr;
      }
    }
    forgoRights(options->device);
    wb::steadyHeap();
    wb::rememberStart();  // before any user code runs; compilers are started with this
    return std::make_unique<wb::Pipeline>(*options).release();
  } catch (...) {
    *failure = wb::exceptionText();
    return nullptr;
  }
}
