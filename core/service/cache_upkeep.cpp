// SPDX-License-Identifier: Apache-2.0
#include "core/service/cache_upkeep.h"

#include <utility>

#include "core/base/quantity.h"
#include "core/base/text.h"

namespace wb {

CacheUpkeep::CacheUpkeep(CacheDuties duties)
    : duties_(std::move(duties)), thread_([this](const std::stop_token& stop) {
        for (int trims = 0; !stop.stop_requested(); ++trims) {
          if (trims % duties_.trimsBetweenPreparations == 0) prepare(stop);
          if (stop.stop_requested()) return;
          if (trims == 0) duties_.warmUp();
          if (stop.stop_requested()) return;
          duties_.trim();
          std::unique_lock lock(mutex_);
          wake_.wait_for(lock, stop, duties_.betweenTrims, [] { return false; });
        }
      }) {}

std::string CacheUpkeep::compilers() const {
  const std::lock_guard lock(mutex_);
  return compilers_;
}

void CacheUpkeep::say(std::string compilers) {
  duties_.tell("the compilers of kernels are " + compilers);
  const std::lock_guard lock(mutex_);
  compilers_ = std::move(compilers);
}

void CacheUpkeep::prepare(const std::stop_token& stop) {
  const auto start = std::chrono::steady_clock::now();
  const Result<void> prepared = duties_.prepare(stop);
  if (stop.stop_requested()) return;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (prepared)
    say("ready, after " + formatSeconds(seconds.count()));
  else
    say("not prepared, and the first kernel in C++ may take longer: " +
        std::string(trimmed(describe(prepared.error()))));
}

}  // namespace wb
