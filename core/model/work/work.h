// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/error.h"

namespace wb {

struct Job;

/// One stage of what a worker is to do of a kernel.
struct StageWork {
  Stage stage = Stage::check;
  /// Of these of the kernel's cases; absent: of all that are due when the stage begins. To time and to
  /// profile, of those of them that have passed by then.
  std::optional<std::vector<std::uint32_t>> cases{};
  int most = 0;  ///< of those cases, so many that weigh most; 0: all
  bool operator==(const StageWork&) const = default;
};

/// What a worker is to do of one kernel.
struct KernelWork {
  std::uint32_t kernel = 0;  ///< index into Job::kernels
  /// Another worker has said what the kernel compiles to: this one loads it, and says only that it begins to.
  bool compiled = false;
  std::vector<StageWork> stages{};  ///< in their order; what is not named is not run
  /// The reference was lost in this case after the candidate had run: the reference runs alone, to see whose
  /// fault that was.
  std::optional<std::uint32_t> referenceAlone{};
  std::vector<std::uint32_t> passed{};  ///< cases that other workers have let pass
  /// Of the cases to profile, those whose headline times were taken with warm caches.
  std::vector<std::uint32_t> hot{};
  bool operator==(const KernelWork&) const = default;
};

/// What one worker is to do of a job, under the numbers that kernels and cases have in the whole of it.
struct JobWork {
  bool begun = false;  ///< another worker has said where the job runs and what the device reaches
  std::vector<KernelWork> kernels{};
  bool operator==(const JobWork&) const = default;
};

/// All that a job asks for of one kernel.
[[nodiscard]] KernelWork wholeOf(const Job& job, std::uint32_t kernel);
/// What is to be done of a job: the part that it names, else all.
[[nodiscard]] JobWork workIn(const Job& job);

}  // namespace wb
