// SPDX-License-Identifier: Apache-2.0
#include "core/engine/pipeline/kernel/drawn_to_ask.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "core/engine/reference/seed.h"
#include "core/suites/literals/editable_call.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

constexpr std::size_t casesAsked = 3;

std::int64_t bytesOf(const Case& definition) {
  const Result<Literal> call = parseLiteral(definition.args);
  return call ? tensorBytes(*call) : 0;
}

/// Whether it has tensors at all, as arange has none.
bool hasTensors(const Case& definition) {
  const Result<EditableCall> call = editCall(definition.args);
  return call && !call->tensors.empty();
}

}  // namespace

std::set<const Case*> drawnToAsk(const PlannedCases& cases, std::uint64_t seed) {
  const bool isProblem = !cases.cases.empty() && cases.cases.front().values == "own";
  const std::size_t wanted = isProblem ? 1 : casesAsked - 1;
  const Case* largest = nullptr;
  std::int64_t largestBytes = -1;
  std::set<std::pair<std::uint64_t, const Case*>> first;
  for (std::uint32_t i = 0; i < cases.count; ++i) {
    const Case* const each = find(cases, i);
    if (each != nullptr && !each->values.empty() && each->values != "own") continue;
    if (each != nullptr && !isProblem) {
      const std::int64_t bytes = bytesOf(*each);
      if (bytes > largestBytes) largest = each;
      largestBytes = std::max(largestBytes, bytes);
      // With tensors that are empty any kernel is right, and one that takes long on purpose leaves no time
      // for other cases.
      if (bytes == 0 && hasTensors(*each)) continue;
    }
    first.emplace(mixSeeds(seed, i), each);
    if (first.size() > wanted) first.erase(std::prev(first.end()));
  }
  std::set<const Case*> drawn;
  for (const auto& [number, each] : first) drawn.insert(each);
  drawn.insert(largest);
  drawn.erase(nullptr);
  return drawn;
}

}  // namespace wb
