// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/hash.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>

// The whole hash is compiled into this file, since the worker must run on machines without libxxhash.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace wb {

std::string contentHash(std::initializer_list<std::string_view> parts) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
  XXH3_128bits_reset(state.get());
  for (const std::string_view part : parts) {
    // The length comes first, so that {"ab", "c"} and {"a", "bc"} differ.
    const std::uint64_t length = part.size();
    XXH3_128bits_update(state.get(), &length, sizeof length);
    XXH3_128bits_update(state.get(), part.data(), part.size());
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace wb
