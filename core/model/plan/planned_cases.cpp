// SPDX-License-Identifier: Apache-2.0
#include "core/model/plan/planned_cases.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace wb {

void addDtype(std::vector<std::string>& dtypes, const Case& definition) {
  const std::string& dtype = definition.dtype;
  if (!dtype.empty() && std::find(dtypes.begin(), dtypes.end(), dtype) == dtypes.end())
    dtypes.push_back(dtype);
}

PlannedCases allCases(std::string op, std::vector<Case> cases) {
  PlannedCases planned;
  planned.op = std::move(op);
  planned.count = static_cast<std::uint32_t>(cases.size());
  for (const Case& each : cases) addDtype(planned.dtypes, each);
  planned.numbers.resize(cases.size());
  std::iota(planned.numbers.begin(), planned.numbers.end(), 0U);
  planned.cases = std::move(cases);
  return planned;
}

const Case* find(const PlannedCases& planned, std::uint32_t number) {
  const auto found = std::lower_bound(planned.numbers.begin(), planned.numbers.end(), number);
  if (found == planned.numbers.end() || *found != number) return nullptr;
  const auto place = static_cast<std::size_t>(found - planned.numbers.begin());
  // What came over the wire may have fewer cases than numbers.
  return place < planned.cases.size() ? &planned.cases[place] : nullptr;
}

}  // namespace wb
