// SPDX-License-Identifier: Apache-2.0
#include "core/figures/groups.h"

#include <cmath>
#include <map>

#include "core/figures/cells.h"

namespace wb {

std::string OperatorGroup::rowId() const {
  return std::to_string(kernel) + "/" + op;
}

std::vector<OperatorGroup> operatorGroups(const Report& report) {
  std::vector<OperatorGroup> groups;
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    std::map<std::string_view, std::size_t> places;
    forEachCase(*report.kernels[k], [&](std::size_t, const CaseRow& row) {
      const auto [place, isNew] = places.try_emplace(row.definition.op, groups.size());
      if (isNew) {
        groups.emplace_back();
        groups.back().op = row.definition.op;
        groups.back().kernel = k;
        groups.back().scored = scored(report, *report.kernels[k]);
      }
      OperatorGroup& group = groups[place->second];
      ++group.cases;
      const bool checked = row.check.verdict != Verdict::notRun;
      group.passed += checked && tally(row.check.verdict) == Tally::pass ? 1 : 0;
      group.failed += checked && tally(row.check.verdict) == Tally::fail ? 1 : 0;
      if (group.scored) group.timed.take(row);
      if (!row.check.errors) return;
      const double error = row.check.errors->maxAbs;
      if (group.worst == nullptr || std::isnan(error) || error > group.worst->check.errors->maxAbs)
        group.worst = &row;
    });
  }
  return groups;
}

}  // namespace wb
