// SPDX-License-Identifier: Apache-2.0
#include "core/runner/batch/shard_claim.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <random>
#include <utility>

#include "core/base/files/file.h"

namespace wb {
namespace {

std::string thisAttempt() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  const char* job = std::getenv("SLURM_JOB_ID");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  std::random_device drawn;
  return fmt::format("{}process {} on {}, {:08x}", job != nullptr ? fmt::format("job {}, ", job) : "",
                     ::getpid(), host.data(), drawn());
}

}  // namespace

Result<ShardClaim> ShardClaim::take(const Batch& batch, std::size_t shard) {
  ShardClaim claim(batch.folder / fmt::format("claim-{}", shard), thisAttempt());
  WB_DO(writeFileAtomically(claim.path_, claim.owner_));
  return claim;
}

Result<void> ShardClaim::check() const {
  WB_TRY(const std::string owner, readFile(path_));
  if (owner == owner_) return {};
  return Error{Stage::job, fmt::format("another attempt at this part of the run has begun ({})", owner),
               "this one ends, and leaves what remains to the other"};
}

}  // namespace wb
