// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/call_elsewhere.h"

namespace wb {

/// What was seen of a candidate that runs in a process of its own, in calls like those that are timed.
struct SeenThere {
  /// In some calls its process observed which operators ran, which a kernel can know. To which places of the
  /// reference's code they came is seen from outside in all of them.
  struct Calls {
    int made = 0;
    std::map<std::uint64_t, int> reached{};
    void add(const std::set<std::uint64_t>& places);
  };
  Calls observed, unobserved;
  /// The least that its process says of ATen's operators' time in an observed call, in seconds: on a busy
  /// machine one of them may take any time.
  double admitted = 0;

  /// One more observed call, and what its process says of it.
  void addObserved(const std::set<std::uint64_t>& reached, const std::vector<RanPart>& ran);
};

/// What the candidate does without saying so, in words; "" where it does nothing of the kind. `hot` is the
/// code in which the reference for `op` spends its time. `took`: the seconds of one of the candidate's calls,
/// by a clock that is not its process's.
[[nodiscard]] std::string hiddenThere(const SeenThere& seen, const std::vector<HotCode>& hot,
                                      std::string_view op, double took);

}  // namespace wb
