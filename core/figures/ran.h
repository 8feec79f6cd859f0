// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

/// What calls of a kernel ran, over some of its cases.
struct WhatRan {
  struct Share {
    /// "own code", "own kernels", "aten::relu", "cuBLAS".
    std::string what;
    double share = 0;
    bool isOwn = false;
  };
  /// The largest comes first; empty where the calls are too short to tell.
  std::vector<Share> shares;
  /// The shares are of the device's time, and not of the host's.
  bool isOnDevice = false;
  /// The operators of ATen's that the kernel itself called, those that took longest first.
  std::vector<std::string> called;
  /// The kernel's own operator, "aten::relu", where it called ATen's, and in how many of the cases.
  std::string delegated;
  int delegatedCases = 0;
  /// How many cases something is known of.
  int cases = 0;
  /// It is the word of the process that the kernel ran in, which nobody else saw (--strict).
  bool isSaid = false;

  /// Half of the work or more is not its own.
  [[nodiscard]] bool isMostlyOthers() const;
};
[[nodiscard]] WhatRan whatRan(const Report& report, const KernelReport& kernel);
[[nodiscard]] WhatRan whatRan(const Report& report, const CaseRow& row);

/// "all of it in aten::relu", "94 % cuBLAS · 6 % own kernels", "all its own code", "calls aten::mm"; "" where
/// nothing is known.
[[nodiscard]] std::string ranText(const WhatRan& ran);
/// The operators that a kernel called, "calls aten::mm and aten::relu"; "" for none.
[[nodiscard]] std::string calledText(const WhatRan& ran);
/// "hands relu to ATen in 5 of 6 cases"; "" where it does not.
[[nodiscard]] std::string delegatedText(const WhatRan& ran);

/// The launches of a call by their names: "relu ×2, fill".
[[nodiscard]] std::vector<std::string> launchNames(const CaseTiming& timing);

/// The card of the summary; nothing where nothing is known of any kernel.
[[nodiscard]] std::vector<Card> ranCards(const Report& report);

}  // namespace wb
