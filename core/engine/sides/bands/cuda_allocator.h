// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/engine/sides/bands/band_bytes.h"

namespace wb {

/// Torch's memory of a GPU between bands, as guard_bands.h has the processor's. Does nothing where torch has
/// no CUDA or has not begun to use it. What the bands cost is paid when memory is allocated, and only there.
namespace cudaBands {

void begin(std::uint64_t secret);
void end();
/// Puts the allocator with bands in torch's place, or torch's own there again; but for where somebody has put
/// another one in its place.
void inForce(bool is);
/// Makes memory of somebody's own part of what is looked at: `bandBytes` on either side of it are free.
/// `keeps` keeps it until then.
void guard(const GuardedPiece& piece, std::shared_ptr<const void> keeps);
/// The first memory outside of which somebody wrote. All work of the GPU has to be done.
[[nodiscard]] std::optional<WrittenBeyond> found();

}  // namespace cudaBands

}  // namespace wb
