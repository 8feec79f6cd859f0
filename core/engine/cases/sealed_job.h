// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/engine/sides/memory/sealed_bytes.h"
#include "core/model/job.h"

namespace wb {

/// What a kernel is judged by, as the job said it before any code of the kernel's ran. A kernel in this
/// process can find the job in memory and write to it; here it cannot.
class SealedJob {
 public:
  /// `kernel`: its number in the job.
  SealedJob(const Job& job, std::uint32_t kernel);
  /// Its cases are known now.
  void seal(const PlannedCases& cases);

  /// Nothing where there was no memory to seal.
  [[nodiscard]] std::optional<Tolerance> tolerance() const;
  /// What of the job is not as it was, in words: "the job's tolerance"; "" for nothing. Takes some tens of
  /// microseconds.
  [[nodiscard]] std::string changed(const Job& now) const;
  /// Whether this is not the case that had the number, as far as it was sealed.
  [[nodiscard]] bool isOther(const Case& now, std::uint32_t number) const;

 private:
  std::uint32_t kernel_;
  /// The tolerance's numbers and preset, and the text of the job's plan.
  std::shared_ptr<const SealedBytes> plan_;
  /// A hash of the kernel's source, and one for each of its cases.
  SealedBytes source_;
  std::optional<SealedBytes> cases_;
};

}  // namespace wb
