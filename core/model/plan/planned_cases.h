// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/case.h"

namespace wb {

/// The cases that a kernel runs, or some of them, under the numbers that they have among all of them.
struct PlannedCases {
  /// The schema name of the operator that the kernel implements.
  std::string op;
  /// How many there are in all.
  std::uint32_t count = 0;
  /// The types (Case::dtype) of all of them, each once, in the order in which they come: for these the kernel
  /// is compiled, whichever of its cases are here.
  std::vector<std::string> dtypes;
  /// The numbers of those that are here, in ascending order, and these themselves.
  std::vector<std::uint32_t> numbers;
  std::vector<Case> cases;
  bool operator==(const PlannedCases&) const = default;
};

/// Adds a case's type where it is a new one.
void addDtype(std::vector<std::string>& dtypes, const Case& definition);

[[nodiscard]] PlannedCases allCases(std::string op, std::vector<Case> cases);

/// The case with that number; nothing where it is not here.
[[nodiscard]] const Case* find(const PlannedCases& planned, std::uint32_t number);

}  // namespace wb
