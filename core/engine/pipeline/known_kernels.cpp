// SPDX-License-Identifier: Apache-2.0
#include "core/engine/pipeline/known_kernels.h"

#include <algorithm>
#include <cstddef>
#include <random>

namespace wb {
namespace {

constexpr unsigned timesToAskOnce = 8;
constexpr std::size_t mostKnown = 64;

}  // namespace

bool asksAgain() {
  return std::random_device()() % timesToAskOnce == 0;
}

KnownOfCase& KnownKernels::of(const ServedKernel& kernel, std::uint32_t index) {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const Known& each) { return each.kernel == kernel; });
  if (found == all_.end())
    all_.push_back({kernel, {}});
  else
    std::rotate(found, found + 1, all_.end());
  if (all_.size() > mostKnown) all_.pop_front();
  return all_.back().cases[index];
}

}  // namespace wb
