// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/engine/sides/process/call_tables.h"

namespace wb {

/// Where torch's code goes on when it has launched a kernel.
struct LaunchPlace {
  std::uintptr_t at = 0;
  /// A thread launched it from there in no operator, where those are seen (operator_watch.h).
  bool isHidden = false;
};

/// An operator of ATen's that launches a kernel works for some times as long on the host.
inline constexpr double launchSeconds = 2e-6;

/// Notes from which places of torch's own code kernels are launched on a GPU while it lives. Each kernel of
/// ATen's has a function of its own on the host by which it is launched, so such a place tells what runs. It
/// stands in the tables through which torch's libraries call the CUDA runtime. There may be one at a time.
class LaunchPlaces {
 public:
  LaunchPlaces();
  ~LaunchPlaces();
  LaunchPlaces(const LaunchPlaces&) = delete;
  LaunchPlaces& operator=(const LaunchPlaces&) = delete;

  /// Each place once, in order.
  [[nodiscard]] std::vector<LaunchPlace> taken() const;

 private:
  /// The entries that lead here meanwhile, and what was in them.
  Words entries_;
};

}  // namespace wb
